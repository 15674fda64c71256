package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// installed returns the folder of the Go release that runs the tests.
var installed = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// sources copies the patched source files into a folder, without the text that one patch replaces.
func sources(t *testing.T, without *patch) string {
	t.Helper()
	goroot, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, p := range runtimePatches {
		name := filepath.FromSlash("src/" + p.file)
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			continue
		}
		b, err := os.ReadFile(filepath.Join(goroot, name))
		if err != nil {
			t.Fatal(err)
		}
		if without != nil && p.file == without.file {
			b = []byte(strings.ReplaceAll(string(b), without.old, "// gone\n"))
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestPatchRuntime checks that every patch finds its place in this Go release. A missing place must give an error that
// names the file.
func TestPatchRuntime(t *testing.T) {
	root := sources(t, nil)
	overlay, err := patchRuntime(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range runtimePatches {
		p := &runtimePatches[i]
		text := string(overlay[filepath.Join(root, "src", filepath.FromSlash(p.file))])
		applies := p.unless == "" || !strings.Contains(text, p.unless)
		if p.where != "" {
			applies = strings.Contains(text, p.where)
		}
		if !applies {
			continue
		}
		if !strings.Contains(text, p.new) {
			t.Errorf("%s does not have %q", p.file, p.new)
		}
		if strings.Contains(p.old, p.where) && p.where != "" {
			continue // a release without this place needs no patch
		}
		if _, err := patchRuntime(sources(t, p)); err == nil || !strings.Contains(err.Error(), p.file) {
			t.Errorf("without %q: error %v, want one that names %s", p.old, err, p.file)
		}
	}
}
