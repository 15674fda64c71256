package repository

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestLargeFiles checks that large files reach the tree without being held in memory, from loose objects and from
// packs.
func TestLargeFiles(t *testing.T) {
	const size = 64 << 20
	f := newFixture(t)
	f.write("zeros", string(make([]byte, size)))
	f.commit("one")
	for _, form := range []string{"loose", "packed"} {
		if form == "packed" {
			f.git("repack", "-q", "-a", "-d", "-F")
		}
		r := f.open()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree := materialise(t, r, "HEAD", t.TempDir())
		runtime.ReadMemStats(&after)
		if total := after.TotalAlloc - before.TotalAlloc; total > size/4 {
			t.Errorf("%s: %d bytes of memory for a file of %d", form, total, size)
		}
		data, err := os.ReadFile(filepath.Join(tree.Dir, "zeros"))
		if err != nil || !bytes.Equal(data, make([]byte, size)) {
			t.Errorf("%s: %d bytes, %v", form, len(data), err)
		}
	}
}

// TestLargeDamage checks that a large object with another hash than its name is an error.
func TestLargeDamage(t *testing.T) {
	f := newFixture(t)
	f.write("f.txt", strings.Repeat("a", 2<<20))
	f.commit("one")
	f.write("g.txt", strings.Repeat("b", 2<<20))
	f.commit("two")
	object := func(name string) string {
		h := f.git("rev-parse", "HEAD:"+name)
		return filepath.Join(f.dir, ".git/objects", h[:2], h[2:])
	}
	must(t, os.Remove(object("f.txt")))
	must(t, os.Rename(object("g.txt"), object("f.txt")))
	f.git("update-index", "--remove", "--cacheinfo", "100644,"+f.git("rev-parse", "HEAD:f.txt")+",g.txt")
	r := f.open()
	c, err := r.Resolve("HEAD~1")
	must(t, err)
	cache := t.TempDir()
	if _, err = r.Materialise(t.Context(), c, openCache(t, cache)); err == nil ||
		!strings.Contains(err.Error(), "damaged; run `git fsck`") {
		t.Errorf("an object with another content: %v", err)
	}
	onlyTree(t, cache, 0)
}

// TestHostileTrees checks that small objects that stand for huge trees are refused.
func TestHostileTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all: it writes and reads many thousand folders")
	}
	f := newFixture(t)
	f.history(1)
	blob := f.git("rev-parse", "HEAD:f.txt")
	link := f.gitInput(strings.NewReader(strings.Repeat("x", 5000)), "hash-object", "-w", "--stdin")
	tree := func(lines ...string) string {
		return f.gitInput(strings.NewReader(strings.Join(lines, "\n")), "mktree")
	}
	folders := func(depth, width int, name string) string {
		h := tree()
		for range depth {
			var lines []string
			for i := range width {
				lines = append(lines, fmt.Sprintf("040000 tree %s\t%s%d", h, name, i))
			}
			h = tree(lines...)
		}
		return h
	}
	for _, c := range []struct{ reason, tree, want string }{
		{"many folders in each of many folders", folders(3, 1000, "a"), "or more than 100000 folders"},
		{"hundreds of folders in each other", folders(600, 1, "folder"), "a path of 4007 bytes"},
		{"a name of a hundred thousand bytes", tree("100644 blob " + blob + "\t" + strings.Repeat("n", 100_000)),
			"a path of 100000 bytes"},
		{"a long symlink", tree("120000 blob " + link + "\tlink"), "a symlink to a path of more than 4095 bytes"},
	} {
		commit := f.git("commit-tree", "-m", "hostile", c.tree)
		_, err := f.open().Materialise(t.Context(), Commit{Revision: "v", Hash: commit}, openCache(t, t.TempDir()))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 {
			t.Errorf("%s: %.500v, want %q", c.reason, err, c.want)
		}
	}
}

// TestIgnoreFiles checks that only regular files are opened as ignore files.
func TestIgnoreFiles(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	must(t, os.Symlink("/dev/zero", filepath.Join(f.dir, ".gitignore")))
	r := f.open()
	if _, err := r.Materialise(t.Context(), Commit{Revision: "worktree", Hash: "worktree", Worktree: true},
		openCache(t, t.TempDir())); err != nil {
		t.Error(err)
	}
}
