package generate

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

const (
	variantShare = 0.5 // share of variants that begin as a kept one, if there is one
	anotherShare = 0.4 // after each changed value, chance of one more
	nudgedShare  = 0.6 // share of changed values that change a little

	// Share of further changed values that are near the one before in the source, and how near: the method and the path
	// of a request, or the options of one literal, often make a difference together only.
	nearShare = 0.5
	nearest   = 3

	mentionedShare = 0.3 // share of changed values that the change mentions, if it mentions some

	// Weights of literals, choices, unset fields, and what comes from outside.
	literalWeight, choiceWeight, unsetWeight, inputWeight = 6, 2, 2, 3
)

// variant makes a call that begins as one of Input.Calls, or as a kept one, and has a few other values.
func (g *generator) variant() *candidate {
	st, op := g.usual()
	if op == nil || len(st.Args) == 0 {
		return nil
	}
	st.Args = slices.Clone(st.Args)
	for i, first := 0, true; !first || !g.routed(st.Args) && !g.flagged(st.Args, op); first = false {
		if first || !g.random.Chance(nearShare) {
			i = g.place(st.Args, op)
		} else {
			i = g.beside(i, len(st.Args)-op.Of.Inputs)
		}
		v, nudged := sequence.Value{}, false
		if !among(op.Params[i].Plain.Constants, st.Args[i]) && g.random.Chance(nudgedShare) {
			v, nudged = g.values.NudgedAs(st.Args[i], op.Params[i].Plain)
		}
		if !nudged {
			v = g.otherThan(st.Args, op, i)
		}
		st.Args[i] = v
		if !g.random.Chance(anotherShare) {
			break
		}
	}
	d := &draft{}
	d.append(st, op)
	return d.candidate(0)
}

// otherThan returns another value for an argument, sometimes one that the call has for another parameter: names that
// are registered twice, and limits that meet.
func (g *generator) otherThan(args []sequence.Value, op *Operation, i int) sequence.Value {
	v, ok := g.again(op.Params[i], op, i, func(has *value.Given, name string) {
		for at := range args {
			if at != i {
				has.Add(args[at:at+1], name != "" && op.Named(at) == name)
			}
		}
	})
	if ok {
		return v
	}
	return g.other(op.Params[i], op, i)
}

// beside returns the number of an argument near another one of the first n, perhaps the same.
func (g *generator) beside(i, n int) int {
	low, high := max(i-nearest, 0), min(i+nearest, n-1)
	if low >= high || i >= n {
		return i
	}
	return low + g.random.IntN(high-low+1)
}

// place returns the number of an argument to change. Tests have many choices, many zero values, because unset fields
// are, and few files: none crowds out the others.
func (g *generator) place(args []sequence.Value, op *Operation) int {
	var classes [4][]int
	var mentioned []int
	for i := range args {
		if g.mentioned(op.Named(i)) {
			mentioned = append(mentioned, i)
		}
		class := 0
		switch {
		case i >= len(args)-op.Of.Inputs:
			class = 3
		case i < len(op.Of.Choices) && op.Of.Choices[i]:
			class = 1
		case args[i].Text == "" || args[i].Text == "0" || args[i].Text == "false":
			class = 2
		}
		classes[class] = append(classes[class], i)
	}
	if len(mentioned) > 0 && g.random.Chance(mentionedShare) {
		return value.Pick(g.random, mentioned)
	}
	weights := []float64{literalWeight, choiceWeight, unsetWeight}
	if len(classes[3]) > 0 {
		weights = append(weights, inputWeight)
	}
	of := classes[g.random.Weighted(weights...)]
	if len(of) == 0 {
		return g.random.IntN(len(args))
	}
	return value.Pick(g.random, of)
}

// usual returns the call that a variant begins as.
func (g *generator) usual() (sequence.Statement, *Operation) {
	if g.favourites.Len()+len(g.reaching) > 0 && g.random.Chance(variantShare) {
		if base := g.favourite(); base != nil && g.affords(base.ops[0]) {
			return base.statements[0], base.ops[0]
		}
	}
	op := g.operation()
	if op == nil || len(g.histories.of(op).seeds) == 0 {
		return sequence.Statement{}, nil
	}
	seeds := g.histories.of(op).seeds
	st := sequence.Statement{Kind: sequence.Call, Op: op.Of.Name}
	for _, v := range seeds[g.random.IntN(len(seeds))].Args {
		st.Args = append(st.Args, *v)
	}
	return st, op
}

// affords reports whether an operation has another call now: one that takes long does not have as many.
func (g *generator) affords(op *Operation) bool {
	share := g.histories.of(op).affordable()
	return share >= 1 || g.random.Chance(share)
}

// among reports whether a value is one of the constants of its type, to which no other is near.
func among(constants []sequence.Value, v sequence.Value) bool {
	return slices.ContainsFunc(constants, func(c sequence.Value) bool { return c.Kind == v.Kind && c.Text == v.Text })
}

// mentioned reports whether changed code mentions a name.
func (g *generator) mentioned(name string) bool {
	return g.in.Mentioned[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])] // without its package
}
