package plan

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

func TestAssertedBy(t *testing.T) {
	tests := []struct{ reason, body, want string }{
		{"a type switch", "switch v.(type) { case int, map[string]string: case nil: }", "int map[string]string"},
		{"one that names the value", "switch x := v.(type) { case *own: _ = x }", "*m.own"},
		{"an assertion", "x, ok := v.([]string); _, _ = x, ok", "[]string"},
		{"interfaces say nothing of the value", "x, _ := v.(error); _ = x", ""},
		{"other interfaces are not any", "switch err.(type) { case *own: }", ""},
	}
	for _, test := range tests {
		source := "package m\ntype own struct{}\nfunc (*own) Error() string { return \"\" }\n" +
			"func f(v any, err error) { " + test.body + " }\n"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "m.go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		config := &types.Config{Importer: importer.Default()}
		if _, err := config.Check("m", fset, []*ast.File{file}, info); err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		var names []string
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				for _, of := range assertedBy(info, n) {
					names = append(names, symbol.Type(of))
				}
			}
			return true
		})
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}
