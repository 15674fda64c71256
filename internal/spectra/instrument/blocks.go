package instrument

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// blockWalk adds the counters of one function body. Literals inside are functions of their own.
type blockWalk struct {
	*file
	targets map[string]bool // labels that a goto names
	counter map[string]int  // label → counter of the run that it starts
	extra   map[*ast.BlockStmt]string
	clauses map[*ast.BlockStmt]bool // bodies that hold clauses, not statements
	ends    map[token.Pos]token.Pos // colon of a clause → where the next begins
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
		ends: map[token.Pos]token.Pos{}, opened: map[token.Pos]int{}, run: map[ast.Stmt]int{},
	}
	var branches *branchWalk
	if noted != nil {
		branches = &branchWalk{blockWalk: w, noted: noted, others: map[*ast.IfStmt]int{}, last: f.line(body.Rbrace)}
	}
	symbol.EachOwn(body, func(n ast.Node) {
		if jump, ok := n.(*ast.BranchStmt); ok && jump.Tok == token.GOTO {
			w.jumps = append(w.jumps, jump)
			w.targets[jump.Label.Name] = true
		}
	})
	symbol.EachOwn(body, func(n ast.Node) {
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

func (w *blockWalk) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		w.noteCases(n.Body)
	case *ast.TypeSwitchStmt:
		w.noteCases(n.Body)
	case *ast.SelectStmt:
		w.noteCases(n.Body)
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
			w.runs(n.List, symbol.Region{Open: n.Lbrace, Close: n.Rbrace}, n.Rbrace, w.extra[n])
		}
	case *ast.CaseClause:
		w.runs(n.Body, symbol.Region{Open: n.Colon, Close: w.ends[n.Colon]}, n.Colon, "")
	case *ast.CommClause:
		w.runs(n.Body, symbol.Region{Open: n.Colon, Close: w.ends[n.Colon]}, n.Colon, "")
	}
}

func (w *blockWalk) noteCases(body *ast.BlockStmt) {
	w.clauses[body] = true
	for _, of := range symbol.Cases(body) {
		w.ends[of.Open] = of.Close
	}
}

// elseIf puts the condition of an else-if into a block of its own, because it is executed only if the
// condition before was false.
func (w *blockWalk) elseIf(n *ast.IfStmt) {
	inner, ok := n.Else.(*ast.IfStmt)
	if !ok {
		return
	}
	w.insert(inner.Pos(), "{ "+w.count([]ast.Stmt{inner}, symbol.Region{Open: inner.Pos(), Close: inner.End()}))
	w.insert(inner.End(), " }")
}

// runs divides the statements of a region into runs and counts each. The first counter, followed by extra, is inserted
// after the token that opens the region. Without statements, they end at end.
func (w *blockWalk) runs(list []ast.Stmt, of symbol.Region, end token.Pos, extra string) {
	if len(list) == 0 {
		w.opened[of.Open] = len(w.out.Blocks)
		w.insert(of.Open+1, " "+w.emptyBlock(of, end)+extra)
		return
	}
	start, after := 0, of.Open
	flush := func(stop int) {
		run, within := list[start:stop], symbol.Region{Open: after, Close: of.Close}
		if stop < len(list) {
			within.Close = list[stop].Pos()
		}
		if start == 0 {
			w.opened[of.Open] = len(w.out.Blocks)
			w.insert(of.Open+1, " "+w.count(run, within)+extra)
		} else {
			w.insert(run[0].Pos(), w.count(run, within))
		}
		start, after = stop, run[len(run)-1].End()
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

// count makes the block of a run, which stands alone in a part of the source, and returns the text of its counter.
func (w *blockWalk) count(run []ast.Stmt, within symbol.Region) string {
	index, start, last := len(w.out.Blocks), run[0].Pos(), run[len(run)-1]
	for _, label := range labels(run[0]) {
		w.counter[label] = index
	}
	w.run[unlabelled(last)] = index
	w.out.Blocks = append(w.out.Blocks, spectra.Block{
		File: w.rel, Line: w.line(start), EndLine: w.line(ownEnd(last)), Last: w.line(last.End()),
		Column: w.position(start).Column, Statements: statements(run),
		After: w.line(within.Open), Before: w.line(within.Close), Inside: w.inside(run),
	})
	return w.names.counter(index)
}

// inside returns the lines of the outermost regions in a run.
func (w *blockWalk) inside(run []ast.Stmt) (list []spectra.Span) {
	for _, s := range run {
		end := token.NoPos
		for _, r := range symbol.Regions(s) {
			if r.Open < end {
				continue
			}
			end = r.Close
			if span := (spectra.Span{First: w.line(r.Open), Last: w.line(r.Close)}); span.First < span.Last {
				list = append(list, span)
			}
		}
	}
	return list
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
func (w *blockWalk) emptyBlock(of symbol.Region, end token.Pos) string {
	index := len(w.out.Blocks)
	w.out.Blocks = append(w.out.Blocks, spectra.Block{
		File: w.rel, Line: w.line(of.Open), EndLine: w.line(end), Last: w.line(end),
		After: w.line(of.Open), Before: w.line(of.Close),
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
