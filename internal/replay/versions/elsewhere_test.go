package versions

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/outside"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// modules writes a tree with a module at the root and one in the folder lib, which has a file of so many bytes, the
// last one of which is given.
func modules(t *testing.T, size int64, last string) (tree string) {
	t.Helper()
	tree = t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n", "m.go": "package m\n",
		"lib/go.mod": "module example.com/m/lib\n", "lib/lib.go": "package lib\n//",
	} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(tree, name)), 0o777))
		must(t, os.WriteFile(filepath.Join(tree, name), []byte(text), 0o666))
	}
	lib, err := os.OpenFile(filepath.Join(tree, "lib", "lib.go"), os.O_WRONLY, 0)
	must(t, err)
	_, err = lib.WriteAt([]byte(last), size-1)
	must(t, err)
	must(t, lib.Close())
	return tree
}

func choice(trees spectra.Pair[string]) *Choice {
	return &Choice{
		repo:  &repository.Repository{Sub: "."},
		trees: spectra.MakePair(func(s spectra.Side) *repository.Tree { return &repository.Tree{Dir: *trees.Of(s)} }),
	}
}

func rooted(trees spectra.Pair[string]) *Versions {
	return &Versions{Pair: spectra.MakePair(func(s spectra.Side) Version {
		tree := *trees.Of(s)
		return Version{Build: &outside.Checked{Module: module.Module{Dir: tree, Tree: tree}}}
	})}
}

// A module is touched wherever its code differs, however large its files are.
func TestTouched(t *testing.T) {
	for _, c := range []struct {
		reason   string
		size     int64
		old, new string
		want     []string
	}{
		{"the same", 100, "a", "a", nil},
		{"another byte", 100, "a", "b", []string{"lib"}},
		{"a large file, the same", 9 << 20, "a", "a", nil},
		{"the last byte of a large file", 9 << 20, "a", "b", []string{"lib"}},
	} {
		trees := spectra.Pair[string]{Old: modules(t, c.size, c.old), New: modules(t, c.size, c.new)}
		found, err := choice(trees).Touched()
		if err != nil || !reflect.DeepEqual(found.Folders, c.want) {
			t.Errorf("%s: touched %q, %v; want %q", c.reason, found.Folders, err, c.want)
		}
		if said := len(rooted(trees).Elsewhere()) > 0; said != (len(c.want) > 0) {
			t.Errorf("%s: named as another module: %t", c.reason, said)
		}
	}
}

// A module is touched by what it is built of beside its own Go files, and not by other files.
func TestTouchedBeside(t *testing.T) {
	for _, c := range []struct {
		reason, name, text string
		touched            bool
	}{
		{"go.mod", "lib/go.mod", "module example.com/m/lib\n\nrequire example.com/d v1.1.0\n", true},
		{"assembly", "lib/a.s", "TEXT", true},
		{"C", "lib/c/a.h", "int a;", true},
		{"an embedded file", "lib/data/a.txt", "a", true},
		{"one in a folder without packages", "lib/data/_more/a.txt", "a", true},
		{"vendored code", "lib/vendor/example.com/d/d.go", "package d\n\nvar D int\n", true},
		{"a document", "lib/README.md", "lib", false},
		{"a file that nothing embeds", "lib/data.txt", "lib", false},
		{"a test", "lib/lib_test.go", "package lib\n", false},
		{"what a test reads", "lib/testdata/a.go", "package a\n", false},
		{"code in a folder without packages", "lib/_old/a.go", "package a\n", false},
		{"a module in such a folder", "lib/_old/go.mod", "module a\n", false},
	} {
		trees := spectra.Pair[string]{Old: modules(t, 100, "a"), New: modules(t, 100, "a")}
		for _, s := range spectra.Sides() {
			name := filepath.Join(*trees.Of(s), "lib", "embed.go")
			const embeds = "package lib\n\n//go:embed data data/_more\nvar files embed.FS\n"
			must(t, os.WriteFile(name, []byte(embeds), 0o666))
		}
		name := filepath.Join(trees.New, filepath.FromSlash(c.name))
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must(t, os.WriteFile(name, []byte(c.text), 0o666))
		found, err := choice(trees).Touched()
		if touched := len(found.Folders) > 0; err != nil || touched != c.touched {
			t.Errorf("%s: touched %q, %v; want %t", c.reason, found.Folders, err, c.touched)
		}
		if said := len(rooted(trees).Elsewhere()) > 0; said != c.touched {
			t.Errorf("%s: named as another module: %t", c.reason, said)
		}
	}
}

// Where no module is at the root, go.work touches those that it uses by what it says of their builds; what touches none
// leaves the first one as it was.
func TestTouchedByWorkspace(t *testing.T) {
	for _, c := range []struct {
		reason, name, old, new string
		want                   []string
	}{
		{"a replacement", "go.work", "use ./lib\n", "use ./lib\nreplace a => ./a\n", []string{"lib"}},
		{"another module", "go.work", "use ./lib\nuse ./new\n", "use ./new\nuse ./lib\n", []string{"also"}},
		{"sums", "go.work.sum", "a", "b", []string{"also"}},
		{"code of no module", "m.go", "package m\n", "package m\n\nvar V int\n", nil},
	} {
		trees := spectra.Pair[string]{Old: modules(t, 100, "a"), New: modules(t, 100, "a")}
		for s, text := range map[spectra.Side]string{spectra.Old: c.old, spectra.New: c.new} {
			tree := *trees.Of(s)
			must(t, os.Remove(filepath.Join(tree, "go.mod")))
			must(t, os.Remove(filepath.Join(tree, "m.go")))
			must(t, os.MkdirAll(filepath.Join(tree, "also"), 0o777))
			must(t, os.WriteFile(filepath.Join(tree, "also", "go.mod"), []byte("module also\n"), 0o666))
			must(t, os.WriteFile(filepath.Join(tree, c.name), []byte(text), 0o666))
		}
		found, err := choice(trees).Touched()
		if err != nil || !reflect.DeepEqual(found.Folders, c.want) {
			t.Errorf("%s: touched %q, %v; want %q", c.reason, found.Folders, err, c.want)
		}
	}
}

// A module is touched by a file in another folder that one of its names leads to.
func TestTouchedThroughLink(t *testing.T) {
	trees := spectra.Pair[string]{Old: modules(t, 100, "a"), New: modules(t, 100, "a")}
	for _, s := range spectra.Sides() {
		text := "package lib\n\nvar Of = `" + string(s) + "`\n"
		must(t, os.WriteFile(filepath.Join(*trees.Of(s), "shared"), []byte(text), 0o666))
		must(t, os.Symlink(filepath.Join("..", "shared"), filepath.Join(*trees.Of(s), "lib", "shared.go")))
	}
	if found, err := choice(trees).Touched(); err != nil || !reflect.DeepEqual(found.Folders, []string{"lib"}) {
		t.Errorf("touched %q, %v; want lib", found.Folders, err)
	}
}

// What can't be read is never taken for what is the same.
func TestTouchedUnreadable(t *testing.T) {
	trees := spectra.Pair[string]{Old: modules(t, 100, "a"), New: filepath.Join(t.TempDir(), "gone")}
	if found, err := choice(trees).Touched(); err == nil {
		t.Errorf("no error, and touched are %q", found.Folders)
	}
	if said := rooted(trees).Elsewhere(); len(said) != 1 || !strings.Contains(said[0], "can't be told") {
		t.Errorf("warnings %q", said)
	}
}
