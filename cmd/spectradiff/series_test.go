package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestSeriesInterrupted: what is known is printed, every pair has its row, and the rest is not compared.
func TestSeriesInterrupted(t *testing.T) {
	folder, temporary := t.TempDir(), t.TempDir()
	if err := makeDemo(folder); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, temporary, t.TempDir(), "series", "-C", folder, "v1.0.0", "v1.1.0", "v1.0.0")
	var out bytes.Buffer
	cmd.Stdout = &out
	reader := started(t, cmd)
	if line, err := reader.ReadString('\n'); err != nil || line != "v1.0.0..v1.1.0, 1 of 2: writing versions\n" {
		t.Fatalf("standard error begins with %q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil || !strings.Contains(string(rest), "spectradiff: interrupted; ") {
		t.Errorf("standard error ends with %q, %v", rest, err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitTrouble {
		t.Errorf("%v, want exit status %d", err, exitTrouble)
	}
	for _, want := range []string{
		"\npartial: the series was interrupted\n",
		"  v1.0.0 → v1.1.0  not compared\n", "  v1.1.0 → v1.0.0  not compared\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("standard output does not hold %q:\n%s", want, out.String())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestSeriesNames: ranges stand for their tags, and others for themselves; what can't be a series is refused.
func TestSeriesNames(t *testing.T) {
	folder := t.TempDir()
	if err := makeDemo(folder); err != nil {
		t.Fatal(err)
	}
	repo, err := repository.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reason, args, want string }{
		{"a range", "v1.0.0..v1.1.0", "v1.0.0 v1.1.0"},
		{"a range and what follows it", "v1.0.0..v1.1.0 HEAD", "v1.0.0 v1.1.0 HEAD"},
		{"a range and its end", "v1.0.0..v1.1.0 v1.1.0", "v1.0.0 v1.1.0"},
		{"in the order of the user", "HEAD v1.0.0", "HEAD v1.0.0"},
		{"as git diff from the merge base", "v1.0.0...v1.1.0", "error: series: v1.0.0...v1.1.0: want two dots"},
		{"a tag that is not there", "v1.0.0..v1.2.0",
			"error: series: v1.0.0..v1.2.0: v1.2.0 is no tag of a release; tags near it: "},
		{"a revision that is not there", "v1.0.0 no-such", "error: series: resolve revision \"no-such\": "},
		{"one version", "HEAD", "error: series: 1 version to compare: want a range of tags"},
	} {
		commits, err := seriesCommits(repo, new(settings), strings.Fields(c.args))
		var names []string
		for _, commit := range commits {
			names = append(names, commit.Revision)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %s: %s, want %s", c.reason, c.args, got, c.want)
		}
	}
}

// TestSeriesConfigured: the repository's defaults are for all commands; those that series has no flag for are skipped.
func TestSeriesConfigured(t *testing.T) {
	folder := t.TempDir()
	if err := makeDemo(folder); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, filepath.FromSlash(configFile))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("seed = 7\nrename = \"a=b\"\nformat = \"sarif\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	set := new(settings)
	if err := seriesCommand().flags(set).configure(folder); err != nil || set.seed != 7 || len(set.renames) > 0 ||
		set.checkSeries() != nil {
		t.Errorf("seed %d, renames %v, %v", set.seed, set.renames, err)
	}
}

// TestSeriesFiles: names of files that every system takes.
func TestSeriesFiles(t *testing.T) {
	for _, c := range []struct{ reason, old, new, want string }{
		{"tags", "v1.0.0", "v1.1.0", "v1.0.0..v1.1.0.json"},
		{"of a module in a folder", "lib/v1.0.0", "lib/v1.1.0", "lib-v1.0.0..lib-v1.1.0.json"},
		{"no way out of the folder", "HEAD~1", "../x", "HEAD~1....-x.json"},
		{"what Windows does not take", "HEAD^{/a*}", ":/b", "HEAD^{-a-}..--b.json"},
	} {
		commits := spectra.Pair[repository.Commit]{
			Old: repository.Commit{Revision: c.old}, New: repository.Commit{Revision: c.new},
		}
		if got := fileName(commits); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestSeriesPinned: a pair is that of the commits of which the key of its report is made, although a branch moved on.
func TestSeriesPinned(t *testing.T) {
	folder := t.TempDir()
	if err := makeDemo(folder); err != nil {
		t.Fatal(err)
	}
	repo, err := repository.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	old, err := repo.Resolve("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	before := old
	before.Revision = "HEAD" // it is v1.1.0 now
	set := &settings{dir: folder, failOn: string(report.FailAny), noProgress: true}
	cfg := set.pipeline(0, cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")})
	cfg.Sequences = 1
	commits := spectra.Pair[repository.Commit]{Old: old, New: before}
	n := &neighbours{comparisons: &comparisons{set: set, repo: repo}, cfg: cfg, list: []neighbour{{commits: commits}}}
	if err := n.here(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if got := n.pairs[0].New; got.Commit != old.Hash || got.Revision != "HEAD" {
		t.Errorf("compared with %+v, want commit %s as HEAD", got, old.Hash)
	}
}
