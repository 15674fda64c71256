package ignore

import (
	"os"
	"path/filepath"
	"testing"
)

// file writes an ignore file and reads it.
func file(t *testing.T, base, text string) (File, bool) {
	t.Helper()
	name := filepath.Join(t.TempDir(), ".gitignore")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(name, base)
}

// TestIgnored has one case for each rule. Package repository compares random ones with git.
func TestIgnored(t *testing.T) {
	for _, c := range []struct {
		reason, text, path string
		folder, want       bool
	}{
		{"a name at any depth", "x", "a/b/x", false, true},
		{"a name is not part of a name", "x", "xy", false, false},
		{"a slash ties to the file's folder", "a/x", "b/a/x", false, false},
		{"a leading slash too", "/x", "a/x", false, false},
		{"a final slash means folders", "x/", "x", false, false},
		{"and matches them", "x/", "x", true, true},
		{"the last pattern that matches decides", "*.log\n!keep.log", "keep.log", false, false},
		{"a star stays within an element", "a/*", "a/b/c", false, false},
		{"two stars span elements", "a/**/c", "a/b/b/c", false, true},
		{"two stars span none, too", "a/**/c", "a/c", false, true},
		{"a question mark is no slash", "a?b/c", "a/b/c", false, false},
		{"a class", "[a-c]x", "bx", false, true},
		{"a class that is inverted", "[!a-c]x", "bx", false, false},
		{"a named class", "[[:digit:]]", "7", false, true},
		{"an escaped star is a star", `\*`, "a", false, false},
		{"a comment", "#x", "#x", false, false},
		{"an escaped number sign", `\#x`, "#x", false, true},
		{"trailing spaces are cut", "x  ", "x", false, true},
		{"unless escaped", `x\ `, "x ", false, true},
		{"CRLF and a byte order mark", "\ufeffx\r\n", "x", false, true},
	} {
		f, _ := file(t, "", c.text)
		if got := Ignored([]File{f}, c.path, c.folder); got != c.want {
			t.Errorf("%s: %q ignores %q: %v", c.reason, c.text, c.path, got)
		}
	}
}

func TestLaterFilesAreStronger(t *testing.T) {
	weak, _ := file(t, "", "*.log")
	strong, _ := file(t, "deep/", "!*.log")
	for path, want := range map[string]bool{"x.log": true, "deep/x.log": false} {
		if got := Ignored([]File{weak, strong}, path, false); got != want {
			t.Errorf("%s is ignored: %v", path, got)
		}
	}
}

func TestReadFindsNothing(t *testing.T) {
	if _, ok := file(t, "", "# only a comment\n\n"); ok {
		t.Error("a file without patterns has some")
	}
	if _, ok := Read(filepath.Join(t.TempDir(), "none"), ""); ok {
		t.Error("a file that is not there has patterns")
	}
}
