package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/kept"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/markdown"
	"github.com/spectradiff/spectradiff/internal/report/page"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func seriesCommand() command {
	return command{
		name:  "series",
		args:  "FIRST..LAST|REV REV...",
		short: "what changed between each two of several versions",
		long: `FIRST..LAST stands for the tags of all releases from one to the other, such as
v1.0.0..v1.9.0, in the order of their versions; those of a module in a folder have
the folder in front, as in lib/v1.2.0, which may be left out inside the folder.
Releases of other branches are included in that order, even if LAST does not contain them.
Versions before a release (v1.2.0-rc.1) are left out, unless --pre is given. Other
revisions are listed one by one, and both may be mixed, as in v1.0.0..v1.9.0 HEAD.

Each version is compared with the next one, as compare does without PACKAGE, and
all are shown in one table with the first roots of each pair. The time of --timeout
is for each pair. A pair that can't be compared is listed with the reason. The exit
status is 1 if that of a pair is, and 2 if none could be compared.

A root is marked where a later version takes it back: the same function with the
same tier and reach, and either the edit of one is the reverse of the other's, line
by line, or the same calls show both, with the same values exchanged.

The report of a pair is kept in the cache as long as both versions hold the same,
and taken from there by a later run with the same settings and the same tool: a new
tag costs one comparison. Reports of runs that ended early are not kept, nor any
with --allow-outside. At Ctrl-C what is known is printed, marked as partial.

Formats are text, json, markdown (a change-log) and html. With --reports DIR the
report of each pair is written to DIR, as OLD..NEW.json, which show reads.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("series")
			f.what(s)
			f.Lookup("timeout").Usage = "time for each pair, 0 for no limit (default 0): `DURATION`"
			f.deeper(s)
			f.running(s)
			f.result(s, report.FailAny)
			f.BoolVar(&s.pre, "pre", false, "also versions before a release, such as v1.2.0-rc.1")
			f.takes = func(format string) bool { return seriesFormats[format] != nil }
			f.StringVar(&s.reports, "reports", "", "write the report of each pair to DIR: `DIR`")
			return f
		},
		configured: true,
		revisions:  true,
		run:        runSeries,
	}
}

// seriesFormats are the forms of a series.
var seriesFormats = map[string]func(io.Writer, *series.Series, text.Options) error{
	"text":     text.WriteSeries,
	"json":     func(w io.Writer, s *series.Series, _ text.Options) error { return json.Encode(w, s) },
	"markdown": func(w io.Writer, s *series.Series, _ text.Options) error { return markdown.WriteSeries(w, s) },
	"html":     func(w io.Writer, s *series.Series, _ text.Options) error { return page.WriteSeries(w, s) },
}

func runSeries(std streams, set *settings, args []string) (int, error) {
	if err := set.checkSeries(); err != nil {
		return 0, &usageError{"series", err}
	}
	repo, err := repository.Open(set.dir)
	if err != nil {
		return 0, err
	}
	commits, err := seriesCommits(repo, set, args)
	if err != nil {
		return 0, err
	}
	where, err := cache.FromEnvironment(os.Getenv)
	if err != nil {
		return 0, err
	}
	ctx, end := interruptible(std, set)
	defer end()
	c := &comparisons{set: set, repo: repo, commits: commits, progress: newProgress(std.err, 0)}
	defer c.progress.end()
	if c.kept, err = kept.Open(where, set.nats.URL); err != nil {
		c.note("reports are neither kept nor taken from the cache: %v", err)
	}
	defer c.kept.Close(ctx)
	made, err := c.compareAll(ctx, where)
	if err != nil {
		return 0, err
	}
	c.progress.end()
	if err := writeSeries(std, set, made); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, interrupted("")
	}
	return made.Exit, nil
}

// checkSeries checks before anything runs that the series can be written.
func (s *settings) checkSeries() error {
	for _, format := range append([]output{{s.format, ""}}, s.outputs...) {
		if seriesFormats[format.format] == nil {
			return fmt.Errorf("format %s is one of a single report: want text, json, markdown or html", format.format)
		}
	}
	if s.sequences == 0 && s.budget == (budget{}) {
		return errors.New("--budget 0s without --sequences: nothing would be generated")
	}
	if info, err := os.Stat(s.reports); s.reports != "" && err == nil && !info.IsDir() {
		return fmt.Errorf("--reports %s: that is a file; want a folder", s.reports)
	}
	return nil
}

// comparisons are those of a series.
type comparisons struct {
	set      *settings
	repo     *repository.Repository
	commits  []repository.Commit // at least two
	kept     *kept.Store
	progress *progress

	tool     report.Tool
	settings *report.Settings // of the newest pair; nil: none was compared
	pairs    []series.Pair
	workers  *report.Workers // nil: none compared a pair
}

// note says something on standard error, unless the user wants no notes.
func (c *comparisons) note(format string, args ...any) {
	if !c.set.noProgress {
		c.progress.log(format, args...)
	}
}

// compareAll compares each two neighbours. If the context ends, the others are not compared.
func (c *comparisons) compareAll(ctx context.Context, where cache.Settings) (*series.Series, error) {
	collectGarbage(1)
	c.tool = report.Tool{Version: toolVersion(), Go: runtime.Version()}
	limit := time.Duration(0)
	if c.set.timeout != nil {
		limit = *c.set.timeout
	}
	cfg := c.set.pipeline(limit, where)
	cfg.End = ctx.Done()
	if !c.set.noProgress || c.set.verbose {
		cfg.Log = c.progress.log
	}
	if err := c.spread(context.WithoutCancel(ctx), cfg); err != nil {
		return nil, err
	}
	made := series.Make(c.tool, c.settings, c.pairs, ctx.Err() != nil)
	made.Workers = c.workers
	return made, nil
}

// fail adds a pair that was not compared.
func (c *comparisons) fail(commits spectra.Pair[repository.Commit], reason string) {
	of := func(commit repository.Commit) report.Revision {
		return report.Revision{Revision: commit.Revision, Commit: commit.Hash}
	}
	shown := c.set.secrets.shown(&report.Report{Warnings: []string{reason}})
	c.pairs = append(c.pairs, series.Failed(of(commits.Old), of(commits.New), shown.Warnings[0]))
}

// add adds the pair of a report, and writes the report if the user wants it.
func (c *comparisons) add(commits spectra.Pair[repository.Commit], r *report.Report) error {
	shown := c.set.secrets.shown(r)
	pair := series.Compared(r, shown)
	c.settings = &shown.Settings
	if c.set.reports != "" {
		pair.Report = filepath.Join(c.set.reports, fileName(commits))
		var data bytes.Buffer
		if err := json.Write(&data, shown); err != nil {
			return err
		}
		if err := os.MkdirAll(c.set.reports, 0o777); err != nil {
			return fmt.Errorf("write --reports %s: %w", c.set.reports, err)
		}
		if err := os.WriteFile(pair.Report, data.Bytes(), 0o666); err != nil {
			return fmt.Errorf("write --reports %s: %w", c.set.reports, err)
		}
	}
	c.pairs = append(c.pairs, pair)
	return nil
}

// fileName returns the name of the file for the report of two versions.
func fileName(commits spectra.Pair[repository.Commit]) string {
	name := commits.Old.Revision + ".." + commits.New.Revision + ".json"
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) { // some system takes them for something else
			return '-'
		}
		return r
	}, name)
}

// writeSeries prints the series to standard output and to the files of --out, as write does a report.
func writeSeries(std streams, set *settings, s *series.Series) error {
	err := set.writeFiles(func(w io.Writer, format string, options text.Options) error {
		return seriesFormats[format](w, s, options)
	})
	if err != nil {
		return err
	}
	return written(seriesFormats[set.format](std.out, s, textOptions(std.out, set)))
}

// seriesCommits resolves the versions of a series, of which there are at least two.
func seriesCommits(repo *repository.Repository, set *settings, args []string) ([]repository.Commit, error) {
	var names []string
	for _, arg := range args {
		of, err := seriesNames(repo, set, arg)
		if err != nil {
			return nil, fmt.Errorf("series: %w", err)
		}
		names = append(names, of...)
	}
	names = slices.Compact(names) // a range may begin where another one ends
	if len(names) < 2 {
		return nil, &usageError{"series", fmt.Errorf("%s to compare: want a range of tags, such as v1.0.0..v1.9.0, "+
			"or at least two revisions; git tag lists the tags", text.Plural(len(names), "version"))}
	}
	var commits []repository.Commit
	for _, name := range names {
		commit, err := repo.Resolve(name)
		if err != nil {
			return nil, fmt.Errorf("series: %w", err)
		}
		commits = append(commits, commit)
	}
	return commits, nil
}
