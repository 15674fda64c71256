package generate

import (
	"go/types"
	"strconv"

	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file makes literals: composites, pointers, stubs, channels, and values for interfaces.

func isPointer(t *typeInfo) bool   { _, ok := t.under.(*types.Pointer); return ok }
func isMap(t *typeInfo) bool       { _, ok := t.under.(*types.Map); return ok }
func isSlice(t *typeInfo) bool     { _, ok := t.under.(*types.Slice); return ok }
func isStruct(t *typeInfo) bool    { _, ok := t.under.(*types.Struct); return ok }
func isInterface(t *typeInfo) bool { _, ok := t.under.(*types.Interface); return ok }

// isReference reports whether passing one value twice differs from passing two equal ones.
func isReference(t *typeInfo) bool {
	switch t.under.(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature:
		return true
	}
	return false
}

func isVariadic(t *typeInfo) bool {
	signature, ok := t.under.(*types.Signature)
	return ok && signature.Variadic()
}

// scalar returns a literal for a parameter of an operation. The operation may be nil.
func (g *generator) scalar(t *typeInfo, op *operation, param int) sequence.Value {
	return g.values.Scalar(t.plain, op.forLiterals(), param)
}

// forLiterals returns what the literals among the operation's arguments depend on. It returns nil for a
// nil operation.
func (op *operation) forLiterals() *value.Operation {
	if op == nil {
		return nil
	}
	return &op.literals
}

// literal returns a literal for the slot, or false if none can be written.
func (g *generator) literal(d *draft, s slot) (sequence.Value, bool) {
	if s.t.scalar {
		return g.scalar(s.t, s.op, s.param), true
	}
	deep := s.depth >= maxDepth
	switch under := s.t.under.(type) {
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
		return sequence.Value{Kind: sequence.Chan, Text: strconv.Itoa(g.random.Weighted(1, 4, 2, 1))}, true
	case *types.Signature:
		return g.stub(d, s, under), true
	case *types.Interface:
		if s.t.empty {
			return g.anything(d, s), true
		}
		return g.filler(d, s)
	}
	return sequence.Value{}, false
}

// address returns a pointer to a new variable.
func (g *generator) address(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Zero}
	if !isPointer(s.t.elem) && !isInterface(s.t.elem) {
		inner := s.within(s.t.elem)
		inner.depth-- // a pointer to a struct is no deeper than the struct
		if found, ok := g.madeStruct(d, s.t.elem); ok {
			v = found
		} else if found, ok := g.literal(d, inner); ok {
			v = found
		}
	}
	return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}}
}

// madeStruct sometimes returns a struct that an operation made: its methods may want a pointer.
func (g *generator) madeStruct(d *draft, t *typeInfo) (sequence.Value, bool) {
	if isStruct(t) && len(t.pool.entries) > 0 && g.random.Chance(0.5) {
		return g.drawn(d, t)
	}
	return sequence.Value{}, false
}

// within returns a slot inside a literal for this slot.
func (s slot) within(t *typeInfo) slot {
	s.t, s.depth, s.receiver = t, s.depth+1, false
	return s
}

// inner returns a value for a slot inside a literal. If no value can be had, it is zero.
func (g *generator) inner(d *draft, s slot) sequence.Value {
	if s.shape.values++; s.shape.values > maxInner {
		return sequence.Value{Kind: sequence.Zero}
	}
	if s.t.scalar {
		return g.scalar(s.t, s.op, s.param)
	}
	if !s.t.empty && g.random.Chance(0.5) {
		if v, ok := g.fitting(d, s.t); ok {
			return v.ref()
		}
		if v, ok := g.pooled(d, s.t); ok {
			return v
		}
	}
	if s.depth < maxDepth && !(s.t.fails && g.random.Chance(0.8)) {
		if v, ok := g.literal(d, s); ok {
			return v
		}
	}
	return sequence.Value{Kind: sequence.Zero}
}

// structLiteral sets few, some or most of the fields.
func (g *generator) structLiteral(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Struct, Type: s.t.name}
	if _, named := s.t.typ.(*types.Named); !named {
		v.Type = ""
	}
	share := []float64{0.15, 0.5, 0.9}[g.random.IntN(3)] / (1 + 0.5*float64(max(0, s.depth-1)))
	for _, f := range s.t.fields {
		if !g.random.Chance(share) {
			continue
		}
		if value := g.inner(d, s.within(f.t)); value.Kind != sequence.Zero {
			v.Fields = append(v.Fields, sequence.Field{Name: f.name, Value: value})
		}
	}
	return v
}

func (g *generator) list(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.List, Type: s.t.name}
	n := g.random.Weighted(1, 3, 3, 2, 1)
	if array, ok := s.t.under.(*types.Array); ok {
		n = int(min(array.Len(), 4))
	}
	if s.depth >= maxDepth {
		n = 0
	}
	for range n {
		v.Elems = append(v.Elems, g.inner(d, s.within(s.t.elem)))
	}
	return v
}

// mapLiteral makes up to three pairs. Only scalars are used as keys, because only they can be compared
// here.
func (g *generator) mapLiteral(d *draft, s slot) sequence.Value {
	v := sequence.Value{Kind: sequence.Map, Type: s.t.name}
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
		case s.t.key.scalar && !isSlice(s.t.key):
			key = g.scalar(s.t.key, s.op, s.param)
		case !s.t.key.empty:
			return v
		}
		if value.HasKey(v.Elems, key) {
			continue
		}
		v.Elems = append(v.Elems, key, g.inner(d, s.within(s.t.elem)))
	}
	return v
}

// varyingShare is how often the calls of a function do not all return the same.
const varyingShare = 0.4

// stub returns a function that returns zero values, or values that fit its signature.
func (g *generator) stub(d *draft, s slot, signature *types.Signature) sequence.Value {
	if signature.Results().Len() == 0 || s.depth >= maxDepth || g.random.Chance(0.2) {
		return sequence.Value{Kind: sequence.Stub}
	}
	rounds := 1
	if g.random.Chance(varyingShare) {
		rounds += 1 + g.random.IntN(2)
	}
	varying := sequence.Value{Kind: sequence.Varying}
	for range rounds {
		v := sequence.Value{Kind: sequence.Stub}
		for _, t := range s.t.function.results {
			v.Elems = append(v.Elems, g.inner(d, s.within(t)))
		}
		varying.Elems = append(varying.Elems, v)
	}
	if rounds == 1 {
		return varying.Elems[0]
	}
	return varying
}

// filler returns a literal of a type that implements the slot's interface.
func (g *generator) filler(d *draft, s slot) (sequence.Value, bool) {
	fillers := g.model.fillersOf(s.t)
	if len(fillers) == 0 || s.depth >= maxDepth {
		return sequence.Value{}, false
	}
	return g.typed(d, s, value.Pick(g.random, fillers))
}

// typed returns a literal of a given type for a slot of interface type.
func (g *generator) typed(d *draft, s slot, t *typeInfo) (sequence.Value, bool) {
	v, ok := g.literal(d, s.within(t))
	if !ok || v.Kind == sequence.Nil {
		return sequence.Value{}, false
	}
	return sequence.Value{Kind: sequence.Typed, Type: t.name, Elems: []sequence.Value{value.Untyped(v)}}, true
}
