package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// originals are libraries of different kinds whose tests need nothing but Go.
const originals = "github.com/Masterminds/semver/v3@v3.4.0," +
	"github.com/google/uuid@v1.6.0,github.com/dustin/go-humanize@v1.0.1,github.com/agnivade/levenshtein@v1.2.1," +
	"github.com/hashicorp/go-version@v1.7.0,github.com/spf13/cast@v1.9.2," +
	"github.com/iancoleman/strcase@v0.3.0,github.com/mattn/go-shellwords@v1.0.12"

// settings are the flags.
type settings struct {
	modules   string
	mutants   int
	sequences int
	tool      tool
	mutator   string
	verbose   bool
}

// runEvaluation compares first-order mutants of released modules, made by a mutation tool that is no part of this
// module, with their originals, and releases with the ones before them. It prints for how many mutants each spectrum
// deviates and in which part of the sequences that run the mutant (the deviation exposure ratio), and how often the
// mutated function is the root (the deviation-root localisation), after Xie, "Improving Effectiveness of Automated
// Software Testing in the Absence of Specifications", 7.3. The same flags choose the same mutants.
func runEvaluation(ctx context.Context, dir string, args []string) error {
	var s settings
	flags := flag.NewFlagSet("evaluate", flag.ExitOnError)
	flags.StringVar(&s.modules, "modules", originals, "released modules, `LIST` of path@version")
	flags.IntVar(&s.mutants, "mutants", 45, "mutants of each module, 0 = known pairs alone: `N`")
	flags.IntVar(&s.sequences, "sequences", 1000, "sequences of each comparison: `N`")
	flags.StringVar(&s.tool.path, "command", "bin/spectradiff", "the built command: `FILE`")
	flags.StringVar(&s.mutator, "mutator", "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0",
		"the mutation tool, as go run takes it: `PATH@VERSION`")
	flags.BoolVar(&s.verbose, "v", false, "print every comparison on standard error")
	_ = flags.Parse(args) // it exits by itself
	if err := s.tool.find(); err != nil {
		return err
	}
	return evaluate(ctx, s, dir)
}

// evaluate compares the mutants of all modules.
func evaluate(ctx context.Context, s settings, dir string) error {
	var all []measured
	for i, name := range strings.Split(s.modules, ",") {
		if s.mutants == 0 {
			break
		}
		m := &original{settings: s, name: name, dir: filepath.Join(dir, fmt.Sprint(i))}
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
	pairs, err := comparePairs(ctx, s.tool, dir)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		printMutants(os.Stdout, s, all)
	}
	printPairs(os.Stdout, pairs)
	return nil
}
