package build

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLink checks that the folder of links leads to the toolchain, whatever it held before.
func TestLink(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{"bin/go", "VERSION", "src/fmt/print.go", "src/runtime/proc.go"} {
		write(t, filepath.Join(root, name), []byte(name))
	}
	for _, test := range []struct {
		reason string
		before func(folder string) error
	}{
		{"new", func(string) error { return nil }},
		{"as it should be", func(folder string) error { return link(folder, root) }},
		{"the toolchain lay elsewhere", func(folder string) error {
			return os.Symlink(filepath.Join(elsewhere, "bin"), filepath.Join(folder, "bin"))
		}},
		{"damaged: a file", func(folder string) error {
			return os.WriteFile(filepath.Join(folder, "VERSION"), nil, 0o666)
		}},
		{"damaged: a folder", func(folder string) error {
			return os.MkdirAll(filepath.Join(folder, "src", "fmt", "deeper"), 0o777)
		}},
	} {
		folder := t.TempDir()
		if err := test.before(folder); err != nil {
			t.Fatal(err)
		}
		if err := link(folder, root); err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		for _, name := range []string{"bin/go", "VERSION", "src/fmt/print.go", "src/runtime/proc.go"} {
			if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(text) != name {
				t.Errorf("%s: %s holds %q, %v", test.reason, name, text, err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*", "part-*")); len(left) > 0 {
			t.Errorf("%s: left behind: %q", test.reason, left)
		}
	}
}
