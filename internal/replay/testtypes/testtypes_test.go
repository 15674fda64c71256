package testtypes_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
)

const source = `package m_test

import (
	"testing"
	"time"

	"example.com/m"
)

type Basic struct {
	Name  string ` + "`json:\"name,omitempty\" m:\"n\"`" + `
	At    time.Time
	Other m.Other
	inner int
}

type level int

type person struct {
	*Basic
	Level  level
	Friend *person
	Call   func()
}

type empty struct{ n int }

type named interface{ Name() string }

func TestLocal(t *testing.T) {
	type Basic struct{ Local map[string][]any }
	var b Basic
	v := struct{ X, Y int }{1, 2}
	for _, c := range []struct{ In, Want string }{} {
		_ = c
	}
}

func TestOther(t *testing.T) { type Basic struct{ Local map[string][]any } }
`

const want = `package driver

import (
	"reflect"
	"time"
)

type Basic struct{Name string "json:\"name,omitempty\" m:\"n\""; At time.Time; inner int}

type Basic2 struct{Local map[string][]any}

type Level int

type Person struct{*Basic; Level Level}

type Record struct{X int; Y int}

func init() {
	sampleTypes["zspectra/driver.Basic"] = reflect.TypeFor[Basic]()
	sampleTypes["zspectra/driver.Basic2"] = reflect.TypeFor[Basic2]()
	sampleTypes["zspectra/driver.Level"] = reflect.TypeFor[Level]()
	sampleTypes["zspectra/driver.Person"] = reflect.TypeFor[Person]()
	sampleTypes["zspectra/driver.Record"] = reflect.TypeFor[Record]()
}
`

func read(t *testing.T) *testtypes.Set {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	std := func(path string) *types.Package {
		p, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import(path)
		if path == "" || err != nil {
			return nil
		}
		return p
	}
	return testtypes.Read([]string{dir, dir}, std)
}

// TestSource checks that structs of tests become types of the driver, with their tags, each definition once. Fields
// whose types no driver can name are left out, and so are references of a type to itself.
func TestSource(t *testing.T) {
	if got := read(t).Source(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var none *testtypes.Set
	if none.Source() != "" {
		t.Error("no types have a file")
	}
}

// TestType checks that a name stands for the last declaration before it, and that known types are found again but none
// are added.
func TestType(t *testing.T) {
	set := read(t)
	file, err := parser.ParseFile(token.NewFileSet(), "m_test.go", source+"\nvar late struct{ Z int }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	of := set.File(file)
	var got []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			text := "none"
			if typ := of.Type(spec.Type); typ != nil {
				text = typ.String()
			}
			got = append(got, spec.Names[0].Name+" "+text)
		}
		return true
	})
	if want := []string{"b zspectra/driver.Basic2", "late none"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestKeys checks that a field goes by its name and by the names in its tags.
func TestKeys(t *testing.T) {
	basic := read(t).Named[0].Underlying().(*types.Struct)
	got := strings.Join(testtypes.Keys(basic, basic.Field(0)), " ")
	if want := "Name name n name"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNames checks that no type has a name that the driver's package uses for something else.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("../../spectra/rt/driver/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the driver, %v", len(files), err)
	}
	taken := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name := range file.Scope.Objects {
			taken[name] = taken[name] || ast.IsExported(name) && !strings.HasPrefix(name, "Test")
		}
	}
	text := "package m\n"
	for name, exported := range taken {
		if exported {
			text += "type " + name + " struct { N int }\n"
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set := testtypes.Read([]string{dir}, nil)
	if len(set.Named) < 3 {
		t.Errorf("%d types, want at least Main, Nested and Sample", len(set.Named))
	}
	for _, named := range set.Named {
		if taken[named.Obj().Name()] {
			t.Errorf("%s is a name of the driver", named.Obj().Name())
		}
	}
}
