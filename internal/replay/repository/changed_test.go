package repository

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changedNames lists what differs between two versions: + added, - removed, ~ other content or mode.
func changedNames(t *testing.T, r *Repository, old, new Commit) string {
	t.Helper()
	changes, err := r.ChangedFiles(t.Context(), old, new)
	must(t, err)
	var names []string
	for _, c := range changes {
		switch {
		case c.Old == "":
			names = append(names, "+"+c.Name)
		case c.New == "":
			names = append(names, "-"+c.Name)
		default:
			names = append(names, "~"+c.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestChangedFiles compares each version with all others, of which git has its own opinion.
func TestChangedFiles(t *testing.T) {
	f := newFixture(t)
	f.git("config", "core.autocrlf", "false")
	f.git("config", "diff.renames", "false")
	f.write("a.go", "a")
	f.write("deep/er/b.go", "b")
	f.write("deep/c.go", "c")
	f.write("same/s.go", "s")
	f.commit("one")
	f.write("deep/er/b.go", "other")
	must(t, os.Remove(filepath.Join(f.dir, "a.go")))
	f.write("a.go/in", "")
	f.commit("two: a file becomes a folder")
	f.git("mv", "deep/er/b.go", "deep/er.go")
	must(t, os.Chmod(filepath.Join(f.dir, "deep/c.go"), 0o755))
	must(t, os.Symlink("../same/s.go", filepath.Join(f.dir, "deep/s.go")))
	f.commit("three: another mode, a link, a folder that is gone")
	must(t, os.RemoveAll(filepath.Join(f.dir, "deep")))
	f.write("deep", "now a file")
	f.commit("four: a folder becomes a file")
	r := f.open()
	for _, old := range []string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~3"} {
		for _, new := range []string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~3"} {
			one, err := r.Resolve(old)
			must(t, err)
			other, err := r.Resolve(new)
			must(t, err)
			var want []string
			for line := range strings.Lines(f.git("diff", "--name-status", "--no-renames", old, new)) {
				kind, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
				want = append(want, map[string]string{"A": "+", "D": "-", "M": "~", "T": "~"}[kind]+name)
			}
			slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
			if got := changedNames(t, r, one, other); got != strings.Join(want, " ") {
				t.Errorf("%s..%s: %s, git says %s", old, new, got, want)
			}
		}
	}
}

// TestChangedFilesLeaveOut: what trees leave out does not differ.
func TestChangedFilesLeaveOut(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	blob, head := f.git("rev-parse", "HEAD:f.txt"), f.git("rev-parse", "HEAD")
	commit := func(lines ...string) Commit {
		tree := f.gitInput(strings.NewReader(strings.Join(lines, "\n")), "mktree")
		return Commit{Revision: "v", Hash: f.git("commit-tree", "-m", "m", tree)}
	}
	file := "100644 blob " + blob + "\tf.txt"
	old := commit(file)
	for _, c := range []struct {
		reason string
		new    Commit
		want   string
	}{
		{"a submodule", commit(file, "160000 commit "+head+"\tsub"), ""},
		{"a file that becomes a submodule", commit("160000 commit " + head + "\tf.txt"), "-f.txt"},
		{"a file of a version control system", commit(file, "100644 blob "+blob+"\t.hg"), ""},
		{"a file beside them", commit(file, "100644 blob "+blob+"\tg.txt"), "+g.txt"},
	} {
		if got := changedNames(t, f.open(), old, c.new); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestChangedOnDisk: the working tree is compared by its bytes.
func TestChangedOnDisk(t *testing.T) {
	f := peculiar(t)
	f.commit("one")
	r := f.open()
	head, err := r.Resolve("HEAD")
	must(t, err)
	if got := changedNames(t, r, head, r.Worktree()); got != "" {
		t.Errorf("nothing changed, but %q", got)
	}
	all := func(string) bool { return true }
	one, err := r.Key(t.Context(), head, all)
	must(t, err)
	if other, err := r.Key(t.Context(), r.Worktree(), all); err != nil || other != one {
		t.Errorf("the same content has the keys %s and %s: %v", one, other, err)
	}
	f.write("plain.txt", "other")
	f.write("untracked.txt", "new")
	must(t, os.Remove(filepath.Join(f.dir, "crlf.txt")))
	if got := changedNames(t, r, head, r.Worktree()); got != "-crlf.txt ~plain.txt +untracked.txt" {
		t.Errorf("changed: %q", got)
	}
}

// TestKey: the key follows what counts, and nothing else.
func TestKey(t *testing.T) {
	f := newFixture(t)
	f.write("a/a.go", "a")
	f.write("b/b.go", "b")
	f.commit("one")
	f.write("a/a.go", "other")
	f.commit("two")
	r := f.open()
	key := func(revision, folder string, settings ...string) string {
		c, err := r.Resolve(revision)
		must(t, err)
		counts := func(name string) bool { return strings.HasPrefix(name, folder) }
		key, err := r.Key(t.Context(), c, counts, settings...)
		must(t, err)
		return key
	}
	for _, c := range []struct {
		reason     string
		one, other string
		same       bool
	}{
		{"what counts differs", key("HEAD", "a/"), key("HEAD~1", "a/"), false},
		{"what does not count differs", key("HEAD", "b/"), key("HEAD~1", "b/"), true},
		{"other settings", key("HEAD", "b/", "x"), key("HEAD", "b/", "y"), false},
	} {
		if (c.one == c.other) != c.same {
			t.Errorf("%s: the keys are %s and %s", c.reason, c.one, c.other)
		}
	}
}
