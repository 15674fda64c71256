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

// structures enumerates literals of small scope. The size of a literal is the number of its non-zero scalars, structs
// behind pointers, and listed elements. No two literals are isomorphic. Literals are trees, so structures with cycles
// or shared parts are not enumerated.
type structures struct {
	choices *choices
	unset   map[string][]string // struct type → fields that no sequence may set
	known   map[string][]sequence.Value
}

// mostStructures is the maximum number of literals of one type and size. The first ones are kept.
const mostStructures = 2000

// of returns the literals of a type with a size.
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

// scalars returns the zero value of a scalar type for size 0, its other values for size 1.
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

// fields returns the literals of a struct whose first fields have that size in total.
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

// with returns a literal with one more field, or unchanged if the field is zero.
func with(literal sequence.Value, name string, v sequence.Value) sequence.Value {
	if v.Kind != sequence.Zero {
		literal.Fields = append(slices.Clone(literal.Fields), sequence.Field{Name: name, Value: v})
	}
	return literal
}

// lists returns the lists with that size in total.
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

// shown returns the type that a composite shows, "" for a type without a name.
func shown(t types.Type) string {
	if _, named := types.Unalias(t).(*types.Named); !named {
		return ""
	}
	return symbol.Type(t)
}
