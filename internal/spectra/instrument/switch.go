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
