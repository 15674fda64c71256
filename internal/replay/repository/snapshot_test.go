package repository

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSnapshot: files are those of the version, wherever they are, and nothing is written.
func TestSnapshot(t *testing.T) {
	f := newFixture(t)
	f.write("go.mod", "module m\n")
	f.write("deep/er/x.go", "package old\n")
	must(t, os.Symlink("/etc/passwd", filepath.Join(f.dir, "deep", "link")))
	f.commit("first")
	f.write("deep/er/x.go", "package new\n")
	f.write("deep/y.go", "package deep\n")
	r, err := Open(f.dir)
	must(t, err)
	head, err := r.Resolve("HEAD")
	must(t, err)
	for _, c := range []struct{ commit, x, files string }{
		{head.Hash, "package old\n", ""}, {"worktree", "package new\n", "y.go"},
	} {
		s, err := r.Snapshot(c.commit)
		must(t, err)
		defer s.Close()
		data, err := s.ReadFile("deep/er/x.go")
		if err != nil || string(data) != c.x {
			t.Errorf("%s: x.go is %q: %v", c.commit, data, err)
		}
		names, err := s.Files("deep")
		if err != nil || strings.Join(names, " ") != c.files {
			t.Errorf("%s: folder deep has %v: %v", c.commit, names, err)
		}
		if names, err := s.Files("."); err != nil || !slices.Contains(names, "go.mod") {
			t.Errorf("%s: the root has %v: %v", c.commit, names, err)
		}
		for _, missing := range []string{"deep/missing.go", "missing/x.go", "go.mod/x.go"} {
			if _, err := s.ReadFile(missing); err == nil {
				t.Errorf("%s: %s is there", c.commit, missing)
			}
		}
		if _, err := s.ReadFile("deep/missing.go"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a file that is not there: %v", c.commit, err)
		}
		for _, refused := range []string{"deep/link", "../x", "/etc/passwd", "", ".git/config", "deep"} {
			if data, err := s.ReadFile(refused); err == nil {
				t.Errorf("%s: %q is read: %q", c.commit, refused, data)
			}
		}
		if _, err := s.Files("missing"); err == nil {
			t.Errorf("%s: a missing folder is listed", c.commit)
		}
	}
}

func TestSnapshotOfMissingCommit(t *testing.T) {
	f := newFixture(t)
	f.write("x", "")
	f.commit("first")
	r, err := Open(f.dir)
	must(t, err)
	for _, c := range []struct{ reason, commit, want string }{
		{"a commit that was not fetched", strings.Repeat("12", 20), "is missing"},
		{"no hash", "HEAD", "want 40 hex digits"},
	} {
		if _, err := r.Snapshot(c.commit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
