package repository

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// merged makes a history with two branches, an octopus merge, tags and a remote.
func merged(t *testing.T) fixture {
	origin := newFixture(t)
	origin.history(3)
	f := origin.clone()
	f.git("tag", "light")
	f.git("tag", "-a", "v1.2", "-m", "annotated", "HEAD~1")
	f.git("tag", "-a", "v1.2-again", "-m", "tag of a tag", "v1.2")
	f.git("checkout", "-q", "-b", "feature/one", "HEAD~1")
	f.write("one.txt", "one")
	f.commit("fix: one thing")
	f.git("checkout", "-q", "-b", "two", "main")
	f.write("two.txt", "two")
	f.commit("two")
	f.git("checkout", "-q", "main")
	f.write("three.txt", "three")
	f.commit("three")
	f.git("merge", "-q", "-m", "octopus", "feature/one", "two")
	f.write("last.txt", "last")
	f.commit("last")
	return f
}

var revisions = []string{
	"HEAD", "@", "main", "refs/heads/main", "heads/main", "origin/main", "remotes/origin/main", "origin", "feature/one",
	"light", "v1.2", "tags/v1.2", "v1.2^{}", "v1.2^{commit}", "v1.2-again", "v1.2-again^{tag}",
	"v1.2^0", "v1.2~1", "v1.2^{object}",
	"HEAD~", "HEAD^", "HEAD~3", "HEAD~1^2", "HEAD^^3", "HEAD^^2~1", "@~2", "HEAD~0", "HEAD^0",
	"HEAD^{commit}", "HEAD~2^{}", "HEAD^^^^",
	"@{0}", "@{1}", "HEAD@{2}", "main@{1}", "@{-1}", "@{-2}", "@{u}", "main@{upstream}", "@{upstream}~1", "@{push}",
	":/fix", ":/^two", "HEAD^{/commit [ab]}", "HEAD^{/^three}", "HEAD^{/!-last}", "light-7-g",
}

func TestResolveAsGit(t *testing.T) {
	f := merged(t)
	full := f.git("rev-parse", "HEAD~2")
	cases := append([]string{
		full, full[:7], full[:4], strings.ToUpper(full[:9]), full[:10] + "^", "v9-3-g" + full[:8],
	}, revisions...)
	for _, packed := range []bool{false, true} {
		if packed {
			f.git("-c", "gc.reflogExpire=never", "gc", "-q", "--aggressive")
			f.git("pack-refs", "--all")
		}
		r := f.open()
		for _, revision := range cases {
			if revision == "light-7-g" {
				revision += f.git("rev-parse", "--short", "HEAD")
			}
			want := f.git("rev-list", "-1", revision, "--")
			got, err := r.Resolve(revision)
			if err != nil || got.Hash != want || got.Revision != revision || got.Worktree {
				t.Errorf("packed %v: Resolve(%q) = %+v, %v; git says %s", packed, revision, got, err, want)
			}
		}
	}
}

func TestResolveErrors(t *testing.T) {
	f := merged(t)
	f.git("tag", "of-tree", "HEAD^{tree}")
	r := f.open()
	unknown := strings.Repeat("12", 20)
	cases := []struct{ reason, revision, want string }{
		{"a typo lists what is near", "v1.3", "did you mean v1.2?"},
		{"a prefix left out is near", "one", "did you mean feature/one"},
		{"a name that only the remote may have", "release", "git fetch --tags origin"},
		{"a remote branch that was not fetched", "origin/release", "git fetch origin release"},
		{"a full hash that is not here", unknown, "run `git fetch origin " + unknown + "`"},
		{"more parents than there are", "HEAD^5", "has 1 parents, not 5"},
		{"past the first commit", "HEAD~99", "has 0 parents"},
		{"not a commit", "HEAD^{tree}", "is a tree, not a commit"},
		{"a tag of a tree", "of-tree", "is a tree, not a commit"},
		{"a file", "HEAD:f.txt", "names the file or folder"},
		{"several commits", "HEAD^@", "names several commits"},
		{"an unknown type", "HEAD^{house}", "unknown object type"},
		{"a date", "main@{yesterday}", "use a number"},
		{"a log that is too short", "main@{500}", "has only"},
		{"no upstream", "two@{u}", "has no upstream"},
		{"no such message", ":/nothing says this", "no commit message matches"},
		{"nothing", "", "no branch, tag or commit"},
		{"a path that climbs out", "../../config", "no branch, tag or commit"},
		{"a file of git that is no reference", "config", "no branch, tag or commit"},
	}
	for _, c := range cases {
		got, err := r.Resolve(c.revision)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Resolve(%q) = %v, %v; want an error with %q", c.reason, c.revision, got, err, c.want)
		}
	}
}

func TestResolvePreference(t *testing.T) {
	f := newFixture(t)
	f.history(4)
	short := f.git("rev-parse", "--short=7", "HEAD~3")
	f.git("tag", "both", "HEAD~1")
	f.git("branch", "both", "HEAD~2")
	f.git("branch", short, "HEAD~1")
	r := f.open()
	cases := []struct{ reason, revision, want string }{
		{"a tag comes before a branch", "both", "HEAD~1"},
		{"a branch that looks like a short hash is a branch", short, "HEAD~1"},
		{"a full name says which", "heads/both", "HEAD~2"},
	}
	for _, c := range cases {
		want := f.git("rev-parse", c.want)
		if got, err := r.Resolve(c.revision); err != nil || got.Hash != want {
			t.Errorf("%s: Resolve(%q) = %v, %v; want %s", c.reason, c.revision, got, err, want)
		}
	}
}

func TestResolveAmbiguous(t *testing.T) {
	f := newFixture(t)
	f.write("f", "x")
	f.commit("first")
	tree := f.git("rev-parse", "HEAD^{tree}")
	known := map[string]string{}
	for i := 0; ; i++ {
		h := f.git("commit-tree", "-m", "commit "+strings.Repeat("i", i), tree)
		if other, ok := known[h[:4]]; ok {
			_, err := f.open().Resolve(h[:4])
			if err == nil || !strings.Contains(err.Error(), h) || !strings.Contains(err.Error(), other) {
				t.Fatalf("Resolve(%q) = %v; want both %s and %s named", h[:4], err, h, other)
			}
			return
		}
		known[h[:4]] = h
	}
}

func TestOpen(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	f.write("a/b/c.txt", "x")
	r, err := Open(filepath.Join(f.dir, "a", "b"))
	must(t, err)
	if r.Sub != "a/b" || filepath.Base(r.Root) != "repo" {
		t.Errorf("Open in a subfolder: Root %s, Sub %s", r.Root, r.Sub)
	}
	bare := f.clone("--bare")
	broken := t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, ".git"), []byte("gitdir: /nowhere\n"), 0o644))
	sha256 := t.TempDir()
	fixture{t, sha256}.git("init", "-q", "--object-format=sha256")
	cases := []struct{ reason, dir, want string }{
		{"no repository", t.TempDir(), "-C DIR"},
		{"no such folder", filepath.Join(f.dir, "none"), "no such file"},
		{"a file", filepath.Join(f.dir, "f.txt"), "not a folder"},
		{"bare", bare.dir, "git worktree add"},
		{"inside the git folder", filepath.Join(f.dir, ".git", "refs"), "git folder without a working tree"},
		{"a git file that leads nowhere", broken, "git worktree repair"},
		{"another hash", sha256, "sha1"},
	}
	for _, c := range cases {
		if _, err := Open(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Open = %v; want %q", c.reason, err, c.want)
		}
	}
}

func TestLinkedWorktree(t *testing.T) {
	f := newFixture(t)
	f.history(3)
	linked := fixture{t, filepath.Join(t.TempDir(), "linked")}
	f.git("worktree", "add", "-q", "-b", "side", linked.dir, "HEAD~1")
	f.git("config", "extensions.worktreeConfig", "true")
	linked.write("side.txt", "side")
	linked.commit("side")
	linked.git("update-ref", "refs/worktree/own", "HEAD~1")
	r := linked.open()
	for _, revision := range []string{
		"HEAD", "side", "main", "HEAD~1", "@{1}", "refs/worktree/own", "main-worktree/HEAD", "worktrees/linked/HEAD",
	} {
		want := linked.git("rev-parse", revision)
		if got, err := r.Resolve(revision); err != nil || got.Hash != want {
			t.Errorf("Resolve(%q) = %v, %v; git says %s", revision, got, err, want)
		}
	}
}

func TestEmptyRepository(t *testing.T) {
	f := newFixture(t)
	f.write("new.txt", "not committed")
	r := f.open()
	if _, err := r.Resolve("HEAD"); err == nil || !strings.Contains(err.Error(), "no commit yet") {
		t.Errorf("Resolve(HEAD) = %v", err)
	}
	tree, err := r.Materialise(t.Context(), r.Worktree(), openCache(t, t.TempDir()))
	must(t, err)
	if got := snapshot(t, tree.Dir); len(got) != 1 || !strings.HasSuffix(got["new.txt"], "not committed") {
		t.Errorf("the working tree without commits is %v", got)
	}
}

func TestReplacedCommit(t *testing.T) {
	f := newFixture(t)
	f.history(3)
	f.git("replace", "HEAD~1", "HEAD~2")
	want := f.git("rev-parse", "HEAD~1^{tree}")
	r := f.open()
	read := r.objects.reader()
	defer read.close()
	c, err := r.Resolve("HEAD~1")
	must(t, err)
	got, err := read.commit(c.id())
	if err != nil || got.tree.String() != want {
		t.Errorf("the replaced commit has tree %s, %v; git says %s", got.tree, err, want)
	}
}
