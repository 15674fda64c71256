package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	_ = flags.Parse(args) // it exits by itself
	if flags.NArg() == 0 {
		return errors.New("no trace: want files that compare --jobs 1 --trace FILE wrote")
	}
	counts := []int{0, 1, 2, 4, 8, 16, 32, 64}
	fmt.Printf("| run | one job, s |%s serial, s | longest pieces, s | client, s |\n", columns(counts))
	fmt.Println("|" + strings.Repeat("---|", len(counts)+5))
	for _, name := range flags.Args() {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		r, err := spread.Read(file)
		_ = file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("| %s | %.1f |", strings.TrimSuffix(filepath.Base(name), ".json"), r.All.Seconds())
		alone := r.Simulate(0, *jobs, cost)
		for _, n := range counts {
			with := r.Simulate(n, *jobs, cost)
			fmt.Printf(" %.1f (%.2f) |", with.Seconds(), alone.Seconds()/with.Seconds())
		}
		serial, longest, client := r.Bounds(cost)
		fmt.Printf(" %.1f | %.1f | %.1f |\n", serial.Seconds(), longest.Seconds(), client.Seconds())
	}
	return nil
}

func columns(counts []int) (text string) {
	for _, n := range counts {
		text += fmt.Sprintf(" %d workers |", n)
	}
	return text
}
