package static

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Bodies returns hashes of the bodies of the functions of a name, in the order in which they stand. Neither comments
// and layout count nor how the function names its parameters, variables, constants, types and labels: where each is
// declared does. There are none of what is no function of the program.
func (p *Program) Bodies(name spectra.Symbol) (hashes []string) {
	for _, pkg := range p.Packages {
		if pkg.PkgPath != name.Package() || pkg.TypesInfo == nil {
			continue
		}
		var found []ast.Node
		for node, of := range functionsNear(pkg, string(name[len(pkg.PkgPath):])) {
			if of == name {
				found = append(found, node)
			}
		}
		slices.SortFunc(found, func(x, y ast.Node) int { return int(x.Pos() - y.Pos()) })
		for _, node := range found {
			if text := nameless(pkg, node); text != nil {
				hashes = append(hashes, symbol.BodyHash(text))
			}
		}
	}
	return hashes
}

// functionsNear names the functions of a package among which one is that has a name, seen from its package. Those that
// are numbered through a package need all of it.
func functionsNear(pkg *packages.Package, name string) map[ast.Node]spectra.Symbol {
	if strings.HasPrefix(name, ".glob.") || strings.HasPrefix(name, ".init.") {
		return symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax)
	}
	near := new(ast.File)
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && strings.Contains(name, "."+fn.Name.Name) {
				near.Decls = append(near.Decls, decl)
			}
		}
	}
	return symbol.Functions(pkg.PkgPath, pkg.TypesInfo, []*ast.File{near})
}

// nameless returns the text of a function's body in which numbers stand for the names that the function declares; nil =
// it has no body.
func nameless(pkg *packages.Package, function ast.Node) []byte {
	body := bodyOf(function)
	if body == nil {
		return nil
	}
	var text bytes.Buffer
	if err := printer.Fprint(&text, pkg.Fset, body); err != nil {
		return nil
	}
	numbers := numbered(pkg.TypesInfo, function, body)
	var out []byte
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, text.Len()), text.Bytes(), nil, 0)
	written, ident := 0, 0
	for pos, kind, literal := s.Scan(); kind != token.EOF; pos, kind, literal = s.Scan() {
		if kind != token.IDENT {
			continue
		}
		if ident < len(numbers) && numbers[ident] >= 0 {
			at := int(pos) - 1
			out = append(out, text.Bytes()[written:at]...)
			out = append(out, "ℓ"+strconv.Itoa(numbers[ident])...) // a letter with which no name of people begins
			written = at + len(literal)
		}
		ident++
	}
	return append(out, text.Bytes()[written:]...)
}

func bodyOf(function ast.Node) *ast.BlockStmt {
	switch f := function.(type) {
	case *ast.FuncDecl:
		return f.Body
	case *ast.FuncLit:
		return f.Body
	}
	return nil
}

// numbered returns for each identifier of a function's body, in the order of the source, which declaration of the
// function it names, counted from 0; -1: none, so that its name counts.
func numbered(info *types.Info, function ast.Node, body *ast.BlockStmt) []int {
	var inBody []*ast.Ident
	declared := map[token.Pos]bool{}
	ast.Inspect(function, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if at := local(info, function, id); at == id.Pos() {
				declared[at] = true
			}
			if id.Pos() >= body.Pos() {
				inBody = append(inBody, id)
			}
		}
		return true
	})
	order := make([]token.Pos, 0, len(declared))
	for at := range declared {
		order = append(order, at)
	}
	slices.Sort(order)
	slices.SortFunc(inBody, func(x, y *ast.Ident) int { return int(x.Pos() - y.Pos()) })
	list := make([]int, len(inBody))
	for i, id := range inBody {
		at, found := slices.BinarySearch(order, local(info, function, id))
		if list[i] = at; !found {
			list[i] = -1
		}
	}
	return list
}

// local returns where an identifier was declared if that is in the function, and its name there is nobody else's.
func local(info *types.Info, function ast.Node, id *ast.Ident) token.Pos {
	object, declares := info.Defs[id]
	if object == nil {
		object = info.Uses[id]
	}
	switch of := object.(type) {
	case nil: // the variable of a type switch has an object for each clause
		if declares && id.Name != "_" {
			return id.Pos()
		}
		return token.NoPos
	case *types.Var:
		if of.IsField() {
			return token.NoPos
		}
	case *types.Const, *types.TypeName, *types.Label:
	default:
		return token.NoPos
	}
	if at := object.Pos(); id.Name != "_" && function.Pos() <= at && at < function.End() {
		return at
	}
	return token.NoPos
}
