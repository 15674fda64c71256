package suite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// adapted returns the function of the same name in other files, if it is adapted and else the same: wherever a line is
// another one, the lines did not compile at some places, and what they named and gave, but for what stands at these
// places, is in the new ones. nil: there is none.
func adapted(f *file, d *ast.FuncDecl, places []token.Pos, others []file) *ast.FuncDecl {
	for _, g := range others {
		for _, other := range g.syntax.Decls {
			if other, ok := other.(*ast.FuncDecl); ok && other.Body != nil && g.named(other) == f.named(d) {
				if onlyAdapted(f.wordsOf(d, places), g.wordsOf(other, nil)) {
					return other
				}
				return nil
			}
		}
	}
	return nil
}

// A word is a token of a function.
type word struct {
	text   string
	kind   token.Token
	broken bool // it is part of what does not compile
	at     bool // it is where that does not compile
}

// stays reports whether a word has to come back: it is no part of what does not compile, or says what is meant or given
// there.
func (w word) stays() bool {
	return !w.at && (!w.broken || w.kind == token.IDENT || w.kind.IsLiteral())
}

// wordsOf returns the lines of a function as words, without comments. What belongs to a statement, or to an element of
// a composite literal, with a place that does not compile, does not compile.
func (f *file) wordsOf(d *ast.FuncDecl, places []token.Pos) (lines [][]word) {
	var broken []ast.Node
	for _, p := range places {
		if n := smallest(d, p); n != nil {
			broken = append(broken, n)
		}
	}
	start := f.offset(d.Pos())
	source := f.source[start:f.offset(d.End())]
	var s scanner.Scanner
	own := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(own, source, nil, 0)
	last := 0
	for {
		p, kind, text := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = kind.String()
		}
		if line := own.Line(p); line != last {
			lines, last = append(lines, nil), line
		}
		at := d.Pos() + token.Pos(own.Offset(p))
		lines[len(lines)-1] = append(lines[len(lines)-1], word{
			text: text, kind: kind, at: slices.Contains(places, at),
			broken: slices.ContainsFunc(broken, func(n ast.Node) bool { return n.Pos() <= at && at < n.End() }),
		})
	}
}

// smallest returns the smallest statement without its block, or element of a composite literal, at a position.
func smallest(d *ast.FuncDecl, p token.Pos) (found ast.Node) {
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil || p < n.Pos() || p > n.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
			*ast.SelectStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
			found = nil // what is in their heads is found as an expression
		case ast.Stmt:
			found = n
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if e.Pos() <= p && p <= e.End() {
					found = e
				}
			}
		case ast.Expr:
			if found == nil {
				found = n
			}
		}
		return true
	})
	return found
}

// onlyAdapted reports whether lines differ only where the old ones do not compile, and say the same there otherwise.
func onlyAdapted(old, new [][]word) bool {
	text := func(lines [][]word) string {
		var b bytes.Buffer
		for _, line := range lines {
			for _, w := range line {
				fmt.Fprintf(&b, "%q ", w.text)
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	matcher := diffmatchpatch.New()
	matcher.DiffTimeout = 0
	x, y, _ := matcher.DiffLinesToRunes(text(old), text(new))
	i, j := 0, 0 // lines
	for list := matcher.DiffMainRunes(x, y, false); len(list) > 0; {
		gone, come, broken := []word(nil), []word(nil), true
		for len(list) > 0 && list[0].Type != diffmatchpatch.DiffEqual {
			n := len([]rune(list[0].Text))
			if list[0].Type == diffmatchpatch.DiffDelete {
				for _, line := range old[i : i+n] {
					gone = append(gone, line...)
					broken = broken && slices.ContainsFunc(line, func(w word) bool { return w.broken })
				}
				i += n
			} else {
				come, j = append(come, slices.Concat(new[j:j+n]...)...), j+n
			}
			list = list[1:]
		}
		if len(gone)+len(come) > 0 && !(broken && saysTheSame(gone, come)) {
			return false
		}
		for len(list) > 0 && list[0].Type == diffmatchpatch.DiffEqual {
			n := len([]rune(list[0].Text))
			i, j, list = i+n, j+n, list[1:]
		}
	}
	return true
}

// saysTheSame reports whether words come back in others.
func saysTheSame(gone, come []word) bool {
	if len(gone) == 0 || len(come) == 0 {
		return false
	}
	left := map[string]int{}
	for _, w := range come {
		left[w.text]++
	}
	for _, w := range gone {
		if w.stays() {
			if left[w.text]--; left[w.text] < 0 {
				return false
			}
		}
	}
	return true
}
