package suite

import (
	"cmp"
	"go/ast"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// shorter adds the choices of an empty text or slice, and of its first half: files and keys may be such.
func (w *walker) shorter(e ast.Expr, add func(then, text string)) {
	if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) == 0 {
		return
	}
	if w.means("len", types.Universe.Lookup("len"), e.Pos()) {
		add("%s[:0]", "nothing")
		add("%s[:len(%[1]s)/2]", "the first half")
	}
}

// entered adds a text for one more entry of a map literal with texts as keys: what options, headers and documents have
// beside what the test gives them.
func (w *walker) entered(e ast.Expr, name string, of *types.Map) {
	key, ok := of.Key().Underlying().(*types.Basic)
	if _, literal := e.(*ast.CompositeLit); !ok || !literal || key.Kind() != types.String {
		return
	}
	w.note(&hole{
		lit: e, typ: w.info.Types[e].Type, name: cmp.Or(name, "one more"), value: sequence.Value{Kind: sequence.String},
		choice: &choice{kind: more},
	})
}

// relisted adds the choices of a slice in the reverse order, of one that repeats its last element, and of one that has
// an empty one first: options, flags and arguments often come in another order, or twice, and where an element is
// skipped those behind it may be, too. A literal of texts may have one more.
func (w *walker) relisted(e ast.Expr, name string, of *types.Slice, add func(then, text string)) {
	switch elem := types.Unalias(of.Elem()).(type) {
	case *types.Basic:
		if elem.Kind() == types.Byte {
			return
		}
		if _, ok := e.(*ast.CompositeLit); ok && elem.Kind() == types.String {
			w.note(&hole{
				lit: e, typ: of, name: cmp.Or(name, "one more"), value: sequence.Value{Kind: sequence.String},
				choice: &choice{kind: more},
			})
		}
	case *types.Struct: // cases of a test
		return
	}
	if lit, ok := e.(*ast.CompositeLit); !ok || len(lit.Elts) > 1 {
		add("zspectra_suite.Reversed(%s)", "the reverse")
	}
	if lit, ok := e.(*ast.CompositeLit); !ok || len(lit.Elts) > 0 {
		add("zspectra_suite.Repeating(%s)", "one with the last element twice")
	}
	switch elem := of.Elem().Underlying().(type) {
	case *types.Struct, *types.Pointer:
		add("zspectra_suite.Headed(%s)", "one with an empty element first")
	case *types.Basic:
		if elem.Info()&types.IsString != 0 {
			add("zspectra_suite.Headed(%s)", "one with an empty element first")
		}
	}
}
