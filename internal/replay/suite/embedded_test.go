package suite_test

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// TestEmbedded lists what go would embed for the tests of a package itself.
func TestEmbedded(t *testing.T) {
	dir := t.TempDir()
	const tests = "package m\n\nimport \"embed\"\n\n//go:embed testdata *.txt all:hidden\nvar files embed.FS\n"
	const code = "package m\n\nimport _ \"embed\"\n\n//go:embed a.txt\nvar a string\n"
	for name, text := range map[string]string{
		"m.go": code, "m_test.go": tests, "a.txt": "", "b.md": "", "testdata/in/x": "", "testdata/.no": "",
		"testdata/_no/x": "", "hidden/.yes": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := suite.Read(dir, "go1.24", nil, token.NewFileSet())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(files.Embedded(dir), " "), "a.txt hidden/.yes testdata/in/x"; got != want {
		t.Errorf("embedded are %s, want %s", got, want)
	}
	if got := strings.Join(suite.EmbeddedIn(dir), " "); got != "hidden/.yes testdata/in/x" {
		t.Errorf("embedded by the tests alone are %s", got)
	}
	if list := files.Embedded(t.TempDir()); len(list) > 0 {
		t.Errorf("an empty folder has %v", list)
	}
}
