package load_test

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"slices"
	"testing"
)

const withApart = `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

func F() int { return 1 }
-- other/other.go --
package other
-- suite/suite_test.go --
package suite_test

import (
	"testing"

	"example.com/m"
)

func TestF(t *testing.T) {
	for range m.F() {
		t.Error("so many")
	}
}
-- nested/go.mod --
module example.com/m/nested
-- nested/it/it_test.go --
package it
-- excluded/excluded.go --
//go:build never

package excluded
`

// TestTested: tests have a package where nothing but they lie, and where nothing lies. They have none where there is
// code that was not type-checked, and in other modules.
func TestTested(t *testing.T) {
	loaded, dir := loadRoot(t, withApart)
	if got, want := loaded.Apart(), []string{"example.com/m/suite"}; !slices.Equal(got, want) {
		t.Errorf("nothing but tests have %q, want %q", got, want)
	}
	for _, c := range []struct{ reason, path, folder string }{
		{"type-checked", "example.com/m", "."},
		{"nothing but tests", "example.com/m/suite", "suite"},
		{"nothing", "example.com/m/none/it", "none/it"},
		{"code that was not type-checked", "example.com/m/other", ""},
		{"code that is not built", "example.com/m/excluded", ""},
		{"below another module", "example.com/m/nested/it", ""},
		{"of another module", "example.com/more/it", ""},
	} {
		p := loaded.Tested(c.path)
		switch {
		case p == nil && c.folder == "":
		case p == nil || c.folder == "" || p.PkgPath != c.path || p.Dir != filepath.Join(dir, c.folder):
			t.Errorf("%s: got %v", c.reason, p)
		case p.Types.GoVersion() != "go1.24":
			t.Errorf("%s: the language is %s", c.reason, p.Types.GoVersion())
		}
	}
}

// TestCheckTestsApart: tests without a package beside them are type-checked, in the language of the module.
func TestCheckTestsApart(t *testing.T) {
	loaded, dir := loadRoot(t, withApart)
	file, err := parser.ParseFile(loaded.Fset, filepath.Join(dir, "suite/suite_test.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := loaded.CheckTests(t.Context(), "example.com/m/suite", loaded.Fset, nil, []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	checkErrors(t, "external tests", checked, "")
	file.Name.Name = "suite"
	checked, err = loaded.CheckTests(t.Context(), "example.com/m/suite", loaded.Fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkErrors(t, "tests of their own package", checked, "")
}
