package symbol

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Functions names every function, method and function literal of a package's files, by the
// declaration or the literal. Path is the package's import path.
//
// A literal is numbered where it stands: "m/p.F.func1" is the first one in F, "m/p.F.func1.2" the
// second one directly inside of that, "m/p.glob..func1" the first one in an initialiser of the
// package. Init functions are numbered in the order of the files: "m/p.init.0".
func Functions(path string, info *types.Info, files []*ast.File) map[ast.Node]spectra.Symbol {
	n := namer{path: path, info: info, names: map[ast.Node]spectra.Symbol{}}
	for _, file := range files {
		for _, decl := range file.Decls {
			n.declaration(decl)
		}
	}
	return n.names
}

// Init names an init function of a package by its number.
func Init(path string, number int) spectra.Symbol {
	return spectra.Symbol(fmt.Sprintf("%s.init.%d", path, number))
}

// A namer names the functions of one package.
type namer struct {
	path        string
	info        *types.Info
	names       map[ast.Node]spectra.Symbol
	inits       int // init functions met so far
	initialised int // literals in initialisers met so far
}

func (n *namer) declaration(decl ast.Decl) {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		n.literals(decl, &n.initialised, n.path+".glob..func")
		return
	}
	name := Function(n.info.Defs[fn.Name].(*types.Func))
	if fn.Recv == nil && fn.Name.Name == "init" {
		name = Init(n.path, n.inits)
		n.inits++
	}
	n.names[fn] = name
	if fn.Body != nil {
		count := 0
		n.literals(fn.Body, &count, string(name)+".func")
	}
}

// literals names the outermost literals below a node, then those inside of each. A literal's name is the
// prefix and the next number.
func (n *namer) literals(root ast.Node, count *int, prefix string) {
	ast.Inspect(root, func(node ast.Node) bool {
		literal, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		*count++
		name := fmt.Sprintf("%s%d", prefix, *count)
		n.names[literal] = spectra.Symbol(name)
		inside := 0
		n.literals(literal.Body, &inside, name+".")
		return false
	})
}

// ReceiverSyntax returns a receiver's type as Function writes it, "T" or "(*T)" without type parameters,
// from the syntax alone.
func ReceiverSyntax(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.ParenExpr:
		return ReceiverSyntax(t.X)
	case *ast.StarExpr:
		return "(*" + ReceiverSyntax(t.X) + ")"
	case *ast.IndexExpr:
		return ReceiverSyntax(t.X)
	case *ast.IndexListExpr:
		return ReceiverSyntax(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}
