package origins

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// operators are written in place of others.
var operators = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.ADD: token.SUB, token.SUB: token.ADD,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// Faults returns the faults of a function, those in fewer blocks that may not run first, else in a random order.
// Headers of loops are left alone, so that few faults lead to loops without an end; so is what compares with nil, as
// these faults would show as panics; so are the arguments of make, which often change nothing.
func Faults(f Function, random *rand.Rand) ([]Fault, error) {
	const head = "package p\n"
	text := head + f.Text
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, f.File, text, parser.SkipObjectResolution)
	if err != nil || len(parsed.Decls) != 1 {
		return nil, fmt.Errorf("faults of %s: its text is not one declaration: %w", f.Symbol, err)
	}
	m := &mutator{of: f, text: text, head: len(head), file: fset.File(parsed.Pos())}
	ast.Walk(visitor{m, 0}, parsed.Decls[0].(*ast.FuncDecl).Body)
	random.Shuffle(len(m.list), func(i, j int) { m.list[i], m.list[j] = m.list[j], m.list[i] })
	slices.SortStableFunc(m.list, func(x, y Fault) int { return cmp.Compare(x.Depth, y.Depth) })
	return m.list, nil
}

// A mutator collects the faults of a function.
type mutator struct {
	of   Function
	text string // a file that holds nothing but the function, behind so many bytes
	head int
	file *token.File
	list []Fault
}

// add adds the fault that another text stands at a place inside of an expression.
func (m *mutator) add(depth int, in ast.Node, from, to token.Pos, text string) {
	first, last := m.file.Offset(in.Pos()), m.file.Offset(in.End())
	at, end := m.file.Offset(from), m.file.Offset(to)
	m.list = append(m.list, Fault{
		Function: m.of, Depth: depth, Faulty: m.text[m.head:at] + text + m.text[end:],
		Was: m.text[first:last], Is: m.text[first:at] + text + m.text[end:last],
	})
}

// A visitor visits code of a mutator's function that lies in so many blocks that may not run.
type visitor struct {
	*mutator
	depth int
}

// Visit makes the faults of a node and of everything below it.
func (v visitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ForStmt:
		ast.Walk(v.inside(), n.Body)
		return nil
	case *ast.RangeStmt:
		ast.Walk(v.inside(), n.Body)
		return nil
	case *ast.IfStmt:
		v.condition(n)
		return nil
	case *ast.FuncLit, *ast.CaseClause, *ast.CommClause:
		return v.inside()
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "make" {
			return nil
		}
	case *ast.BinaryExpr:
		v.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			v.add(v.depth, n, n.OpPos, n.X.Pos(), "")
		}
	case *ast.BasicLit:
		if value, err := strconv.ParseUint(n.Value, 0, 31); err == nil && n.Kind == token.INT {
			v.add(v.depth, n, n.Pos(), n.End(), strconv.FormatUint(value+1, 10))
		}
	case *ast.ReturnStmt:
		v.results(n)
	}
	return v
}

func (v visitor) inside() visitor { return visitor{v.mutator, v.depth + 1} }

// condition makes the faults of an if statement, among them the negated condition. The condition runs as often as the
// statement does, its branches may not.
func (v visitor) condition(n *ast.IfStmt) {
	if n.Init != nil {
		ast.Walk(v, n.Init)
	}
	if not, ok := n.Cond.(*ast.UnaryExpr); !comparesNil(n.Cond) && !(ok && not.Op == token.NOT) {
		was := v.text[v.file.Offset(n.Cond.Pos()):v.file.Offset(n.Cond.End())]
		v.add(v.depth, n.Cond, n.Cond.Pos(), n.Cond.End(), "!("+was+")")
	}
	ast.Walk(v, n.Cond)
	ast.Walk(v.inside(), n.Body)
	if n.Else != nil {
		ast.Walk(v.inside(), n.Else)
	}
}

// comparesNil reports whether an expression compares something with nil, or depends on that.
func comparesNil(of ast.Expr) (found bool) {
	ast.Inspect(of, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "nil"
		return !found
	})
	return found
}

// binary makes the fault of an operation with an operator that has another one in its place.
func (v visitor) binary(n *ast.BinaryExpr) {
	to, ok := operators[n.Op]
	if !ok || comparesNil(n) || n.Op == token.ADD && joinsText(n) {
		return
	}
	v.add(v.depth, n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
}

// joinsText reports whether a sum is one of texts, as far as that can be seen in it.
func joinsText(of ast.Expr) bool {
	switch of := of.(type) {
	case *ast.BinaryExpr:
		return of.Op == token.ADD && (joinsText(of.X) || joinsText(of.Y))
	case *ast.BasicLit:
		return of.Kind == token.STRING
	}
	return false
}

// results makes the faults of true and false that are returned.
func (v visitor) results(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
			v.add(v.depth, n, id.Pos(), id.End(), strconv.FormatBool(id.Name == "false"))
		}
	}
}

// context is how much of an expression is shown on both sides of what differs in it.
const context = 16

// String says what differs, in one line.
func (f Fault) String() string {
	line := func(text string) []rune { return []rune(strings.Join(strings.Fields(text), " ")) }
	was, is := line(f.Was), line(f.Is)
	from, end := 0, 0 // what both begin and end with
	for from < min(len(was), len(is)) && was[from] == is[from] {
		from++
	}
	for end < min(len(was), len(is))-from && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	cut := func(text []rune) string {
		first, last := max(from-context, 0), min(len(text)-end+context, len(text))
		return dots(first > 0) + string(text[first:last]) + dots(last < len(text))
	}
	return cut(was) + " → " + cut(is)
}

func dots(some bool) string {
	if some {
		return "…"
	}
	return ""
}
