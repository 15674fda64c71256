package suite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// mostParts is how many fields of a struct in a field are holes, at most.
const mostParts = 8

// composed adds, for fields that a literal leaves out and that the change mentions, the choice of something that is no
// plain value: a pointer to one, a list or a map with an element, a struct. Its parts are holes of their own.
func (w *walker) composed(n *ast.CompositeLit, of *types.Struct, named types.Type, set map[string]bool) {
	count := 0
	for f := range of.Fields() {
		if count == mostSet && !w.known.All || set[f.Name()] || !w.mentions(f) || w.expects(f) || !w.mayset(f) ||
			!w.shared(named, f) || !w.nameable(f.Type(), n.Lbrace) || ofTesting(f.Type()) {
			continue
		}
		parts := w.parts(f.Type(), f.Name(), n)
		if len(parts) == 0 {
			continue
		}
		at := spot(n.Lbrace + 1)
		w.offer(at, f.Type(), f.Name(), choice{kind: composes, text: "something in " + f.Name()})
		first := w.found[len(w.found)-1]
		first.unset = true
		for _, h := range parts {
			h.lit, h.within = at, first
			w.note(h)
			first.choice.fields = append(first.choice.fields, h)
		}
		count++
	}
}

// parts returns holes for the plain values in something of a type, none if it is of another kind.
func (w *walker) parts(t types.Type, name string, n *ast.CompositeLit) []*hole {
	switch of := t.Underlying().(type) {
	case *types.Pointer:
		if s, ok := of.Elem().Underlying().(*types.Struct); ok {
			return w.fieldParts(s, of, n)
		}
		return w.plainParts(n, name, of.Elem())
	case *types.Slice:
		return w.plainParts(n, name, of.Elem())
	case *types.Map:
		return w.plainParts(n, name, of.Key(), of.Elem())
	case *types.Struct:
		return w.fieldParts(of, t, n)
	}
	return nil
}

func (w *walker) fieldParts(of *types.Struct, named types.Type, n *ast.CompositeLit) []*hole {
	list := w.plainFields(of, named, n.Lbrace)
	return list[:min(len(list), mostParts)]
}

// plainParts returns a hole for each of some types, none if one is not plain.
func (w *walker) plainParts(n *ast.CompositeLit, name string, list ...types.Type) (parts []*hole) {
	for _, t := range list {
		basic, ok := t.Underlying().(*types.Basic)
		if !ok || !w.nameable(t, n.Lbrace) {
			return nil
		}
		zero, ok := zeroOf(basic)
		if !ok {
			return nil
		}
		parts = append(parts, &hole{typ: t, name: name, value: zero, unset: true})
	}
	return parts
}

// composing returns the field of a literal that has something in it, if it or one of its parts is asked for.
func (d *digger) composing(f *ast.File, h *hole) string {
	var parts, fields []string
	last := h.number
	for _, part := range h.choice.fields {
		before, back := d.asked(f, part)
		text := before + zeroText(part.basic()) + back
		parts, fields, last = append(parts, text), append(fields, part.name+": "+text), part.number
	}
	of := d.spelled(f, h.typ)
	made := "return " + of + "{" + strings.Join(fields, ", ") + "}"
	switch t := h.typ.Underlying().(type) {
	case *types.Pointer:
		made = "return &" + d.spelled(f, t.Elem()) + "{" + strings.Join(fields, ", ") + "}"
		if _, plain := t.Elem().Underlying().(*types.Basic); plain {
			made = "zspectra_part := " + parts[0] + "; return &zspectra_part"
		}
	case *types.Slice:
		made = "return " + of + "{" + parts[0] + "}"
	case *types.Map:
		made = "return " + of + "{" + strings.Join(parts, ": ") + "}"
	}
	const field = "%s: func() (zspectra_value %s) { if zspectra_suite.Any(&zspectra_holes, %d, %d) { %s }; " +
		"return zspectra_value }(), "
	return fmt.Sprintf(field, h.name, of, h.number, last, made)
}
