package plan

import (
	"go/ast"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Sets reports whether a function of old assigns to a field which changed functions of either version mention: what it
// sets may matter to the change.
func (p *Plan) Sets(function spectra.Symbol) bool { return p.setters[function] }

// Mentions reports whether changed functions of either version mention a field of old.
func (p *Plan) Mentions(field *types.Var) bool {
	return field.Pkg() != nil && p.mentionedFields[field.Pkg().Path()+"."+field.Name()]
}

// findSetters finds the functions that set such fields, which are known by their packages and names.
func (p *Plan) findSetters() {
	fields := map[string]bool{}
	for _, c := range p.ChangedFunctions() {
		p.fieldsIn(spectra.Old, c.Old, fields)
		p.fieldsIn(spectra.New, c.New, fields)
	}
	p.mentionedFields, p.setters = fields, map[spectra.Symbol]bool{}
	if len(fields) == 0 {
		return
	}
	for _, of := range p.Sides.Old.Target.Packages {
		for _, syntax := range of.Syntax {
			for _, d := range syntax.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && p.sets(of, d.Body, fields) {
					if fn, ok := of.TypesInfo.Defs[d.Name].(*types.Func); ok {
						p.setters[symbol.Function(fn)] = true
					}
				}
			}
		}
	}
}

// fieldsIn adds the fields that some lines of a version mention.
func (p *Plan) fieldsIn(s spectra.Side, lines spectra.Lines, fields map[string]bool) {
	if lines.Line == 0 {
		return
	}
	target := p.Sides.Of(s).Target
	EachIn(target, lines, func(of *packages.Package, n ast.Node) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if name := p.field(s, of, sel); name != "" {
				fields[name] = true
			}
		}
	})
}

// EachIn visits the nodes that begin in some lines of a version.
func EachIn(target *load.Version, lines spectra.Lines, visit func(*packages.Package, ast.Node)) {
	file := filepath.Join(target.Dir, filepath.FromSlash(lines.File))
	for _, of := range target.Packages {
		for _, syntax := range of.Syntax {
			if target.Fset.PositionFor(syntax.Package, false).Filename != file {
				continue
			}
			ast.Inspect(syntax, func(n ast.Node) bool {
				if n != nil {
					if at := target.Fset.PositionFor(n.Pos(), false).Line; lines.Line <= at && at <= lines.EndLine {
						visit(of, n)
					}
				}
				return true
			})
		}
	}
}

// field returns the name of the field of the module that a selector is about, by its name in old; "": it is about none.
func (p *Plan) field(s spectra.Side, of *packages.Package, sel *ast.SelectorExpr) string {
	selection := of.TypesInfo.Selections[sel]
	if selection == nil || selection.Kind() != types.FieldVal || selection.Obj().Pkg() == nil {
		return ""
	}
	path := selection.Obj().Pkg().Path()
	if s == spectra.New {
		path = string(p.OldName(spectra.Symbol(path)))
	}
	return path + "." + selection.Obj().Name()
}

// sets reports whether a body assigns to one of some fields.
func (p *Plan) sets(of *packages.Package, body ast.Node, fields map[string]bool) (sets bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		var to []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			to = n.Lhs
		case *ast.IncDecStmt:
			to = []ast.Expr{n.X}
		}
		for _, e := range to {
			if index, ok := e.(*ast.IndexExpr); ok {
				e = index.X
			}
			if sel, ok := e.(*ast.SelectorExpr); ok && fields[p.field(spectra.Old, of, sel)] {
				sets = true
			}
		}
		return !sets
	})
	return sets
}
