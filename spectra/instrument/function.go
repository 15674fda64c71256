package instrument

// This file defines functions: their symbols, their points, their probes.

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"hash"
	"hash/fnv"

	"github.com/spectradiff/spectradiff/spectra"
)

// A function is a function, method or literal.
type function struct {
	symbol    spectra.Symbol
	node      ast.Node
	literal   *ast.FuncLit // nil for a declared function
	recv      *ast.FieldList
	typ       *ast.FuncType
	body      *ast.BlockStmt
	signature *types.Signature
	skip      string // why it gets no probe, "" = it gets one
}

// declared makes the function of a declaration.
func (f *file) declared(decl *ast.FuncDecl) function {
	object := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	fn := function{
		symbol: symbolOf(object), node: decl, recv: decl.Recv, typ: decl.Type, body: decl.Body,
		signature: object.Signature(), skip: f.skip.reason(decl),
	}
	if decl.Recv == nil && decl.Name.Name == "init" {
		fn.symbol = spectra.Symbol(fmt.Sprintf("%s.init.%d", f.pkg.PkgPath, f.inits))
		f.inits++
	}
	return fn
}

// literal makes the function of a literal; skip is its enclosing function's.
func (f *file) literal(lit *ast.FuncLit, symbol spectra.Symbol, skip string) function {
	if skip == "" {
		skip = f.skip.whole
	}
	return function{
		symbol: symbol, node: lit, literal: lit, typ: lit.Type, body: lit.Body,
		signature: f.pkg.TypesInfo.TypeOf(lit).(*types.Signature), skip: skip,
	}
}

// symbolOf names a declared function as Go does, without type arguments.
func symbolOf(fn *types.Func) spectra.Symbol {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path() + "."
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return spectra.Symbol(path + fn.Name())
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		return spectra.Symbol(fmt.Sprintf("%s(*%s).%s", path, typeName(p.Elem()), fn.Name()))
	}
	return spectra.Symbol(path + typeName(t) + "." + fn.Name())
}

func typeName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "interface" // a method of an interface literal
}

// function gives fn its probe and goes on to the literals directly inside.
func (f *file) function(fn function) {
	if fn.skip == "" {
		f.probe(fn)
	} else {
		f.out.Skipped = append(f.out.Skipped, Skipped{fn.symbol, f.rel, f.line(fn.node.Pos()), fn.skip})
	}
	if fn.body == nil {
		return
	}
	count := 0
	ast.Inspect(fn.body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			count++
			f.function(f.literal(lit, nested(fn, count), fn.skip))
		}
		return !ok
	})
}

// nested is the symbol of the i-th literal directly inside fn, from 1.
func nested(fn function, i int) spectra.Symbol {
	if fn.literal == nil {
		return spectra.Symbol(fmt.Sprintf("%s.func%d", fn.symbol, i))
	}
	return spectra.Symbol(fmt.Sprintf("%s.%d", fn.symbol, i))
}

// probe edits the signature and the body of one function.
func (f *file) probe(fn function) {
	f.used = true
	slots := f.slots(fn)
	point := spectra.Point{
		Symbol: fn.symbol, Package: f.pkg.PkgPath, Index: len(f.out.Points),
		File: f.rel, Line: f.line(fn.node.Pos()), EndLine: f.line(fn.body.Rbrace),
		Body: bodyHash(f.buffer.src[f.tok.Offset(fn.body.Lbrace) : f.tok.Offset(fn.body.Rbrace)+1]),
	}
	if fn.literal == nil {
		point.Line = f.line(fn.typ.Func)
	}
	for _, s := range slots {
		point.Slots = append(point.Slots, s.decl)
	}
	f.out.Points = append(f.out.Points, point)
	f.blocks(fn.body, f.names.tick()+f.names.probe(point.Index, slots))
}

// bodyHash is a hash of the tokens of a body: comments, white space, and what gofmt adds or removes
// at the end of a line don't count.
func bodyHash(src []byte) string {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(src)), src, nil, 0)
	h := fnv.New128a()
	held := token.ILLEGAL // a separator that counts only if the list goes on
	for {
		_, tok, text := s.Scan()
		if held != token.ILLEGAL && tok != token.RBRACE && tok != token.RPAREN && tok != token.EOF {
			writeToken(h, held, "")
		}
		held = token.ILLEGAL
		switch tok {
		case token.EOF:
			return fmt.Sprintf("%x", h.Sum(nil))
		case token.SEMICOLON, token.COMMA:
			held = tok
		default:
			writeToken(h, tok, text)
		}
	}
}

func writeToken(h hash.Hash, tok token.Token, text string) {
	fmt.Fprintf(h, "%d %d %s\n", tok, len(text), text)
}
