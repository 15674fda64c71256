package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mostOptions is how many options a call may have beside its own, at most.
const mostOptions = 6

// A span is what lies between two positions.
type span struct{ from, to token.Pos }

func (s span) Pos() token.Pos { return s.from }
func (s span) End() token.Pos { return s.to }

// options adds, for a call that takes any number of options, the choices of one more: what functions of their package
// make of simple arguments.
func (w *walker) options(n *ast.CallExpr, of *types.Signature) {
	if of == nil || !of.Variadic() {
		return
	}
	list, ok := of.Params().At(of.Params().Len() - 1).Type().(*types.Slice)
	if !ok { // append takes a text
		return
	}
	if len(n.Args) == 1 {
		if _, results := w.info.Types[n.Args[0]].Type.(*types.Tuple); results { // of another call
			return
		}
	}
	c := choice{kind: option, call: n, fixed: of.Params().Len() - 1}
	at := c.place(n)
	first := len(w.found)
	for i, call := range w.making(list.Elem(), n.Pos()) {
		with := c
		with.then, with.text = call, "with "+call+": "+w.shown(n)
		w.choose(at, list.Elem(), with)
		h := w.found[first+i]
		if i > 0 {
			h.within = w.found[first]
		}
		w.found[first].choice.fields = append(w.found[first].choice.fields, h)
	}
}

// place returns the node around which a list with more options is written: the options that the call has, or the
// argument before them, or the place before the closing parenthesis.
func (c *choice) place(n *ast.CallExpr) ast.Node {
	switch last := len(n.Args) - 1; {
	case last >= c.fixed:
		return span{n.Args[c.fixed].Pos(), n.Args[last].End()}
	case last >= 0:
		return n.Args[last]
	}
	return spot(n.Rparen)
}

// making returns calls that make something of a type, of functions of its package that both versions have: first those
// that set what the change mentions.
func (w *walker) making(t types.Type, at token.Pos) (calls []string) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !w.nameable(t, at) {
		return nil
	}
	name, _ := w.local(w.file, named.Obj().Pkg())
	set := 0
	for _, f := range w.makersOf(named) {
		call := f.Name()
		switch {
		case name == "" && !w.means(call, f, at), name != "" && !f.Exported():
			continue
		case name != "":
			call = name + "." + call
		}
		args, _ := argumentsOf(f.Signature())
		call += "(" + args + ")"
		if !w.known.Sets(f) {
			calls = append(calls, call)
			continue
		}
		calls, set = slices.Insert(calls, set, call), set+1
	}
	if w.known.All {
		return calls
	}
	return calls[:min(len(calls), mostOptions)]
}

// makersOf returns the functions of the package of a type of functions or an interface that make nothing but such, of
// simple arguments.
func (d *digger) makersOf(t *types.Named) []*types.Func {
	list, known := d.makers[t]
	if known {
		return list
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		scope := t.Obj().Pkg().Scope()
		for _, name := range scope.Names() {
			f, ok := scope.Lookup(name).(*types.Func)
			if !ok || !makes(f.Signature(), t) || !d.known.Common(nil, f) {
				continue
			}
			if _, simple := argumentsOf(f.Signature()); simple {
				list = append(list, f)
			}
		}
	}
	d.makers[t] = list
	return list
}

// makes reports whether a function returns something of a type, and nothing else.
func makes(of *types.Signature, t types.Type) bool {
	return of.TypeParams() == nil && of.Results().Len() == 1 && types.Identical(of.Results().At(0).Type(), t)
}

// withOptions returns what gives a call more options, around what place returned.
func (d *digger) withOptions(f *ast.File, h *hole) (before, back string) {
	of := d.spelled(f, h.typ)
	var more strings.Builder
	for _, o := range h.choice.fields {
		fmt.Fprintf(&more, ", func() %s { return %s }", of, o.choice.then)
	}
	with := fmt.Sprintf("zspectra_suite.With(&zspectra_holes, %d, ", h.number)
	switch call := h.choice.call.(*ast.CallExpr); {
	case call.Ellipsis.IsValid():
		return with, more.String() + ")"
	case len(call.Args) > h.choice.fixed:
		return with + "[]" + of + "{", "}" + more.String() + ")..."
	case len(call.Args) > 0:
		return "", ", " + with + "[]" + of + "(nil)" + more.String() + ")..."
	}
	return with + "[]" + of + "(nil)" + more.String() + ")...", ""
}
