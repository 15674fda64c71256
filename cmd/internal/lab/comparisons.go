package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/report"
)

// A release is compared with the one before it.
type release struct{ module, old, new string }

// releases are of modules from 1,000 to 50,000 lines.
var releases = []release{
	{"github.com/Masterminds/semver/v3", "v3.3.0", "v3.3.1"},
	{"github.com/bmatcuk/doublestar/v4", "v4.6.0", "v4.6.1"},
	{"github.com/expr-lang/expr", "v1.17.7", "v1.17.8"},
	{"github.com/go-chi/chi/v5", "v5.2.5", "v5.3.0"},
	{"github.com/hashicorp/hcl/v2", "v2.23.0", "v2.24.0"},
	{"github.com/mattn/go-runewidth", "v0.0.4", "v0.0.5"},
	{"github.com/montanaflynn/stats", "v0.7.1", "v0.8.0"},
	{"github.com/prometheus/common", "v0.69.0", "v0.70.0"},
	{"github.com/shopspring/decimal", "v1.1.0", "v1.2.0"},
	{"github.com/spf13/cobra", "v1.8.1", "v1.9.0"},
	{"github.com/tidwall/gjson", "v1.14.0", "v1.14.1"},
	{"github.com/yuin/goldmark", "v1.7.12", "v1.7.13"},
}

// A comparison is the cost of comparing a pair.
type comparison struct {
	module, versions string
	vet, test        string        // seconds of go vet and go test
	cold             report.Stage  // loading and building with an empty cache
	warm             report.Report // of a whole comparison, with trees and drivers in the cache
}

// rest returns the seconds of everything but generating.
func (c *comparison) rest() float64 {
	return sum(c.warm.Stages).Seconds - sum(c.warm.Stages, "generate").Seconds
}

// comparisons measures whole comparisons with default flags. An empty cache makes only loading and building longer.
func (b *bench) comparisons(ctx context.Context) error {
	fmt.Println("| module | versions | go vet, s | go test, s | cold, s | warm, s | generating, s | the rest, s " +
		"| processors, s | tool, MB | what it starts, MB | roots |")
	fmt.Println("|" + strings.Repeat("---|", 12))
	var all []comparison
	var rests []float64
	for _, pair := range releases {
		if !b.wanted(pair.module) {
			continue
		}
		c, err := b.compare(ctx, pair.module, pair.old, pair.new)
		if err != nil {
			fmt.Printf("| %s | left out: %s |\n", pair.module, firstLine(err.Error()))
			continue
		}
		c.module, c.versions = pair.module, pair.old+" → "+pair.new
		all, rests = append(all, c), append(rests, c.rest())
		c.print()
	}
	if len(all) == 0 {
		return errors.New("no pair of releases could be compared")
	}
	fmt.Printf("\nMedian of the rest, of %d pairs: %.1f s\n\n", len(all), median(rests))
	printStages(all)
	return nil
}

// compare compares two releases with an empty cache, then with the cache that this left.
func (b *bench) compare(ctx context.Context, module, old, new string) (c comparison, err error) {
	folder, err := os.MkdirTemp(b.dir, "pair-")
	if err != nil {
		return c, fmt.Errorf("folder of a pair: %w", err)
	}
	repository := filepath.Join(folder, "repository")
	if err := commitReleases(ctx, repository, module, old, new); err != nil {
		return c, err
	}
	tool, err := b.tool(ctx, filepath.Join(folder, "cache"))
	if err != nil {
		return c, err
	}
	cold, err := tool.compare(ctx, repository, "--budget", "5s", "old", "new")
	if err != nil {
		return c, err
	}
	warm, err := tool.compare(ctx, repository, "old", "new")
	if err != nil {
		return c, err
	}
	return comparison{
		vet: took(ctx, repository, "vet", "./..."), test: took(ctx, repository, "test", "-count=1", "./..."),
		cold: sum(cold.Stages, building...), warm: *warm,
	}, nil
}

// building are the stages in which something is built that the cache keeps.
var building = []string{"load", "build", "prove"}

// print prints the costs that users see: time and memory.
func (c *comparison) print() {
	total, generating := sum(c.warm.Stages), sum(c.warm.Stages, "generate").Seconds
	cold := total.Seconds - sum(c.warm.Stages, building...).Seconds + c.cold.Seconds
	fmt.Printf("| %s | %s | %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %d | %d |\n",
		c.module, c.versions, c.vet, c.test, cold, total.Seconds, generating, c.rest(),
		total.CPUSeconds, total.PeakBytes>>20, total.StartedPeakBytes>>20, len(c.warm.Roots))
}

// printStages prints the seconds of each stage.
func printStages(all []comparison) {
	stages := []string{
		"load", "build", "variables", "generate", "reach", "record", "outcomes", "noise", "confirm", "roots", "prove",
		"report",
	}
	fmt.Printf("| seconds by stage, warm | %s |\n|%s\n", strings.Join(stages, " | "),
		strings.Repeat("---|", len(stages)+1))
	for _, c := range all {
		fmt.Printf("| %s %s |", c.module, c.versions)
		for _, name := range stages {
			fmt.Printf(" %.1f |", sum(c.warm.Stages, name).Seconds)
		}
		fmt.Println()
	}
}

// sum adds up stages; without names all of them.
func sum(stages []report.Stage, names ...string) (all report.Stage) {
	for _, s := range stages {
		if len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		all.Seconds += s.Seconds
		all.CPUSeconds += s.CPUSeconds
		all.PeakBytes = max(all.PeakBytes, s.PeakBytes)
		all.StartedPeakBytes = max(all.StartedPeakBytes, s.StartedPeakBytes)
	}
	return all
}

// took returns the seconds that a go command takes for the module, marked where it fails.
func took(ctx context.Context, dir string, args ...string) string {
	start := time.Now()
	_, err := goCommand(ctx, dir, args...)
	text := fmt.Sprintf("%.1f", time.Since(start).Seconds())
	if err != nil {
		text += " (fails)"
	}
	return text
}
