package testtypes

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestImplement: pointers to what is added implement the interfaces, and the declarations are Go.
func TestImplement(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", `package m

type Logger interface {
	Log(message string, pairs ...any) error
	Flush()
}

type Source interface {
	Next() (key string, values map[string][]*int, ok bool)
	Err() error
}

type source interface{ Err() error }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("m", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var interfaces []*types.Named
	for _, name := range pkg.Scope().Names() {
		interfaces = append(interfaces, pkg.Scope().Lookup(name).Type().(*types.Named))
	}
	s := Read(nil, func(string) *types.Package { return nil })
	s.taken["LoggerStub"] = true
	s.Implement(interfaces)
	names := map[string]bool{}
	for i, of := range interfaces {
		for _, implementing := range []*types.Named{s.Named[i], Renamed(s.Named[i], "x")} {
			if !types.Implements(types.NewPointer(implementing), of.Underlying().(*types.Interface)) {
				t.Errorf("*%s does not implement %s", implementing, of)
			}
		}
		names[s.Named[i].Obj().Name()] = true
	}
	if len(names) != 3 || names["LoggerStub"] {
		t.Errorf("the types are called %v, want three other names than LoggerStub", names)
	}
	if err := s.check(); err != nil {
		_, body := s.declarations()
		t.Errorf("%v in\n%s", err, body)
	}
}
