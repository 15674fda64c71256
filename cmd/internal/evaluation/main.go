// Command evaluation measures what comparisons find: first-order mutants of released modules are compared with their
// originals, and releases with the ones before them of which the difference is known.
//
// In: released modules, which the go command fetches; mutants of them by gremlins, a mutation tool that is no part of
// this module; the built command. Out: on standard output, tables in Markdown: for how many mutants each spectrum
// deviates and in which part of the sequences that run the mutant (the deviation exposure ratio), and how often the
// mutated function is the root (the deviation-root localisation), after Xie, "Improving Effectiveness of Automated
// Software Testing in the Absence of Specifications", 7.3. The same flags choose the same mutants. It writes only below
// a temporary folder, and is no part of the tool.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// modules are libraries of different kinds whose tests need nothing but Go.
const modules = "github.com/Masterminds/semver/v3@v3.4.0," +
	"github.com/google/uuid@v1.6.0,github.com/dustin/go-humanize@v1.0.1,github.com/agnivade/levenshtein@v1.2.1," +
	"github.com/hashicorp/go-version@v1.7.0,github.com/spf13/cast@v1.9.2," +
	"github.com/iancoleman/strcase@v0.3.0,github.com/mattn/go-shellwords@v1.0.12"

// settings are the flags.
type settings struct {
	modules   string
	mutants   int
	sequences int
	command   string
	mutator   string
	verbose   bool
}

func main() {
	if filepath.Base(os.Args[0]) == "go" {
		os.Exit(intercept(os.Args[1:]))
	}
	var s settings
	flag.StringVar(&s.modules, "modules", modules, "released modules, `LIST` of path@version")
	flag.IntVar(&s.mutants, "mutants", 45, "mutants of each module, 0 = known pairs alone: `N`")
	flag.IntVar(&s.sequences, "sequences", 1000, "sequences of each comparison: `N`")
	flag.StringVar(&s.command, "command", "bin/spectradiff", "the built command: `FILE`")
	flag.StringVar(&s.mutator, "mutator", "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0",
		"the mutation tool, as go run takes it: `PATH@VERSION`")
	flag.BoolVar(&s.verbose, "v", false, "print every comparison on standard error")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := evaluate(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "evaluation:", err)
		os.Exit(1)
	}
}

// evaluate compares the mutants of all modules.
func evaluate(ctx context.Context, s settings) error {
	command, err := filepath.Abs(s.command)
	if err != nil {
		return err
	}
	if _, err := os.Stat(command); err != nil {
		return fmt.Errorf("%w; make build builds it", err)
	}
	dir, err := os.MkdirTemp("", "evaluation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []measured
	for i, name := range strings.Split(s.modules, ",") {
		if s.mutants == 0 {
			break
		}
		m := &module{settings: s, name: name, command: command, dir: filepath.Join(dir, fmt.Sprint(i))}
		found, err := m.measure(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", name, err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 && s.mutants > 0 {
		return errors.New("no mutants")
	}
	pairs, err := comparePairs(ctx, s, command, dir)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		print(os.Stdout, s, all)
	}
	printPairs(os.Stdout, pairs)
	return nil
}
