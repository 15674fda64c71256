package module

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// treeOf makes a repository of files, with a remote unless origin is empty, and writes its working
// tree to a cache.
func treeOf(t *testing.T, origin string, files map[string]string) *repository.Tree {
	t.Helper()
	home := t.TempDir() // without the user's git configuration
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	root := filepath.Join(t.TempDir(), "repo")
	must(t, exec.Command("git", "init", "-q", root).Run())
	if origin != "" {
		must(t, exec.Command("git", "-C", root, "remote", "add", "origin", origin).Run())
	}
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	repo, err := repository.Open(root)
	must(t, err)
	trees, err := cache.Open(cache.Settings{Folder: t.TempDir()}, t.Logf)
	must(t, err)
	tree, err := repo.Materialise(t.Context(), repo.Worktree(), trees)
	must(t, err)
	return tree
}

// content maps the files below a folder to their modes and texts.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		must(t, err)
		text, err := os.ReadFile(name)
		files[name[len(dir)+1:]] = info.Mode().String() + "\n" + string(text)
		return err
	}))
	return files
}

func TestFind(t *testing.T) {
	tree := treeOf(t, "", map[string]string{
		"go.mod": "module example.com/m\n", "a/b/x.go": "package b\n", "vendor/modules.txt": "",
		"v2/go.mod": "module example.com/m/v2\n", "v2/sub/x.go": "package sub\n",
		"go.work": "go 1.20\nuse (\n\t.\n\t./used\n)\n", "used/go.mod": "module example.com/used\n",
	})
	work := filepath.Join(tree.Dir, "go.work")
	cases := []struct {
		reason, sub, path, rel, workspace string
		vendor                            bool
	}{
		{"the root", ".", "example.com/m", ".", work, true},
		{"a folder of the root module", "a/b", "example.com/m", ".", work, true},
		{"a folder that this version hasn't got", "gone", "example.com/m", ".", work, true},
		{"a nested module, not in the workspace", "v2/sub", "example.com/m/v2", "v2", "", false},
		{"a nested module in the workspace", "used", "example.com/used", "used", work, false},
	}
	for _, c := range cases {
		m, err := Find(t.Context(), tree, c.sub, "")
		want := Module{
			Path: c.path, Rel: c.rel, Workspace: c.workspace, Vendor: c.vendor,
			Dir: filepath.Join(tree.Dir, c.rel), Tree: tree.Dir, Files: tree,
		}
		if err != nil || !reflect.DeepEqual(m, want) {
			t.Errorf("%s: %+v, %v, want %+v", c.reason, m, err, want)
		}
	}
	if _, err := Find(t.Context(), tree, "../x", ""); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a folder outside: %v", err)
	}
}

func TestFindMoved(t *testing.T) {
	tree := treeOf(t, "", map[string]string{
		"moved/go.mod": "module example.com/m\n", "moved/x.go": "package m\n",
		"a/go.mod": "module example.com/twice\n", "b/go.mod": "module example.com/twice\n",
		"testdata/go.mod": "module example.com/data\n", "x.go": "package x\n",
	})
	cases := []struct{ reason, hint, rel string }{
		{"the folder that has the other version's module now", "example.com/m", "moved"},
		{"which of two it is can't be known", "example.com/twice", "."},
		{"data of tests is no module of the repository", "example.com/data", "."},
	}
	for _, c := range cases {
		m, err := Find(t.Context(), tree, ".", c.hint)
		if err != nil || m.Rel != c.rel || m.Path != c.hint || m.Made != (c.rel == ".") {
			t.Errorf("%s: folder %s, path %s, made %v, %v, want folder %s", c.reason, m.Rel, m.Path, m.Made, err, c.rel)
		}
	}
}

func TestGuess(t *testing.T) {
	lib := "package lib\n"
	cases := []struct {
		reason, origin, hint string
		files                map[string]string
		want                 string
	}{
		{
			"the other version's path", "https://github.com/o/lib", "example.com/hint",
			map[string]string{"a.go": lib}, "example.com/hint",
		},
		{
			"an import comment", "https://github.com/o/lib", "",
			map[string]string{"sub/a.go": "package sub // import \"go.uber.org/lib/sub\"\n"},
			"go.uber.org/lib",
		},
		{
			"imports of its own folders", "https://github.com/fork/lib", "",
			map[string]string{
				"a.go":         "package lib\nimport _ \"github.com/o/lib/in/side\"\n",
				"in/side/a.go": "package side\n",
			},
			"github.com/o/lib",
		},
		{
			"an external test", "", "",
			map[string]string{"a.go": lib, "a_test.go": "package lib_test\nimport _ \"gopkg.in/lib.v2\"\n"},
			"gopkg.in/lib.v2",
		},
		{"https", "https://github.com/o/lib.git", "", map[string]string{"a.go": lib}, "github.com/o/lib"},
		{"scp-like", "git@github.com:o/lib.git", "", map[string]string{"a.go": lib}, "github.com/o/lib"},
		{"ssh with a port", "ssh://git@example.com:2222/o/lib.git/", "", map[string]string{"a.go": lib}, "example.com/o/lib"},
		{
			"a folder is no address", "/srv/git/lib.git", "",
			map[string]string{"a.go": lib, "README.md": "go get -u github.com/o/lib\ngo get github.com/other/thing\n"},
			"github.com/o/lib",
		},
		{
			"a badge in the readme", "", "",
			map[string]string{"a.go": lib, "readme.rst": "https://godoc.org/github.com/o/go-lib?status.svg"},
			"github.com/o/go-lib",
		},
		{
			"only badges", "", "",
			map[string]string{
				"a.go":      lib,
				"README.md": "[b](https://travis-ci.org/o/go-lib.svg?branch=x) https://github.com/other/thing",
			},
			"github.com/o/go-lib",
		},
		{"the folder's name", "", "", map[string]string{"a.go": lib}, "repo"},
	}
	for _, c := range cases {
		m, err := Find(t.Context(), treeOf(t, c.origin, c.files), ".", c.hint)
		if err != nil || m.Path != c.want || !m.Made || len(m.Warnings) != 1 {
			t.Errorf("%s: %+v, %v; want %s", c.reason, m, err, c.want)
		}
	}
}

func TestMadeModule(t *testing.T) {
	tree := treeOf(t, "https://example.com/o/lib", map[string]string{"a.go": "package lib\n", "run.sh": "#!/bin/sh\n"})
	must(t, os.Chmod(filepath.Join(tree.Dir, "run.sh"), 0o755))
	before := content(t, tree.Dir)
	var group sync.WaitGroup
	made := make([]Module, 4)
	errs := make([]error, len(made))
	for i := range made {
		group.Go(func() { made[i], errs[i] = Find(t.Context(), tree, ".", "") })
	}
	group.Wait()
	for i := range made {
		must(t, errs[i])
		if made[i].Dir != made[0].Dir || made[i].Dir == tree.Dir {
			t.Errorf("copies %s and %s of %s", made[i].Dir, made[0].Dir, tree.Dir)
		}
	}
	got := content(t, made[0].Dir)
	const wanted = "module example.com/o/lib\n\ngo 1.20\n"
	if !strings.HasSuffix(got["go.mod"], wanted) || got["run.sh"] != before["run.sh"] || len(got) != 3 {
		t.Errorf("the copy holds %v", got)
	}
	if _, ok := content(t, tree.Dir)["go.mod"]; ok {
		t.Error("the original has a go.mod now")
	}
}

func TestLanguage(t *testing.T) {
	cases := []struct{ reason, source, want string }{
		{"plain", "package p\n", "go 1.20\n"},
		{"generics need less than the usual", "package p\nfunc F[T any]() {}\n", "go 1.20\n"},
		{"a range over a number", "package p\nfunc F() { for range 3 {} }\n", "go 1.22\n"},
	}
	for _, c := range cases {
		m, err := Find(t.Context(), treeOf(t, "https://example.com/o/p", map[string]string{"a.go": c.source}), ".", "")
		must(t, err)
		text, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
		if err != nil || !strings.HasSuffix(string(text), c.want) {
			t.Errorf("%s: %q, %v", c.reason, text, err)
		}
	}
}

func TestPathAbove(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"m/go.mod": "module example.com/m\n", "m/broken/go.mod": "no line\n"} {
		full := filepath.Join(root, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	cases := []struct{ reason, sub, want string }{
		{"no module at or above", ".", ""},
		{"the module's own folder", "m", "example.com/m"},
		{"a folder that is not there", "m/gone/deeper", "example.com/m"},
		{"a go.mod without a module line is passed over", "m/broken", "example.com/m"},
	}
	for _, c := range cases {
		if got := PathAbove(root, c.sub); got != c.want {
			t.Errorf("%s: PathAbove(%q) = %q, want %q", c.reason, c.sub, got, c.want)
		}
	}
}

func TestNoGoFiles(t *testing.T) {
	_, err := Find(t.Context(), treeOf(t, "", map[string]string{"x.txt": "x"}), ".", "")
	if err == nil || !strings.Contains(err.Error(), "-C") {
		t.Errorf("a tree without Go: %v", err)
	}
}

// TestWithin: only what is required counts, by whichever way it comes from a folder.
func TestWithin(t *testing.T) {
	const required = "module example.com/m\n\ngo 1.24\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0\n)\n"
	for _, c := range []struct {
		reason string
		files  map[string]string
		want   []string
	}{
		{"nothing from folders", map[string]string{"go.mod": required}, nil},
		{"replaced", map[string]string{
			"go.mod": required + "replace example.com/a => ./sub/a\nreplace example.com/c => ./c\n" +
				"replace example.com/b => example.com/other v1.0.0\n",
		}, []string{"sub/a"}},
		{"in a workspace", map[string]string{
			"go.mod": required, "go.work": "go 1.24\n\nuse (\n\t.\n\t./b\n\t./c\n)\n",
			"b/go.mod": "module example.com/b\n", "c/go.mod": "module example.com/c\n",
		}, []string{"b"}},
		{"required by one of them, which may require the root", map[string]string{
			"go.mod":   required + "replace example.com/a => ./a\n",
			"go.work":  "go 1.24\n\nuse (\n\t.\n\t./c\n\t./d\n)\n",
			"a/go.mod": "module example.com/a\n\nrequire example.com/c v1.0.0\n",
			"c/go.mod": "module example.com/c\n\nrequire example.com/m v1.0.0\n", "d/go.mod": "module example.com/d\n",
		}, []string{"a", "c"}},
		{"no go.mod", map[string]string{"a.go": "package a\n"}, nil},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for folder, within := range Within(dir) {
			if within {
				got = append(got, filepath.ToSlash(folder))
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
