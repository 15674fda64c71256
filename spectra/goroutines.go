package spectra

import (
	"cmp"
	"slices"
)

// This file defines how the executions of a goroutine find their place in the call trees.

// A goroutine is the state of one goroutine while a stream is decoded.
type goroutine struct {
	id     uint64
	parent uint64 // 0: unknown
	born   spot   // where the parent was when this one was first seen
	step   int    // 1 + the index in Events.Steps while it drives one; 0: it drives none
	open   []*Execution
	roots  []*Execution // those that no open execution and no step holds
	marks  []spot       // its go statements
	kids   []*goroutine // in the order of first appearance
}

// A spot is a place between the callees of an execution.
type spot struct {
	in *Execution // nil: no execution was open
	at int        // number of callees before it
}

func (g *goroutine) innermost() *Execution {
	if len(g.open) == 0 {
		return nil
	}
	return g.open[len(g.open)-1]
}

// caller returns the execution under which the next one is listed.
func (g *goroutine) caller() *Execution {
	if len(g.open) > deepest {
		return g.open[deepest]
	}
	return g.innermost()
}

func (g *goroutine) here() spot {
	e := g.caller()
	if e == nil {
		return spot{}
	}
	return spot{in: e, at: len(e.Children)}
}

func (g *goroutine) mark() { g.marks = append(g.marks, g.here()) }

func (d *decoder) goroutine(id, parent uint64) *goroutine {
	if g := d.goroutines[id]; g != nil {
		return g
	}
	g := &goroutine{id: id, parent: parent}
	d.goroutines[id] = g
	d.started = append(d.started, g)
	if p := d.goroutines[parent]; p != nil && parent != 0 && p != g {
		g.born = p.here()
		p.kids = append(p.kids, g)
	}
	if d.driver != nil && d.driver.parent == id && id != 0 {
		d.drive(g) // what came before was started by code without probes
	}
	return g
}

// settle hangs the executions of every goroutine under the go statement that started it.
func (d *decoder) settle() {
	hung := map[*Execution][]hanging{}
	for _, g := range d.started {
		slices.SortStableFunc(g.kids, func(x, y *goroutine) int { return cmp.Compare(x.id, y.id) })
		for n, kid := range g.kids {
			if at := g.birthplace(n); at.in != nil {
				hung[at.in] = append(hung[at.in], hanging{at.at, kid.roots})
				kid.roots = nil
			}
		}
	}
	for e, list := range hung {
		e.Children = splice(e.Children, list)
	}
	for _, g := range d.started {
		d.result.Stray = append(d.result.Stray, g.roots...)
	}
}

// birthplace returns the spot at which g started its n-th child. When go statements and children
// do not pair (code that is not instrumented starts goroutines, or one ran nothing instrumented),
// it is the execution that was open when the child was first seen, else the nearest mark's.
func (g *goroutine) birthplace(n int) spot {
	if len(g.marks) == len(g.kids) {
		return g.marks[n]
	}
	if at := g.kids[n].born; at.in != nil || len(g.marks) == 0 {
		return at
	}
	return g.marks[min(n, len(g.marks)-1)]
}

// A hanging is a list of executions to insert among callees.
type hanging struct {
	at    int
	roots []*Execution
}

func splice(children []*Execution, list []hanging) []*Execution {
	slices.SortStableFunc(list, func(x, y hanging) int { return cmp.Compare(x.at, y.at) })
	var out []*Execution
	from := 0
	for _, h := range list {
		out = append(out, children[from:h.at]...)
		out = append(out, h.roots...)
		from = h.at
	}
	return append(out, children[from:]...)
}
