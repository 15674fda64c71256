package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// mostErrors is how many of the errors that the change mentions are given at one place, each as it is and wrapped.
const mostErrors = 2

// fails adds the choices of an error: one that nobody knows, and those that the change mentions, which are written with
// it. Unset says that the node is the place of a field that a literal leaves out.
func (w *walker) fails(n ast.Node, name, instead string, unset bool) {
	w.offer(n, nil, name, choice{kind: fail, text: "an error instead of " + instead})
	first := w.found[len(w.found)-1]
	first.unset = unset
	for _, e := range w.errors(n.Pos()) {
		w.alsoFails(first, e, e)
		w.alsoFails(first, "zspectra_suite.Wrapped("+e+")", "what wraps "+e)
	}
}

// alsoFails adds the choice of another error where one can be chosen.
func (w *walker) alsoFails(first *hole, then, text string) {
	_, instead, _ := strings.Cut(first.choice.text, " instead of ")
	w.offer(first.lit, nil, first.name, choice{kind: fail, then: then, text: text + " instead of " + instead})
	h := w.found[len(w.found)-1]
	h.within, h.unset = first, first.unset
	first.choice.fields = append(first.choice.fields, h)
}

// errors returns how the file names errors that the change mentions: of the tested package, and of those that it
// imports.
func (w *walker) errors(at token.Pos) (list []string) {
	for _, e := range w.known.Errors {
		if name, ok := w.variableName(e, at); ok && (len(list) < mostErrors || w.known.All) {
			list = append(list, name)
		}
	}
	return list
}

// failing returns what gives an error, around the usual one.
func (d *digger) failing(h *hole) (before, back string) {
	var others strings.Builder
	for _, o := range h.choice.fields {
		others.WriteString(", " + o.choice.then)
	}
	before, back = fmt.Sprintf("zspectra_suite.Error(&zspectra_holes, %d, ", h.number), others.String()+")"
	if h.unset {
		return h.name + ": " + before + "nil" + back + ", ", ""
	}
	return before, back
}
