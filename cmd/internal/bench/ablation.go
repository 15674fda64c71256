package main

// This file measures what each means of generating brings: it is left out, and everything else stays.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/cmd/internal/search"
	"github.com/spectradiff/spectradiff/replay/cache"
	"github.com/spectradiff/spectradiff/report"
)

// subtle are pairs of neighbouring releases that few sequences tell apart.
var subtle = []release{
	{"github.com/bmatcuk/doublestar/v4", "v4.6.0", "v4.6.1"},
	{"github.com/go-logfmt/logfmt", "v0.6.0", "v0.6.1"},
	{"github.com/google/go-querystring", "v1.0.0", "v1.1.0"},
	{"github.com/gorilla/schema", "v1.3.0", "v1.4.0"},
	{"github.com/mitchellh/copystructure", "v1.0.0", "v1.1.0"},
	{"github.com/tidwall/gjson", "v1.6.5", "v1.6.6"},
	{"github.com/tidwall/gjson", "v1.14.0", "v1.14.1"},
	{"github.com/yuin/goldmark", "v1.7.12", "v1.7.13"},
}

// means are what is left out in turn.
var means = []struct {
	name    string
	without search.Without
}{
	{"nothing", search.Without{}},
	{"the new version in the loop", search.Without{New: true}},
	{"operands, and with them distances", search.Without{Operands: true}},
	{"distances", search.Without{Distances: true}},
	{"calls, types and files of tests", search.Without{Tests: true}},
	{"calls that tests make while they run", search.Without{Running: true}},
	{"tokens", search.Without{Tokens: true}},
	{"cells", search.Without{Cells: true}},
	{"contracts", search.Without{Contracts: true}},
}

// ablationTries is how many sequences generating plays in one run: so the outcome does not depend on the machine.
// ablationBudget only bounds what else takes time.
const (
	ablationTries  = 16_000
	ablationBudget = time.Minute
)

// An ablation is what came of all pairs and seeds with one means left out.
type ablation struct {
	runs, apart int     // and those that found a deviation
	changed     float64 // shares of the changed statements that ran, summed up
	found       []int   // by pair
}

// ablations leaves out one means after the other.
func (b *bench) ablations(ctx context.Context) error {
	var pairs []release
	all := make([]ablation, len(means))
	for _, pair := range subtle {
		if !strings.Contains(pair.module, b.module) {
			continue
		}
		pairs = append(pairs, pair)
		if err := b.leaveOut(ctx, pair, all); err != nil {
			return fmt.Errorf("%s: %w", pair.module, err)
		}
	}
	if len(pairs) == 0 {
		return errors.New("no pair of releases")
	}
	fmt.Print("| left out | changed statements that ran | runs with a deviation |")
	for _, pair := range pairs {
		fmt.Printf(" %s %s |", pair.module[strings.LastIndex(strings.TrimSuffix(pair.module, "/v4"), "/")+1:], pair.new)
	}
	fmt.Println("\n|" + strings.Repeat("---|", 3+len(pairs)))
	for i, a := range all {
		fmt.Printf("| %s | %.0f %% | %d of %d |", means[i].name, 100*a.changed/float64(a.runs), a.apart, a.runs)
		for _, n := range a.found {
			fmt.Printf(" %d |", n)
		}
		fmt.Println()
	}
	fmt.Printf("\n%d seeds each, %d sequences played\n", b.runs, ablationTries)
	return nil
}

// leaveOut compares a pair without each means in turn, seed by seed.
func (b *bench) leaveOut(ctx context.Context, pair release, all []ablation) error {
	folder, err := os.MkdirTemp(b.dir, "pair-")
	if err != nil {
		return fmt.Errorf("folder of a pair: %w", err)
	}
	defer os.RemoveAll(folder)
	repository := filepath.Join(folder, "repository")
	if err := b.commitReleases(ctx, repository, pair.module, pair.old, pair.new); err != nil {
		return err
	}
	for i := range all {
		all[i].found = append(all[i].found, 0)
	}
	for seed := range b.runs {
		for i, m := range means {
			m.without.Inside = true // that has a time of its own
			r, err := pipeline.Run(ctx, pipeline.Config{
				Dir: repository, Args: []string{"old", "new"}, Seed: uint64(seed + 1),
				Budget: ablationBudget, Tries: ablationTries, Drive: []string{"api"}, FailOn: string(report.FailAny),
				Jobs: runtime.NumCPU(), NoProof: true, Without: m.without, Tool: "bench",
				Cache: cache.Settings{Folder: filepath.Join(folder, "cache")},
			})
			if err != nil {
				return err
			}
			all[i].add(r)
		}
	}
	return nil
}

// add adds what came of a run for the last pair.
func (a *ablation) add(r *report.Report) {
	a.runs++
	if share := r.Generation.ChangedStatementCoverage; share != nil {
		a.changed += *share
	}
	if r.Exit == 1 {
		a.apart++
		a.found[len(a.found)-1]++
	}
}
