package instrument

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Switch says to which function a function hands its calls while the other version's code of a unit runs. Both have
// the same receiver, parameters and results.
type Switch struct {
	Unit int    // its number among those of the program
	To   string // its name in the package, of a method without the type

	// Inside is set if the other's code stands in the function itself, as that which asks for its frame has to. Then
	// the body is "if true {…} else {…}", with the function's code and the other's, which goes by this name.
	Inside spectra.Symbol
}

// both adds the probes of a function in which code of both versions stands. It reports whether it is one.
func (f *file) both(fn function) bool {
	to := f.options.Switches[fn.symbol]
	if to.Inside == "" || len(fn.body.List) != 1 {
		return false
	}
	either, ok := fn.body.List[0].(*ast.IfStmt)
	if !ok {
		return false
	}
	other, ok := either.Else.(*ast.BlockStmt)
	if !ok {
		return false
	}
	slots, entries := f.slots(fn), map[*ast.BlockStmt]string{}
	for _, one := range []struct {
		name spectra.Symbol
		body *ast.BlockStmt
	}{{fn.symbol, either.Body}, {to.Inside, other}} {
		of := fn
		of.symbol, of.body = one.name, one.body
		entries[one.body] = f.names.tick() + f.names.probe(f.point(of, slots), slots)
	}
	f.replace(either.Cond.Pos(), either.Cond.End(), fmt.Sprintf("!%s.Other(%d)", f.names.prefix, to.Unit))
	f.blocks(fn.body, nil, entries)
	return true
}

// handOver returns the text that hands a call to another function, before anything of it is recorded. It is empty
// for nearly all functions.
func (f *file) handOver(fn function, slots []slot) string {
	to, ok := f.options.Switches[fn.symbol]
	decl, declared := fn.node.(*ast.FuncDecl)
	if !ok || !declared {
		return ""
	}
	callee, arguments := to.To, []string{}
	for _, s := range slots {
		switch s.decl.Kind {
		case spectra.Receiver:
			callee = s.name + "." + callee
		case spectra.Parameter:
			arguments = append(arguments, s.name)
		}
	}
	if parameters := typeParameters(decl); len(parameters) > 0 {
		callee += "[" + strings.Join(parameters, ", ") + "]"
	}
	call := callee + "(" + strings.Join(arguments, ", ")
	if fn.signature.Variadic() {
		call += "..."
	}
	call += ")"
	if fn.signature.Results().Len() > 0 {
		return fmt.Sprintf("if %s.Other(%d) { return %s }; ", f.names.prefix, to.Unit, call)
	}
	return fmt.Sprintf("if %s.Other(%d) { %s; return }; ", f.names.prefix, to.Unit, call)
}

// typeParameters lists the names of a function's type parameters. Those of a method are its receiver's.
func typeParameters(decl *ast.FuncDecl) []string {
	var names []string
	if decl.Type.TypeParams != nil {
		for _, field := range decl.Type.TypeParams.List {
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}
