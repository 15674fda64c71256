package repository

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// exported exports a commit of a fixture.
func exported(t *testing.T, r *Repository, of, base Commit) string {
	t.Helper()
	dir := t.TempDir()
	must(t, r.Export(t.Context(), of, base, dir))
	return dir
}

// TestExport makes a repository of exported commits, whose trees are those of the commits, byte for byte.
func TestExport(t *testing.T) {
	f := peculiar(t)
	f.git("remote", "add", "origin", `https://example.com/"quoted"\m`)
	old := f.git("rev-parse", "HEAD")
	f.write("folder/more.txt", "more")
	f.write("a/b/c/deep.go", "package c")
	new := f.commit("new")
	r := f.open()
	resolve := func(r *Repository, hash string) Commit {
		c, err := r.Resolve(hash)
		must(t, err)
		return c
	}
	commits := []Commit{resolve(r, old), resolve(r, new)}
	objects := []string{t.TempDir(), exported(t, r, commits[1], commits[0])}
	must(t, r.export(t.Context(), commits[0], Commit{}, filepath.Join(objects[0], "pack"), 3)) // several packs
	if again := exported(t, r, commits[1], commits[0]); !maps.Equal(snapshot(t, objects[1]), snapshot(t, again)) {
		t.Error("exported once more, it has other bytes")
	}
	must(t, filepath.WalkDir(filepath.Join(objects[1], "pack"), func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		if info, err := entry.Info(); err != nil || info.ModTime().Unix() != 0 {
			t.Errorf("%s is of another time: %v, %v", path, info.ModTime(), err)
		}
		return nil
	}))
	dir := filepath.Join(t.TempDir(), filepath.Base(r.Root))
	must(t, Rebuild(dir, r.Origin(), commits, objects))
	rebuilt, err := Open(dir)
	must(t, err)
	for i, c := range commits {
		if of := resolve(rebuilt, c.Hash); of != c {
			t.Errorf("commit %d is %+v, want %+v", i, of, c)
		}
		want, got := materialise(t, r, c.Hash, t.TempDir()), materialise(t, rebuilt, c.Hash, t.TempDir())
		if !maps.Equal(snapshot(t, want.Dir), snapshot(t, got.Dir)) {
			t.Errorf("commit %d has other files", i)
		}
		if want.Name != got.Name || want.Origin != got.Origin || len(want.Warnings) != len(got.Warnings) {
			t.Errorf("commit %d: tree %+v, want %+v", i, got, want)
		}
		before, err := r.Content(t.Context(), c)
		must(t, err)
		after, err := rebuilt.Content(t.Context(), c)
		must(t, err)
		if before != after {
			t.Errorf("commit %d: content %s, want %s", i, after, before)
		}
	}
}

// TestExportPartial exports a commit of a clone that lacks contents. They are missing afterwards, too.
func TestExportPartial(t *testing.T) {
	f := newFixture(t)
	f.write("go.mod", "module m")
	f.write("data.bin", "large")
	hash := f.commit("one")
	blob := f.git("rev-parse", "HEAD:data.bin")
	r := f.open()
	c, err := r.Resolve(hash)
	must(t, err)
	whole := exported(t, r, c, Commit{})
	must(t, os.Remove(filepath.Join(f.dir, ".git/objects", blob[:2], blob[2:])))
	r = f.open()
	part := exported(t, r, c, Commit{})
	if maps.Equal(snapshot(t, whole), snapshot(t, part)) {
		t.Error("the content is there still")
	}
	dir := filepath.Join(t.TempDir(), "m")
	must(t, Rebuild(dir, "", []Commit{c}, []string{part}))
	rebuilt, err := Open(dir)
	must(t, err)
	if tree := materialise(t, rebuilt, hash, t.TempDir()); len(tree.Warnings) != 1 {
		t.Errorf("warnings %q, want that data.bin is left out", tree.Warnings)
	}
}

// TestExportRefused exports what can't be.
func TestExportRefused(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	one := f.commit("one")
	f.write("a", "2")
	two := f.commit("two")
	r := f.open()
	if err := r.Export(t.Context(), r.Worktree(), Commit{}, t.TempDir()); err == nil {
		t.Error("the working tree is exported")
	}
	f.git("replace", one, two)
	r = f.open()
	c, err := r.Resolve(two)
	must(t, err)
	if err := r.Export(t.Context(), c, Commit{}, t.TempDir()); err == nil {
		t.Error("a repository with replaced objects is exported")
	}
	if err := Rebuild(t.TempDir(), "a\nb", []Commit{c}, nil); err == nil {
		t.Error("an origin of two lines is written")
	}
}
