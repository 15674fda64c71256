package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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
	with := flags.String("with", "", "the trace of such a run with a worker, which says what moves: `FILE`")
	rate := flags.Float64("rate", 125, "of the link, with -with, in millions of bytes a second: `N`")
	_ = flags.Parse(args) // it exits by itself
	if *with != "" {
		moved, err := fromTrace(*with, spread.ReadTraffic)
		if err != nil {
			return err
		}
		cost.Traffic, cost.Rate = moved, *rate*1e6
		fmt.Printf("%.0f bytes for a task, %.0f for a worker\n\n", moved.Task, moved.Once)
	}
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
		r, err := fromTrace(name, spread.Read)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.1f |", strings.TrimSuffix(filepath.Base(name), ".json"), r.All.Seconds())
		with := func(workers int) time.Duration { return r.Simulate(workers, *jobs, cost) }
		if *whole {
			with = func(workers int) time.Duration { return r.Divide(workers, *begin, cost) }
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

// fromTrace reads something from a file with spans.
func fromTrace[T any](name string, read func(io.Reader) (T, error)) (of T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return of, err
	}
	defer file.Close()
	if of, err = read(file); err != nil {
		return of, fmt.Errorf("%s: %w", name, err)
	}
	return of, nil
}

func columns(counts []int) (text string) {
	for _, n := range counts {
		text += fmt.Sprintf(" %d workers |", n)
	}
	return text
}
