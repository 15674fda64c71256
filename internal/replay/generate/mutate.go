package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// strangerShare is the share of appended calls that are related to the sequence at most through package variables.
const strangerShare = 0.15

// mutant changes or extends a component. It returns nil if the attempt fails.
func (g *generator) mutant(base *component) *candidate {
	switch g.random.Weighted(35, 40, 15, 10) {
	case 0:
		return g.extended(base)
	case 1:
		return g.changedArgument(base)
	case 2:
		return g.inserted(base)
	default:
		return g.calledAgain(base)
	}
}

// extended appends a call, preferably one that uses available values.
func (g *generator) extended(base *component) *candidate {
	n := len(base.statements)
	if n > g.limits.Length {
		return nil
	}
	d := base.prefix(n)
	d.included = []inclusion{{base, 0}}
	if !g.related(d) {
		return nil
	}
	g.finish(d)
	return d.candidate(n)
}

// related appends a call that uses values of the draft.
func (g *generator) related(d *draft) bool {
	if g.random.Chance(0.3) {
		if v, ok := g.functionIn(d); ok {
			return g.callFunction(d, v.ref(), v.t)
		}
	}
	for range 4 {
		op := g.operation()
		if op == nil {
			return false
		}
		if g.takes(d, op) || !op.Of.Supplier && g.random.Chance(strangerShare) {
			return g.call(d, op, 1)
		}
	}
	return false
}

// takes reports whether the operation can use available values.
func (g *generator) takes(d *draft, op *Operation) bool {
	for _, t := range op.Params {
		if !t.Scalar && !t.Empty {
			if _, ok := g.fitting(d, t); ok {
				return true
			}
		}
	}
	return false
}

// functionIn draws a function value of the draft.
func (g *generator) functionIn(d *draft) (available, bool) {
	return value.PickFrom(g.random, d.values, func(v available) bool { return v.t.Function != nil })
}

// preparedShare is the share of inserted calls that set what changed code mentions, if there are such.
const preparedShare = 0.3

// inserted inserts a call, or an assignment to a field, before the last call.
func (g *generator) inserted(base *component) *candidate {
	if len(base.statements) > g.limits.Length {
		return nil
	}
	at := g.random.IntN(len(base.statements))
	d := base.prefix(at)
	if g.random.Chance(0.2) {
		g.set(d)
	} else if len(g.preparing) > 0 && g.random.Chance(preparedShare) {
		if op := value.Pick(g.random, g.preparing); g.takes(d, op) {
			g.call(d, op, 1)
		}
	}
	if len(d.statements) == at && !g.related(d) {
		return nil
	}
	d.resume(base, at, at)
	return d.candidate(at)
}

// calledAgain repeats one of the statements at the end of the sequence.
func (g *generator) calledAgain(base *component) *candidate {
	n := len(base.statements)
	at := g.random.IntN(n)
	if n > g.limits.Length || base.ops[at] == nil {
		return nil
	}
	d := base.prefix(n)
	st := base.statements[at]
	if !st.HasRef() {
		st = g.varied(st, base.ops[at])
	}
	d.append(st, base.ops[at])
	g.finish(d)
	return d.candidate(n)
}

// changedArgument replaces one argument of one call, most often of the last.
func (g *generator) changedArgument(base *component) *candidate {
	at := len(base.statements) - 1
	if g.random.Chance(0.4) {
		at = g.random.IntN(len(base.statements))
	}
	st, op := base.statements[at], base.ops[at]
	if op == nil || len(st.Args) == 0 {
		return nil
	}
	i := g.random.IntN(len(st.Args))
	d := base.prefix(at)
	v, ok := g.otherArgument(d, st, op, i)
	if !ok {
		return nil
	}
	args := append([]sequence.Value(nil), st.Args...)
	args[i] = v
	st.Args = args
	d.append(st, op)
	d.resume(base, at+1, at)
	return d.candidate(at)
}

// otherArgument makes another value for argument i of a statement.
func (g *generator) otherArgument(d *draft, st sequence.Statement, op *Operation, i int) (sequence.Value, bool) {
	if g.random.Chance(0.6) {
		if v, ok := g.values.Nudged(st.Args[i]); ok {
			return v, true
		}
	}
	if st.Args[i].Closed() {
		return sequence.Value{}, false
	}
	s := slot{op: op, param: i, calls: 1, shape: &shape{args: slices.Delete(slices.Clone(st.Args), i, i+1)}}
	switch st.Kind {
	case sequence.Let:
		s.t = op.Results[0]
		return g.literal(d, s)
	case sequence.CallValue:
		if i == 0 {
			return sequence.Value{}, false
		}
	}
	s.t = op.Params[i]
	s.receiver = i == 0 && op.Receiver
	variadic := st.Kind == sequence.CallValue && op.Params[0].IsVariadic() ||
		st.Kind == sequence.Call && op.Of.Variadic
	if variadic && i == len(op.Params)-1 {
		return g.variadic(d, s), true
	}
	return g.argument(d, s)
}
