package hybrid

import (
	"fmt"
	"go/ast"
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

// asksFrames returns the function by which a declared one asks which frame it runs in, "" if none: what it hands its
// call to would run one frame below it. Literals inside have frames of their own.
func asksFrames(of *packages.Package, decl *ast.FuncDecl) (name string) {
	symbol.EachOwn(decl.Body, func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		switch object := of.TypesInfo.Uses[id].(type) {
		case *types.Builtin:
			if object.Name() == "recover" {
				name = "recover"
			}
		case *types.Func:
			if full := object.FullName(); full == "runtime.Caller" || full == "runtime.Callers" {
				name = full
			}
		}
	})
	return name
}

// inside says whether the other's code of a function has to stand in the base's function itself, and why it can't.
func (m *mixer) inside(other, base home) (inside bool, reason string) {
	was, is := other.node.(*ast.FuncDecl), base.node.(*ast.FuncDecl)
	asks := asksFrames(m.of.Other, was)
	if asks == "" {
		asks = asksFrames(m.of.Base, is)
	}
	if asks == "" {
		return false, ""
	}
	but := ""
	switch {
	case is.Recv == nil && is.Name.Name == "init":
		but = "there may be several of it"
	case !slices.Equal(names(was), names(is)):
		but = "its parameters or results have other names"
	case slices.ContainsFunc(labels(was), func(label string) bool { return slices.Contains(labels(is), label) }):
		but = "both versions use a label"
	case !m.importsAll(was, base.file):
		but = "it needs what its file does not import"
	default:
		return true, ""
	}
	return false, "it calls " + asks + ", which depends on the frame that it runs in, and " + but
}

// names lists the names of the receiver, the type parameters, the parameters and the results of a function.
func names(decl *ast.FuncDecl) (list []string) {
	for _, fields := range []*ast.FieldList{decl.Recv, decl.Type.TypeParams, decl.Type.Params, decl.Type.Results} {
		if fields != nil {
			for _, field := range fields.List {
				if len(field.Names) == 0 {
					list = append(list, "")
				}
				for _, id := range field.Names {
					list = append(list, id.Name)
				}
			}
		}
		list = append(list, "|")
	}
	if decl.Recv != nil { // its type parameters
		ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				list = append(list, types.ExprString(n.Index))
			case *ast.IndexListExpr:
				for _, index := range n.Indices {
					list = append(list, types.ExprString(index))
				}
			}
			return true
		})
	}
	return list
}

func labels(decl *ast.FuncDecl) (list []string) {
	symbol.EachOwn(decl.Body, func(n ast.Node) {
		if of, ok := n.(*ast.LabeledStmt); ok {
			list = append(list, of.Label.Name)
		}
	})
	return list
}

// importsAll reports whether a file of the base imports what a function of the other names, under the same names.
func (m *mixer) importsAll(decl *ast.FuncDecl, file *ast.File) bool {
	has := map[imported]bool{}
	for _, spec := range file.Imports {
		if name := m.of.Base.TypesInfo.PkgNameOf(spec); name != nil {
			has[imported{name.Name(), name.Imported().Path()}] = true
		}
	}
	needs := &output{writing: &part{}}
	m.noteImports(needs, decl.Body)
	return !slices.ContainsFunc(needs.imports, func(of imported) bool { return !has[of] })
}

// insides returns the edits by which functions in a file of the base have the other's code beside their own.
func (m *mixer) insides(file *ast.File) (edits []edit, err error) {
	for _, p := range m.parts {
		if m.refers || p.dropped || !p.inside || m.bases[p.from].file != file {
			continue
		}
		original, source, err := m.source(m.of.Other, p.syntax)
		if err != nil {
			return nil, err
		}
		out := &output{original: m.beside(original), fset: m.of.Other.Fset, source: source, writing: p}
		body, own := p.node.(*ast.FuncDecl).Body, m.bases[p.from].node.(*ast.FuncDecl).Body
		piece := m.piece(out, body, m.redeclared(m.of.Other, p.node.(*ast.FuncDecl))...)
		text, err := out.line(piece, out.fset.PositionFor(body.Lbrace, false).Line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.from, err)
		}
		at := func(pos token.Pos) int { return m.of.Base.Fset.PositionFor(pos, false).Offset }
		back := m.of.Base.Fset.Position(own.Rbrace)
		edits = append(edits, edit{at(own.Lbrace) + 1, at(own.Lbrace) + 1, " if true {"})
		edits = append(edits, m.redeclared(m.of.Base, m.bases[p.from].node.(*ast.FuncDecl))...)
		edits = append(edits, edit{at(own.Rbrace), at(own.Rbrace),
			fmt.Sprintf("} else %s; /*line %s:%d:%d*/", text, back.Filename, back.Line, max(back.Column, 1))})
	}
	return edits, nil
}

// redeclared returns the edits by which a function's body may stand in a block of its own: there := would declare the
// parameters and results again that it assigns to in the body.
func (m *mixer) redeclared(of *packages.Package, decl *ast.FuncDecl) (edits []edit) {
	at := func(pos token.Pos) int { return of.Fset.PositionFor(pos, false).Offset }
	for _, stmt := range decl.Body.List {
		for labeled, ok := stmt.(*ast.LabeledStmt); ok; labeled, ok = stmt.(*ast.LabeledStmt) {
			stmt = labeled.Stmt
		}
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE {
			continue
		}
		var to, from []string
		for _, expr := range assign.Lhs {
			id := expr.(*ast.Ident)
			if object := of.TypesInfo.Uses[id]; object == nil || object.Pos() >= decl.Body.Pos() {
				continue
			}
			to, from = append(to, id.Name), append(from, m.free(id.Name))
			edits = append(edits, edit{at(id.Pos()), at(id.End()), from[len(from)-1]})
		}
		if end := at(assign.End()); len(to) > 0 {
			edits = append(edits, edit{end, end, "; " + strings.Join(to, ", ") + " = " + strings.Join(from, ", ")})
		}
	}
	return edits
}

// line writes a piece of the other in one line, in which directives say on what line of the other each token stands.
func (out *output) line(piece string, first int) (string, error) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(piece))
	var failed error
	var s scanner.Scanner
	s.Init(file, []byte(piece), func(at token.Position, message string) {
		failed = fmt.Errorf("line %d: %s", first+at.Line-1, message)
	}, 0)
	var text strings.Builder
	last := 0
	for {
		pos, tok, literal := s.Scan()
		at := file.Position(pos)
		switch {
		case tok == token.EOF:
			return strings.TrimSuffix(text.String(), " "), failed
		case tok == token.SEMICOLON:
			literal = ";"
			if last == 0 || at.Offset >= len(piece) {
				continue
			}
		case tok == token.STRING && literal[0] == '`':
			if value, err := strconv.Unquote(literal); err == nil {
				literal = strconv.Quote(value)
			}
		case !tok.IsLiteral():
			literal = tok.String()
		}
		if at.Line != last && literal != ";" {
			fmt.Fprintf(&text, "/*line %s:%d:%d*/", out.original, first+at.Line-1, at.Column)
			last = at.Line
		}
		text.WriteString(literal + " ")
	}
}

// insideName returns what the other's code in a function of the base is called.
func (m *mixer) insideName(p *part) spectra.Symbol {
	of, _ := splitLast(string(p.from))
	return spectra.Symbol(of + "." + p.name)
}

// dropInside drops the parts that stand in functions of the base: those in which errors lie, or all if none does. It
// reports whether there were any.
func (m *mixer) dropInside(errs []types.Error) (dropped bool) {
	lines := func(p *part) (first, last token.Position) {
		node := m.bases[p.from].node
		return m.of.Base.Fset.PositionFor(node.Pos(), false), m.of.Base.Fset.PositionFor(node.End(), false)
	}
	for _, e := range errs {
		at := e.Fset.PositionFor(e.Pos, false)
		for _, p := range m.parts {
			if !p.inside {
				continue
			}
			if first, last := lines(p); at.Filename == first.Filename && first.Line <= at.Line && at.Line <= last.Line {
				dropped = m.dropPart(p, e.Msg) || dropped
			}
		}
	}
	if dropped {
		return true
	}
	for _, p := range m.parts {
		dropped = p.inside && m.dropPart(p, errs[0].Msg) || dropped
	}
	return dropped
}

// addInside notes what the code of the other in a function of the base is.
func (h *Hybrid) addInside(m *mixer, p *part, checked *packages.Package) {
	h.Others[m.insideName(p)] = p.other
	is := symbol.Functions(checked.PkgPath, checked.TypesInfo, checked.Syntax)
	others := symbol.Functions(m.of.Other.PkgPath, m.of.Other.TypesInfo, m.of.Other.Syntax)
	own := len(literalsIn(m.bases[p.from].node))
	held, was := literalsIn(functions(checked)[p.from].node)[own:], literalsIn(p.node)
	for i := range min(len(held), len(was)) {
		h.Others[is[held[i]]] = others[was[i]]
	}
}
