package origins

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// fewestLines is how many lines the body of a function has at least.
const fewestLines = 3

// Functions returns the functions of a package that are exported, and then those that these call (of methods, by name
// alone), both in the order of files and lines. Generated files, files with cgo, and functions whose text stands in
// their file twice are left out.
func Functions(path string, files map[string]string) ([]Function, error) {
	var exported, others []Function
	called := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fset, text := token.NewFileSet(), files[name]
		parsed, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("functions of %s: %w", path, err)
		}
		if ast.IsGenerated(parsed) || usesCgo(parsed) {
			continue
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			if isExported(f) {
				noteCalls(f.Body, called)
			}
			file := fset.File(f.Pos())
			one := Function{Name: nameOf(f), File: name, Line: file.Line(f.Pos())}
			one.Symbol, one.Text = path+"."+one.Name, text[file.Offset(f.Pos()):file.Offset(f.End())]
			lines := file.Line(f.Body.Rbrace) - file.Line(f.Body.Lbrace) - 1
			switch {
			case lines < fewestLines || strings.Count(text, one.Text) > 1 || f.Name.Name == "init":
			case isExported(f):
				exported = append(exported, one)
			default:
				others = append(others, one)
			}
		}
	}
	others = slices.DeleteFunc(others, func(f Function) bool { return !called[afterDot(f.Name)] })
	return append(exported, others...), nil
}

func afterDot(name string) string { return name[strings.LastIndex(name, ".")+1:] }

func usesCgo(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// isExported reports whether other packages can name a function and, if it is a method, its type.
func isExported(f *ast.FuncDecl) bool {
	return f.Name.IsExported() && ast.IsExported(strings.TrimLeft(nameOf(f), "(*"))
}

// nameOf returns how its package names a function.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	return symbol.ReceiverSyntax(f.Recv.List[0].Type) + "." + f.Name.Name
}

// noteCalls notes the names of the functions and methods that some code calls.
func noteCalls(in ast.Node, called map[string]bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch of := call.Fun.(type) {
			case *ast.Ident:
				called[of.Name] = true
			case *ast.SelectorExpr:
				called[of.Sel.Name] = true
			}
		}
		return true
	})
}
