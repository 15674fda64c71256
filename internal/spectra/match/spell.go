package match

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A speller writes one declaration as tokens.
type speller struct {
	*lister
	out    []piece
	locals map[token.Pos]int
	kept   []bool // for each open node, whether it has a token
}

func (l *lister) speller() *speller { return &speller{lister: l, locals: map[token.Pos]int{}} }

func (s *speller) add(at token.Pos, p piece) {
	if at.IsValid() {
		p.line = s.pkg.Fset.PositionFor(at, false).Line
	}
	s.out = append(s.out, p)
}

func (s *speller) text(at token.Pos, text string) { s.add(at, piece{text: text}) }

// parameters numbers the parameters or results of a signature, unnamed ones too.
func (s *speller) parameters(fields *ast.FieldList) {
	if fields == nil {
		return
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			s.number(f.Pos())
		}
		for _, name := range f.Names {
			s.number(name.Pos())
		}
	}
}

func (s *speller) number(at token.Pos) int {
	if s.locals[at] == 0 {
		s.locals[at] = len(s.locals) + 1
	}
	return s.locals[at]
}

func (s *speller) visit(n ast.Node) bool {
	if n == nil {
		last := len(s.kept) - 1
		if s.kept[last] {
			s.add(token.NoPos, piece{close: true})
		}
		s.kept = s.kept[:last]
		return true
	}
	switch n := n.(type) {
	case *ast.CommentGroup, *ast.Comment:
		return false
	case *ast.Ident:
		s.identifier(n)
		s.kept = append(s.kept, false)
		return true
	case *ast.ParenExpr, *ast.ExprStmt, *ast.DeclStmt:
		s.kept = append(s.kept, false)
		return true
	case *ast.SelectorExpr:
		if s.qualified(n) {
			return false
		}
	}
	s.text(start(n), strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.")+detail(n))
	s.kept = append(s.kept, true)
	return true
}

// qualified writes pkg.Name as the name alone, because the code may have moved into that package. It reports
// false for other selectors.
func (s *speller) qualified(n *ast.SelectorExpr) bool {
	id, ok := n.X.(*ast.Ident)
	if !ok {
		return false
	}
	if _, ok = s.pkg.TypesInfo.Uses[id].(*types.PkgName); ok {
		s.identifier(n.Sel)
	}
	return ok
}

func (s *speller) identifier(id *ast.Ident) {
	info := s.pkg.TypesInfo
	object := info.Uses[id]
	if object == nil {
		object = info.Defs[id]
	}
	if object == nil { // blank, or the variable of a type switch
		if id.Name == "_" {
			s.text(id.Pos(), "_")
			return
		}
		s.add(id.Pos(), piece{local: s.number(id.Pos())})
		return
	}
	switch o := object.(type) {
	case *types.Func:
		s.add(id.Pos(), piece{text: string(symbol.Function(o)), named: true})
		return
	case *types.Var:
		if o.IsField() {
			s.field(id.Pos(), o)
			return
		}
	}
	switch {
	case object.Pkg() == nil:
		s.text(id.Pos(), object.Name())
	case object.Parent() == object.Pkg().Scope():
		s.add(id.Pos(), piece{text: object.Pkg().Path() + "." + object.Name(), named: true})
	default:
		s.add(id.Pos(), piece{local: s.number(object.Pos())})
	}
}

func (s *speller) field(at token.Pos, v *types.Var) {
	if name := s.fields[v.Origin()]; name != "" {
		s.add(at, piece{text: name, named: true})
		return
	}
	s.text(at, "."+v.Name())
}

// start returns the position whose line a node is counted for: that of the operator if it stands between the
// node's parts.
func start(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.AssignStmt:
		return n.TokPos
	}
	return n.Pos()
}

// directives adds the comments that change what a declaration means.
func (s *speller) directives(doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			s.text(token.NoPos, c.Text)
		}
	}
}

// detail returns what tells nodes of one type apart besides their children, and which optional children there
// are.
func detail(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		return n.Value
	case *ast.UnaryExpr:
		return n.Op.String()
	case *ast.BinaryExpr:
		return n.Op.String()
	case *ast.AssignStmt:
		return n.Tok.String() + fmt.Sprint(len(n.Lhs))
	case *ast.IncDecStmt:
		return n.Tok.String()
	case *ast.BranchStmt:
		return n.Tok.String()
	case *ast.GenDecl:
		return n.Tok.String()
	case *ast.ChanType:
		return fmt.Sprint(n.Dir)
	case *ast.CallExpr:
		return fmt.Sprint(n.Ellipsis.IsValid())
	case *ast.RangeStmt:
		return n.Tok.String() + fmt.Sprint(n.Key != nil, n.Value != nil)
	case *ast.SliceExpr:
		return fmt.Sprint(n.Low != nil, n.High != nil, n.Slice3)
	case *ast.ForStmt:
		return fmt.Sprint(n.Init != nil, n.Cond != nil, n.Post != nil)
	case *ast.IfStmt:
		return fmt.Sprint(n.Init != nil)
	case *ast.SwitchStmt:
		return fmt.Sprint(n.Init != nil, n.Tag != nil)
	case *ast.TypeSwitchStmt:
		return fmt.Sprint(n.Init != nil)
	case *ast.CaseClause:
		return fmt.Sprint(len(n.List))
	case *ast.CommClause:
		return fmt.Sprint(n.Comm != nil)
	case *ast.TypeSpec:
		return fmt.Sprint(n.Assign.IsValid())
	case *ast.ValueSpec:
		return fmt.Sprint(len(n.Names), n.Type != nil)
	case *ast.Field:
		return fmt.Sprint(len(n.Names))
	}
	return ""
}
