package main

// This file tests the command on pairs of released versions of other people's modules whose difference is
// known. It also has the functions that all tests with released modules use. These tests run with
// SPECTRADIFF_LONG=1 (make test-long). SPECTRADIFF_ONLY limits them to modules whose path contains that
// text.

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"

	"github.com/spectradiff/spectradiff/report"
	reportjson "github.com/spectradiff/spectradiff/report/json"
)

// pairs are two versions of a module, the functions that cause their difference, and among how many of
// the first roots one of them must be.
var pairs = []struct {
	module, old, new string
	roots            []string // none: nothing deviates visibly
	reason           string
}{
	{"github.com/iancoleman/strcase", "v0.2.0", "v0.3.0", []string{"toCamelInitCase"},
		"an unexported root below two exported functions"},
	{"github.com/mattn/go-shellwords", "v1.0.10", "v1.0.11", []string{"replaceEnv", "(*Parser).Parse"},
		"a rewrite with two roots"},
	{"github.com/imdario/mergo", "v0.3.4", "v0.3.5", []string{"isEmptyValue", "deepMerge"}, "reflection, no go.mod"},
	{"github.com/andybalholm/cascadia", "v1.3.0", "v1.3.1", []string{"(*parser).parseAttributeSelector"},
		"a panic that was mended"},
	{"github.com/hashicorp/go-version", "v1.7.0", "v1.8.0", []string{"newVersion", "parseSingle"}, "texts of errors"},
	{"github.com/BurntSushi/toml", "v1.3.0", "v1.3.1", []string{"(*parser).topLevel", "(*parser).valueInlineTable"},
		"an internal value only"},
	{"github.com/robfig/cron/v3", "v3.0.0", "v3.0.1", []string{"SkipIfStillRunning"},
		"goroutines, state shared between wrappers"},
	{"github.com/hashicorp/go-version", "v1.6.0", "v1.7.0", nil, "reflection replaced"},
	{"github.com/BurntSushi/toml", "v1.3.1", "v1.3.2", nil, "a package variable became a field"},
}

// needLong skips a test that downloads and runs real modules, unless SPECTRADIFF_LONG is set.
func needLong(t *testing.T) {
	t.Helper()
	if os.Getenv("SPECTRADIFF_LONG") == "" {
		t.Skip("fetches and runs real modules: make test-long")
	}
}

func wanted(module string) bool { return strings.Contains(module, os.Getenv("SPECTRADIFF_ONLY")) }

// TestPairs compares versions whose difference is known.
func TestPairs(t *testing.T) {
	needLong(t)
	for _, p := range pairs {
		if !wanted(p.module) {
			continue
		}
		t.Run(p.module+"@"+p.new, func(t *testing.T) {
			r, out := compareReleases(t, releases(t, p.module, p.old, p.new))
			if p.roots == nil {
				if slices.ContainsFunc(r.Roots, func(root report.Root) bool { return root.Reach == report.Visible }) {
					t.Errorf("a visible deviation where there is none (%s)\n%s", p.reason, out)
				}
				return
			}
			rank := slices.IndexFunc(r.Roots, func(root report.Root) bool {
				return slices.ContainsFunc(p.roots, func(name string) bool {
					at := func(p report.Place) bool { return strings.HasSuffix(p.Function, "."+name) }
					return at(report.Place{Function: root.Function}) || slices.ContainsFunc(root.Places, at)
				})
			})
			if rank != 0 {
				t.Errorf("known root %v at index %d, want 0 (%s)\n%s", p.roots, rank, p.reason, out)
			}
		})
	}
}

// releases makes a repository of two released versions, tagged old and new.
func releases(t *testing.T, module, old, new string) string {
	t.Helper()
	folder := t.TempDir()
	repository, err := git.PlainInit(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, version := range []string{old, new} {
		if i == 1 && old == new {
			head, err := repository.Head()
			if err == nil {
				_, err = repository.CreateTag("new", head.Hash(), nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
		cmd.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(cmd.Dir, "go.mod"), []byte("module scratch\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("fetch %s: %v\n%s", module, err, out)
		}
		var fetched struct{ Dir string }
		if err := json.Unmarshal(out, &fetched); err != nil {
			t.Fatal(err)
		}
		if err := emptyWorktree(folder); err != nil {
			t.Fatal(err)
		}
		if err := copyWritable(folder, fetched.Dir); err != nil {
			t.Fatal(err)
		}
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		if err := commitAndTag(repository, []string{"old", "new"}[i], version, when); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// copyWritable copies a folder of the module cache, whose files are read-only.
func copyWritable(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		return os.Chmod(path, 0o755)
	})
}

// durations are what a run took: no two take the same.
var durations = regexp.MustCompile(`"(?:cpu_)?seconds": [0-9.]+|"(?:started_)?peak_bytes": [0-9]+`)

// compareReleases runs the command and returns its report, and its JSON without durations.
func compareReleases(t *testing.T, repository string, flags ...string) (*report.Report, []byte) {
	t.Helper()
	args := append([]string{"compare", "-C", repository, "--no-progress", "--format", "json"}, flags...)
	var out, errs bytes.Buffer
	exit := run(append(args, "old", "new"), strings.NewReader(""), &out, &errs)
	if exit > 1 {
		t.Fatalf("exit status %d: %s", exit, errs.String())
	}
	r, err := reportjson.Read(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return r, durations.ReplaceAll(out.Bytes(), []byte(`"seconds": 0`))
}
