package suite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// mostFilled is how many fields of a struct that stands for nil are holes, at most.
const mostFilled = 24

// fill adds the choice of a struct where nil is given, and holes for its plain fields: nil often means usual options.
func (w *walker) fill(e ast.Expr, to types.Type) {
	p, ok := to.(*types.Pointer)
	if !ok || !w.nameable(p, e.Pos()) || ofTesting(p) {
		return
	}
	of, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return
	}
	fields := w.plainFields(of, p, e.Pos())
	if len(fields) == 0 {
		return
	}
	w.choose(e, p, choice{kind: filled, text: "a struct instead of nil"})
	first := w.found[len(w.found)-1]
	for _, f := range fields[:min(len(fields), mostFilled)] {
		f.lit, f.within = e, first
		w.note(f)
		first.choice.fields = append(first.choice.fields, f)
	}
}

// filledIn returns what gives a struct instead of nil, if it or one of its fields is asked for.
func (d *digger) filledIn(f *ast.File, h *hole) (before, back string) {
	var fields []string
	last := h.number
	for _, field := range h.choice.fields {
		asked, end := d.asked(f, field)
		fields, last = append(fields, field.name+": "+asked+zeroText(field.basic())+end), field.number
	}
	of := d.spelled(f, h.typ)
	const function = "func(zspectra_value %s) %[1]s { " +
		"if zspectra_suite.Any(&zspectra_holes, %d, %d) { return &%s{%s} }; return zspectra_value }("
	return fmt.Sprintf(function, of, h.number, last, strings.TrimPrefix(of, "*"), strings.Join(fields, ", ")), ")"
}
