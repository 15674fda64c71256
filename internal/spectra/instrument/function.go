package instrument

import (
	"go/ast"
	"go/types"

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
	skip      string // why it gets no probe; "": it gets one
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
func (f *file) literal(lit *ast.FuncLit, skip string) function {
	if skip == "" {
		skip = f.skip.whole
	}
	return function{
		symbol: f.symbols[lit], node: lit, literal: lit, typ: lit.Type, body: lit.Body,
		signature: f.pkg.TypesInfo.TypeOf(lit).(*types.Signature), skip: skip,
	}
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
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			f.function(f.literal(lit, skip))
		}
		return !ok
	})
}

// probe edits the signature and the body of one function.
func (f *file) probe(fn function) {
	f.used = true
	slots := f.slots(fn)
	body := f.buffer.src[f.tok.Offset(fn.body.Lbrace) : f.tok.Offset(fn.body.Rbrace)+1]
	point := spectra.Point{
		Symbol: fn.symbol, Package: f.pkg.PkgPath, Index: len(f.out.Points),
		File: f.rel, Line: f.line(fn.node.Pos()), EndLine: f.line(fn.body.Rbrace),
		Body: symbol.BodyHash(body), Shape: symbol.Shape(body),
	}
	if fn.literal == nil {
		point.Line = f.line(fn.typ.Func)
	}
	for _, s := range slots {
		point.Slots = append(point.Slots, s.decl)
	}
	f.out.Points = append(f.out.Points, point)
	noted, parameters := f.operands(fn, slots)
	f.blocks(fn.body, noted, f.handOver(fn, slots)+f.names.tick()+parameters+f.names.probe(point.Index, slots))
}
