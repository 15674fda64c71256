package suite

import (
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Call returns the test as its source has it.
func (t *Test) Call() sequence.Statement {
	return sequence.Statement{Kind: sequence.Call, Op: t.Name, Args: []sequence.Value{{Kind: sequence.Map}}}
}

// Open returns the test as an operation with one parameter for each hole, and the call of it with the usual values. A
// generator varies that call; Closed returns it to the form that drivers play.
func (t *Test) Open() (*api.Operation, carve.Call) {
	op, call := *t.Operation, carve.Call{Op: t.Name}
	op.Params, op.Names = nil, nil
	for i := range t.Holes {
		op.Params, op.Names = append(op.Params, t.Holes[i].Type), append(op.Names, t.Holes[i].Name)
		call.Args = append(call.Args, &t.Holes[i].Usual)
	}
	return &op, call
}

// Closed returns calls of tests in the form that drivers play: with the values that are not the usual ones.
func Closed(q sequence.Sequence, tests map[string]*Test) sequence.Sequence {
	list := slices.Clone(q.Statements)
	for n, st := range list {
		t := tests[st.Op]
		if t == nil || len(st.Args) != len(t.Holes) {
			continue
		}
		closed := t.Call()
		other := &closed.Args[0]
		for i, h := range t.Holes {
			if v := st.Args[i]; v.Kind != h.Usual.Kind || v.Text != h.Usual.Text {
				number := sequence.Value{Kind: sequence.Int, Text: strconv.Itoa(h.Number)}
				other.Elems = append(other.Elems, number, v)
			}
		}
		list[n] = closed
	}
	return sequence.Sequence{Statements: list}
}
