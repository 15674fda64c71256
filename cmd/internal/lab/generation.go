package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/fuzz"
)

// A library is a released module of some kind.
type library struct{ module, version, kind string }

// libraries are of different kinds, with few dependencies.
var libraries = []library{
	{"github.com/BurntSushi/toml", "v1.6.0", "encoding"},
	{"github.com/Masterminds/semver/v3", "v3.4.0", "versions"},
	{"github.com/andybalholm/cascadia", "v1.3.3", "HTML"},
	{"github.com/bits-and-blooms/bitset", "v1.24.4", "bits"},
	{"github.com/emirpasic/gods", "v1.18.1", "containers"},
	{"github.com/go-ozzo/ozzo-validation/v4", "v4.3.0", "validation"},
	{"github.com/google/uuid", "v1.6.0", "identifiers"},
	{"github.com/gorilla/mux", "v1.8.1", "HTTP"},
	{"github.com/huandu/xstrings", "v1.5.0", "text"},
	{"github.com/mitchellh/mapstructure", "v1.5.0", "reflection"},
	{"github.com/montanaflynn/stats", "v0.7.1", "statistics"},
	{"github.com/robfig/cron/v3", "v3.0.1", "time"},
	{"github.com/russross/blackfriday/v2", "v2.1.0", "Markdown"},
	{"github.com/shopspring/decimal", "v1.4.0", "numbers"},
	{"github.com/spf13/pflag", "v1.0.6", "command lines"},
	{"github.com/tidwall/gjson", "v1.18.0", "JSON"},
}

// processors is on how many generating and fuzzing run.
const processors = 2

// coverage measures which share of the statements of modules is run by the generator, and by native fuzzing of
// generated targets. Both get the same time on the same processors, building left aside.
func (b *bench) coverage(ctx context.Context) error {
	budget := cmp.Or(b.budget, time.Minute)
	fuzzer, err := fuzz.Open(ctx, b.dir, processors)
	if err != nil {
		return err
	}
	defer fuzzer.Close()
	fmt.Printf("%s each, on %d processors\n\n", budget, processors)
	fmt.Println("| module | kind | generated | fuzzed | targets | note |\n|---|---|---|---|---|---|")
	var generated, fuzzed []float64
	for _, of := range libraries {
		if !b.wanted(of.module) {
			continue
		}
		share, found, err := b.cover(ctx, fuzzer, of, budget)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Printf("| %s %s | %s | left out: %s |\n", of.module, of.version, of.kind, firstLine(err.Error()))
			continue
		}
		fuzzing := "does not build"
		if found.Targets > 0 {
			fuzzing, fuzzed = fmt.Sprintf("%.1f %%", 100*found.Share), append(fuzzed, found.Share)
		}
		generated = append(generated, share)
		fmt.Printf("| %s %s | %s | %.1f %% | %s | %d | %s |\n", of.module, of.version, of.kind, 100*share, fuzzing,
			found.Targets, strings.Join(found.Notes, "; "))
	}
	if len(generated) == 0 {
		return errors.New("no module could be measured")
	}
	fmt.Printf("| median of %d | | %.1f %% | %.1f %% | | |\n",
		len(generated), 100*median(generated), 100*median(fuzzed))
	return nil
}

// cover returns the share of a module's statements that generating runs, and what fuzzing runs.
func (b *bench) cover(
	ctx context.Context, fuzzer *fuzz.Fuzzer, of library, budget time.Duration,
) (share float64, found fuzz.Result, err error) {
	dir, err := os.MkdirTemp(b.dir, "module-")
	if err != nil {
		return 0, found, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "source")
	if err := commitReleases(ctx, source, of.module, of.version); err != nil {
		return 0, found, err
	}
	tool, err := b.tool(ctx, filepath.Join(dir, "cache"))
	if err != nil {
		return 0, found, err
	}
	r, err := tool.compare(ctx, source, generating(budget)...)
	if err != nil {
		return 0, found, err
	}
	if r.Generation.StatementCoverage == nil {
		return 0, found, fmt.Errorf("nothing was generated: %s", strings.Join(r.Warnings, "; "))
	}
	found, err = fuzzer.Measure(ctx, source, filepath.Join(dir, "fuzz"), budget)
	return *r.Generation.StatementCoverage, found, err
}

// generating returns the arguments with which a version is compared with itself, all of it, for some time.
func generating(budget time.Duration) []string {
	return []string{"--all", "--no-proof", "--jobs", fmt.Sprint(processors), "--budget", budget.String(), "old", "old"}
}

// flat is up to which ratio of the most memory to that of a shorter time memory counts as flat.
const flat = 1.2

// memory measures for one module, the first that is wanted, whether generating takes more and more memory: what it
// takes at most in a tenth, in half and in all of the time.
func (b *bench) memory(ctx context.Context) error {
	budget := cmp.Or(b.budget, 10*time.Minute)
	for _, of := range libraries {
		if !b.wanted(of.module) {
			continue
		}
		source := filepath.Join(b.dir, "memory")
		if err := commitReleases(ctx, source, of.module, of.version); err != nil {
			return err
		}
		tool, err := b.tool(ctx, filepath.Join(b.dir, "memory-cache"))
		if err != nil {
			return err
		}
		fmt.Printf("%s %s, at most %s of generating\n\n", of.module, of.version, budget)
		return grown(ctx, tool, source, budget)
	}
	return errors.New("no such module")
}

// grown prints the most memory of generating in a tenth, in half and in all of a time, and how it grew.
func grown(ctx context.Context, tool tool, source string, budget time.Duration) error {
	fmt.Println("| generating, s | tool at most, MB | what it starts at most, MB |\n|---|---|---|")
	var most []float64
	for _, part := range []time.Duration{10, 2, 1} {
		r, err := tool.compare(ctx, source, generating(budget/part)...)
		if err != nil {
			return err
		}
		of := sum(r.Stages, "generate")
		fmt.Printf("| %.1f | %d | %d |\n", of.Seconds, of.PeakBytes>>20, of.StartedPeakBytes>>20)
		most = append(most, float64(of.PeakBytes+of.StartedPeakBytes))
	}
	fmt.Printf("\nBoth of all of the time: %.2f of a tenth, %.2f of half; up to %.1f is flat\n",
		most[2]/most[0], most[2]/most[1], flat)
	return nil
}
