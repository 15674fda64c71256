package impact

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// converts reports whether a function converts a value that may contain a changed type to an interface, or compares
// such values. A value that comes out of an interface was converted elsewhere.
func (s *search) converts(fn *ssa.Function) bool {
	for _, block := range fn.Blocks {
		for _, instruction := range block.Instrs {
			switch i := instruction.(type) {
			case *ssa.MakeInterface:
				if s.contains(i.X.Type()) {
					return true
				}
			case *ssa.BinOp:
				if (i.Op == token.EQL || i.Op == token.NEQ) && s.holds(i.X.Type()) {
					return true
				}
			case *ssa.Lookup:
				if s.hashes(i.X.Type()) {
					return true
				}
			case *ssa.MapUpdate:
				if s.hashes(i.Map.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// hashes reports whether a type is a map whose keys contain a changed type.
func (s *search) hashes(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && s.holds(m.Key())
}

// contains reports whether values of a type reach something of a changed type. Values inside interfaces do not count.
func (s *search) contains(t types.Type) bool { return s.reaches(t, s.deep, all) }

// holds reports whether a value of a type has a changed type in its own memory.
func (s *search) holds(t types.Type) bool { return s.reaches(t, s.flat, own) }

// reaches reports whether a changed type is among a type and, transitively, its parts. The answers are memorised in
// known.
func (s *search) reaches(t types.Type, known map[types.Type]bool, parts func(types.Type) []types.Type) bool {
	if result, ok := known[t]; ok {
		return result
	}
	seen := map[types.Type]bool{t: true}
	for list := []types.Type{t}; len(list) > 0; {
		last := list[len(list)-1]
		list = list[:len(list)-1]
		next := types.Unalias(last)
		if s.changed(last) || known[next] {
			known[t] = true
			return true
		}
		for _, part := range parts(next) {
			if _, looked := known[part]; !seen[part] && (!looked || known[part]) {
				seen[part] = true
				list = append(list, part)
			}
		}
	}
	for part := range seen { // from none of them a changed type can be reached
		known[part] = false
	}
	return false
}

// own lists the types of the values in a value's own memory.
func own(t types.Type) []types.Type {
	var parts []types.Type
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for field := range t.Fields() {
			parts = append(parts, field.Type())
		}
	case *types.Array:
		parts = append(parts, t.Elem())
	}
	return parts
}

// all lists the types that a value reaches in one step.
func all(t types.Type) []types.Type {
	switch t := t.Underlying().(type) {
	case *types.Map:
		return []types.Type{t.Key(), t.Elem()}
	case *types.Pointer:
		return []types.Type{t.Elem()}
	case *types.Slice:
		return []types.Type{t.Elem()}
	case *types.Chan:
		return []types.Type{t.Elem()}
	case *types.Signature: // by reflection
		var parts []types.Type
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				parts = append(parts, v.Type())
			}
		}
		return parts
	}
	return own(t)
}
