package spectradiff_test

// This file limits how many fields of a struct are written after it was made, where more than one function
// does so. A struct with many of them is not a value but a place: who reads a field has to know who wrote
// it, and when.

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// maxWritten is how many fields may be written so.
const maxWritten = 12

// A checked package has what the gates need of go/types.
type checked struct {
	files []*ast.File
	types *types.Package
	info  *types.Info
}

// loadChecked type-checks the module's packages without their tests.
func loadChecked(t *testing.T) []checked {
	t.Helper()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedExportFile |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var list []checked
	for _, p := range all {
		for _, err := range p.Errors {
			t.Fatalf("%s: %v", p.PkgPath, err)
		}
		list = append(list, checked{p.Syntax, p.Types, p.TypesInfo})
	}
	return list
}

// A field is one of a declared struct: "path.Type" and the field's name.
type field struct{ owner, name string }

// writers returns for each field the functions that assign to it or to a part of it: an element of the
// map, slice or array that it holds, or a field of the struct that it holds. Function literals belong to
// the function around them. Composite literals and whole structs that are assigned don't count.
func writers(list []checked) map[field]map[string]bool {
	all := map[field]map[string]bool{}
	for _, p := range list {
		for _, file := range p.files {
			for _, declaration := range file.Decls {
				function, ok := declaration.(*ast.FuncDecl)
				if !ok || function.Body == nil {
					continue
				}
				name := p.info.Defs[function.Name].(*types.Func).FullName()
				for _, target := range assigned(function.Body) {
					for _, f := range p.fieldsOf(target) {
						if all[f] == nil {
							all[f] = map[string]bool{}
						}
						all[f][name] = true
					}
				}
			}
		}
	}
	return all
}

// assigned returns the left sides of all assignments in a body.
func assigned(body *ast.BlockStmt) []ast.Expr {
	var all []ast.Expr
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			if node.Tok != token.DEFINE {
				all = append(all, node.Lhs...)
			}
		case *ast.IncDecStmt:
			all = append(all, node.X)
		case *ast.RangeStmt:
			if node.Tok == token.ASSIGN {
				all = append(all, node.Key, node.Value)
			}
		}
		return true
	})
	return all
}

// fieldsOf returns the fields of declared structs that an assignment to an expression changes.
func (p checked) fieldsOf(target ast.Expr) []field {
	switch target := target.(type) {
	case *ast.ParenExpr:
		return p.fieldsOf(target.X)
	case *ast.IndexExpr:
		return p.fieldsOf(target.X)
	case *ast.SelectorExpr:
		selection := p.info.Selections[target]
		if selection == nil || selection.Kind() != types.FieldVal {
			return nil
		}
		all, pointer := changedBy(selection)
		if !pointer {
			all = append(all, p.fieldsOf(target.X)...)
		}
		return all
	}
	return nil
}

// changedBy returns the fields that a selector changes, from the outermost embedded one that lies in the same
// memory to the selected one, and whether a pointer was followed on the way.
func changedBy(selection *types.Selection) (all []field, pointer bool) {
	at := selection.Recv()
	for _, index := range selection.Index() {
		if inner, ok := types.Unalias(at).Underlying().(*types.Pointer); ok {
			at, all, pointer = inner.Elem(), nil, true
		}
		structure, ok := at.Underlying().(*types.Struct)
		if !ok {
			return all, pointer
		}
		if named, ok := types.Unalias(at).(*types.Named); ok {
			owner := named.Obj().Pkg().Path() + "." + named.Obj().Name()
			all = append(all, field{owner, structure.Field(index).Name()})
		}
		at = structure.Field(index).Type()
	}
	return all, pointer
}

// crowdedStructs complains about structs of the module that several functions write, with more written fields
// than the limit, and about exceptions that no struct needs.
func crowdedStructs(list []checked, prefix string, limit int, crowded map[string]string) []string {
	fields, functions := map[string][]string{}, map[string]map[string]bool{}
	for f, by := range writers(list) {
		owner, ours := strings.CutPrefix(f.owner, prefix)
		if !ours {
			continue
		}
		fields[owner] = append(fields[owner], f.name)
		if functions[owner] == nil {
			functions[owner] = map[string]bool{}
		}
		maps.Copy(functions[owner], by)
	}
	tooMany := func(owner string) bool { return len(fields[owner]) > limit && len(functions[owner]) > 1 }
	var complaints []string
	for _, owner := range slices.Sorted(maps.Keys(fields)) {
		if tooMany(owner) && crowded[owner] == "" {
			slices.Sort(fields[owner])
			complaints = append(complaints, fmt.Sprintf("%s has %d fields that %d functions write after it was made, "+
				"at most %d are allowed: %s", owner, len(fields[owner]), len(functions[owner]), limit,
				strings.Join(fields[owner], " ")))
		}
	}
	for _, owner := range slices.Sorted(maps.Keys(crowded)) {
		if !tooMany(owner) {
			complaints = append(complaints, owner+" is listed as a crowded struct and is none: take it out of the list")
		}
	}
	return complaints
}

func TestStructs(t *testing.T) {
	require(t, crowdedStructs(loadChecked(t), module+"/", maxWritten, crowded))
}
