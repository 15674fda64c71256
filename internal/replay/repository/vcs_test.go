package repository

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVersionControlIsLeftOut checks that no tree contains files of another version control system: neither that of a
// commit, nor that of the working tree, nor that of a sparse one.
func TestVersionControlIsLeftOut(t *testing.T) {
	f := newFixture(t)
	kept := []string{".gitignore", "CVS/cvs.go", "deep/m.go", "hg/hg.go", "m.go"}
	left := []string{
		".hg/hgrc", ".SVN/entries", "deep/.hg/hgrc", "deep/er/.bzr/branch.conf", ".fslckout", "deep/_FOSSIL_",
	}
	for _, name := range append(left, kept...) {
		f.write(name, "content of "+name+"\n")
	}
	f.commit("all")
	f.write("untracked/.git/config", "[core]\n") // no repository, so the folder is copied
	f.write("untracked/.hg/hgrc", "[alias]\n")
	f.write("untracked/x.go", "package x\n")
	want := []string{
		".SVN belongs to a version control system and is left out",
		".fslckout belongs to a version control system and is left out",
		".hg belongs to a version control system and is left out",
		"deep/.hg belongs to a version control system and is left out",
		"deep/_FOSSIL_ belongs to a version control system and is left out",
		"deep/er/.bzr belongs to a version control system and is left out",
	}
	for revision, files := range map[string][]string{"HEAD": kept, worktree: append(kept, "untracked/x.go")} {
		tree := materialise(t, f.open(), revision, t.TempDir())
		if got := slices.Sorted(maps.Keys(snapshot(t, tree.Dir))); !slices.Equal(got, files) {
			t.Errorf("%s: the tree holds %q, want %q", revision, got, files)
		}
		if !slices.Equal(tree.Warnings, want) {
			t.Errorf("%s: warnings %q", revision, tree.Warnings)
		}
	}
	f.git("update-index", "--skip-worktree", ".hg/hgrc", "deep/m.go")
	must(t, os.RemoveAll(filepath.Join(f.dir, ".hg")))
	must(t, os.Remove(filepath.Join(f.dir, "deep", "m.go")))
	tree := materialise(t, f.open(), worktree, t.TempDir())
	got := slices.Sorted(maps.Keys(snapshot(t, tree.Dir)))
	if !slices.Contains(got, "deep/m.go") || slices.ContainsFunc(got, func(name string) bool {
		return strings.Contains(name, ".hg")
	}) {
		t.Errorf("the sparse tree holds %q", got)
	}
}

// TestTreesFromBeforeAreWrittenAnew checks that a tree of an earlier release is not used again. It may contain such
// folders and still have a valid stamp of that release.
func TestTreesFromBeforeAreWrittenAnew(t *testing.T) {
	f := newFixture(t)
	f.write("m.go", "package m\n")
	f.commit("all")
	cache := t.TempDir()
	tree := materialise(t, f.open(), "HEAD", cache)
	hgrc := filepath.Join(tree.Dir, ".hgrc")
	must(t, os.WriteFile(hgrc, nil, 0o644))
	earlier := sha256.New()
	for _, name := range []string{hgrc, filepath.Join(tree.Dir, "m.go")} {
		info, err := os.Lstat(name)
		must(t, err)
		fmt.Fprintf(earlier, "%q %o %d %d\n", filepath.Base(name), info.Mode(), info.Size(), info.ModTime().UnixNano())
	}
	stamp := fmt.Appendf(nil, `{"stamp":"%x"}`, earlier.Sum(nil))
	must(t, os.WriteFile(filepath.Join(filepath.Dir(tree.Dir), "manifest.json"), stamp, 0o644))
	again := materialise(t, f.open(), "HEAD", cache)
	if got := slices.Sorted(maps.Keys(snapshot(t, again.Dir))); !slices.Equal(got, []string{"m.go"}) {
		t.Errorf("the tree holds %q", got)
	}
}
