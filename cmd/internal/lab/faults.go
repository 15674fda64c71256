package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/faults"
)

// runFaults runs comparisons with workers under random faults, and prints a row for each and for each ending.
func runFaults(ctx context.Context, dir string, args []string) (err error) {
	var t tool
	c := faults.Config{Folder: dir}
	flags := flag.NewFlagSet("faults", flag.ExitOnError)
	flags.StringVar(&t.path, "command", "", "a built command, whose clocks are right: `FILE`")
	source := flags.String("source", "./cmd/spectradiff", "of the command, built with clocks that go wrong: `FOLDER`")
	flags.IntVar(&c.Workers, "workers", 3, "workers at the beginning of a run, at most: `N`")
	flags.BoolVar(&c.Links, "links", os.Geteuid() == 0, "workers are in network namespaces, which takes root and ip")
	flags.DurationVar(&c.Limit, "limit", 3*time.Minute, "when a run counts as stuck: `TIME`")
	runs := flags.Int("runs", 200, "runs: `N`")
	seed := flags.Uint64("seed", 1, "of the faults of the first run: `N`")
	_ = flags.Parse(args) // it exits by itself
	if flags.NArg() < 3 {
		return errors.New("want REPOSITORY, and the arguments of compare, such as --sequences 200 v1.0.0 v1.1.0; " +
			"with --shards N workers do whole shards")
	}
	if c.Clocks = t.path == ""; c.Clocks {
		if t.path, err = faults.Build(ctx, *source, dir); err != nil {
			return err
		}
	}
	if err := t.find(); err != nil {
		return err
	}
	c.Command, c.Repository, c.Args = t.path, flags.Arg(0), flags.Args()[1:]
	bench, err := faults.New(ctx, c)
	if err != nil {
		return err
	}
	fmt.Println("| seed | faults | ending | tasks of workers | done by the comparison instead | s |")
	fmt.Println("|---|---|---|---|---|---|")
	endings := map[faults.Ending]int{}
	for i := range uint64(*runs) {
		r, err := bench.Run(ctx, *seed+i)
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		endings[r.Ending]++
		what := strings.Join(r.Faults, ", ")
		fmt.Printf("| %d | %s | %s | %d | %d | %.1f |\n", *seed+i, what, r.Ending, r.Tasks, r.Redone, r.Seconds)
		if r.Message != "" {
			fmt.Printf("\n%s\n\n", r.Message)
		}
	}
	fmt.Printf("\n%d runs: %d the same report, %d another, %d errors, %d stuck.\n", *runs, endings[faults.Same],
		endings[faults.Other], endings[faults.Refused], endings[faults.Stuck])
	return nil
}
