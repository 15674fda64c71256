package suite

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Computed texts have no usual value in the source: a run of the test tells it, see Test.WithInputs.

// text adds a hole for a computed text or for computed bytes.
func (w *walker) text(e ast.Expr, name string) {
	of := w.info.Types[e]
	if of.Type == nil || !of.IsValue() || of.Value != nil || !w.nameable(of.Type, e.Pos()) {
		return
	}
	switch {
	case isText(of.Type) && w.means("string", types.Universe.Lookup("string"), e.Pos()):
		w.note(&hole{lit: e, typ: of.Type, name: name, asks: "Text"})
	case isBytes(of.Type) && w.means("byte", types.Universe.Lookup("byte"), e.Pos()):
		w.note(&hole{lit: e, typ: of.Type, name: name, asks: "Bytes"})
	}
}

// reader adds a hole for the content of a reader that is given where any reader may be, such as the body of a request.
func (w *walker) reader(e ast.Expr, name string, to types.Type) {
	if of := w.info.Types[e]; to != nil && of.IsValue() && types.TypeString(to, nil) == "io.Reader" &&
		types.AssignableTo(of.Type, to) {
		w.note(&hole{lit: e, typ: to, name: name, asks: "Reader"})
	}
}

func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

// computed returns what asks for the value of such a hole, around the usual one.
func (d *digger) computed(f *ast.File, h *hole) (before, back string) {
	before, back = fmt.Sprintf("zspectra_suite.%s(&zspectra_holes, %d, ", h.asks, h.number), ")"
	if _, named := types.Unalias(h.typ).(*types.Named); named && h.asks != "Reader" {
		plain := "string"
		if h.asks == "Bytes" {
			plain = "[]byte"
		}
		before, back = d.spelled(f, h.typ)+"("+before+plain+"(", back+"))"
	}
	return before, back
}
