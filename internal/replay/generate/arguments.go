package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

const (
	maxCalls = 3  // depth of nested calls that make arguments
	maxDepth = 6  // depth of literals; a slot of interface type counts twice
	maxInner = 50 // values inside the literals of one call
)

// A slot is a place for a value.
type slot struct {
	t        *Type
	op       *Operation
	param    int
	depth    int    // of the surrounding literal
	calls    int    // depth of nested calls
	shape    *shape // of the call
	receiver bool
}

// call appends a call of op with chosen arguments. It returns false if no argument can be made for a parameter.
func (g *generator) call(d *draft, op *Operation, calls int) bool {
	var known *carve.Call
	if seeds := g.histories.of(op).seeds; len(seeds) > 0 && (op.Of.Inside || g.random.Chance(seedShare)) {
		known = g.varying(value.Pick(g.random, seeds))
	}
	return g.callWith(d, op, calls, known)
}

// callWith is call with some known arguments.
func (g *generator) callWith(d *draft, op *Operation, calls int, known *carve.Call) bool {
	args := make([]sequence.Value, len(op.Params))
	shape := &shape{}
	for i, t := range op.Params {
		v, ok := g.known(d, known, i, calls)
		if args[i] = v; ok {
			continue
		}
		shape.args = args[:i]
		s := slot{t: t, op: op, param: i, calls: calls, shape: shape, receiver: op.Receiver && i == 0}
		if op.Of.Variadic && i == len(op.Params)-1 {
			args[i] = g.variadic(d, s)
		} else if args[i], ok = g.argument(d, s); !ok {
			return false
		}
		if i == 0 && s.receiver && calls == 0 && g.random.Chance(setShare) {
			g.set(d)
		}
	}
	st := sequence.Statement{Kind: sequence.Call, Op: op.Of.Name, Args: args}
	d.append(st, op)
	return true
}

// variadic returns the slice for a variadic parameter, with up to three elements.
func (g *generator) variadic(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.List}
	if s.t.Elem == nil {
		return sequence.Value{Kind: sequence.Nil} // append([]byte, string...): no list can express a string
	}
	s.t = s.t.Elem
	for range g.random.Weighted(3, 4, 2, 1) {
		if elem, ok := g.argument(d, s); ok {
			v.Elems = append(v.Elems, elem)
		}
	}
	return v
}

// argument returns a value for a slot that is not inside a literal.
func (g *generator) argument(d *draft, s slot) (sequence.Value, bool) {
	if s.t.Scalar {
		return g.scalarArgument(d, s), true
	}
	here, found := g.fitting(d, s.t)
	makers := g.model.MakersOf(s.t)
	weights := g.sourceWeights(s, found, len(makers) > 0)
	for range 3 { // another way if the first failed
		switch g.random.Weighted(weights[:]...) {
		case 0:
			return here.ref(), true
		case 1:
			if v, ok := g.pooled(d, s.t); ok {
				return v, true
			}
		case 2:
			if v, ok := g.literal(d, s); ok {
				return g.shared(d, s, v), true
			}
		case 3:
			return g.none(d, s.t), true
		case 4:
			if v, ok := g.made(d, s, makers); ok {
				return v, true
			}
		}
	}
	return sequence.Value{}, false
}

// sourceWeights returns the weights of the sources of a value: the sequence itself, the pool, a literal, nil, a call
// made for the purpose.
func (g *generator) sourceWeights(s slot, here, makers bool) (w [5]float64) {
	if here {
		w[0] = 4
	}
	if len(g.pools.sourcesOf(g.model, s.t)) > 0 {
		w[1] = 4
	}
	w[2] = g.literalWeight(s.t, makers)
	if makers && s.calls < maxCalls {
		w[4] = 0.4
		if w[1] == 0 {
			w[4] = 5
		}
	}
	if s.t.Empty { // values at hand seldom suit a slot of type any
		w[0], w[1] = w[0]/4, w[1]/8
	}
	switch {
	case s.t.Fails:
		w[3] = 4
	case s.t.Nillable && !s.receiver:
		w[3] = 0.2
	case s.t.IsPointer() && s.op.Reaches():
		w[3] = 0.1 // the change may allow such method calls
	}
	return w
}

const (
	bareWeight = 0.1  // weight of an object without setup, where operations make such
	wrapShare  = 0.25 // share of values of an interface, made by a call, that wrap another: readers which fail halfway
)

// isBare reports whether a type is a struct without exported fields, or a pointer to one.
func (t *Type) isBare() bool {
	if t.IsPointer() {
		t = t.Elem
	}
	return t.IsStruct() && len(t.Fields) == 0
}

// literalWeight returns the weight of literals relative to values that operations make.
func (g *generator) literalWeight(t *Type, makers bool) float64 {
	base := t
	if t.IsPointer() {
		base = t.Elem
	}
	switch {
	case t.Empty:
		return 6
	case t.IsInterface():
		weight := 0.0
		for _, filler := range g.model.FillersOf(t) {
			if makers && filler.isBare() {
				weight += bareWeight
			} else {
				weight += 2
			}
		}
		return min(4, weight)
	case makers && t.isBare():
		return bareWeight
	case base.IsStruct() && makers:
		return 2
	default:
		return 4
	}
}

func (g *generator) scalarArgument(d *draft, s slot) sequence.Value {
	if g.random.Chance(0.12) {
		if v, ok := g.fitting(d, s.t); ok {
			return v.ref()
		}
	}
	if g.random.Chance(0.06) {
		if v, ok := g.pooled(d, s.t); ok {
			return v
		}
	}
	return g.scalar(d, s)
}

// none returns nil. A nil pointer, interface, function or map may cause a panic.
func (g *generator) none(d *draft, t *Type) sequence.Value {
	if !t.Fails && !t.IsSlice() {
		d.risky = true
	}
	return sequence.Value{Kind: sequence.Nil}
}

// made calls one of the operations that return a value for the slot. It returns false if the call can't be made.
func (g *generator) made(d *draft, s slot, makers []*Operation) (sequence.Value, bool) {
	if len(s.t.wraps) > 0 && s.calls+1 < maxCalls && g.random.Chance(wrapShare) {
		makers = s.t.wraps
	}
	op := value.Pick(g.random, makers)
	i := slices.IndexFunc(op.Results, func(r *Type) bool { return g.model.Assignable(r, s.t) })
	if i < 0 || g.histories.of(op).Killed > 0 || len(d.statements) > g.limits.Length || !g.call(d, op, s.calls+1) {
		return sequence.Value{}, false
	}
	return available{len(d.statements) - 1, i, op.Results[i]}.ref(), true
}

// shared sometimes puts a literal with an identity into a variable, so that later statements can use it again.
func (g *generator) shared(d *draft, s slot, v sequence.Value) sequence.Value {
	t := s.t
	if v.Kind == sequence.Typed {
		t = g.model.Lookup(v.Type)
		if t == nil || !t.IsReference() || !g.random.Chance(0.3) {
			return v
		}
		v = t.Shown(v.Elems[0])
	} else if !t.IsReference() || !t.Nameable || !g.random.Chance(0.3) {
		return v
	}
	d.append(sequence.Statement{Kind: sequence.Let, Op: t.Name, Args: []sequence.Value{v}}, t.Variable())
	return available{len(d.statements) - 1, 0, t}.ref()
}

// set appends an assignment to an exported field of an available struct.
func (g *generator) set(d *draft) {
	var targets []available
	for _, v := range d.values {
		if v.t.IsPointer() && len(v.t.Elem.Fields) > 0 {
			targets = append(targets, v)
		}
	}
	if len(targets) == 0 {
		return
	}
	target := value.Pick(g.random, targets)
	f := value.Pick(g.random, target.t.Elem.Fields)
	if len(g.in.Mentioned) > 0 && g.random.Chance(mentionedField) {
		target, f = g.mentionedOf(targets, target, f)
	}
	v, ok := g.argument(d, slot{t: f.Type, op: nil, calls: maxCalls, depth: 1, shape: &shape{}})
	if !ok {
		return
	}
	d.append(sequence.Statement{Kind: sequence.Set, Op: f.Name, Args: []sequence.Value{target.ref(), v}}, nil)
}

// mentionedOf returns a field that changed code mentions, of one of some structs. If there is none, it returns what it
// was given.
func (g *generator) mentionedOf(targets []available, target available, f Field) (available, Field) {
	seen := 0
	for _, t := range targets {
		for _, field := range t.t.Elem.Fields {
			if !g.mentioned(field.Name) {
				continue
			}
			if seen++; g.random.IntN(seen) == 0 {
				target, f = t, field
			}
		}
	}
	return target, f
}

// valueCall calls a function value of some component.
func (g *generator) valueCall() *candidate {
	d := &draft{}
	t := value.Pick(g.random, g.pools.functions)
	function, ok := g.pooled(d, t)
	if !ok || !g.callFunction(d, function, t) {
		return nil
	}
	g.finish(d)
	return d.candidate(0)
}

// callFunction appends a call of a function value.
func (g *generator) callFunction(d *draft, function sequence.Value, t *Type) bool {
	args := []sequence.Value{function}
	shape := &shape{}
	variadic := t.IsVariadic()
	for i, p := range t.Function.Params[1:] {
		s := slot{t: p, op: t.Function, param: i + 1, calls: 1, shape: shape}
		shape.args = args
		if variadic && i == len(t.Function.Params)-2 {
			args = append(args, g.variadic(d, s))
			continue
		}
		v, ok := g.argument(d, s)
		if !ok {
			return false
		}
		args = append(args, v)
	}
	d.append(sequence.Statement{Kind: sequence.CallValue, Args: args}, t.Function)
	return true
}
