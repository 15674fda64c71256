package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/spread"
)

// runSpread computes from traces of runs of one job how long these would take with more workers.
func runSpread(_ context.Context, _ string, args []string) error {
	flags := flag.NewFlagSet("spread", flag.ExitOnError)
	cost := spread.Cost{}
	flags.DurationVar(&cost.Client, "client", time.Millisecond, "of the client, for a play elsewhere: `TIME`")
	flags.DurationVar(&cost.Wait, "wait", 5*time.Millisecond, "beside it, for a play elsewhere: `TIME`")
	jobs := flags.Int("jobs", 2, "processors of the client: `N`")
	whole := flags.Bool("whole", false, "whole runs are what is divided: each trace has several, as those of a series")
	begin := flags.Duration("begin", 20*time.Second, "with -whole, what the first run of a worker takes more: `TIME`")
	_ = flags.Parse(args) // it exits by itself
	if flags.NArg() == 0 {
		return errors.New("no trace: want files that compare --jobs 1 --trace FILE wrote")
	}
	counts := []int{0, 1, 2, 4, 8, 16, 32, 64}
	held := " serial, s | longest pieces, s | client, s |"
	if *whole {
		held = " runs | longest run, s |"
	}
	fmt.Printf("| run | one job, s |%s%s\n", columns(counts), held)
	fmt.Println("|" + strings.Repeat("---|", len(counts)+1+strings.Count(held, "|")))
	for _, name := range flags.Args() {
		r, err := readRun(name)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.1f |", strings.TrimSuffix(filepath.Base(name), ".json"), r.All.Seconds())
		with := func(workers int) time.Duration { return r.Simulate(workers, *jobs, cost) }
		if *whole {
			with = func(workers int) time.Duration { return r.Divide(workers, *begin) }
		}
		for _, n := range counts {
			fmt.Printf(" %.1f (%.2f) |", with(n).Seconds(), with(0).Seconds()/with(n).Seconds())
		}
		if *whole {
			fmt.Printf(" %d | %.1f |\n", len(r.Whole), slices.Max(r.Whole).Seconds())
			continue
		}
		serial, longest, client := r.Bounds(cost)
		fmt.Printf(" %.1f | %.1f | %.1f |\n", serial.Seconds(), longest.Seconds(), client.Seconds())
	}
	return nil
}

func readRun(name string) (*spread.Run, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := spread.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func columns(counts []int) (text string) {
	for _, n := range counts {
		text += fmt.Sprintf(" %d workers |", n)
	}
	return text
}
