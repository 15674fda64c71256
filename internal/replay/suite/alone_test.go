package suite

import (
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestAlone: where a package has nothing but tests, these tell its name. The test files in its folder are not built.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		reason, clause, there string
		inside                bool
		want                  string
	}{
		{"tests of their own package", "it", "", true, "package it"},
		{"tests of a program", "main", "", true, "package zspectra_main"},
		{"external tests", "it_test", "", false, "package it_test"},
		{"others in the folder of the other version", "it", "other_test.go", true, "package it"},
	} {
		dir, there := t.TempDir(), t.TempDir()
		const body = "\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"
		name, text := filepath.Join(dir, "it_test.go"), []byte("package "+c.clause+body)
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if c.there == "" {
			there, c.there = dir, "it_test.go"
		} else if err := os.WriteFile(filepath.Join(there, c.there), []byte("package b"+body), 0o666); err != nil {
			t.Fatal(err)
		}
		files, err := Read(dir, "", nil, token.NewFileSet())
		if err != nil {
			t.Fatal(err)
		}
		p := &packages.Package{PkgPath: "m/it", Dir: there, Types: types.NewPackage("m/it", "")}
		s, err := Write(p, files, nil, Config{Name: "m/it", Runtime: "zspectra"})
		if err != nil {
			t.Fatal(err)
		}
		if s.Inside != c.inside || (s.External == "") != c.inside || len(s.Tests) != 1 {
			t.Errorf("%s: inside %t, external %q, %d tests", c.reason, s.Inside, s.External, len(s.Tests))
		}
		if got := string(s.Files[filepath.Join(there, c.there)]); got != Ignored {
			t.Errorf("%s: the test file in the folder is %q", c.reason, got)
		}
		built := slices.ContainsFunc(slices.Collect(maps.Values(s.Files)), func(text []byte) bool {
			return strings.Contains(string(text), c.want+"\n\nimport \"testing\"")
		})
		if !built {
			t.Errorf("%s: no file begins with %q", c.reason, c.want)
		}
	}
}
