package repository

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gitFiles returns the files of the working tree according to git: tracked ones and untracked ones that are not
// ignored, if they are on disk.
func (f fixture) gitFiles() []string {
	f.t.Helper()
	var names []string
	listed := f.git("ls-files", "-z", "-c", "-o", "--exclude-standard", "--deduplicate")
	for _, name := range strings.Split(listed, "\x00") {
		info, err := os.Lstat(filepath.Join(f.dir, name))
		if name != "" && err == nil && !info.IsDir() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (f fixture) checkWorktree(reason string) *Tree {
	f.t.Helper()
	tree := materialise(f.t, f.open(), worktree, f.t.TempDir())
	want := f.gitFiles()
	got := snapshot(f.t, tree.Dir)
	if !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		f.t.Errorf("%s: tree holds %q\ngit says  %q", reason, slices.Sorted(maps.Keys(got)), want)
	}
	onDisk := snapshot(f.t, f.dir)
	for name, content := range got {
		if onDisk[name] != content {
			f.t.Errorf("%s: %s is %q, on disk %q", reason, name, content, onDisk[name])
		}
	}
	return tree
}

func TestDirtyWorktree(t *testing.T) {
	f := peculiar(t)
	f.write("tracked-but-ignored.log", "tracked")
	f.git("add", "-f", "tracked-but-ignored.log")
	f.write("ignored-folder/kept.txt", "tracked")
	f.git("add", "-f", "ignored-folder/kept.txt")
	f.git("commit", "-q", "-m", "more")
	f.write(".gitignore", "*.log\n/ignored-folder/\n")
	f.write("deep/.gitignore", "*.tmp\n!keep.tmp\n")
	f.write(".git/info/exclude", "excluded\n")
	f.write("../global", "*.global\n")
	f.git("config", "--global", "core.excludesFile", filepath.Join(filepath.Dir(f.dir), "global"))
	f.write("staged.txt", "staged")
	f.git("add", "staged.txt")
	f.write("plain.txt", "not staged\r\n")
	f.write("deep/gone.tmp", "ignored")
	f.write("deep/keep.tmp", "kept")
	f.write("x.log", "ignored")
	f.write("x.global", "ignored")
	f.write("excluded", "ignored")
	f.write("ignored-folder/other.txt", "ignored")
	must(t, os.Remove(filepath.Join(f.dir, "crlf.txt")))
	must(t, os.Remove(filepath.Join(f.dir, "empty")))
	f.write("empty/now/a/folder.txt", "x")
	must(t, os.Chmod(filepath.Join(f.dir, "with space.txt"), 0o755))
	f.write("staged-then-removed", "x")
	f.git("add", "staged-then-removed")
	must(t, os.Remove(filepath.Join(f.dir, "staged-then-removed")))
	f.git("add", "-N", "staged.txt")
	inner := fixture{t, filepath.Join(f.dir, "inner")}
	must(t, os.MkdirAll(inner.dir, 0o755))
	inner.git("init", "-q")
	inner.write("inner.txt", "x")
	inner.commit("inner")
	tree := f.checkWorktree("dirty")
	if !slices.Contains(tree.Warnings, "inner is another git repository and is left out") {
		t.Errorf("warnings %q", tree.Warnings)
	}
	f.git("update-index", "--index-version", "4")
	f.checkWorktree("index version 4")
}

// TestUnhashedIndex: with index.skipHash, which feature.manyFiles sets, git ends the index with zeros. Any other end
// that is no hash of it is a damaged index.
func TestUnhashedIndex(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	f.git("update-index", "--index-version", "4", "--force-untracked-cache")
	name := filepath.Join(f.dir, ".git", "index")
	data, err := os.ReadFile(name)
	must(t, err)
	end := data[len(data)-20:]
	clear(end)
	must(t, os.WriteFile(name, data, 0o644))
	f.checkWorktree("without a hash")
	end[7] = 1
	must(t, os.WriteFile(name, data, 0o644))
	if _, err := f.open().readIndex(t.Context()); err == nil || !strings.Contains(err.Error(), "invalid checksum") {
		t.Errorf("with a wrong hash: %v", err)
	}
	must(t, os.WriteFile(name, end[:10], 0o644))
	if _, err := f.open().readIndex(t.Context()); err == nil {
		t.Error("no error for ten bytes")
	}
}

func TestWorktreeName(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	r, cache := f.open(), t.TempDir()
	first := materialise(t, r, worktree, cache).Dir
	f.write("f.txt", "other")
	second := materialise(t, r, worktree, cache).Dir
	f.write("f.txt", "line\n")
	third := materialise(t, r, worktree, cache).Dir
	must(t, os.Chmod(filepath.Join(f.dir, "f.txt"), 0o755))
	fourth := materialise(t, r, worktree, cache).Dir
	if first == second || first != third || third == fourth {
		t.Errorf("folders %s, %s, %s, %s", first, second, third, fourth)
	}
}

func TestSparseWorktree(t *testing.T) {
	f := newFixture(t)
	f.write("in/a.txt", "a")
	f.write("out/b.txt", "b")
	f.write("out/deep/c.txt", "c")
	f.commit("all")
	want := snapshot(t, materialise(t, f.open(), "HEAD", t.TempDir()).Dir)
	for _, form := range []string{"--no-sparse-index", "--sparse-index"} {
		f.git("sparse-checkout", "set", "--cone", form, "in")
		for _, threads := range []string{"1", "2"} { // with more than one git writes where the entries end
			f.git("-c", "index.threads="+threads, "update-index", "--force-write-index")
			tree := materialise(t, f.open(), worktree, t.TempDir())
			if got := snapshot(t, tree.Dir); !maps.Equal(got, want) || len(tree.Warnings) > 0 {
				t.Errorf("%s, %s threads: the tree holds %v, warnings %q", form, threads, got, tree.Warnings)
			}
		}
	}
	name := filepath.Join(f.dir, ".git", "index")
	data, err := os.ReadFile(name)
	must(t, err)
	if !bytes.Contains(data, []byte("sdir")) {
		t.Fatal("git wrote no sparse index")
	}
	data[40]++
	must(t, os.WriteFile(name, data, 0o644))
	if _, err := f.open().readIndex(t.Context()); err == nil {
		t.Error("no error for a damaged sparse index")
	}
}

// TestSplitIndex: an index of which git keeps a part in another file is refused with what helps.
func TestSplitIndex(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	f.git("config", "core.splitIndex", "true")
	f.git("update-index", "--split-index")
	_, err := f.open().readIndex(t.Context())
	if err == nil || !strings.Contains(err.Error(), "git update-index --no-split-index") {
		t.Fatalf("a split index: %v", err)
	}
	f.git("config", "core.splitIndex", "false")
	f.git("update-index", "--no-split-index")
	f.checkWorktree("after the advice")
}

// TestIgnoreAsGit compares with git on random ignore files and trees.
func TestIgnoreAsGit(t *testing.T) {
	f := newFixture(t)
	random := rand.New(rand.NewSource(3))
	names := []string{"a", "b", "ab", "abc", "a.b", "foo", "bar", "x y", "a[b]", "-", "a*"}
	pieces := []string{
		"a", "b", "*", "**", "?", "[ab]", "[!a]", "[a-b]*", "foo", "a*", "*b", ".b", `\a`, "a**", "[[:alpha:]]",
		"x y", `a\[b]`, "[]-]", "[^b-z]",
	}
	decorations := []struct{ before, after string }{{"!", ""}, {"/", ""}, {"", "/"}, {"", " "}, {"", `\ `}, {"#", ""}}
	pattern := func() string {
		var elements []string
		for range 1 + random.Intn(3) {
			element := pieces[random.Intn(len(pieces))]
			if random.Intn(3) == 0 {
				element += pieces[random.Intn(len(pieces))]
			}
			elements = append(elements, element)
		}
		text := strings.Join(elements, "/")
		for _, decoration := range decorations {
			if random.Intn(6) == 0 {
				text = decoration.before + text + decoration.after
			}
		}
		return text
	}
	name := func() string { return names[random.Intn(len(names))] }
	for range 150 {
		path := []string{name() + "1", name() + "2", name() + "3", name()} // folders and files never clash
		f.write(strings.Join(path[random.Intn(4):], "/"), "x")
	}
	folders := []string{"", "a1/", "foo1/", "ab1/a2/"}
	for round := range 60 {
		for _, folder := range folders {
			var lines []string
			for range 1 + random.Intn(4) {
				lines = append(lines, strings.NewReplacer("a/", "a1/", "foo/", "foo1/").Replace(pattern()))
			}
			f.write(folder+".gitignore", strings.Join(lines, "\n"))
		}
		want := f.gitFiles()
		files, _, err := f.open().worktreeFiles(t.Context())
		must(t, err)
		var got []string
		for _, file := range files {
			got = append(got, file.path)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rules := map[string]string{}
			for _, folder := range folders {
				text, _ := os.ReadFile(filepath.Join(f.dir, folder, ".gitignore"))
				rules[folder] = string(text)
			}
			t.Fatalf("round %d: %s\nrules %q", round, listDifference(got, want), rules)
		}
	}
}

func listDifference(got, want []string) string {
	have := map[string]int{}
	for _, name := range got {
		have[name]++
	}
	for _, name := range want {
		have[name]--
	}
	maps.DeleteFunc(have, func(_ string, n int) bool { return n == 0 })
	return fmt.Sprintf("difference (1: only ours, -1: only git's) %v", have)
}
