package suite

import (
	"fmt"
	"go/ast"
	"go/types"
)

// mostSet is how many methods and how many fields of one value are holes, at most.
const mostSet = 6

// settings adds, for a value that a test makes, calls of methods that set what the change mentions, and fields that it
// mentions: clients, servers and requests get their options after they are made.
func (w *walker) settings(e ast.Expr, t types.Type) {
	p, ok := t.(*types.Pointer)
	if !ok {
		return
	}
	methods := types.NewMethodSet(p)
	for i, n := 0, 0; i < methods.Len() && n < mostSet; i++ {
		f, ok := methods.At(i).Obj().(*types.Func)
		if !ok || !f.Exported() || !w.known.Sets(f) || !w.shared(t, f) {
			continue
		}
		if args, ok := argumentsOf(f.Signature()); ok {
			call := f.Name() + "(" + args + ")"
			w.choose(e, t, choice{kind: sets, then: call, text: "after " + call + ": " + w.shown(e)})
			n++
		}
	}
	of, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return
	}
	n := 0
	for _, field := range w.plainFields(of, p, e.Pos()) {
		if basic, ok := field.typ.(*types.Basic); ok && n < mostSet && w.known.Mentions(fieldOf(of, field.name)) {
			set := &choice{kind: assigns, basic: basic}
			w.note(&hole{lit: e, typ: p, name: field.name, value: field.value, choice: set})
			n++
		}
	}
}

func fieldOf(of *types.Struct, name string) *types.Var {
	for f := range of.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// setting returns what sets something of a value before it is used.
func (d *digger) setting(f *ast.File, h *hole) (before, back string) {
	then := "zspectra_value." + h.choice.then
	if h.choice.kind == assigns {
		const ask = "zspectra_value.%s = zspectra_suite%s&zspectra_holes, %d, zspectra_value.%[1]s)"
		then = fmt.Sprintf(ask, h.name, askers[h.choice.basic.Kind()], h.number)
	}
	const function = "func(zspectra_value %s) %[1]s { if zspectra_value != nil && " +
		"zspectra_suite.Any(&zspectra_holes, %d, %[2]d) { %s }; return zspectra_value }("
	return fmt.Sprintf(function, d.spelled(f, h.typ), h.number, then), ")"
}
