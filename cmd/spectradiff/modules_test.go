package main

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

	"github.com/spectradiff/spectradiff/cmd/internal/lab/known"
	"github.com/spectradiff/spectradiff/internal/report"
	reportjson "github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

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
	for _, p := range known.Pairs() {
		if !wanted(p.Module) {
			continue
		}
		t.Run(p.Module+"@"+p.New, func(t *testing.T) {
			r, out := compareReleases(t, releases(t, p.Module, p.Old, p.New))
			if p.Roots == nil {
				if slices.ContainsFunc(r.Roots, func(root report.Root) bool { return root.Reach == spectra.Visible }) {
					t.Errorf("a visible deviation where there is none (%s)\n%s", p.Reason, out)
				}
				return
			}
			if rank := p.Root(r); rank != 0 {
				t.Errorf("known root %v at index %d, want 0 (%s)\n%s", p.Roots, rank, p.Reason, out)
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
