package instrument

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// blockWalk adds the counters of one function body. Literals inside are functions of their own.
type blockWalk struct {
	*file
	targets map[string]bool // labels that a goto names
	counter map[string]int  // label → counter of the run that it starts
	extra   map[*ast.BlockStmt]string
	clauses map[*ast.BlockStmt]bool // bodies that hold clauses, not statements
	opened  map[token.Pos]int       // position of a list of statements → counter of its first run
	run     map[ast.Stmt]int        // last statement of a run → its counter
	jumps   []*ast.BranchStmt
}

// blocks inserts the counters of a body. The entries follow the first ones of their blocks. Where what a function
// compares is noted, each side of its conditions has a counter.
func (f *file) blocks(body *ast.BlockStmt, noted *operandWalk, entries map[*ast.BlockStmt]string) {
	w := &blockWalk{
		file: f, targets: map[string]bool{}, counter: map[string]int{},
		extra: entries, clauses: map[*ast.BlockStmt]bool{},
		opened: map[token.Pos]int{}, run: map[ast.Stmt]int{},
	}
	var branches *branchWalk
	if noted != nil {
		branches = &branchWalk{blockWalk: w, noted: noted, others: map[*ast.IfStmt]int{}, last: f.line(body.Rbrace)}
	}
	inspectFunction(body, func(n ast.Node) {
		if jump, ok := n.(*ast.BranchStmt); ok && jump.Tok == token.GOTO {
			w.jumps = append(w.jumps, jump)
			w.targets[jump.Label.Name] = true
		}
	})
	inspectFunction(body, func(n ast.Node) {
		if branches != nil {
			branches.otherwise(n)
		}
		w.node(n)
	})
	if branches != nil {
		branches.list(body)
	}
	for _, jump := range w.jumps {
		// The counter of the jump's target stands before its label, so the jump skips it.
		w.insert(jump.Pos(), w.names.counter(w.counter[jump.Label.Name])+w.names.tick())
	}
}

// inspectFunction visits the nodes of one body, without those of literals inside.
func inspectFunction(body *ast.BlockStmt, visit func(ast.Node)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

func (w *blockWalk) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		w.clauses[n.Body] = true
	case *ast.TypeSwitchStmt:
		w.clauses[n.Body] = true
	case *ast.SelectStmt:
		w.clauses[n.Body] = true
	case *ast.ForStmt:
		w.extra[n.Body] = w.names.tick()
	case *ast.RangeStmt:
		w.extra[n.Body] = w.names.tick()
	case *ast.IfStmt:
		w.elseIf(n)
	case *ast.GoStmt:
		w.insert(n.Pos(), w.names.goStatement())
	case *ast.BlockStmt:
		if !w.clauses[n] {
			w.runs(n.List, n.Lbrace, n.Rbrace, w.extra[n])
		}
	case *ast.CaseClause:
		w.runs(n.Body, n.Colon, n.Colon, "")
	case *ast.CommClause:
		w.runs(n.Body, n.Colon, n.Colon, "")
	}
}

// elseIf puts the condition of an else-if into a block of its own, because it is executed only if the
// condition before was false.
func (w *blockWalk) elseIf(n *ast.IfStmt) {
	inner, ok := n.Else.(*ast.IfStmt)
	if !ok {
		return
	}
	w.insert(inner.Pos(), "{ "+w.count(inner.Pos(), []ast.Stmt{inner}))
	w.insert(inner.End(), " }")
}

// runs divides a list of statements into runs and counts each. The first counter, followed by extra, is
// inserted after the token at open.
func (w *blockWalk) runs(list []ast.Stmt, open, end token.Pos, extra string) {
	if len(list) == 0 {
		w.opened[open] = len(w.out.Blocks)
		w.insert(open+1, " "+w.emptyBlock(open, end)+extra)
		return
	}
	start := 0
	flush := func(stop int) {
		run := list[start:stop]
		if start == 0 {
			w.opened[open] = len(w.out.Blocks)
			w.insert(open+1, " "+w.count(run[0].Pos(), run)+extra)
		} else {
			w.insert(run[0].Pos(), w.count(run[0].Pos(), run))
		}
		start = stop
	}
	for i, s := range list {
		target := func(label string) bool { return w.targets[label] }
		if i > start && slices.ContainsFunc(labels(s), target) {
			flush(i)
		}
		if endsRun(s) {
			flush(i + 1)
		}
	}
	if start < len(list) {
		flush(len(list))
	}
}

// labels lists the labels in front of a statement.
func labels(s ast.Stmt) []string {
	var list []string
	for {
		label, ok := s.(*ast.LabeledStmt)
		if !ok {
			return list
		}
		list = append(list, label.Label.Name)
		s = label.Stmt
	}
}

// endsRun reports whether the next statement may be executed more or less often than s.
func endsRun(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return endsRun(s.Stmt)
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
		*ast.SelectStmt, *ast.BlockStmt, *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// count makes the block of a run and returns the text of its counter.
func (w *blockWalk) count(start token.Pos, run []ast.Stmt) string {
	index := len(w.out.Blocks)
	for _, label := range labels(run[0]) {
		w.counter[label] = index
	}
	w.run[unlabelled(run[len(run)-1])] = index
	w.out.Blocks = append(w.out.Blocks, spectra.Block{
		File: w.rel, Line: w.line(start), EndLine: w.line(ownEnd(run[len(run)-1])), Last: w.line(run[len(run)-1].End()),
		Column: w.position(start).Column, Statements: statements(run),
	})
	return w.names.counter(index)
}

// unlabelled returns a statement without the labels in front of it.
func unlabelled(s ast.Stmt) ast.Stmt {
	for label, ok := s.(*ast.LabeledStmt); ok; label, ok = s.(*ast.LabeledStmt) {
		s = label.Stmt
	}
	return s
}

// statements returns the number of statements that do something.
func statements(run []ast.Stmt) int {
	n := len(run)
	for _, s := range run {
		if _, empty := unlabelled(s).(*ast.EmptyStmt); empty {
			n--
		}
	}
	return n
}

// emptyBlock makes the block of a branch without statements, and returns the text of its counter.
func (w *blockWalk) emptyBlock(start, end token.Pos) string {
	index := len(w.out.Blocks)
	w.out.Blocks = append(w.out.Blocks, spectra.Block{
		File: w.rel, Line: w.line(start), EndLine: w.line(end), Last: w.line(end),
	})
	return w.names.counter(index)
}

// ownEnd returns the end of a statement without the blocks and literals inside.
func ownEnd(s ast.Stmt) token.Pos {
	end := s.End() - 1
	ast.Inspect(s, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok {
			end = min(end, block.Lbrace)
		}
		return true
	})
	return max(end, s.Pos())
}
