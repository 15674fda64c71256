package generate

import (
	"go/types"

	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file fills slots of type any. Operations that have such parameters often read or write their
// arguments by reflection. So pointers to structs and maps matter most, and so do several of one kind in
// one call.

// A shape is what the literals of one call share.
type shape struct {
	t      *typeInfo // the struct or map that slots of type any hold; nil: none yet
	values int       // number of values inside the call's literals
}

// plainTypes returns the unnamed types with which slots of type any are filled.
func (m *model) plainTypes() map[string]*typeInfo {
	text, anyType := types.Typ[types.String], types.Universe.Lookup("any").Type()
	plain := map[string]*typeInfo{}
	for _, t := range []types.Type{
		text, types.Typ[types.Int], types.Typ[types.Float64],
		types.Typ[types.Bool], types.Typ[types.Int64], types.Typ[types.Uint8],
		types.NewSlice(anyType), types.NewSlice(text),
		types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.Uint8]),
		types.NewMap(text, anyType), types.NewMap(text, text),
	} {
		info := m.info(t)
		plain[info.name] = info
	}
	return plain
}

// basics are the basic types of samples. They are an array, because their order must not change.
func basics() [12]string {
	return [...]string{
		"string", "string", "string", "string", "int", "int", "float64", "bool", "bool", "int64", "uint8", "[]uint8",
	}
}

// anything fills a slot of type any.
func (g *generator) anything(d *draft, s slot) sequence.Value {
	if v, ok := g.typed(d, s, g.anyType(s)); ok {
		return v
	}
	return g.typedText(s)
}

// typedText returns a string for a slot of interface type.
func (g *generator) typedText(s slot) sequence.Value {
	v := g.scalar(g.model.plain["string"], s.op, s.param)
	return sequence.Value{Kind: sequence.Typed, Type: "string", Elems: []sequence.Value{v}}
}

func (g *generator) anyType(s slot) *typeInfo {
	m, all := g.model, basics()
	leaf := m.plain[all[g.random.IntN(len(all))]]
	if s.depth > 0 && (s.depth > 3 || g.random.Chance(0.7)) {
		return leaf
	}
	if s.depth == 0 && s.shape.t != nil && g.random.Chance(0.75) {
		return g.formOf(s, s.shape.t)
	}
	var own float64
	if len(m.structs) > 0 {
		own = 4
	}
	var t *typeInfo
	switch g.random.Weighted(4, 4, 2, 1.5, 1, 1, 1, own) {
	case 0:
		return leaf
	case 1:
		t = value.Pick(g.random, m.samples)
	case 2:
		t = m.plain["map[string]any"]
	case 3:
		return m.plain["[]any"]
	case 4:
		t = m.plain["map[string]string"]
	case 5:
		return m.plain["[]string"]
	case 6:
		return m.plain["[]int"]
	default:
		t = value.Pick(g.random, m.structs)
	}
	if s.depth == 0 {
		s.shape.t = t
	}
	return g.formOf(s, t)
}

// formOf returns a type or the pointer to it. Operations that change an argument need a pointer, and most
// often it is the first of several parameters.
func (g *generator) formOf(s slot, t *typeInfo) *typeInfo {
	share := 0.5
	if s.depth == 0 && s.param == 0 {
		share = 0.75
	}
	if !isStruct(t) {
		share /= 2
	}
	if g.random.Chance(share) {
		return g.model.pointerTo(t)
	}
	return t
}
