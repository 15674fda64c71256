package generate

import (
	"go/types"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// scalar returns a literal for a slot.
func (g *generator) scalar(d *draft, s slot) sequence.Value {
	if v, ok := g.given(d, s); ok {
		return v
	}
	return g.other(s.t, s.op, s.param)
}

// other returns a literal for a parameter of an operation, whatever surrounds it. The operation may be nil.
func (g *generator) other(t *Type, op *Operation, param int) sequence.Value {
	return g.values.Scalar(t.Plain, g.forLiterals(op), param)
}

// givenShare is the share of scalars that repeat one of the sequence, if it has one.
const givenShare = 0.2

// given sometimes returns a scalar that the sequence, or the call of the slot, already has.
func (g *generator) given(d *draft, s slot) (sequence.Value, bool) {
	return g.again(s.t, s.op, s.param, func(has *value.Given, name string) {
		has.Add(s.shape.args, false)
		for i, st := range d.statements {
			for at := range st.Args {
				has.Add(st.Args[at:at+1], name != "" && d.ops[i].Named(at) == name)
			}
		}
	})
}

// again sometimes returns one of the scalars that a function adds, which is told the name of the parameter.
func (g *generator) again(
	t *Type, op *Operation, param int, add func(has *value.Given, name string),
) (sequence.Value, bool) {
	if len(t.Plain.Constants) > 0 || !g.random.Chance(givenShare) {
		return sequence.Value{}, false
	}
	has := value.Given{Type: t.Plain}
	add(&has, op.Named(param))
	return g.values.Given(has, g.forLiterals(op), param)
}

// literal returns a literal for the slot, or false if there is none.
func (g *generator) literal(d *draft, s slot) (sequence.Value, bool) {
	if s.t.Scalar {
		return g.scalar(d, s), true
	}
	deep := s.depth >= maxDepth
	switch under := s.t.Under.(type) {
	case *types.Pointer:
		if deep {
			return g.none(d, s.t), true
		}
		return g.address(d, s), true
	case *types.Struct:
		return g.structLiteral(d, s), true
	case *types.Slice, *types.Array:
		return g.list(d, s), true
	case *types.Map:
		return g.mapLiteral(d, s), true
	case *types.Chan:
		return g.channel(d, s, under), true
	case *types.Signature:
		return g.stub(d, s, under), true
	case *types.Interface:
		if s.t.Empty {
			return g.anything(d, s), true
		}
		return g.filler(d, s)
	}
	return sequence.Value{}, false
}

// address returns a pointer to a new variable.
func (g *generator) address(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Zero}
	if !s.t.Elem.IsPointer() && !s.t.Elem.IsInterface() {
		inner := s.within(s.t.Elem)
		inner.depth-- // a pointer to a struct is as deep as the struct
		if found, ok := g.madeStruct(d, s.t.Elem); ok {
			v = found
		} else if found, ok := g.literal(d, inner); ok {
			v = found
		}
	}
	return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}}
}

// madeStruct sometimes returns a struct that an operation made, because its methods may need a pointer.
func (g *generator) madeStruct(d *draft, t *Type) (sequence.Value, bool) {
	if t.IsStruct() && len(g.pools.of(t).entries) > 0 && g.random.Chance(0.5) {
		return g.drawn(d, t)
	}
	return sequence.Value{}, false
}

// within returns a slot inside a literal for this slot.
func (s slot) within(t *Type) slot {
	s.t, s.depth, s.receiver = t, s.depth+1, false
	return s
}

// inner returns a value for a slot inside a literal; zero if there is none.
func (g *generator) inner(d *draft, s slot) sequence.Value {
	if s.shape.values++; s.shape.values > maxInner {
		return sequence.Value{Kind: sequence.Zero}
	}
	if s.t.Scalar {
		return g.scalar(d, s)
	}
	if !s.t.Empty && g.random.Chance(0.5) {
		if v, ok := g.fitting(d, s.t); ok {
			return v.ref()
		}
		if v, ok := g.pooled(d, s.t); ok {
			return v
		}
	}
	if s.depth < maxDepth && !(s.t.Fails && g.random.Chance(0.8)) {
		if v, ok := g.literal(d, s); ok {
			return v
		}
	}
	return sequence.Value{Kind: sequence.Zero}
}

// mentionedField is how often a literal sets a field that changed code mentions, at least.
const mentionedField = 0.5

// structLiteral returns a struct with few, some or most of its fields set.
func (g *generator) structLiteral(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Struct, Type: s.t.Name}
	if _, named := s.t.Go.(*types.Named); !named {
		v.Type = ""
	}
	share := []float64{0.15, 0.5, 0.9}[g.random.IntN(3)] / (1 + 0.5*float64(max(0, s.depth-1)))
	for _, f := range s.t.Fields {
		of := share
		if g.mentioned(f.Name) {
			of = max(of, mentionedField)
		}
		if !g.random.Chance(of) {
			continue
		}
		if value := g.inner(d, s.within(f.Type)); value.Kind != sequence.Zero {
			v.Fields = append(v.Fields, sequence.Field{Name: f.Name, Value: value})
		}
	}
	return v
}

func (g *generator) list(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.List, Type: s.t.Name}
	n := g.random.Weighted(1, 3, 3, 2, 1)
	if array, ok := s.t.Under.(*types.Array); ok {
		n = int(min(array.Len(), 4))
	}
	if s.depth >= maxDepth {
		n = 0
	}
	v.Elems = g.each(d, s, n, s.t.Elem)
	return v
}

// each returns n values for each of some types inside a literal.
func (g *generator) each(d *draft, s slot, n int, of ...*Type) (values []sequence.Value) {
	for range n {
		for _, t := range of {
			values = append(values, g.inner(d, s.within(t)))
		}
	}
	return values
}

// mapLiteral returns a map with up to three pairs. Keys are scalars, because only they can be compared here.
func (g *generator) mapLiteral(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Map, Type: s.t.Name}
	if s.depth >= maxDepth {
		return v
	}
	for range g.random.Weighted(1, 4, 3, 2) {
		if key, elem, ok := g.entry(d, s); ok {
			if !value.HasKey(v.Elems, key) {
				v.Elems = append(v.Elems, key, elem)
			}
			continue
		}
		key := g.typedText(s)
		switch {
		case s.t.Key.Scalar && !s.t.Key.IsSlice():
			key = g.scalar(d, s.within(s.t.Key))
		case !s.t.Key.Empty:
			return v
		}
		if value.HasKey(v.Elems, key) {
			continue
		}
		v.Elems = append(v.Elems, key, g.inner(d, s.within(s.t.Elem)))
	}
	return v
}

// closedShare is the share of channels that hold values and are closed; it is larger for types that nobody can send to.
const (
	closedShare         = 0.2
	closedShareReceived = 0.7
)

// channel returns a new channel.
func (g *generator) channel(d *draft, s slot, under *types.Chan) sequence.Value {
	share := closedShare
	if under.Dir() == types.RecvOnly {
		share = closedShareReceived
	}
	if under.Dir() == types.SendOnly || s.depth >= maxDepth || !g.random.Chance(share) {
		return sequence.Value{Kind: sequence.Chan, Text: strconv.Itoa(g.random.Weighted(1, 4, 2, 1))}
	}
	return sequence.Value{Kind: sequence.Closed, Elems: g.each(d, s, g.random.Weighted(1, 3, 3, 2), s.t.Elem)}
}

// callingShare is the share of functions that call the function passed to them. varyingShare is the share of the others
// whose calls return different values.
const callingShare, varyingShare = 0.7, 0.4

// stub returns a function that calls the function passed to it, or returns zero values, or values that fit its
// signature.
func (g *generator) stub(d *draft, s slot, signature *types.Signature) sequence.Value {
	if yield := s.t.Yield(); yield != nil && s.depth < maxDepth {
		n := g.random.Weighted(1, 3, 3, 2)
		return sequence.Value{Kind: sequence.Yields, Elems: g.each(d, s, n, yield.Params[1:]...)}
	}
	if back := s.t.Callback(); back != nil && s.depth < maxDepth && g.random.Chance(callingShare) {
		return sequence.Value{Kind: sequence.Calls, Elems: g.each(d, s, 1, back.Params[1:]...)}
	}
	if signature.Results().Len() == 0 || s.depth >= maxDepth || g.random.Chance(0.2) {
		return sequence.Value{Kind: sequence.Stub}
	}
	rounds := 1
	if g.random.Chance(varyingShare) {
		rounds += 1 + g.random.IntN(2)
	}
	varying := sequence.Value{Kind: sequence.Varying}
	for range rounds {
		results := g.each(d, s, 1, s.t.Function.Results...)
		varying.Elems = append(varying.Elems, sequence.Value{Kind: sequence.Stub, Elems: results})
	}
	if rounds == 1 {
		return varying.Elems[0]
	}
	return varying
}

// filler returns a literal of a type that implements the slot's interface.
func (g *generator) filler(d *draft, s slot) (sequence.Value, bool) {
	fillers := g.model.FillersOf(s.t)
	if len(fillers) == 0 || s.depth >= maxDepth {
		return sequence.Value{}, false
	}
	return g.typed(d, s, value.Pick(g.random, fillers))
}

// typed returns a literal of a given type for a slot of interface type.
func (g *generator) typed(d *draft, s slot, t *Type) (sequence.Value, bool) {
	v, ok := g.literal(d, s.within(t))
	if !ok || v.Kind == sequence.Nil {
		return sequence.Value{}, false
	}
	return sequence.Value{Kind: sequence.Typed, Type: t.Name, Elems: []sequence.Value{value.Untyped(v)}}, true
}
