package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
)

// TestTests: a version holds what its author likes, so a test may be a link to a device, which never ends.
func TestTests(t *testing.T) {
	dir, apart := t.TempDir(), t.TempDir()
	private := filepath.Join(apart, "private_test.go")
	for name, text := range map[string]string{
		private:                              "package private\n",
		filepath.Join(dir, "a_test.go"):      "package a\n",
		filepath.Join(dir, "broken_test.go"): "package broken\n\nvar x = 1 +\n",
		filepath.Join(dir, "large_test.go"):  "package large\n\n//" + strings.Repeat("x", 2<<20) + "\n",
		filepath.Join(dir, "_out_test.go"):   "package out\n",
		filepath.Join(dir, "none.go"):        "package none\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"_device_test.go": "/dev/zero", ".device_test.go": "/dev/zero", "device_test.go": "/dev/zero",
		"out_test.go": private, "within_test.go": "a_test.go", "nowhere_test.go": "nowhere",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var packages []string
	for _, file := range api.Tests(dir) {
		packages = append(packages, file.Name.Name)
	}
	if want := []string{"a", "broken", "a"}; !slices.Equal(packages, want) {
		t.Errorf("tests of the packages %q are read, want %q", packages, want)
	}
	for _, name := range api.TestFiles(dir) {
		if base := filepath.Base(name); base[0] == '_' || base[0] == '.' {
			t.Errorf("%s is a test, which the go command ignores", base)
		}
	}
}
