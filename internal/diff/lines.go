package diff

import (
	"fmt"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A TreeLine is one line of the tree.
type TreeLine struct {
	Depth int
	Text  string       // the function, or how much was folded
	Mark  spectra.Kind // KindContainer or KindFollower; "" = neither
	Note  string       // a remark such as "only in the new run"; "" = none
	Root  bool         // the deviation root is here
	// Folded is the number of executions that the line stands for; 0 = one, shown.
	Folded int
}

// Lines returns the tree as lines, one for each execution and at most limit of them (0 = all). Executions
// that neither deviate nor lead to a deviation are folded. Nodes for which root returns true are marked as
// roots, and not folded; root may be nil.
func (c *Comparison) Lines(root func(*Node) bool, limit int) []TreeLine {
	p := &treePrinter{root: root, keep: map[*Node]bool{}, size: map[*Node]int{}}
	if p.root == nil {
		p.root = func(*Node) bool { return false }
	}
	p.weigh(c.Root)
	p.children(c.Root, 0)
	if limit > 0 && len(p.lines) > limit {
		return cut(p.lines, limit)
	}
	return p.lines
}

// cut returns the first lines, the last of which counts the executions that are left out.
func cut(lines []TreeLine, limit int) []TreeLine {
	left := 0
	for _, l := range lines[limit-1:] {
		left += max(l.Folded, 1)
	}
	return append(lines[:limit-1:limit-1], TreeLine{Text: fmt.Sprintf("… %s more", calls(left)), Folded: left})
}

type treePrinter struct {
	root  func(*Node) bool
	keep  map[*Node]bool // the node or one below it is shown
	size  map[*Node]int  // number of executions, the node's own included
	lines []TreeLine
}

func (p *treePrinter) weigh(n *Node) {
	p.keep[n], p.size[n] = n.Class.Deviates() || p.root(n), 1
	for _, child := range n.Children {
		p.weigh(child)
		p.keep[n] = p.keep[n] || p.keep[child]
		p.size[n] += p.size[child]
	}
}

func (p *treePrinter) children(n *Node, depth int) {
	folded := 0
	flush := func() {
		if folded > 0 {
			text := fmt.Sprintf("… %s unchanged", calls(folded))
			p.lines = append(p.lines, TreeLine{Depth: depth, Text: text, Folded: folded})
		}
		folded = 0
	}
	for _, child := range n.Children {
		if !p.keep[child] {
			folded += p.size[child]
			continue
		}
		flush()
		p.lines = append(p.lines, p.line(child, depth))
		p.children(child, depth+1)
	}
	flush()
}

func (p *treePrinter) line(n *Node, depth int) TreeLine {
	l := TreeLine{Depth: depth, Text: n.Function.Short(), Root: p.root(n)}
	if n.Execution().Go {
		l.Text = "go " + l.Text
	}
	switch n.Class {
	case Container:
		l.Mark = spectra.KindContainer
	case Follower:
		l.Mark = spectra.KindFollower
	case NewOnly:
		l.Mark, l.Note = spectra.KindFollower, "only in the new run"
	case OldOnly:
		l.Mark, l.Note = spectra.KindFollower, "only in the old run"
	}
	if d := n.Deviation; d != nil &&
		(d.Kind == spectra.KindPanic || d.Kind == spectra.KindExit || d.Kind == spectra.KindNondeterminism) {
		l.Note = string(d.Kind)
	}
	return l
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}
