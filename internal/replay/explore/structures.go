package explore

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// structures enumerates literals of small scope. The size of a literal is how many of its scalars are not zero, and how
// many structs are pointed to and elements are listed in it. No two that are enumerated
// are alike up to the identity of what is pointed to, since literals are trees: what points back, or to one thing
// twice, is not among them.
type structures struct {
	choices *choices
	unset   map[string][]string // fields that nobody may set, by struct type
	known   map[string][]sequence.Value
}

// mostStructures is how many literals of a type and size there are at most; where there are more, the first.
const mostStructures = 2000

// of returns the literals of a type that have a size.
func (s *structures) of(t types.Type, size int) []sequence.Value {
	key := symbol.Key(t) + " " + strconv.Itoa(size)
	if known, ok := s.known[key]; ok {
		return known
	}
	list := s.made(t, size)
	list = list[:min(len(list), mostStructures)]
	s.known[key] = list
	return list
}

func (s *structures) made(t types.Type, size int) []sequence.Value {
	switch under := t.Underlying().(type) {
	case *types.Basic:
		return s.scalars(t, under, size)
	case *types.Struct:
		return s.fields(t, s.settable(t), size)
	case *types.Pointer:
		if size == 0 {
			return zero()
		}
		var list []sequence.Value
		for _, v := range s.of(under.Elem(), size-1) {
			list = append(list, sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}})
		}
		return list
	case *types.Slice:
		if isBytes(under) {
			return s.scalars(t, types.Typ[types.String], size)
		}
		if size == 0 {
			return zero()
		}
		return s.lists(t, under.Elem(), size)
	}
	if size == 0 {
		return zero()
	}
	return nil
}

func zero() []sequence.Value { return []sequence.Value{{Kind: sequence.Zero}} }

// scalars returns the zero value of a scalar type, or its other values.
func (s *structures) scalars(t types.Type, basic *types.Basic, size int) []sequence.Value {
	if size == 0 {
		return zero()
	}
	var list []sequence.Value
	for _, m := range s.choices.scalars(t, basic) {
		if !slices.Contains([]string{"", "0", "false", "(0+0i)"}, m.value.Text) && size == 1 {
			list = append(list, m.value)
		}
	}
	return list
}

// settable returns the fields of a struct that a literal may set.
func (s *structures) settable(t types.Type) []*types.Var {
	return slices.DeleteFunc(api.Fields(t), func(f *types.Var) bool {
		return slices.Contains(s.unset[symbol.Type(t)], f.Name())
	})
}

// fields returns the literals of a struct of which the sizes of the first fields are the size in all.
func (s *structures) fields(t types.Type, of []*types.Var, size int) []sequence.Value {
	if len(of) == 0 {
		if size > 0 {
			return nil
		}
		return []sequence.Value{{Kind: sequence.Struct, Type: shown(t)}}
	}
	key := fmt.Sprint(symbol.Key(t), ".", len(of), " ", size)
	if known, ok := s.known[key]; ok {
		return known
	}
	last := of[len(of)-1]
	var list []sequence.Value
	for own := 0; own <= size; own++ {
		values := s.of(last.Type(), own)
		for _, rest := range s.fields(t, of[:len(of)-1], size-own) {
			for _, v := range values[:min(len(values), mostStructures-len(list))] {
				list = append(list, with(rest, last.Name(), v))
			}
		}
	}
	s.known[key] = list
	return list
}

// with returns a literal with one more field, unless that stays zero.
func with(literal sequence.Value, name string, v sequence.Value) sequence.Value {
	if v.Kind != sequence.Zero {
		literal.Fields = append(slices.Clone(literal.Fields), sequence.Field{Name: name, Value: v})
	}
	return literal
}

// lists returns the lists that have a size in all.
func (s *structures) lists(t, elem types.Type, size int) []sequence.Value {
	if size == 0 {
		return []sequence.Value{{Kind: sequence.List, Type: shown(t)}}
	}
	var list []sequence.Value
	for own := range size {
		values := s.of(elem, own)
		for _, rest := range s.lists(t, elem, size-own-1) {
			for _, v := range values[:min(len(values), mostStructures-len(list))] {
				longer := rest
				longer.Elems = append(slices.Clone(rest.Elems), v)
				list = append(list, longer)
			}
		}
	}
	return list
}

// shown returns the type that a composite shows: none if it has no name.
func shown(t types.Type) string {
	if _, named := types.Unalias(t).(*types.Named); !named {
		return ""
	}
	return symbol.Type(t)
}
