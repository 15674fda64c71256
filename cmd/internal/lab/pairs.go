package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/known"
	"github.com/spectradiff/spectradiff/internal/report"
)

// A compared is the result of comparing a pair.
type compared struct {
	known.Pair
	report  *report.Report
	took    time.Duration
	trouble string
}

// comparePairs compares the known pairs with default settings.
func comparePairs(ctx context.Context, t tool, dir string) ([]compared, error) {
	var list []compared
	for i, p := range known.Pairs() {
		repository, found := filepath.Join(dir, fmt.Sprint("pair", i)), compared{Pair: p}
		err := commitReleases(ctx, repository, p.Module, p.Old, p.New)
		if err == nil {
			began := time.Now()
			found.report, err = t.compare(ctx, repository, "old", "new")
			found.took = time.Since(began)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			found.trouble = err.Error()
		}
		fmt.Fprintf(os.Stderr, "%s %s: %.0f s %s\n", p.Module, p.New, found.took.Seconds(), found.trouble)
		list = append(list, found)
	}
	return list, nil
}

// printPairs prints the table of the known pairs.
func printPairs(w io.Writer, list []compared) {
	fmt.Fprint(w, "\n| known pair | sequences that run the change | output | value hit | value count | value trace | "+
		"known root | of roots | seconds |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range list {
		if c.trouble != "" {
			fmt.Fprintf(w, "| %s %s → %s | not compared: %s |\n", c.Module, c.Old, c.New, c.trouble)
			continue
		}
		e := c.report.Exposure
		fmt.Fprintf(w, "| %s %s → %s | %d | %d | %d | %d | %d | %s | %d | %.0f |\n", c.Module, c.Old, c.New, e.Covering,
			e.Output, e.Hit, e.Count, e.Trace, c.rank(), len(c.report.Roots), c.took.Seconds())
	}
}

// rank says at which place the known root is.
func (c *compared) rank() string {
	if len(c.Roots) == 0 {
		return "there is none"
	}
	i := c.Root(c.report)
	if i < 0 {
		return "not found"
	}
	return fmt.Sprintf("rank %d, %s", i+1, c.report.Roots[i].Confidence)
}
