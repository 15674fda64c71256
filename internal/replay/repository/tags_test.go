package repository

import (
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
		text, err := r.Content(c)
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
