package repository

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamedTree: core.worktree is that of the main working tree, unless each has a configuration of its own.
func TestNamedTree(t *testing.T) {
	inner := newFixture(t)
	inner.history(1)
	outer := fixture{t, filepath.Join(t.TempDir(), "outer")}
	must(t, os.MkdirAll(outer.dir, 0o755))
	outer.git("init", "-q")
	outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "inner")
	main := fixture{t, filepath.Join(outer.dir, "inner")}
	linked := filepath.Join(filepath.Dir(outer.dir), "linked")
	main.git("worktree", "add", "-q", linked)
	must(t, os.Mkdir(filepath.Join(linked, "sub"), 0o755))
	check := func(reason, dir, root, sub string) {
		t.Helper()
		r, err := Open(dir)
		must(t, err)
		if r.Root != root || r.Sub != sub {
			t.Errorf("%s: %s in %s, want %s in %s", reason, r.Sub, r.Root, sub, root)
		}
	}
	check("a submodule", main.dir, main.dir, ".")
	check("a linked working tree of it", filepath.Join(linked, "sub"), linked, "sub")
	elsewhere := filepath.Join(outer.dir, "elsewhere")
	must(t, os.Mkdir(elsewhere, 0o755))
	git := (fixture{t, linked}).git("rev-parse", "--absolute-git-dir")
	must(t, os.WriteFile(filepath.Join(git, "config.worktree"), []byte("[core]\n\tworktree = "+elsewhere+"\n"), 0o644))
	check("a configuration that git does not read", linked, linked, ".")
	main.git("config", "extensions.worktreeConfig", "true")
	_, err := Open(linked)
	if want := "its working tree is " + elsewhere; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("another folder: %v, want %q", err, want)
	}
	must(t, os.WriteFile(filepath.Join(git, "config.worktree"), []byte("[core]\n\tworktree = "+linked+"/sub\n"), 0o644))
	check("a folder below", linked, filepath.Join(linked, "sub"), ".")
}
