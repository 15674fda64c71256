package spectra

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A goroutine is the state of one goroutine while a stream is decoded.
type goroutine struct {
	id     uint64
	ticket uint64 // of the event that started it; 0: unknown
	born   spot   // where the parent was when this goroutine was first seen
	step   int    // 1 + the index in Events.Steps while it runs a statement; 0: it runs none
	open   []*Execution
	roots  []*Execution // those that no open execution and no step holds
	first  *Execution   // the first of them
	marks  []spot       // its go statements, where there are no tickets
	kids   []*goroutine // in the order of first appearance
	took   int          // tickets taken
}

// A spot is a place between the callees of an execution, or between the calls of a step.
type spot struct {
	in   *Execution // nil: no execution was open
	step int        // 1 + the index in Events.Steps if no execution was open; 0: none
	at   int        // number of callees or calls before it
}

func (s spot) known() bool { return s.in != nil || s.step > 0 }

// An origin is where a ticket was taken.
type origin struct {
	by    *goroutine
	spot  spot
	index int // of the tickets that this goroutine took
}

// A leftover is a goroutine that has not ended when the sequence ends.
type leftover struct {
	Goroutine
	id, ticket uint64
}

func (g *goroutine) innermost() *Execution {
	if len(g.open) == 0 {
		return nil
	}
	return g.open[len(g.open)-1]
}

// caller returns the execution under which the goroutine's next one is listed.
func (g *goroutine) caller() *Execution {
	if len(g.open) > deepest {
		return g.open[deepest]
	}
	return g.innermost()
}

func (d *decoder) here(g *goroutine) spot {
	if e := g.caller(); e != nil {
		return spot{in: e, at: len(e.Children)}
	}
	if g.step > 0 {
		return spot{step: g.step, at: len(d.result.Steps[g.step-1].Calls)}
	}
	return spot{}
}

// mark notes that the current goroutine takes a ticket.
func (d *decoder) mark(ticket uint64) {
	d.budget.spend(&d.r)
	g := d.current
	if ticket == 0 {
		g.marks = append(g.marks, d.here(g))
		return
	}
	d.origins[ticket] = origin{g, d.here(g), g.took}
	g.took++
}

func (d *decoder) goroutine(id, parent uint64) *goroutine {
	if g := d.goroutines[id]; g != nil {
		return g
	}
	d.budget.spend(&d.r)
	g := &goroutine{id: id}
	d.goroutines[id] = g
	d.started = append(d.started, g)
	if p := d.goroutines[parent]; p != nil && parent != 0 && p != g {
		g.born = d.here(p)
		p.kids = append(p.kids, g)
	}
	return g
}

func (d *decoder) leave() {
	d.budget.spend(&d.r)
	l := leftover{id: d.r.Uint(), ticket: d.r.Uint()}
	l.Waiting = d.r.Byte() == wire.LeftWaiting
	l.Reason, l.Start = d.r.Name(), d.r.Name()
	if d.r.Err() == nil {
		d.left = append(d.left, l)
	}
}

// A hanging is a list of executions to insert at a spot. Several lists for one spot are ordered by the
// number of tickets that their goroutines' ancestors had taken before, so the order in which they ran
// does not matter.
type hanging struct {
	spot  spot
	order int
	roots []*Execution
}

// A birth is a ticket with the place that counts as that where it was taken. If a goroutine took it with nothing under
// way, that is the place where this goroutine itself was started.
type birth struct {
	ticket uint64
	spot   spot // unknown where nobody took it, or where tickets go in circles
	index  int  // of the tickets that the goroutine took
	kids   []*birth
	order  int // by the indexes on the way from the place
}

// births finds the places of all tickets. Each is met once, however long the line of goroutines is of which each
// started the next.
func (d *decoder) births() map[uint64]*birth {
	found := make(map[uint64]*birth, len(d.origins))
	for ticket, o := range d.origins {
		found[ticket] = &birth{ticket: ticket, spot: o.spot, index: o.index}
	}
	var next []*birth // the last one comes first
	for ticket, o := range d.origins {
		if b, parent := found[ticket], found[o.by.ticket]; b.spot.known() {
			next = append(next, b)
		} else if parent != nil {
			parent.kids = append(parent.kids, b)
		}
	}
	last := func(x, y *birth) int { return cmp.Or(cmp.Compare(y.index, x.index), cmp.Compare(y.ticket, x.ticket)) }
	slices.SortFunc(next, last)
	for order := 0; len(next) > 0; order++ {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		b.order = order
		slices.SortFunc(b.kids, last)
		for _, kid := range b.kids {
			kid.spot = b.spot
		}
		next = append(next, b.kids...)
	}
	return found
}

// settle inserts the executions of every goroutine at the place where the goroutine was started.
func (d *decoder) settle() {
	var list []hanging
	for _, g := range d.started {
		slices.SortStableFunc(g.kids, func(x, y *goroutine) int { return cmp.Compare(x.id, y.id) })
		for n, kid := range g.kids {
			if at := g.birthplace(n); at.known() && kid.ticket == 0 {
				list = append(list, hanging{at, n, kid.roots})
				kid.roots = nil
			}
		}
	}
	births := d.births()
	for _, g := range d.started {
		if b := births[g.ticket]; b != nil && b.spot.known() && len(g.roots) > 0 {
			list = append(list, hanging{b.spot, b.order, g.roots})
			g.roots = nil
		}
	}
	d.hang(list)
	for _, g := range d.started {
		d.result.Stray = append(d.result.Stray, g.roots...)
	}
	d.remain(births)
}

// hang inserts the lists. Lists for the same execution or step are inserted together.
func (d *decoder) hang(list []hanging) {
	slices.SortStableFunc(list, func(x, y hanging) int {
		return cmp.Or(cmp.Compare(x.spot.at, y.spot.at), cmp.Compare(x.order, y.order))
	})
	executions, steps := map[*Execution][]hanging{}, map[int][]hanging{}
	for _, h := range list {
		if h.spot.in != nil {
			executions[h.spot.in] = append(executions[h.spot.in], h)
		} else {
			steps[h.spot.step] = append(steps[h.spot.step], h)
		}
	}
	for e, list := range executions {
		e.Children = splice(e.Children, list)
	}
	for step, list := range steps {
		calls := &d.result.Steps[step-1].Calls
		*calls = splice(*calls, list)
	}
}

// remain notes the goroutines that have not ended, each with the execution that started it.
func (d *decoder) remain(births map[uint64]*birth) {
	d.result.leaked = len(d.left)
	for _, l := range d.left {
		if g := d.goroutines[l.id]; g != nil && g.first != nil {
			l.Start = string(g.first.Symbol)
		}
		if b := births[l.ticket]; b != nil && b.spot.in != nil {
			b.spot.in.Goroutines = append(b.spot.in.Goroutines, l.Goroutine)
		} else {
			d.result.Left = append(d.result.Left, l.Goroutine)
		}
	}
}

// birthplace returns the spot at which g started its n-th child in a recording without tickets. Go
// statements and children may not pair up: code that is not instrumented starts goroutines, or a child
// ran nothing that is instrumented. Then the spot is the execution that was open when the child was first
// seen, else that of the nearest mark.
func (g *goroutine) birthplace(n int) spot {
	if len(g.marks) == len(g.kids) {
		return g.marks[n]
	}
	if at := g.kids[n].born; at.in != nil || len(g.marks) == 0 {
		return at
	}
	return g.marks[min(n, len(g.marks)-1)]
}

// splice inserts lists in ascending order of their places.
func splice(children []*Execution, list []hanging) []*Execution {
	var out []*Execution
	from := 0
	for _, h := range list {
		out = append(out, children[from:h.spot.at]...)
		out = append(out, h.roots...)
		from = h.spot.at
	}
	return append(out, children[from:]...)
}
