package generate

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

const (
	sweptShare = 0.4  // share of a batch while there are swept calls
	mostSwept  = 2000 // swept calls of one run
	sweptNames = 6    // constants of its type that an argument has instead
)

// A swept call is a usual call with one other argument: empty, zero, one, or the opposite. A test has a hundred
// arguments, and chance gives one of them these in a few of a hundred calls, but they are what code has conditions for.
type swept struct {
	op        *Operation
	arg       int
	v         sequence.Value
	mentioned bool
	turn      int // among those of the operation
}

// sweep returns the next swept call. It returns nil if there is none, and by chance to leave the turn to others.
func (g *generator) sweep() *candidate {
	if !g.swept {
		g.sweeping, g.swept = g.sweeps(), true
	}
	if len(g.sweeping) == 0 || !g.random.Chance(sweptShare) {
		return nil
	}
	for len(g.sweeping) > 0 {
		s := g.sweeping[0]
		g.sweeping = g.sweeping[1:]
		if !g.affords(s.op) {
			continue
		}
		st := sequence.Statement{Kind: sequence.Call, Op: s.op.Of.Name}
		for _, v := range g.histories.of(s.op).seeds[0].Args {
			st.Args = append(st.Args, *v)
		}
		st.Args[s.arg] = s.v
		d := &draft{}
		d.append(st, s.op)
		return d.candidate(0)
	}
	return nil
}

// sweeps returns the calls to sweep: first those with an argument that the change mentions, then those of tests near
// it, then the others, of each operation one in turn.
func (g *generator) sweeps() (all []swept) {
	for _, op := range g.ops {
		seeds := g.histories.of(op).seeds
		if !op.Reaches() || len(seeds) == 0 {
			continue
		}
		var of []swept
		for i, v := range seeds[0].Args {
			for _, other := range simple(*v, op.Params[i].Plain.Constants) {
				of = append(of, swept{op: op, arg: i, v: other, mentioned: g.mentioned(op.Named(i))})
			}
		}
		for i, at := range g.random.Several(len(of), slices.Repeat([]int{1}, len(of))) {
			of[at].turn = i
		}
		all = append(all, of...)
	}
	slices.SortStableFunc(all, func(x, y swept) int {
		return cmp.Or(after(x.mentioned, y.mentioned), after(x.op.Of.Near, y.op.Of.Near), cmp.Compare(x.turn, y.turn))
	})
	return all[:min(len(all), mostSwept)]
}

// after orders what is before what is not.
func after(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// simple returns the simple values that an argument has not: constants of its type, if it has some, and what is empty.
func simple(v sequence.Value, constants []sequence.Value) (list []sequence.Value) {
	for _, c := range constants[:min(len(constants), sweptNames)] {
		if c.Kind == v.Kind && c.Text != v.Text {
			list = append(list, c)
		}
	}
	var texts []string
	switch v.Kind {
	case sequence.Bool:
		texts = []string{"true", "false"}
	case sequence.String:
		texts = []string{""}
	case sequence.Int:
		texts = []string{"0", "1", "-1"}
	case sequence.Uint, sequence.Float:
		texts = []string{"0", "1"}
	default:
	}
	for _, text := range texts {
		other := sequence.Value{Kind: v.Kind, Text: text}
		if text != v.Text && !among(list, other) {
			list = append(list, other)
		}
	}
	return list
}
