package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/report"
)

// subtle are pairs of neighbouring releases that few sequences tell apart.
var subtle = []release{
	{"github.com/bmatcuk/doublestar/v4", "v4.6.0", "v4.6.1"},
	{"github.com/google/go-querystring", "v1.0.0", "v1.1.0"},
	{"github.com/gorilla/schema", "v1.3.0", "v1.4.0"},
	{"github.com/tidwall/gjson", "v1.6.5", "v1.6.6"},
	{"github.com/tidwall/gjson", "v1.14.0", "v1.14.1"},
	{"github.com/yuin/goldmark", "v1.7.12", "v1.7.13"},
}

// An omission is a means that is left out.
type omission struct {
	name    string
	without search.Without
}

// means are what is left out in turn.
var means = []omission{
	{"nothing", search.Without{}},
	{"the new version in the loop", search.Without{New: true}},
	{"operands, and with them distances", search.Without{Operands: true}},
	{"distances", search.Without{Distances: true}},
	{"calls, types and files of tests", search.Without{Tests: true}},
	{"tokens", search.Without{Tokens: true}},
	{"cells", search.Without{Cells: true}},
	{"literals of the same sequence", search.Without{Given: true}},
}

// ablationTries is how many sequences generating plays in one run: so the outcome does not depend on the machine.
// ablationBudget only bounds what else takes time.
const (
	ablationTries  = 6_000
	ablationBudget = time.Minute
)

// An ablation is what came of some runs with one means left out.
type ablation struct {
	runs, apart int     // and those that found a deviation
	changed     float64 // shares of the changed statements that ran, summed up
}

func (a ablation) String() string {
	return fmt.Sprintf("%d of %d, %.0f %%", a.apart, a.runs, 100*a.changed/float64(max(1, a.runs)))
}

// ablations leaves out one means after the other. The row of a pair is printed as soon as it was measured.
func (b *bench) ablations(ctx context.Context) error {
	fmt.Printf("%d seeds each, %d sequences played; runs with a deviation, changed statements that ran\n\n", b.runs,
		ablationTries)
	chosen := strings.Split(b.means, ",")
	means := slices.DeleteFunc(slices.Clone(means), func(m omission) bool {
		return !slices.ContainsFunc(chosen, func(part string) bool { return strings.Contains(m.name, part) })
	})
	fmt.Print("| left out |")
	for _, m := range means {
		fmt.Printf(" %s |", m.name)
	}
	fmt.Println("\n|" + strings.Repeat("---|", 1+len(means)))
	total, measured := make([]ablation, len(means)), 0
	for _, pair := range subtle {
		if !strings.Contains(pair.module+" "+pair.new, b.module) {
			continue
		}
		all, err := b.leaveOut(ctx, pair, means)
		if err != nil {
			return fmt.Errorf("%s: %w", pair.module, err)
		}
		printAblations(strings.TrimPrefix(pair.module, "github.com/")+" "+pair.new, all)
		for i, a := range all {
			total[i].runs += a.runs
			total[i].apart += a.apart
			total[i].changed += a.changed
		}
		measured++
	}
	if measured == 0 {
		return errors.New("no pair of releases")
	}
	printAblations("all", total)
	return nil
}

func printAblations(of string, list []ablation) {
	fmt.Printf("| %s |", of)
	for _, a := range list {
		fmt.Printf(" %s |", a)
	}
	fmt.Println()
}

// leaveOut compares a pair without each means in turn, seed by seed.
func (b *bench) leaveOut(ctx context.Context, pair release, means []omission) ([]ablation, error) {
	all := make([]ablation, len(means))
	folder, err := os.MkdirTemp(b.dir, "pair-")
	if err != nil {
		return nil, fmt.Errorf("folder of a pair: %w", err)
	}
	defer os.RemoveAll(folder)
	repository := filepath.Join(folder, "repository")
	if err := b.commitReleases(ctx, repository, pair.module, pair.old, pair.new); err != nil {
		return nil, err
	}
	for seed := range b.runs {
		for i, m := range means {
			m.without.Inside = true // that has a time of its own
			if b.untested {
				m.without.Tests = true
			}
			start := time.Now()
			r, err := pipeline.Run(ctx, pipeline.Config{
				Dir: repository, Args: []string{"old", "new"}, Seed: uint64(seed + 1),
				Budget: ablationBudget, Tries: ablationTries, Drive: []string{"api"}, FailOn: string(report.FailAny),
				Jobs: runtime.NumCPU(), NoProof: true, Without: m.without, Tool: "bench",
				Cache: cache.Settings{Folder: filepath.Join(folder, "cache")},
			})
			if err != nil {
				return nil, err
			}
			all[i].add(r)
			fmt.Fprintf(os.Stderr, "%s %s, seed %d, without %s: status %d, %.0f s\n", pair.module, pair.new, seed+1,
				m.name, r.Exit, time.Since(start).Seconds())
		}
	}
	return all, nil
}

// add adds what came of a run.
func (a *ablation) add(r *report.Report) {
	a.runs++
	if share := r.Generation.ChangedStatementCoverage; share != nil {
		a.changed += *share
	}
	if r.Exit == 1 {
		a.apart++
	}
}
