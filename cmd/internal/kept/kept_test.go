package kept

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestMain(m *testing.M) {
	if sandbox.Child() { // the sandbox starts this binary again
		return
	}
	os.Exit(m.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// versions makes a repository with two commits, and opens it.
func versions(t *testing.T) (folder string, repo *repository.Repository, commits spectra.Pair[repository.Commit]) {
	t.Helper()
	folder = t.TempDir()
	git, err := git.PlainInit(folder, false)
	must(t, err)
	tree, err := git.Worktree()
	must(t, err)
	for i, text := range []string{"one", "two"} {
		must(t, os.WriteFile(filepath.Join(folder, "file"), []byte(text), 0o666))
		_, err := tree.Add("file")
		must(t, err)
		when := time.Date(2026, time.January, 1+i, 0, 0, 0, 0, time.UTC)
		commit(t, tree, text, when)
	}
	repo, err = repository.Open(folder)
	must(t, err)
	commits.Old, err = repo.Resolve("HEAD~1")
	must(t, err)
	commits.New, err = repo.Resolve("HEAD")
	must(t, err)
	return folder, repo, commits
}

func commit(t *testing.T, tree *git.Worktree, message string, when time.Time) {
	t.Helper()
	who := &object.Signature{Name: "Ann", Email: "ann@example.com", When: when}
	_, err := tree.Commit(message, &git.CommitOptions{Author: who, Committer: who})
	must(t, err)
}

// TestKey: what decides a report has another key, and nothing else has.
func TestKey(t *testing.T) {
	folder, repo, commits := versions(t)
	s := &Store{salt: "tool and go command"}
	cfg := pipeline.Config{Dir: folder, Seed: 1, Auto: true, Jobs: 2, FailOn: "any", Tool: "v1"}
	before := s.Key(t.Context(), cfg, repo, commits)
	if before == "" {
		t.Fatal("no key")
	}
	for _, c := range []struct {
		reason string
		change func(*pipeline.Config)
		counts bool
	}{
		{"nothing", func(*pipeline.Config) {}, false},
		{"another seed", func(c *pipeline.Config) { c.Seed = 2 }, true},
		{"another source of sequences", func(c *pipeline.Config) { c.Drive = []string{"api"} }, true},
		{"less time", func(c *pipeline.Config) { c.Timeout = time.Minute }, true},
		{"one of several shards", func(c *pipeline.Config) { c.Shard = shard.Shard{Number: 1, Of: 2} }, true},
		{"other names", func(c *pipeline.Config) { c.Renames = []string{"a=b"} }, true},
		{"roots without proof", func(c *pipeline.Config) { c.NoProof = true }, true},
		{"another version of the tool", func(c *pipeline.Config) { c.Tool = "v2" }, true},
		{"the revisions as the user wrote them", func(c *pipeline.Config) { c.Args = []string{"HEAD^"} }, false},
		{"what fails", func(c *pipeline.Config) { c.FailOn = "crash" }, false},
		{"how fast it is", func(c *pipeline.Config) { c.Jobs = 7 }, false},
		{"what is told of it", func(c *pipeline.Config) {
			c.Verbose, c.Log, c.Progress = true, t.Logf, func(string, int, int) {}
		}, false},
		{"how it ends early", func(c *pipeline.Config) { c.End = make(chan struct{}) }, false},
	} {
		changed := cfg
		c.change(&changed)
		if other := s.Key(t.Context(), changed, repo, commits) != before; other != c.counts {
			t.Errorf("%s: another key: %t, want %t", c.reason, other, c.counts)
		}
	}
	if (&Store{salt: "another build"}).Key(t.Context(), cfg, repo, commits) == before {
		t.Error("another build of the tool has the same key")
	}
	if s.Key(t.Context(), cfg, repo, spectra.Pair[repository.Commit]{Old: commits.New, New: commits.Old}) == before {
		t.Error("the reverse has the same key")
	}
	name := filepath.Join(folder, filepath.FromSlash(drivers.OpaqueFile))
	must(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(t, os.WriteFile(name, []byte("example.com/m.T # a clock\n"), 0o666))
	if s.Key(t.Context(), cfg, repo, commits) == before {
		t.Error("types that are not compared don't count")
	}
}

// TestSalt: what the machine has counts as what it has for workers, since tests start its programs, and which layers
// confine decides what drivers can do.
func TestSalt(t *testing.T) {
	open := func() *Store {
		s, err := Open(cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")}, "")
		must(t, err)
		t.Cleanup(func() { s.Close(context.Background()) })
		return s
	}
	before := open()
	if open().salt != before.salt {
		t.Error("another salt, although nothing changed")
	}
	layers, err := env.Layers(true)
	must(t, err)
	if !strings.Contains(before.salt, layers.String()) {
		t.Errorf("the layers %s are no part of %s", layers, before.salt)
	}
	defer func(programs func() string) { sandbox.Programs = programs }(sandbox.Programs)
	sandbox.Programs = func() string { return "those after an update" }
	if open().salt == before.salt {
		t.Error("the programs of the system don't count")
	}
}

// TestNoKey: what may be another thing the next time is not kept.
func TestNoKey(t *testing.T) {
	folder, repo, commits := versions(t)
	s, cfg := &Store{}, pipeline.Config{Dir: folder}
	worktree := spectra.Pair[repository.Commit]{Old: commits.Old, New: repo.Worktree()}
	outside := cfg
	outside.Outside = []string{".."}
	for reason, key := range map[string]string{
		"the working tree":  s.Key(t.Context(), cfg, repo, worktree),
		"an outside folder": s.Key(t.Context(), outside, repo, commits),
		"no store":          (*Store)(nil).Key(t.Context(), cfg, repo, commits),
	} {
		if key != "" {
			t.Errorf("%s: key %s", reason, key)
		}
	}
}

// TestKept: a report of a whole run is read again, named and decided as the new run wants it; others are not kept.
func TestKept(t *testing.T) {
	s, err := Open(cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")}, "")
	must(t, err)
	defer s.Close(t.Context())
	commits := spectra.Pair[repository.Commit]{
		Old: repository.Commit{Revision: "one", Hash: "1111111111111111111111111111111111111111"},
		New: repository.Commit{Revision: "two", Hash: "3333333333333333333333333333333333333333"},
	}
	for _, c := range reporttest.Cases(t) {
		must(t, s.Write(c.Name, c.Report))
		got, keep := s.Read(c.Name, commits, "none"), c.Report.Partial == nil && c.Report.Verdict != report.Incomplete
		for _, m := range c.Report.Modules {
			keep = keep && m.Failed == ""
		}
		if (got != nil) != keep {
			t.Errorf("%s: kept: %t, want %t", c.Reason, got != nil, keep)
		}
		if got == nil {
			continue
		}
		if got.Old.Revision != "one" || got.New.Commit != commits.New.Hash || got.Exit != 0 {
			t.Errorf("%s: read %v, %v, exit %d", c.Reason, got.Old, got.New, got.Exit)
		}
		for i := range got.Roots {
			if a, b := got.Roots[i].Fingerprint, c.Report.Roots[i].Fingerprint; a != b {
				t.Errorf("%s: root %d is %s, was %s", c.Reason, i+1, a, b)
			}
		}
		if !reflect.DeepEqual(got.Subject, c.Report.Subject) {
			t.Errorf("%s: another subject", c.Reason)
		}
	}
	for _, c := range []struct {
		reason, warning string
		lacks           []report.Lack
		keep            bool
	}{
		{"another run may have room for tests", "no space", []report.Lack{report.LackTests}, false},
		{"another run may have commands", "no space", []report.Lack{report.LackCommands}, false},
		{"modules that could not be fetched are not there", "dial tcp", []report.Lack{report.LackDependencies}, true},
		{"the target says so", "m panics: tests were not run: why", nil, true},
	} {
		late := *reporttest.Cases(t)[0].Report
		late.Warnings, late.Lacks = append(slices.Clone(late.Warnings), c.warning), c.lacks
		must(t, s.Write(c.reason, &late))
		if got := s.Read(c.reason, commits, "any"); (got != nil) != c.keep {
			t.Errorf("%s: kept: %t, want %t", c.reason, got != nil, c.keep)
		}
	}
	if got := s.Read("another", commits, "any"); got != nil {
		t.Error("a report that nobody wrote")
	}
	must(t, s.cache.Keep(cache.Reports, "full", []byte(`{"schema": "spectradiff/9"}`)))
	if got := s.Read("full", commits, "any"); got != nil {
		t.Error("a report of another schema")
	}
}

// TestServer: what was learnt with the workers of a server is known to runs with this server alone, which know what
// this machine found, too.
func TestServer(t *testing.T) {
	where := cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")}
	open := func(server string) *Store {
		s, err := Open(where, server)
		must(t, err)
		t.Cleanup(func() { s.Close(context.Background()) })
		return s
	}
	alone, one, other := open(""), open("nats://one"), open("nats://other")
	must(t, alone.Remember("key", map[string]string{"a": "here", "b": "here"}))
	must(t, one.Remember("key", map[string]string{"a": "there", "c": "there"}))
	must(t, one.Remember("far", "there"))
	must(t, one.Write("report", reporttest.Cases(t)[0].Report))
	for _, c := range []struct {
		reason string
		of     *Store
		want   map[string]string
		far    bool
	}{
		{"alone", alone, map[string]string{"a": "here", "b": "here"}, false},
		{"with the server", one, map[string]string{"a": "here", "b": "here", "c": "there"}, true},
		{"with another one", other, map[string]string{"a": "here", "b": "here"}, false},
	} {
		got, value := map[string]string{}, ""
		if RecallAll(c.of, "key", got); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
		if known := c.of.Recall("far", &value); known != c.far {
			t.Errorf("%s: what workers found is known: %t", c.reason, known)
		}
		if known := c.of.Read("report", spectra.Pair[repository.Commit]{}, "any") != nil; known != c.far {
			t.Errorf("%s: the report is known: %t", c.reason, known)
		}
	}
}
