package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A shape is shared by the literals of one call. Operations with parameters of type any often read or write their
// arguments by reflection. So pointers to structs and maps matter most, and so do several of one kind in one call.
type shape struct {
	t      *Type            // the struct or map for slots of type any; nil: none yet
	record *Type            // the struct of a test for maps and slots of type any; nil: none yet
	values int              // number of values inside the call's literals
	args   []sequence.Value // arguments of the call so far
}

// anything returns a value for a slot of type any.
func (g *generator) anything(d *draft, s slot) sequence.Value {
	if v, ok := g.typed(d, s, g.anyType(s)); ok {
		return v
	}
	return g.typedText(s)
}

// typedText returns a string for a slot of interface type.
func (g *generator) typedText(s slot) sequence.Value {
	v := g.other(g.model.Plain["string"], s.op, s.param)
	return sequence.Value{Kind: sequence.Typed, Type: "string", Elems: []sequence.Value{v}}
}

// assertedShare is the share of values of type any that have a type which changed code asserts, if there is one.
const assertedShare = 0.3

func (g *generator) anyType(s slot) *Type {
	if len(g.asserted) > 0 && g.random.Chance(assertedShare) {
		return value.Pick(g.random, g.asserted)
	}
	m, all := g.model, value.AnyBasics()
	leaf := m.Plain[all[g.random.IntN(len(all))]]
	if s.depth > 0 && (s.depth > 3 || g.random.Chance(0.7)) {
		return leaf
	}
	if t := s.shape.record; s.depth == 0 && t != nil && g.random.Chance(0.75) {
		return g.formOf(s, t)
	}
	if s.depth == 0 && s.shape.t != nil && g.random.Chance(0.75) {
		return g.formOf(s, s.shape.t)
	}
	var own float64
	if len(m.Structs) > 0 {
		own = 4
	}
	var t *Type
	switch g.random.Weighted(4, 4, 2, 1.5, 1, 1, 1, own) {
	case 0:
		return leaf
	case 1:
		if t = g.record(s); t == nil {
			t = value.Pick(g.random, m.Samples)
		}
	case 2:
		t = m.Plain["map[string]any"]
	case 3:
		return m.Plain["[]any"]
	case 4:
		t = m.Plain["map[string]string"]
	case 5:
		return m.Plain["[]string"]
	case 6:
		return m.Plain["[]int"]
	default:
		t = value.Pick(g.random, m.Structs)
	}
	if s.depth == 0 {
		s.shape.t = t
	}
	return g.formOf(s, t)
}

// formOf returns a type or a pointer to it. Operations that change an argument need a pointer, and most often it is the
// first of several parameters.
func (g *generator) formOf(s slot, t *Type) *Type {
	share := 0.5
	if s.depth == 0 && s.param == 0 {
		share = 0.75
	}
	if !t.IsStruct() {
		share /= 2
	}
	if g.random.Chance(share) {
		return g.model.PointerTo(t)
	}
	return t
}

// record sometimes returns a struct of a test for the whole call.
func (g *generator) record(s slot) *Type {
	if len(g.model.Declared) == 0 || g.random.Chance(0.3) {
		return nil
	}
	if s.shape.record == nil {
		s.shape.record = value.Pick(g.random, g.model.Declared)
	}
	return s.shape.record
}

// entry returns a key and a value for a map with string keys, taken from the fields of a struct of a test. It returns
// false if the map has no such struct.
func (g *generator) entry(d *draft, s slot) (key, v sequence.Value, ok bool) {
	of := g.record(s)
	if of == nil || s.t.Key.Name != "string" {
		return key, v, false
	}
	f := value.Pick(g.random, of.Fields)
	key = sequence.Value{Kind: sequence.String, Text: value.Pick(g.random, f.Keys)}
	if s.t.Elem.Empty && g.random.Chance(0.6) {
		v, ok = g.typed(d, s, f.Type)
	}
	if !ok {
		v = g.inner(d, s.within(s.t.Elem))
	}
	return key, v, true
}
