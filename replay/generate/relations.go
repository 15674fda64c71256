package generate

import (
	"go/types"
	"slices"
)

// This file finds relations between types, and between types and operations. Each is computed once.

// relations are those of one type. Each is computed when it is first used.
type relations struct {
	pointer *typeInfo    // to the type
	let     *operation   // a variable of the type
	accepts []uint8      // by id of the other type: 0 unknown, 1 assignable to this, 2 not
	makers  []*operation // operations that return a value of the type
	asked   bool         // makers is complete
	fillers []*typeInfo  // nameable types that implement this interface
	filled  bool         // fillers is complete
}

// pointerTo returns the type of pointers to a type.
func (m *model) pointerTo(t *typeInfo) *typeInfo {
	if t.pointer == nil {
		t.pointer = m.info(types.NewPointer(t.typ))
	}
	return t.pointer
}

// assignable reports whether a value of one type fits a slot of another: as it is, or as the struct that it points to.
func (m *model) assignable(from, to *typeInfo) bool {
	if from == to {
		return true
	}
	if from.id >= len(to.accepts) {
		to.accepts = append(to.accepts, make([]uint8, len(m.all)-len(to.accepts))...)
	}
	if to.accepts[from.id] == 0 {
		to.accepts[from.id] = 2
		if types.AssignableTo(from.typ, to.typ) || isPointer(from) && from.elem == to && isStruct(to) {
			to.accepts[from.id] = 1
		}
	}
	return to.accepts[from.id] == 1
}

// makersOf returns the operations that return a value that fits. Those that need no such value themselves
// come first.
func (m *model) makersOf(t *typeInfo) []*operation {
	if t.asked || t.scalar || t.empty {
		return t.makers
	}
	t.asked = true
	var others []*operation
	for _, op := range m.operations {
		if !slices.ContainsFunc(op.results, func(r *typeInfo) bool { return m.assignable(r, t) }) {
			continue
		}
		if slices.ContainsFunc(op.params, func(p *typeInfo) bool { return !p.empty && m.assignable(t, p) }) {
			others = append(others, op)
		} else {
			t.makers = append(t.makers, op)
		}
	}
	if len(t.makers) == 0 {
		t.makers = others
	}
	return t.makers
}

// fillersOf returns the types whose literals fit a slot of interface type.
func (m *model) fillersOf(t *typeInfo) []*typeInfo {
	if t.filled {
		return t.fillers
	}
	t.filled = true
	for _, named := range m.named {
		if types.IsInterface(named.typ) {
			continue
		}
		if m.assignable(named, t) {
			t.fillers = append(t.fillers, named)
		} else if pointer := m.pointerTo(named); m.assignable(pointer, t) {
			t.fillers = append(t.fillers, pointer)
		}
	}
	return t.fillers
}

// variable returns the operation that stands for a variable (Let) of this type.
func (t *typeInfo) variable() *operation {
	if t.let == nil {
		t.let = &operation{results: []*typeInfo{t}, variable: true}
	}
	return t.let
}
