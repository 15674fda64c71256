package repository

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// openCache opens a cache without limits.
func openCache(t *testing.T, folder string) *cache.Cache {
	t.Helper()
	c, err := cache.Open(cache.Settings{Folder: folder}, t.Logf)
	must(t, err)
	return c
}

// materialise writes a version and returns its tree.
func materialise(t *testing.T, r *Repository, revision, cache string) *Tree {
	t.Helper()
	c := r.Worktree()
	if revision != worktree {
		var err error
		c, err = r.Resolve(revision)
		must(t, err)
	}
	tree, err := r.Materialise(t.Context(), c, openCache(t, cache))
	must(t, err)
	return tree
}

// peculiar makes a repository with every kind of entry that a tree can hold.
func peculiar(t *testing.T) fixture {
	f := newFixture(t)
	f.git("config", "core.autocrlf", "false")
	for _, name := range []string{
		"plain.txt", "with space.txt", "ünïcode/日本.txt", "new\nline.txt", "tab\t.txt", "-dash", "quote\".txt",
		"deep/er/and/deeper/x",
	} {
		f.write(name, "content of "+name+"\n")
	}
	f.write("crlf.txt", "one\r\ntwo\r\n")
	f.write("empty", "")
	f.write("run.sh", "#!/bin/sh\n")
	must(t, os.Chmod(filepath.Join(f.dir, "run.sh"), 0o755))
	f.write(".gitattributes", "hidden.txt export-ignore\nsubst.txt export-subst\n")
	f.write("hidden.txt", "still here")
	f.write("subst.txt", "$Format:%H$")
	f.write("big.bin", lfsHeader+"v1\noid sha256:00\nsize 3\n")
	for name, target := range map[string]string{
		"link": "plain.txt", "deep/up": "../plain.txt", "outside": "../../etc", "absolute": "/etc/passwd",
		"dangling": "nothing",
	} {
		must(t, os.Symlink(target, filepath.Join(f.dir, name)))
	}
	f.commit("all")
	f.git("update-index", "--add", "--cacheinfo", "160000,"+f.git("rev-parse", "HEAD")+",sub")
	f.git("commit", "-q", "-m", "with a submodule")
	return f
}

func TestMaterialiseCommit(t *testing.T) {
	f := peculiar(t)
	want := snapshot(t, f.dir)
	maps.DeleteFunc(want, func(name, _ string) bool { return strings.HasPrefix(name, ".git/") })
	for _, state := range []string{"loose", "packed"} {
		if state == "packed" {
			f.git("gc", "-q")
		}
		tree := materialise(t, f.open(), "HEAD", t.TempDir())
		if got := snapshot(t, tree.Dir); !maps.Equal(got, want) {
			t.Errorf("%s: tree holds %q\nwant %q", state, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		wantWarnings := []string{
			"absolute is a symlink that leads out of the repository, to /etc/passwd",
			"big.bin is a Git LFS pointer; the content it stands for is not there",
			"outside is a symlink that leads out of the repository, to ../../etc",
			"sub is a submodule; its files are left out",
		}
		if !slices.Equal(tree.Warnings, wantWarnings) {
			t.Errorf("%s: warnings %q", state, tree.Warnings)
		}
	}
}

func TestMaterialiseAgain(t *testing.T) {
	f := newFixture(t)
	f.history(2)
	r, cache := f.open(), t.TempDir()
	first := materialise(t, r, "HEAD", cache)
	info, err := os.Stat(first.Dir)
	must(t, err)
	second := materialise(t, r, "HEAD", cache)
	again, err := os.Stat(second.Dir)
	must(t, err)
	if first.Dir != second.Dir || !os.SameFile(info, again) {
		t.Errorf("a whole tree was not reused: %s, %s", first.Dir, second.Dir)
	}
	for reason, harm := range map[string]func(name string) error{
		"edited":  func(name string) error { return os.WriteFile(name, []byte("harm"), 0o644) },
		"removed": os.Remove,
		"added":   func(name string) error { return os.WriteFile(name+".more", nil, 0o644) },
	} {
		must(t, harm(filepath.Join(first.Dir, "f.txt")))
		third := materialise(t, r, "HEAD", cache)
		if got := snapshot(t, third.Dir); len(got) != 1 || !strings.HasSuffix(got["f.txt"], "\nline\nline\n") {
			t.Errorf("%s: the broken tree was used: %v", reason, got)
		}
	}
}

func TestMaterialiseTogether(t *testing.T) {
	f := peculiar(t)
	cache := t.TempDir()
	var group sync.WaitGroup
	trees := make([]*Tree, 8)
	errs := make([]error, len(trees))
	for i := range trees {
		run := openCache(t, cache)
		group.Go(func() {
			r, err := Open(f.dir)
			if err == nil {
				var c Commit
				if c, err = r.Resolve("HEAD"); err == nil {
					trees[i], err = r.Materialise(t.Context(), c, run)
				}
			}
			errs[i] = err
		})
	}
	group.Wait()
	for i := range trees {
		must(t, errs[i])
		if trees[i].Dir != trees[0].Dir {
			t.Errorf("run %d has its own tree %s", i, trees[i].Dir)
		}
	}
	onlyTree(t, cache, 1)
}

func TestWith(t *testing.T) {
	f := peculiar(t)
	cache := t.TempDir()
	tree := materialise(t, f.open(), "HEAD", cache)
	before := snapshot(t, tree.Dir)
	with := func(additions ...Addition) string {
		copied, err := tree.With(t.Context(), additions...)
		must(t, err)
		return copied.Dir
	}
	file := Addition{Name: "made/one", Text: "text"}
	one, again := with(file), with(file)
	both := with(file, Addition{Name: "outside", Text: "/elsewhere", Link: true})
	if one != again || one == both || one == tree.Dir {
		t.Errorf("copies %s, %s and %s of %s", one, again, both, tree.Dir)
	}
	onlyTree(t, cache, 3)
	for _, dir := range []string{one, both} {
		got := snapshot(t, dir)
		if !strings.HasSuffix(got["made/one"], "\ntext") {
			t.Errorf("the added file is %q", got["made/one"])
		}
		delete(got, "made/one")
		if dir == both {
			if !strings.HasSuffix(got["outside"], "/elsewhere") {
				t.Errorf("the link in place of another is %q", got["outside"])
			}
			got["outside"] = before["outside"]
		}
		if !maps.Equal(got, before) || !maps.Equal(snapshot(t, tree.Dir), before) {
			t.Error("the other files, or the tree itself, changed")
		}
	}
}

// TestWithFolder checks that an added folder replaces whatever has its name, also a link on the way to it, and that
// nothing is written through the link.
func TestWithFolder(t *testing.T) {
	f := peculiar(t)
	tree := materialise(t, f.open(), "HEAD", t.TempDir())
	folder, elsewhere := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "a.go"), []byte("package a"), 0o644))
	link := Addition{Name: "vendor", Text: elsewhere, Link: true}
	stale := Addition{Name: "vendor/m/stale.go", Text: "package stale"}
	added := Addition{Name: "vendor/m", Folder: folder, Text: "m@v1"}
	for _, before := range []Addition{link, stale} {
		first, err := tree.With(t.Context(), before)
		must(t, err)
		second, err := first.With(t.Context(), added, Addition{Name: "vendor/m/go.mod", Text: "module m"})
		must(t, err)
		for name, want := range map[string]string{"a.go": "package a", "go.mod": "module m"} {
			got, err := os.ReadFile(filepath.Join(second.Dir, "vendor", "m", name))
			if err != nil || string(got) != want {
				t.Errorf("%s holds %q, %v", name, got, err)
			}
		}
		if _, err := os.Lstat(filepath.Join(second.Dir, "vendor", "m", "stale.go")); err == nil {
			t.Error("a file of the folder that was there is in the copy")
		}
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("%d entries were written where a link leads to, %v", len(entries), err)
	}
}

// TestCopy checks that a folder is copied in its current state, without the folders of version control systems.
func TestCopy(t *testing.T) {
	folder, trees := t.TempDir(), openCache(t, t.TempDir())
	for _, name := range []string{"m.go", "deep/n.go", ".git/config", "deep/.hg/hgrc"} {
		must(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755))
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(name), 0o644))
	}
	must(t, os.Symlink("/etc/passwd", filepath.Join(folder, "link")))
	copied := func() *Tree {
		tree, err := Copy(t.Context(), folder, trees)
		must(t, err)
		return tree
	}
	first := copied()
	got := snapshot(t, first.Dir)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"deep/n.go", "link", "m.go"}) ||
		!strings.HasSuffix(got["link"], "/etc/passwd") {
		t.Errorf("the copy holds %q", got)
	}
	if again := copied(); again.Dir != first.Dir {
		t.Errorf("the same folder was copied to %s and %s", first.Dir, again.Dir)
	}
	must(t, os.WriteFile(filepath.Join(folder, "m.go"), []byte("m.og"), 0o644))
	if changed := copied(); changed.Dir == first.Dir || !maps.Equal(snapshot(t, first.Dir), got) {
		t.Errorf("another content was not copied apart from the first")
	}
}

// onlyTree checks that the cache holds n trees and nothing else.
func onlyTree(t *testing.T, cache string, n int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(cache, "trees"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if len(entries) != n {
		t.Errorf("the cache holds %v, want %d trees", entries, n)
	}
}

// A countdown is a context that is cancelled after a number of calls of Err.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestMaterialiseCancelled(t *testing.T) {
	f := peculiar(t)
	r := f.open()
	head, err := r.Resolve("HEAD")
	must(t, err)
	for _, c := range []Commit{head, r.Worktree()} {
		cancelled := 0
		for left := range 40 {
			cache := t.TempDir()
			_, err := r.Materialise(&countdown{Context: t.Context(), left: left}, c, openCache(t, cache))
			if err == nil {
				onlyTree(t, cache, 1)
				continue
			}
			cancelled++
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled after %d: %v", left, err)
			}
			onlyTree(t, cache, 0)
		}
		if cancelled < 3 || cancelled == 40 {
			t.Errorf("%s: %d of 40 runs were cancelled", c.Revision, cancelled)
		}
	}
}

// TestCancelled: what walks a whole tree ends with its context.
func TestCancelled(t *testing.T) {
	f := newFixture(t)
	f.write("in/a.txt", "a")
	f.write("out/far/b.txt", "b")
	head := f.commit("two folders")
	f.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
	trees, added := t.TempDir(), t.TempDir()
	tree := materialise(t, f.open(), "HEAD", trees)
	must(t, os.WriteFile(filepath.Join(added, "a.go"), []byte("package a"), 0o644))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for reason, walk := range map[string]func(r *Repository, c Commit) error{
		"its copy": func(*Repository, Commit) error { _, err := tree.With(cancelled); return err },
		"a folder for it": func(*Repository, Commit) error {
			_, err := Addition{Name: "vendor", Folder: added}.files(cancelled)
			return err
		},
		"its name":      func(r *Repository, c Commit) error { _, err := r.Held(cancelled, c); return err },
		"its content":   func(r *Repository, c Commit) error { _, err := r.Content(cancelled, c); return err },
		"a sparse tree": func(r *Repository, _ Commit) error { _, err := r.readIndex(cancelled); return err },
	} {
		r := f.open()
		c, err := r.Resolve(head)
		must(t, err)
		if err := walk(r, c); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that it is cancelled", reason, err)
		}
	}
	onlyTree(t, trees, 1)
}

func TestCheckoutIsUntouched(t *testing.T) {
	f := peculiar(t)
	f.write("plain.txt", "staged")
	f.git("add", "plain.txt")
	f.write("plain.txt", "not staged")
	f.write("untracked", "x")
	before := snapshot(t, f.dir)
	r, cache := f.open(), t.TempDir()
	materialise(t, r, "HEAD~1", cache)
	tree := materialise(t, r, worktree, cache)
	if _, err := r.Resolve("nothing"); err == nil {
		t.Error("found nothing")
	}
	_, _, err := r.ParseRange([]string{"HEAD~1...HEAD"}, "")
	must(t, err)
	if after := snapshot(t, f.dir); !maps.Equal(before, after) {
		t.Errorf("the checkout changed")
	}
	if text, _ := os.ReadFile(filepath.Join(tree.Dir, "plain.txt")); string(text) != "not staged" {
		t.Errorf("the working tree's plain.txt is %q", text)
	}
}

func TestShallowClone(t *testing.T) {
	origin := newFixture(t)
	origin.history(4)
	old := origin.git("rev-parse", "HEAD~2")
	origin.git("tag", "v1", "HEAD~3")
	f := origin.clone("--depth", "1", "--no-tags")
	r := f.open()
	cases := []struct{ reason, revision, want string }{
		{"past the boundary", "HEAD~1", "run `git fetch --unshallow origin`"},
		{"far past the boundary", "HEAD~3", "run `git fetch --unshallow origin`"},
		{"a tag that was not fetched", "v1", "run `git fetch --unshallow --tags origin`"},
		{"a commit that was not fetched", old, "or only `git fetch origin " + old + "`"},
	}
	for _, c := range cases {
		if _, err := r.Resolve(c.revision); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Resolve(%q) = %v; want %q", c.reason, c.revision, err, c.want)
		}
	}
	materialise(t, r, "HEAD", t.TempDir())
	f.git("fetch", "-q", "--unshallow", "--tags", "origin")
	if got := resolved(t, f.open(), "v1"); got.String() != origin.git("rev-parse", "v1") {
		t.Errorf("after the advice v1 is %s", got)
	}
}

func TestMissingObjects(t *testing.T) {
	origin := newFixture(t)
	origin.write("f.txt", "one\n")
	origin.commit("one")
	origin.write("dir/g.go", "package dir\n")
	origin.commit("two")
	for _, object := range []string{"HEAD:dir/g.go", "HEAD:dir", "HEAD^{tree}", "HEAD~1"} {
		f := origin.clone()
		pack, err := filepath.Glob(filepath.Join(f.dir, ".git/objects/pack/*.pack"))
		must(t, err)
		if len(pack) != 1 {
			t.Fatalf("packs: %v", pack)
		}
		moved := filepath.Join(t.TempDir(), "p")
		must(t, os.Rename(pack[0], moved))
		must(t, os.Remove(strings.TrimSuffix(pack[0], "pack")+"idx"))
		data, err := os.Open(moved)
		must(t, err)
		f.gitInput(data, "unpack-objects", "-q")
		h := f.git("rev-parse", object)
		must(t, os.Remove(filepath.Join(f.dir, ".git/objects", h[:2], h[2:])))
		use := func() error {
			r, err := Open(f.dir)
			must(t, err)
			if _, err := r.Resolve("HEAD~1"); err != nil {
				return err
			}
			head := Commit{Revision: "HEAD", Hash: f.git("rev-parse", "HEAD")}
			_, err = r.Materialise(t.Context(), head, openCache(t, t.TempDir()))
			return err
		}
		err = use()
		const advice = "run `git fetch --refetch origin`"
		if err == nil || !strings.Contains(err.Error(), advice) || !strings.Contains(err.Error(), h) {
			t.Errorf("%s missing: %v; want %q", object, err, advice)
			continue
		}
		f.git("fetch", "-q", "--refetch", "origin")
		if err := use(); err != nil {
			t.Errorf("%s missing: after the advice: %v", object, err)
		}
	}
}

func TestPartialClone(t *testing.T) {
	origin := newFixture(t)
	origin.write("go.mod", "module example.com/m\n")
	origin.history(3)
	origin.git("config", "uploadpack.allowFilter", "true")
	f := origin.clone("--filter=blob:none", "--no-checkout")
	c, err := f.open().Resolve("HEAD~1")
	must(t, err)
	_, err = f.open().Materialise(t.Context(), c, openCache(t, t.TempDir()))
	if err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter origin") {
		t.Fatalf("Materialise of a partial clone: %v", err)
	}
	f.git("fetch", "-q", "--refetch", "--no-filter", "origin")
	materialise(t, f.open(), "HEAD~1", t.TempDir())
}

// TestAbsent: a file whose content a partial clone does not have is left out if no build reads it. With the content the
// tree is another one.
func TestAbsent(t *testing.T) {
	large := strings.Repeat("large ", 1000)
	for _, c := range []struct {
		reason, name string
		more         map[string]string
		out          bool
	}{
		{"a picture", "docs/p.png", nil, true},
		{"data of a test", "a/testdata/d.txt", map[string]string{"a/a.go": "package a\n"}, true},
		{"source", "a/a.go", nil, false},
		{"a header", "a/a.h", nil, false},
		{"embedded", "a/b/d.txt", map[string]string{"a/a.go": "package a\n\nimport _ \"embed\"\n\n" +
			"//go:embed b\nvar B embed.FS\n"}, false},
	} {
		origin := newFixture(t)
		origin.write("go.mod", "module example.com/m\n")
		for name, text := range c.more {
			origin.write(name, text)
		}
		origin.write(c.name, large)
		origin.commit("all")
		origin.git("config", "uploadpack.allowFilter", "true")
		f, cache := origin.clone("--filter=blob:limit=1k", "--no-checkout"), t.TempDir()
		head, err := f.open().Resolve("HEAD")
		must(t, err)
		tree, err := f.open().Materialise(t.Context(), head, openCache(t, cache))
		if !c.out {
			if err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter origin") {
				t.Errorf("%s: %v; want advice", c.reason, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		files := snapshot(t, tree.Dir)
		if _, there := files[c.name]; there || len(files) != len(c.more)+1 || len(tree.Warnings) != 1 ||
			!strings.HasPrefix(tree.Warnings[0], c.name+" is left out") {
			t.Errorf("%s: files %v, warnings %q", c.reason, slices.Sorted(maps.Keys(files)), tree.Warnings)
		}
		f.git("fetch", "-q", "--refetch", "--no-filter", "origin")
		if whole := materialise(t, f.open(), "HEAD", cache); len(whole.Warnings) > 0 ||
			snapshot(t, whole.Dir)[c.name] == "" {
			t.Errorf("%s: after the advice: warnings %q", c.reason, whole.Warnings)
		}
	}
}

func TestAlternates(t *testing.T) {
	origin := newFixture(t)
	origin.history(3)
	origin.git("gc", "-q")
	origin.write("loose.txt", "loose")
	origin.commit("loose")
	middle := origin.clone("--shared")
	middle.write("more.txt", "more")
	middle.commit("more")
	f := middle.clone("--shared")
	want := middle.git("rev-parse", "HEAD")
	if got := resolved(t, f.open(), want[:8]); got.String() != want {
		t.Errorf("short hash of an alternate's commit: %s", got)
	}
	tree := materialise(t, f.open(), "HEAD~1", t.TempDir())
	if got := slices.Sorted(maps.Keys(snapshot(t, tree.Dir))); !slices.Equal(got, []string{"f.txt", "loose.txt"}) {
		t.Errorf("tree through two alternates: %v", got)
	}
}

func TestDamagedObject(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	h := f.git("rev-parse", "HEAD:f.txt")
	name := filepath.Join(f.dir, ".git/objects", h[:2], h[2:])
	must(t, os.Chmod(name, 0o644))
	must(t, os.WriteFile(name, []byte("damage"), 0o644))
	r := f.open()
	c, err := r.Resolve("HEAD")
	must(t, err)
	cache := t.TempDir()
	_, err = r.Materialise(t.Context(), c, openCache(t, cache))
	if err == nil || !strings.Contains(err.Error(), "git fsck") {
		t.Errorf("Materialise of a damaged object: %v", err)
	}
	onlyTree(t, cache, 0)
}

// TestGathered checks that Git LFS pointers have one note, where the first of them stood.
func TestGathered(t *testing.T) {
	link := "a is a symlink that leads out of the repository, to /"
	for _, test := range []struct {
		reason      string
		notes, want []string
	}{
		{"nothing to tell", []string{"", ""}, nil},
		{"one pointer", []string{"", "p" + pointerNote}, []string{"p" + pointerNote}},
		{"three and another note", []string{"p" + pointerNote, link, "q" + pointerNote, "r" + pointerNote}, []string{
			"p and 2 more are Git LFS pointers; the contents they stand for are not there", link,
		}},
	} {
		if got := gathered(test.notes); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.reason, got, test.want)
		}
	}
}

// TestReplaced: what git replace makes of a version is not taken for what it was before, nor for what another
// replacement makes of it.
func TestReplaced(t *testing.T) {
	f := newFixture(t)
	f.history(2)
	blob := f.git("rev-parse", "HEAD:f.txt")
	other := f.gitInput(strings.NewReader("other"), "hash-object", "-w", "--stdin")
	third := f.gitInput(strings.NewReader("third"), "hash-object", "-w", "--stdin")
	cache := t.TempDir()
	known := map[string]string{}
	for _, c := range []struct {
		reason string
		git    []string
		want   string
	}{
		{"nothing is replaced", []string{"status"}, "line\nline\n"},
		{"a file is", []string{"replace", blob, other}, "other"},
		{"otherwise", []string{"replace", "-f", blob, third}, "third"},
		{"no more", []string{"replace", "-d", blob}, "line\nline\n"},
		{"the commit is", []string{"replace", "HEAD", "HEAD~1"}, "line\n"},
	} {
		f.git(c.git...)
		r := f.open()
		tree := materialise(t, r, "HEAD", cache)
		text, err := ReadFile(tree.Dir, "f.txt")
		if err != nil || string(text) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.reason, text, err, c.want)
		}
		content, err := r.Content(t.Context(), tree.Commit)
		must(t, err)
		key, err := r.Key(t.Context(), tree.Commit, func(string) bool { return true })
		must(t, err)
		for _, standsFor := range []string{content, key} {
			if before, ok := known[standsFor]; ok && before != c.want {
				t.Errorf("%s: %s stands for the version that holds %q", c.reason, standsFor, before)
			}
			known[standsFor] = c.want
		}
	}
}
