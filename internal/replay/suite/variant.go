package suite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Call returns the test as its source has it.
func (t *Test) Call() sequence.Statement {
	other := sequence.Value{Kind: sequence.Map}
	switch {
	case t.Line != "":
		other.Elems = t.all(func(i int) sequence.Value { return t.Holes[i].Usual })
	case t.Sub != "":
		other.Elems = asked(wire.OnlyPart, sequence.Value{Kind: sequence.String, Text: t.Sub})
	}
	return sequence.Statement{Kind: sequence.Call, Op: t.Operation.Name, Args: []sequence.Value{other}}
}

// all returns what a call of a command line gives, with the values of its holes.
func (t *Test) all(of func(i int) sequence.Value) []sequence.Value {
	list := slices.Clone(t.Always)
	for i, h := range t.Holes {
		if v := of(i); v.Text != "" {
			list = append(list, asked(h.Number, v)...)
		}
	}
	return list
}

// Part returns the name of the subtest that a call runs alone, "" if it runs all of the test.
func Part(call sequence.Statement) string {
	if len(call.Args) != 1 {
		return ""
	}
	elems := call.Args[0].Elems
	for n := 0; n+1 < len(elems); n += 2 {
		if elems[n].Text == strconv.Itoa(wire.OnlyPart) {
			return elems[n+1].Text
		}
	}
	return ""
}

// List returns the call that prints the names of the subtests.
func (t *Test) List() sequence.Statement {
	st := t.Call()
	st.Args[0].Elems = asked(wire.ListParts, sequence.Value{Kind: sequence.Bool, Text: "true"})
	return st
}

func asked(number int, v sequence.Value) []sequence.Value {
	return []sequence.Value{{Kind: sequence.Int, Text: strconv.Itoa(number)}, v}
}

// Listed returns the subtests that such a call printed.
func (t *Test) Listed(printed string) (parts []Test) {
	names, _, ended := strings.Cut(printed, wire.EndOfParts)
	if !ended || names == "" {
		return nil
	}
	list := strings.Split(names, "\n")
	for i, name := range list {
		of := Test{Operation: t.Operation, Sub: name, Bubble: t.Bubble, File: t.File}
		if t.parts != nil {
			of.Holes = t.parts(name, i, len(list))
		}
		parts = append(parts, of)
	}
	return parts
}

// title tells a test from others.
func (t *Test) title() string {
	switch {
	case t.Line != "":
		return t.Operation.Name + ": " + t.Line
	case t.Sub != "":
		return t.Operation.Name + "/" + t.Sub
	}
	return t.Operation.Name
}

// Open returns the test as an operation with one parameter for each hole, and the call of it with the usual values. A
// generator varies that call; Closed returns it to the form that drivers play.
func (t *Test) Open() (*api.Operation, carve.Call) {
	op, call := *t.Operation, carve.Call{Op: t.title()}
	op.Name, op.Params, op.Names, op.Inputs = call.Op, nil, nil, t.inputs
	op.Package = Tested(op.Package) // whose texts and numbers count
	for _, h := range t.Holes {
		op.Params, op.Names = append(op.Params, h.Type), append(op.Names, h.Name)
		op.Choices, op.Words = append(op.Choices, h.Choice != ""), append(op.Words, h.More)
		call.Args = append(call.Args, &h.Usual)
	}
	return &op, call
}

// Closed returns calls of opened tests in the form that drivers play: with the values that are not the usual ones. The
// tests are known by the names of their opened operations.
func Closed(q sequence.Sequence, tests map[string]*Test) sequence.Sequence {
	list := slices.Clone(q.Statements)
	for n, st := range list {
		t := tests[st.Op]
		if t == nil || len(st.Args) != len(t.Holes) || st.Args[0].Kind == sequence.Map {
			continue
		}
		closed := t.Call()
		other := &closed.Args[0]
		if t.Line != "" {
			other.Elems, list[n] = t.all(func(i int) sequence.Value { return st.Args[i] }), closed
			continue
		}
		for i, h := range t.Holes {
			if v := st.Args[i]; v.Kind != h.Usual.Kind || v.Text != h.Usual.Text {
				other.Elems = append(other.Elems, asked(h.Number, v)...)
			}
		}
		list[n] = closed
	}
	return sequence.Sequence{Statements: list}
}
