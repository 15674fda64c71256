package testtypes

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestImplement checks that pointers to the added types implement the interfaces, and that the declarations are valid
// Go.
func TestImplement(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", `package m

type Item struct{}

type Logger interface {
	Log(message string, pairs ...any) error
	Flush()
}

type Store interface {
	Get(key string, more func(*Item) bool) (*Item, []Logger)
}

type Source interface {
	Next() (key string, values map[string][]*int, ok bool)
	Err() error
}

type source interface{ Err() error }

type Mux interface {
	Handle(string)
	HandleFunc(string, func(int))
	HandleFuncFunc2(func(int))
	HandleFuncFunc(func(int))
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("m", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var interfaces []spectra.Pair[*types.Named]
	for _, name := range pkg.Scope().Names() {
		if t := pkg.Scope().Lookup(name).Type().(*types.Named); types.IsInterface(t) {
			interfaces = append(interfaces, spectra.Pair[*types.Named]{Old: t, New: t})
		}
	}
	s := Read(nil, func(string) *types.Package { return nil })
	s.taken["LoggerStub"] = true
	s.Implement(interfaces, "m")
	names := map[string]bool{}
	for i, of := range interfaces {
		for _, implementing := range []*types.Named{s.Named[i], s.Stubs.New[i], Renamed(s.Named[i], "x")} {
			if !types.Implements(types.NewPointer(implementing), of.Old.Underlying().(*types.Interface)) {
				t.Errorf("*%s does not implement %s", implementing, of.Old)
			}
		}
		names[s.Named[i].Obj().Name()] = true
	}
	if len(names) != 5 || names["LoggerStub"] {
		t.Errorf("the types are called %v, want five other names than LoggerStub", names)
	}
	other := Read(nil, func(string) *types.Package { return nil })
	other.Implement(interfaces[:1], "root")
	if got, want := other.Named[0].Obj().Name(), "M"+interfaces[0].Old.Obj().Name()+"Stub"; got != want {
		t.Errorf("one of another package is called %s, want %s", got, want)
	}
	source := "package main\n\nimport \"m\"\n\n"
	for _, stub := range s.Stubs.New {
		source += Declaration(stub, func(p *types.Package) string {
			if p == pkg {
				return "m"
			}
			return ""
		})
	}
	if file, err = parser.ParseFile(fset, "main.go", source, 0); err == nil {
		importer := standard(func(string) *types.Package { return pkg })
		_, err = (&types.Config{Importer: importer}).Check("main", fset, []*ast.File{file}, nil)
	}
	if err != nil {
		t.Errorf("%v in\n%s", err, source)
	}
	if s.Source() != "" {
		t.Error("what implements interfaces is declared among the types of tests")
	}
}
