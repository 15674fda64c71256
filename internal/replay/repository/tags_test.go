package repository

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTags: tags of all kinds, packed or not, and nothing else.
func TestTags(t *testing.T) {
	f := merged(t)
	f.git("tag", "lib/v0.1.0")
	f.git("pack-refs", "--all")
	f.git("tag", "later")
	if got := strings.Join(f.open().Tags(), " "); got != "later lib/v0.1.0 light v1.2 v1.2-again" {
		t.Errorf("tags %s", got)
	}
}

// TestContent: it is that of other commits with the same files, and no others.
func TestContent(t *testing.T) {
	f := newFixture(t)
	f.history(2)
	f.git("tag", "-a", "v1", "-m", "annotated")
	f.git("commit", "-q", "--amend", "-m", "another message") // at the same time
	content := func(revision string) string {
		r := f.open()
		c, err := r.Resolve(revision)
		must(t, err)
		text, err := r.Content(t.Context(), c)
		must(t, err)
		return text
	}
	head := content("HEAD")
	for _, c := range []struct {
		reason, revision string
		same             bool
	}{
		{"the same commit", "main", true},
		{"another commit with the same files", "v1", true},
		{"other files", "HEAD~1", false},
	} {
		if same := content(c.revision) == head; same != c.same {
			t.Errorf("%s: the same content: %t, want %t", c.reason, same, c.same)
		}
	}
	f.git("remote", "add", "origin", "https://example.com/r")
	if content("HEAD") == head {
		t.Error("with another origin, by which a module without go.mod is named, it is the same")
	}
}

// TestHeld: what stands for a commit is another where the clone lacks files of it, and is the name of its tree.
func TestHeld(t *testing.T) {
	origin := newFixture(t)
	origin.write("docs/large", strings.Repeat("large ", 1000))
	origin.write("docs/more/small", "")
	origin.history(2)
	origin.git("config", "uploadpack.allowFilter", "true")
	f := origin.clone("--filter=blob:limit=1k", "--no-checkout")
	r, seen := f.open(), map[string]bool{}
	head, err := r.Resolve("HEAD")
	must(t, err)
	for _, state := range []string{"without a file", "with it", "with another one"} {
		switch state {
		case "with it":
			f.git("fetch", "-q", "--refetch", "--no-filter", "origin")
		case "with another one":
			f.git("replace", "HEAD:docs/large", "HEAD:f.txt")
			r = f.open()
		}
		held, err := r.Held(t.Context(), head)
		must(t, err)
		content, err := r.Content(t.Context(), head)
		must(t, err)
		key, err := r.Key(t.Context(), head, func(string) bool { return true })
		must(t, err)
		for _, standsFor := range []string{held, content, key} {
			if seen[standsFor] {
				t.Errorf("%s: %s stands for the version as it was before", state, standsFor)
			}
			seen[standsFor] = true
		}
		tree := materialise(t, r, "HEAD", t.TempDir())
		if name := filepath.Base(filepath.Dir(tree.Dir)); name != held {
			t.Errorf("%s: the tree is called %s, want %s", state, name, held)
		}
	}
	if _, err := r.Held(t.Context(), r.Worktree()); err == nil {
		t.Error("the working tree, which may change, has a name")
	}
}
