package instrument

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// branchWalk lists the branches of one function body.
type branchWalk struct {
	*blockWalk
	noted  *operandWalk
	others map[*ast.IfStmt]int // counters of the other sides of conditions without an else
	last   int                 // line of the function
	calls  []int               // lines of calls that lead to changed code, sorted
}

// otherwise adds an else that counts to a condition without one. It is called before the else-ifs around are closed.
func (w *branchWalk) otherwise(n ast.Node) {
	end, ok := n.(*ast.IfStmt)
	if !ok {
		return
	}
	for chained, ok := end.Else.(*ast.IfStmt); ok; chained, ok = end.Else.(*ast.IfStmt) {
		end = chained
	}
	if _, done := w.others[end]; end.Else != nil || done {
		return
	}
	w.others[end] = len(w.out.Blocks)
	at := end.Body.Rbrace
	w.insert(end.End(), " else { "+w.emptyBlock(symbol.Region{Open: at, Close: at}, at)+"}")
}

// list lists the branches once all counters are known.
func (w *branchWalk) list(body *ast.BlockStmt) {
	w.findCalls(body)
	symbol.EachOwn(body, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IfStmt:
			w.condition(n)
		case *ast.ForStmt:
			if n.Cond != nil {
				w.add(n, n.Body, branch.Branch{Kind: branch.Loop, True: w.opened[n.Body.Lbrace], When: w.when(n.Cond)})
			}
		case *ast.RangeStmt:
			w.add(n, n.Body, branch.Branch{Kind: branch.Loop, True: w.opened[n.Body.Lbrace]})
		case *ast.SwitchStmt:
			w.cases(n, n.Body, w.inSwitch(n))
		case *ast.TypeSwitchStmt:
			w.cases(n, n.Body, func(*ast.CaseClause) *branch.Condition { return nil })
		}
	})
}

// add adds a branch that a statement makes. Sides that leave the statement around decide on what follows, too.
func (w *branchWalk) add(at ast.Stmt, sides ast.Node, b branch.Branch) {
	reached, ok := w.run[at]
	if !ok {
		return // behind a label that stands in the way
	}
	b.At, b.File, b.Last = reached, w.rel, w.line(at.End())
	if b.Line == 0 {
		b.Line = w.line(at.Pos())
	}
	if b.Kind != branch.If {
		b.False = branch.None
	}
	if leaves(sides) {
		b.Last = w.last
	}
	b.Guards = slices.ContainsFunc(w.calls, func(line int) bool { return b.Line <= line && line <= b.Last })
	w.out.Branches = append(w.out.Branches, b)
}

func (w *branchWalk) condition(n *ast.IfStmt) {
	b := branch.Branch{
		Kind: branch.If, Line: w.line(n.Cond.Pos()), When: w.when(n.Cond),
		True: w.opened[n.Body.Lbrace], False: w.others[n],
	}
	switch other := n.Else.(type) {
	case *ast.BlockStmt:
		b.False = w.opened[other.Lbrace]
	case *ast.IfStmt:
		b.False = w.run[other]
	}
	if w.noted.pkg.TypesInfo.Types[n.Cond].Value == nil { // else it has one side
		w.add(n, n, b)
	}
}

// cases adds the cases of a switch. The default is the case in which no other one holds.
func (w *branchWalk) cases(n ast.Stmt, body *ast.BlockStmt, when func(*ast.CaseClause) *branch.Condition) {
	var all []*branch.Condition
	for _, clause := range body.List {
		if c := when(clause.(*ast.CaseClause)); c != nil {
			all = append(all, c)
		}
	}
	for _, clause := range body.List {
		clause := clause.(*ast.CaseClause)
		b := branch.Branch{
			Kind: branch.Case, Line: w.line(clause.Pos()), True: w.opened[clause.Colon], When: when(clause),
		}
		if clause.List == nil && len(all) > 0 {
			b.When = &branch.Condition{Op: branch.Not, Parts: []*branch.Condition{{Op: branch.Or, Parts: all}}}
		}
		w.add(n, clause, b)
	}
}

// inSwitch returns what tells when a case of a switch is taken. Those before it are not asked.
func (w *branchWalk) inSwitch(n *ast.SwitchStmt) func(*ast.CaseClause) *branch.Condition {
	tag, tagged := w.noted.tags[n]
	return func(clause *ast.CaseClause) *branch.Condition {
		either := &branch.Condition{Op: branch.Or}
		for _, e := range clause.List {
			one := tag
			if value := w.pkg.TypesInfo.Types[e].Value; tagged && value != nil {
				one.Only, one.Right = true, constantText(value)
			}
			switch {
			case tagged:
				either.Parts = append(either.Parts, &one)
			case n.Tag == nil:
				either.Parts = append(either.Parts, w.when(e))
			}
		}
		if len(either.Parts) == 0 {
			return nil
		}
		return either
	}
}

// when returns what a condition compares.
func (w *branchWalk) when(e ast.Expr) *branch.Condition {
	e = ast.Unparen(e)
	if c := w.noted.noted[e]; c != nil {
		return c
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return &branch.Condition{Op: branch.Not, Parts: []*branch.Condition{w.when(e.X)}}
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return &branch.Condition{
				Op: branch.Op(e.Op.String()), Parts: []*branch.Condition{w.when(e.X), w.when(e.Y)},
			}
		}
	}
	return &branch.Condition{}
}

// findCalls finds the calls that lead to changed code. Where none is known by name, the function is on the way through
// calls of values and of methods of interfaces.
func (w *branchWalk) findCalls(body *ast.BlockStmt) {
	var dynamic []int
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		called, of := typeutil.StaticCallee(w.pkg.TypesInfo, call), w.pkg.TypesInfo.Types[call.Fun]
		switch {
		case of.IsType(), of.IsBuiltin():
		case called == nil:
			dynamic = append(dynamic, w.line(call.Pos()))
		case w.options.Operands(symbol.Function(called)) >= OnTheWay:
			w.calls = append(w.calls, w.line(call.Pos()))
		}
		return true
	})
	if len(w.calls) == 0 {
		w.calls = dynamic
	}
}

// leaves reports whether what a statement runs may leave the statements around it.
func leaves(sides ast.Node) (found bool) {
	ast.Inspect(sides, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			found = found || ok && id.Name == "panic"
		}
		return !found
	})
	return found
}
