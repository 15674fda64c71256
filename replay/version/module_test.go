package version

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// treeOf commits files and writes their tree.
func treeOf(t *testing.T, origin string, files map[string]string) *Tree {
	t.Helper()
	f := newFixture(t)
	for name, text := range files {
		f.write(name, text)
	}
	if origin != "" {
		f.git("remote", "add", "origin", origin)
	}
	f.commit("all")
	return materialise(t, f.open(), "HEAD", t.TempDir())
}

func TestFindModule(t *testing.T) {
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
		m, err := FindModule(tree, c.sub, "")
		if err != nil || m.Path != c.path || m.Rel != c.rel || m.Workspace != c.workspace || m.Vendor != c.vendor || m.Made {
			t.Errorf("%s: %+v, %v", c.reason, m, err)
		}
	}
	if _, err := FindModule(tree, "../x", ""); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a folder outside: %v", err)
	}
}

func TestGuess(t *testing.T) {
	lib := "package lib\n"
	cases := []struct {
		reason, origin, hint string
		files                map[string]string
		want                 string
	}{
		{"the other version's path", "https://github.com/o/lib", "example.com/hint", map[string]string{"a.go": lib}, "example.com/hint"},
		{"an import comment", "https://github.com/o/lib", "", map[string]string{"sub/a.go": "package sub // import \"go.uber.org/lib/sub\"\n"}, "go.uber.org/lib"},
		{"imports of its own folders", "https://github.com/fork/lib", "", map[string]string{"a.go": "package lib\nimport _ \"github.com/o/lib/in/side\"\n", "in/side/a.go": "package side\n"}, "github.com/o/lib"},
		{"an external test", "", "", map[string]string{"a.go": lib, "a_test.go": "package lib_test\nimport _ \"gopkg.in/lib.v2\"\n"}, "gopkg.in/lib.v2"},
		{"https", "https://github.com/o/lib.git", "", map[string]string{"a.go": lib}, "github.com/o/lib"},
		{"scp-like", "git@github.com:o/lib.git", "", map[string]string{"a.go": lib}, "github.com/o/lib"},
		{"ssh with a port", "ssh://git@example.com:2222/o/lib.git/", "", map[string]string{"a.go": lib}, "example.com/o/lib"},
		{"a folder is no address", "/srv/git/lib.git", "", map[string]string{"a.go": lib, "README.md": "go get -u github.com/o/lib\ngo get github.com/other/thing\n"}, "github.com/o/lib"},
		{"a badge in the readme", "", "", map[string]string{"a.go": lib, "readme.rst": "https://godoc.org/github.com/o/go-lib?status.svg"}, "github.com/o/go-lib"},
		{"only badges", "", "", map[string]string{"a.go": lib, "README.md": "[b](https://travis-ci.org/o/go-lib.svg?branch=x) https://github.com/other/thing"}, "github.com/o/go-lib"},
		{"the folder's name", "", "", map[string]string{"a.go": lib}, "repo"},
	}
	for _, c := range cases {
		m, err := FindModule(treeOf(t, c.origin, c.files), ".", c.hint)
		if err != nil || m.Path != c.want || !m.Made || len(m.Warnings) != 1 {
			t.Errorf("%s: %+v, %v; want %s", c.reason, m, err, c.want)
		}
	}
}

func TestMadeModule(t *testing.T) {
	tree := treeOf(t, "https://example.com/o/lib", map[string]string{"a.go": "package lib\n", "run.sh": "#!/bin/sh\n"})
	must(t, os.Chmod(filepath.Join(tree.Dir, "run.sh"), 0o755))
	before := snapshot(t, tree.Dir)
	var group sync.WaitGroup
	made := make([]Module, 4)
	errs := make([]error, len(made))
	for i := range made {
		group.Go(func() { made[i], errs[i] = FindModule(tree, ".", "") })
	}
	group.Wait()
	for i := range made {
		must(t, errs[i])
		if made[i].Dir != made[0].Dir || made[i].Dir == tree.Dir {
			t.Errorf("copies %s and %s of %s", made[i].Dir, made[0].Dir, tree.Dir)
		}
	}
	got := snapshot(t, made[0].Dir)
	if !strings.HasSuffix(got["go.mod"], "module example.com/o/lib\n\ngo 1.20\n") || got["run.sh"] != before["run.sh"] || len(got) != 3 {
		t.Errorf("the copy holds %v", got)
	}
	if _, ok := snapshot(t, tree.Dir)["go.mod"]; ok {
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
		m, err := FindModule(treeOf(t, "https://example.com/o/p", map[string]string{"a.go": c.source}), ".", "")
		must(t, err)
		text, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
		if err != nil || !strings.HasSuffix(string(text), c.want) {
			t.Errorf("%s: %q, %v", c.reason, text, err)
		}
	}
}

func TestNoGoFiles(t *testing.T) {
	if _, err := FindModule(treeOf(t, "", map[string]string{"x.txt": "x"}), ".", ""); err == nil || !strings.Contains(err.Error(), "-C") {
		t.Errorf("a tree without Go: %v", err)
	}
}
