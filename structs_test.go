package spectradiff_test

// This file limits how many fields of a struct are written after it was made, if more than one function
// writes them. To understand such a field, a reader has to know which function wrote it, and when.

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

// maxWritten is the largest number of such fields.
const maxWritten = 12

// A checked package has the results of type checking that the gates need.
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

// A field is a field of a declared struct: the struct's "path.Type" and the field's name.
type field struct{ owner, name string }

// writers returns for each field the functions that assign to it or to a part of it: an element of a map,
// slice or array in the field, or a field of a struct in the field. A function literal belongs to the
// function around it. Composite literals and assignments of whole structs don't count.
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

// changedBy returns the fields that an assignment to a selector changes: those from the outermost
// embedded field in the same memory to the selected one. It also returns whether a pointer was followed
// on the way.
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

// crowdedStructs complains about structs of the module with more than limit fields that several functions
// write, and about exceptions that no struct needs.
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
	if testing.Short() {
		t.Skip("only in make test-all and make gates: it builds and type-checks the module")
	}
	require(t, crowdedStructs(loadChecked(t), module+"/", maxWritten, crowded))
}
