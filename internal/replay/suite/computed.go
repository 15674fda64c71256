package suite

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Computed texts and numbers have no usual value in the source: a run of the test tells it, see Test.WithInputs.

// askNumber is the function of the runtime that returns a computed number, with the dot before its name.
const askNumber = ".Number"

// computed adds a hole for a computed text, for computed bytes, or for a computed number that has a name, such as
// a port.
func (w *walker) computed(e ast.Expr, name string) {
	of := w.info.Types[e]
	if of.Type == nil || !of.IsValue() || of.Value != nil || !w.nameable(of.Type, e.Pos()) {
		return
	}
	switch {
	case isText(of.Type) && w.means("string", types.Universe.Lookup("string"), e.Pos()):
		w.note(&hole{lit: e, typ: of.Type, name: name, asks: ".Text"})
	case isBytes(of.Type) && w.means("byte", types.Universe.Lookup("byte"), e.Pos()):
		w.note(&hole{lit: e, typ: of.Type, name: name, asks: ".Bytes"})
	case name != "" && name != "_" && isInteger(of.Type) && w.means("int64", types.Universe.Lookup("int64"), e.Pos()):
		w.note(&hole{lit: e, typ: of.Type, name: name, asks: askNumber})
	}
}

// reader adds a hole for the content of a reader that is given where any reader may be, such as the body of a request.
func (w *walker) reader(e ast.Expr, name string, to types.Type) {
	if of := w.info.Types[e]; to != nil && of.IsValue() && types.TypeString(to, nil) == "io.Reader" &&
		types.AssignableTo(of.Type, to) {
		w.note(&hole{lit: e, typ: to, name: name, asks: ".Reader"})
	}
}

func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0 && basic.Info()&types.IsUntyped == 0
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

// computed returns what asks for the value of such a hole, around the usual one.
func (d *digger) computed(f *ast.File, h *hole) (before, back string) {
	before, back = fmt.Sprintf("zspectra_suite%s(&zspectra_holes, %d, ", h.asks, h.number), ")"
	plain := map[string]string{".Text": "string", ".Bytes": "[]byte", askNumber: "int64"}[h.asks]
	if _, named := types.Unalias(h.typ).(*types.Named); named && h.asks != ".Reader" || h.asks == askNumber {
		before, back = d.spelled(f, h.typ)+"("+before+plain+"(", back+"))"
	}
	return before, back
}
