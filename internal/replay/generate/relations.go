package generate

import (
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// relations are the relations of one type. Each is computed on first use.
type relations struct {
	pointer *Type        // to the type
	let     *Operation   // a variable of the type
	accepts []uint8      // by id of the other type: 0 unknown, 1 assignable to this, 2 not
	makers  []*Operation // operations that return a value of the type
	wraps   []*Operation // those of the others that take one, of an interface that has makers
	asked   bool         // makers is computed
	fillers []*Type      // nameable types that implement this interface
	filled  bool         // fillers is computed
}

// PointerTo returns the type of pointers to a type.
func (m *Model) PointerTo(t *Type) *Type {
	if t.pointer == nil {
		t.pointer = m.info(types.NewPointer(t.Go))
	}
	return t.pointer
}

// Assignable reports whether a value of one type fits a slot of another, directly or as the struct that it points to.
func (m *Model) Assignable(from, to *Type) bool {
	if from == to {
		return true
	}
	if from.ID >= len(to.accepts) {
		to.accepts = append(to.accepts, make([]uint8, len(m.byName)-len(to.accepts))...)
	}
	if to.accepts[from.ID] == 0 {
		to.accepts[from.ID] = 2
		if types.AssignableTo(from.Go, to.Go) || from.IsPointer() && from.Elem == to && to.IsStruct() {
			to.accepts[from.ID] = 1
		}
	}
	return to.accepts[from.ID] == 1
}

// MakersOf returns the operations that return a fitting value. Those that need no such value themselves come first.
func (m *Model) MakersOf(t *Type) []*Operation {
	if t.asked || t.Scalar || t.Empty {
		return t.makers
	}
	t.asked = true
	var others []*Operation
	for _, op := range m.Operations {
		if !slices.ContainsFunc(op.Results, func(r *Type) bool { return m.Assignable(r, t) }) {
			continue
		}
		if slices.ContainsFunc(op.Params, func(p *Type) bool { return !p.Empty && m.Assignable(t, p) }) {
			others = append(others, op)
		} else {
			t.makers = append(t.makers, op)
		}
	}
	switch {
	case len(t.makers) == 0:
		t.makers = others
	case t.IsInterface():
		t.wraps = others
	}
	return t.makers
}

// FillersOf returns the types whose literals fit a slot of interface type.
func (m *Model) FillersOf(t *Type) []*Type {
	if t.filled {
		return t.fillers
	}
	t.filled = true
	for _, named := range slices.Concat(m.named, m.implementing) {
		if types.IsInterface(named.Go) {
			continue
		}
		if m.Assignable(named, t) {
			t.fillers = append(t.fillers, named)
		} else if pointer := m.PointerTo(named); m.Assignable(pointer, t) {
			t.fillers = append(t.fillers, pointer)
		}
	}
	return t.fillers
}

// Variable returns the operation that stands for a variable (Let) of this type.
func (t *Type) Variable() *Operation {
	if t.let == nil {
		t.let = &Operation{Results: []*Type{t}, Variable: true}
	}
	return t.let
}

// Shown returns a composite with the type written in it.
func (t *Type) Shown(v sequence.Value) sequence.Value {
	switch v.Kind {
	case sequence.Struct, sequence.List, sequence.Map:
		v.Type = t.Name
	case sequence.Address:
		v.Elems = []sequence.Value{t.Elem.Shown(v.Elems[0])}
	}
	return v
}
