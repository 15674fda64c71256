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
	w.held(e, t, t)
	p, ok := t.(*types.Pointer)
	if !ok {
		if _, literal := e.(*ast.CompositeLit); !literal && isStruct(t) { // of a literal they are unset fields
			w.fields(e, t, types.NewPointer(t))
		}
		return
	}
	methods := types.NewMethodSet(p)
	for i, n := 0, 0; i < methods.Len() && (n < mostSet || w.known.All); i++ {
		f, ok := methods.At(i).Obj().(*types.Func)
		if !ok || !f.Exported() || !w.known.All && !w.known.Sets(f) || !w.shared(t, f) {
			continue
		}
		if args, ok := argumentsOf(f.Signature()); ok {
			call := f.Name() + "(" + args + ")"
			w.choose(e, t, choice{kind: sets, then: call, text: "after " + call + ": " + w.shown(e)})
			n++
		}
	}
	w.fields(e, p, p)
}

// mentions reports whether the change may mention a field.
func (d *digger) mentions(f *types.Var) bool { return d.known.All || d.known.Mentions(f) }

// held adds such fields of what an interface may hold. Nil as its name: the file has none for its type.
func (w *walker) held(e ast.Expr, t, name types.Type) {
	of, ok := t.Underlying().(*types.Interface)
	if !ok || of.NumMethods() == 0 {
		return
	}
	for _, p := range w.declared() {
		if types.Implements(p, of) {
			w.fields(e, name, p)
		}
	}
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// within returns the pointer to a struct that a value of another type may hold, nil if it is one, or such a struct.
func within(t types.Type, p *types.Pointer) types.Type {
	if t == types.Type(p) || t == p.Elem() {
		return nil
	}
	return p
}

// fields adds the fields that the change mentions of a pointer to a struct. The value has its type, is such a struct,
// or is an interface that may hold the pointer.
func (w *walker) fields(e ast.Expr, t types.Type, p *types.Pointer) {
	of, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return
	}
	w.nilFields(e, t, p)
	n := 0
	for _, field := range w.plainFields(of, p, e.Pos()) {
		more := n < mostSet || w.known.All
		if basic, ok := field.typ.(*types.Basic); ok && more && w.mentions(fieldOf(of, field.name)) {
			set := &choice{kind: assigns, basic: basic, within: within(t, p)}
			w.note(&hole{lit: e, typ: t, name: field.name, value: field.value, choice: set})
			n++
		}
	}
}

// nilFields adds the choice of nil for fields that the change mentions: requests without an address, options without
// a logger.
func (w *walker) nilFields(e ast.Expr, t types.Type, p *types.Pointer) {
	n := 0
	for f := range p.Elem().Underlying().(*types.Struct).Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Signature, *types.Chan:
		default:
			continue
		}
		if n == mostSet && !w.known.All || !w.mentions(f) || !w.mayset(f) || !w.shared(p, f) {
			continue
		}
		w.offer(e, t, f.Name(), choice{
			kind: clears, then: f.Name() + " = nil", text: f.Name() + " = nil: " + w.shown(e), within: within(t, p),
		})
		n++
	}
}

// declared returns pointers to the structs of the package that have a field which the change mentions, and which the
// file can name.
func (w *walker) declared() []*types.Pointer {
	list, known := w.holders[w.scope]
	if known {
		return list
	}
	for _, name := range w.scope.Names() {
		o, ok := w.scope.Lookup(name).(*types.TypeName)
		if !ok || o.IsAlias() {
			continue
		}
		of, ok := o.Type().Underlying().(*types.Struct)
		if !ok || !w.nameable(o.Type(), w.file.End()) {
			continue
		}
		for f := range of.Fields() {
			if w.mentions(f) {
				list = append(list, types.NewPointer(o.Type()))
				break
			}
		}
	}
	w.holders[w.scope] = list
	return list
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
	of := "zspectra_value"
	if h.choice.within != nil {
		of = "zspectra_within"
	}
	then := of + "." + h.choice.then
	if h.choice.kind == assigns {
		const ask = "%s.%s = zspectra_suite%s&zspectra_holes, %d, %[1]s.%[2]s)"
		then = fmt.Sprintf(ask, of, h.name, askers[h.choice.basic.Kind()], h.number)
	}
	if h.choice.within != nil {
		const set = "if zspectra_within, ok := zspectra_value.(%s); ok && zspectra_within != nil { %s }"
		then = fmt.Sprintf(set, d.spelled(f, h.choice.within), then)
	}
	if h.typ == nil {
		const held = ", func(zspectra_value interface{}) { if zspectra_suite.Any(&zspectra_holes, %d, %[1]d) { %s } })"
		return "zspectra_suite.Held(", fmt.Sprintf(held, h.number, then)
	}
	const function = "func(zspectra_value %s) %[1]s { if %szspectra_suite.Any(&zspectra_holes, %d, %[3]d) { %s }; " +
		"return zspectra_value }("
	guard := "zspectra_value != nil && "
	if isStruct(h.typ) {
		guard = ""
	}
	return fmt.Sprintf(function, d.spelled(f, h.typ), guard, h.number, then), ")"
}
