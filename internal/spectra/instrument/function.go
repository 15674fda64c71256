package instrument

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A function is a declared function, a method or a literal.
type function struct {
	symbol    spectra.Symbol
	node      ast.Node
	literal   *ast.FuncLit // nil for a declared function
	recv      *ast.FieldList
	typ       *ast.FuncType
	body      *ast.BlockStmt
	signature *types.Signature
	skip      string     // why it gets no probe; "": it gets one
	around    []ast.Node // of a literal: the nodes around it
}

// declared returns the function of a declaration.
func (f *file) declared(decl *ast.FuncDecl) function {
	object := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	return function{
		symbol: f.symbols[decl], node: decl, recv: decl.Recv, typ: decl.Type, body: decl.Body,
		signature: object.Signature(), skip: f.skip.reason(decl),
	}
}

// literal returns the function of a literal. The argument skip is that of the enclosing function.
func (f *file) literal(lit *ast.FuncLit, skip string, around []ast.Node) function {
	if skip == "" {
		skip = f.skip.whole
	}
	return function{
		symbol: f.symbols[lit], node: lit, literal: lit, typ: lit.Type, body: lit.Body,
		signature: f.pkg.TypesInfo.TypeOf(lit).(*types.Signature), skip: skip, around: around,
	}
}

// placeOf says what a literal is a value of, by the source of the variables, keys and functions around it, from the
// outside in. A declared function has no place.
func (f *file) placeOf(fn function) string {
	var place []string
	for i, n := range fn.around {
		inside := fn.node
		if i+1 < len(fn.around) {
			inside = fn.around[i+1]
		}
		var of ast.Node
		switch n := n.(type) {
		case *ast.ValueSpec:
			if at := slices.Index(n.Values, asExpr(inside)); at >= 0 {
				of = n.Names[min(at, len(n.Names)-1)]
			}
		case *ast.AssignStmt:
			if at := slices.Index(n.Rhs, asExpr(inside)); at >= 0 {
				of = n.Lhs[min(at, len(n.Lhs)-1)]
			}
		case *ast.KeyValueExpr:
			if inside == n.Value {
				of = n.Key
			}
		case *ast.CallExpr:
			if inside != n.Fun {
				of = n.Fun
			}
		}
		if of != nil {
			place = append(place, f.text(of))
		}
	}
	return strings.Join(place, " ")
}

// asExpr returns the node as an expression, nil if it is none.
func asExpr(n ast.Node) ast.Expr {
	e, _ := n.(ast.Expr)
	return e
}

// function adds the probe of fn, then those of the literals directly inside.
func (f *file) function(fn function) {
	if fn.skip == "" {
		f.probe(fn)
	} else {
		f.out.Skipped = append(f.out.Skipped, Skipped{fn.symbol, f.rel, f.line(fn.node.Pos()), fn.skip})
	}
	if fn.body == nil {
		return
	}
	f.literals(fn.body, fn.skip)
}

// literals adds the probes of the outermost literals below a node.
func (f *file) literals(root ast.Node, skip string) {
	ast.PreorderStack(root, nil, func(n ast.Node, around []ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			f.function(f.literal(lit, skip, around))
		}
		return !ok
	})
}

// probe edits the signature and the body of one function.
func (f *file) probe(fn function) {
	f.used = true
	if f.both(fn) {
		return
	}
	slots := f.slots(fn)
	point := f.point(fn, slots)
	noted, parameters := f.operands(fn, slots)
	f.blocks(fn.body, noted, map[*ast.BlockStmt]string{
		fn.body: f.handOver(fn, slots) + f.names.tick() + parameters + f.names.probe(point, slots),
	})
}

// point adds the point of a function, and returns its index.
func (f *file) point(fn function, slots []slot) int {
	body := []byte(f.text(fn.body))
	point := spectra.Point{
		Symbol: fn.symbol, Package: f.pkg.PkgPath, Index: len(f.out.Points),
		File: f.rel, Line: f.line(fn.node.Pos()), EndLine: f.line(fn.body.Rbrace),
		Body: symbol.BodyHash(body), Shape: symbol.Shape(body), Place: f.placeOf(fn),
	}
	if fn.literal == nil {
		point.Line = f.line(fn.typ.Func)
	}
	for _, s := range slots {
		point.Slots = append(point.Slots, s.decl)
	}
	f.out.Points = append(f.out.Points, point)
	return point.Index
}
