package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
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

// A comparison is what comparing a pair took.
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
	tool := filepath.Join(b.dir, "spectradiff")
	if _, err := b.command(ctx, ".", "build", "-o", tool, "./cmd/spectradiff"); err != nil {
		return err
	}
	fmt.Println("| module | versions | go vet, s | go test, s | cold, s | warm, s | generating, s | the rest, s " +
		"| processors, s | tool, MB | what it starts, MB | roots |")
	fmt.Println("|" + strings.Repeat("---|", 12))
	var all []comparison
	var rests []float64
	for _, pair := range releases {
		if !strings.Contains(pair.module, b.module) {
			continue
		}
		c, err := b.compare(ctx, tool, pair.module, pair.old, pair.new)
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

// compare compares two releases with an empty cache, then with what that left in it.
func (b *bench) compare(ctx context.Context, tool, module, old, new string) (c comparison, err error) {
	folder, err := os.MkdirTemp(b.dir, "pair-")
	if err != nil {
		return c, fmt.Errorf("folder of a pair: %w", err)
	}
	repository, store := filepath.Join(folder, "repository"), filepath.Join(folder, "cache")
	if err := b.commitReleases(ctx, repository, module, old, new); err != nil {
		return c, err
	}
	cold, err := compareIn(ctx, tool, repository, store, "--budget", "5s")
	if err != nil {
		return c, err
	}
	warm, err := compareIn(ctx, tool, repository, store)
	if err != nil {
		return c, err
	}
	return comparison{
		vet: b.took(ctx, repository, "vet", "./..."), test: b.took(ctx, repository, "test", "-count=1", "./..."),
		cold: sum(cold.Stages, building...), warm: *warm,
	}, nil
}

// building are the stages in which something is built that the cache keeps.
var building = []string{"load", "build", "prove"}

// print prints what users see: time and memory.
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
		"load", "build", "generate", "reach", "record", "outcomes", "noise", "confirm", "roots", "prove",
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

// commitReleases makes a repository of two releases, tagged old and new.
func (b *bench) commitReleases(ctx context.Context, folder, module string, versions ...string) error {
	if err := git(ctx, b.dir, "init", "-q", folder); err != nil {
		return err
	}
	for i, version := range versions {
		if i > 0 {
			if err := git(ctx, folder, "rm", "-rqf", "."); err != nil {
				return err
			}
		}
		if err := b.unpack(ctx, module+"@"+version, folder); err != nil {
			return err
		}
		for _, args := range [][]string{
			{"add", "-A", "-f"}, {"commit", "-qm", version}, {"tag", []string{"old", "new"}[i]},
		} {
			if err := git(ctx, folder, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false",
	}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %.300s", args[0], err, out)
	}
	return nil
}

// compareIn runs the tool, and returns its report.
func compareIn(ctx context.Context, tool, repository, store string, flags ...string) (*report.Report, error) {
	args := append([]string{"compare", "-C", repository, "--no-progress", "--format", "json"}, flags...)
	cmd := exec.CommandContext(ctx, tool, append(args, "old", "new")...)
	cmd.Env = append(os.Environ(), cache.FolderVariable+"="+store)
	out, err := cmd.Output() // deviations end it with 1, and what could not be compared with 2
	r := &report.Report{}
	if len(out) == 0 || json.Unmarshal(out, r) != nil {
		return nil, fmt.Errorf("spectradiff has no report: %w", err)
	}
	return r, nil
}

// took returns the seconds that a go command takes for the module, marked where it fails.
func (b *bench) took(ctx context.Context, dir string, args ...string) string {
	start := time.Now()
	_, err := b.command(ctx, dir, args...)
	text := fmt.Sprintf("%.1f", time.Since(start).Seconds())
	if err != nil {
		text += " (fails)"
	}
	return text
}
