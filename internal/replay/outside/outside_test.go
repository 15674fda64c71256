package outside

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write writes files below a folder. A text that begins with "-> " makes a link.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(folder, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		if target, link := strings.CutPrefix(text, "-> "); link {
			must(t, os.Symlink(target, full))
		} else {
			must(t, os.WriteFile(full, []byte(text), 0o644))
		}
	}
}

// A bench is a place for tests: the user's folder with the working tree and its neighbours, and a cache.
type bench struct {
	t     *testing.T
	home  string // of the user
	cache *cache.Cache
}

func newBench(t *testing.T, files map[string]string) bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	write(t, home, files)
	trees, err := cache.Open(cache.Settings{Folder: t.TempDir()}, t.Logf)
	must(t, err)
	return bench{t, home, trees}
}

// check checks the module in a copy of the folder work, as a version of it.
func (b bench) check(allowed, patterns []string) (*Checked, error) {
	b.t.Helper()
	return b.checkIn(".", allowed, patterns)
}

// checkIn checks the module in a folder of the copy.
func (b bench) checkIn(sub string, allowed, patterns []string) (*Checked, error) {
	b.t.Helper()
	work := filepath.Join(b.home, "work")
	tree, err := repository.Copy(b.t.Context(), work, b.cache)
	must(b.t, err)
	m, err := module.Find(b.t.Context(), tree, sub, "")
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, name := range allowed {
		folders = append(folders, filepath.Join(b.home, name))
	}
	a, err := Allow(b.t.Context(), folders, b.cache)
	must(b.t, err)
	return a.Check(b.t.Context(), m, work, patterns)
}

const (
	mod  = "module example.com/m\n\ngo 1.24\n"
	lib  = "module example.com/lib\n\ngo 1.24\n"
	uses = "package m\n\nimport _ \"example.com/m/way/pkg\"\n"
)

func TestCheck(t *testing.T) {
	replaced := func(by string) string { return mod + "\nreplace example.com/lib => " + by + "\n" }
	cases := []struct {
		reason  string
		files   map[string]string // below the working tree
		allowed []string          // below the user's folder
		pattern string
		refused string // in the error, "" = none
	}{
		{reason: "a folder of the tree", files: map[string]string{"go.mod": replaced("./in"), "in/go.mod": lib}},
		{
			reason:  "a folder beside the tree",
			files:   map[string]string{"go.mod": replaced("../lib")},
			refused: "go.mod:5: replace example.com/lib => ../lib leads out of the repository, to HOME/lib: allow it",
		},
		{
			reason:  "out of the tree and in again is the user's working tree, and no version",
			files:   map[string]string{"go.mod": replaced("../work/in"), "in/go.mod": lib},
			refused: "leads out of the repository, to HOME/work/in",
		},
		{
			reason: "a folder above, by a folder that is allowed", allowed: []string{"."},
			files: map[string]string{"go.mod": replaced("../lib")},
		},
		{
			reason: "an allowed folder whose name only begins alike", allowed: []string{"li"},
			files:   map[string]string{"go.mod": replaced("../lib")},
			refused: "leads out of the repository, to HOME/lib",
		},
		{
			reason:  "links that lead to each other lead nowhere",
			files:   map[string]string{"go.mod": replaced("./a"), "a": "-> b", "b": "-> a"},
			refused: "",
		},
		{
			reason:  "a link in a link's way",
			files:   map[string]string{"go.mod": replaced("./a/b"), "a": "-> deep/er", "deep/er/b": "-> ../../../lib"},
			refused: "leads out of the repository by the symbolic link deep/er/b, to HOME/lib",
		},
		{
			reason: "the go command cleans a path before links are resolved",
			files: map[string]string{
				"go.mod": replaced("./a/../../lib"), "a": "-> deep/er/than/that", "deep/er/than/that/x": "",
			},
			refused: "go.mod:5: replace example.com/lib => ./a/../../lib leads out of the repository, to HOME/lib",
		},
		{
			reason: "the same in a module that the workspace uses by a link",
			files: map[string]string{
				"go.mod": mod, "go.work": "go 1.24\n\nuse (\n\t.\n\t./side\n)\n", "side": "-> deep/er/than/that",
				"deep/er/than/that/go.mod": "module example.com/s\n\nreplace example.com/lib => ../../lib\n",
			},
			refused: "side/go.mod:3: replace example.com/lib => ../../lib leads out of the repository, to HOME/lib",
		},
		{
			reason:  "more steps up than there are folders",
			files:   map[string]string{"go.mod": replaced("./../../../../../../../../../../../etc")},
			refused: "leads out of the repository, to /etc",
		},
		{
			reason: "an imported package behind a link",
			files:  map[string]string{"go.mod": mod, "m.go": uses, "way": "-> ../lib"},
			refused: "way is a symbolic link that a build follows, and leads out of the repository, to " +
				"HOME/lib/pkg: allow it",
		},
		{
			reason: "the same, allowed", allowed: []string{"lib"},
			files: map[string]string{"go.mod": mod, "m.go": uses, "way": "-> ../lib"},
		},
		{
			reason: "what a package behind a link in the tree holds is read too",
			files: map[string]string{
				"go.mod": mod, "m.go": uses, "way": "-> testdata", "testdata/pkg/p.go": "-> /etc/hostname",
			},
			refused: "testdata/pkg/p.go is a symbolic link that a build follows",
		},
		{
			reason: "a package that only testdata holds is not read",
			files:  map[string]string{"go.mod": mod, "testdata/pkg/p.go": "-> /etc/hostname"},
		},
		{
			reason: "unless it is named", pattern: "./testdata/...",
			files:   map[string]string{"go.mod": mod, "testdata/pkg.go": "-> /etc/hostname"},
			refused: "testdata/pkg.go is a symbolic link that a build follows",
		},
		{
			reason: "another module below is not read",
			files:  map[string]string{"go.mod": mod, "other/go.mod": lib, "other/p.go": "-> /etc/hostname"},
		},
		{
			reason: "unless it replaces one",
			files: map[string]string{
				"go.mod": replaced("./other"), "other/go.mod": lib, "other/p.go": "-> /etc/hostname",
			},
			refused: "other/p.go is a symbolic link that a build follows",
		},
		{
			reason:  "a test is parsed",
			files:   map[string]string{"go.mod": mod, "m_test.go": "-> /etc/hostname"},
			refused: "m_test.go is a symbolic link",
		},
		{
			reason: "files that the go command ignores",
			files:  map[string]string{"go.mod": mod, "_m.go": "-> /x", ".m.go": "-> /x", "m.txt": "-> /etc/hostname"},
		},
		{
			reason:  "a vendor folder elsewhere",
			files:   map[string]string{"go.mod": mod, "vendor": "-> ../lib"},
			refused: "vendor is a symbolic link that a build follows",
		},
		{
			reason:  "an absolute pattern",
			files:   map[string]string{"go.mod": mod},
			pattern: "/etc", refused: "package /etc leads out of the repository, to /etc",
		},
		{
			reason:  "a pattern that a link leads out",
			files:   map[string]string{"go.mod": mod, "way": "-> ../lib"},
			pattern: "./way/pkg", refused: "package ./way/pkg leads out of the repository by the symbolic link way",
		},
		{reason: "import paths are no folders", files: map[string]string{"go.mod": mod}, pattern: "example.com/m/..."},
	}
	for _, c := range cases {
		b := newBench(t, map[string]string{"lib/go.mod": lib, "lib/pkg/p.go": "package pkg\n", "li/x": ""})
		write(t, filepath.Join(b.home, "work"), c.files)
		var patterns []string
		if c.pattern != "" {
			patterns = []string{c.pattern}
		}
		_, err := b.check(c.allowed, patterns)
		want := strings.ReplaceAll(c.refused, "HOME", b.home)
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v\nwant %s", c.reason, err, want)
		}
	}
}

// TestModuleBehindALink checks a module whose folder is a link in this version. It must see the parents of the folder
// that the link leads to, like the go command.
func TestModuleBehindALink(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/b/c/go.mod": mod, "work/b/go.work": "go 1.24\n\nuse (\n\t./c\n\t../../lib\n)\n", "work/a": "-> b/c",
		"lib/go.mod": lib,
	})
	want := "b/go.work:5: use ../../lib leads out of the repository, to " + filepath.Join(b.home, "lib")
	if _, err := b.checkIn("a", nil, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestModuleFiles checks that copies of module files name copies of allowed folders and are otherwise unchanged.
func TestModuleFiles(t *testing.T) {
	b := newBench(t, map[string]string{"lib/go.mod": lib})
	work := filepath.Join(b.home, "work")
	write(t, work, map[string]string{
		"go.mod": mod + "\nreplace (\n\texample.com/in => ./in // stays\n" +
			"\texample.com/lib v1.0.0 => ../lib // goes\n)\n",
	})
	checked, err := b.check([]string{"lib"}, nil)
	must(t, err)
	copied, err := repository.Copy(t.Context(), filepath.Join(b.home, "lib"), b.cache)
	must(t, err)
	want := mod + "\nreplace (\n\texample.com/in => ./in // stays\n\texample.com/lib v1.0.0 => " + copied.Dir +
		" // goes\n)\n"
	if string(checked.ModFile) != want {
		t.Errorf("go.mod is\n%s\nwant\n%s", checked.ModFile, want)
	}
	write(t, work, map[string]string{
		"go.work": "go 1.24\n\nuse .\n\nuse ./side\n\nreplace example.com/x v1.0.0 => ../lib\n", "go.work.sum": "sum\n",
		"side/go.mod": "module example.com/side\n\ngo 1.24\n\nreplace example.com/x => ../../lib\n\n" +
			"replace example.com/y v1.0.0 => example.com/z v1.2.3\n\nreplace example.com/m => ../../lib\n",
	})
	checked, err = b.check([]string{"lib"}, nil)
	must(t, err)
	want = "go 1.24\n\nuse TREE\n\nuse TREE/side\n\nreplace example.com/x v1.0.0 => LIB\n\n" +
		"replace example.com/in => TREE/in\n\nreplace example.com/lib v1.0.0 => LIB\n\n" +
		"replace example.com/x => LIB\n\nreplace example.com/y v1.0.0 => example.com/z v1.2.3\n"
	want = strings.NewReplacer("TREE", checked.Tree, "LIB", copied.Dir).Replace(want)
	if got := string(checked.WorkFile); got != want || string(checked.WorkSum) != "sum\n" {
		t.Errorf("go.work is\n%s\nwant\n%s\ngo.work.sum is %q", got, want, checked.WorkSum)
	}
}

// TestFolders checks that the list changes with the content of an allowed folder and with nothing else.
func TestFolders(t *testing.T) {
	b := newBench(t, map[string]string{"lib/a.go": "package lib\n", "lib/run": "", "lib/.git/config": "[core]\n"})
	folder := filepath.Join(b.home, "lib")
	folders := func() []string {
		a, err := Allow(t.Context(), []string{folder}, b.cache)
		must(t, err)
		return a.Folders()
	}
	first := folders()
	if !slices.Contains(first, folder) {
		t.Errorf("%q lacks %s", first, folder)
	}
	write(t, folder, map[string]string{".git/index": "x"})
	if again := folders(); !slices.Equal(again, first) {
		t.Errorf("the same content: %q and %q", first, again)
	}
	must(t, os.Chmod(filepath.Join(folder, "run"), 0o755))
	mode := folders()
	write(t, folder, map[string]string{"link": "-> a.go"})
	link := folders()
	if slices.Equal(mode, first) || slices.Equal(link, mode) {
		t.Errorf("another mode or link is the same: %q, %q, %q", first, mode, link)
	}
}
