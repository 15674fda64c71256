// Command lab measures the tool itself: its costs, and what it finds of known changes. Nothing of the tool imports it.
//
//	go run ./cmd/internal/lab bench       the cost of recording and comparing, and the code that generating runs
//	go run ./cmd/internal/lab commits     the cost of comparing single commits of clones of large repositories
//	go run ./cmd/internal/lab evaluate    what comparisons find in mutants and in known releases
//	go run ./cmd/internal/lab faults      what becomes of comparisons whose workers and server fail
//	go run ./cmd/internal/lab origins     whether the commits are found that brought in seeded faults
//	go run ./cmd/internal/lab siemens     what spectra show of seeded faults in a family of small programs
//	go run ./cmd/internal/lab spread      how long traced comparisons would take with more workers
//	go run ./cmd/internal/lab sweep       which of many modules can be compared
//
// In: released modules, which the go command fetches; clones; a Go project around the current folder, the tool's
// own. Out: on standard output, tables in Markdown, each row as soon as it was measured. What it asks of comparisons it
// reads in their reports, as any user can. It writes only below a temporary folder that it removes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func main() {
	if filepath.Base(os.Args[0]) == "go" {
		os.Exit(intercept(os.Args[1:]))
	}
	if sandbox.Child() || load.Child() {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// run runs a subcommand in a scratch folder.
func run(ctx context.Context, args []string) error {
	commands := map[string]func(context.Context, string, []string) error{
		"bench": runBench, "evaluate": runEvaluation, "siemens": runSiemens, "sweep": runSweep,
		"commits": runCommits, "faults": runFaults, "origins": runOrigins, "spread": runSpread,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		const which = "bench, commits, evaluate, faults, origins, siemens, spread, sweep"
		return errors.New("which one: " + which + "? -h behind it lists its flags")
	}
	dir, err := os.MkdirTemp("", "lab-")
	if err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := commands[args[0]](ctx, dir, args[1:]); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}
