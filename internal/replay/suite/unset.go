package suite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A spot is a place between two tokens.
type spot token.Pos

func (s spot) Pos() token.Pos { return token.Pos(s) }
func (s spot) End() token.Pos { return token.Pos(s) }

// unset adds the plain fields and the errors that a literal of a struct leaves out, which usually have no value.
// Options are such.
func (w *walker) unset(n *ast.CompositeLit) {
	of := w.structure(n)
	set := map[string]bool{}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		if id, ok := kv.Key.(*ast.Ident); ok {
			set[id.Name] = true
		}
	}
	if of == nil {
		return
	}
	named := w.info.Types[n].Type
	for _, h := range w.plainFields(of, named, n.Lbrace) {
		if !set[h.name] {
			h.lit = spot(n.Lbrace + 1)
			w.note(h)
		}
	}
	w.composed(n, of, named, set)
	standsIn := types.NewMethodSet(types.NewPointer(named)).Len() > 0 // else err may be what a test expects
	for f := range of.Fields() {
		if api.IsError(f.Type()) && !set[f.Name()] && (standsIn || !w.expects(f)) && w.mayset(f) && w.shared(named, f) {
			w.fails(spot(n.Lbrace+1), f.Name(), "nil", true)
		}
	}
}

// plainFields returns holes for the fields of a struct type that have plain values and that the file may set.
func (w *walker) plainFields(of *types.Struct, named types.Type, at token.Pos) (list []*hole) {
	for f := range of.Fields() {
		basic, ok := f.Type().Underlying().(*types.Basic)
		if !ok || f.Name() == "_" || w.expects(f) || !w.mayset(f) {
			continue
		}
		zero, ok := zeroOf(basic)
		if ok && w.nameable(f.Type(), at) && w.shared(named, f) {
			list = append(list, &hole{typ: f.Type(), name: f.Name(), value: zero, unset: true})
		}
	}
	return list
}

// mayset reports whether the file may name a field.
func (w *walker) mayset(f *types.Var) bool {
	return f.Exported() || f.Pkg().Scope() == w.scope || w.own != nil && f.Pkg().Path() == w.own.Path()
}

// shared reports whether both versions have a field or method of a type, which may be a pointer.
func (w *walker) shared(t types.Type, o types.Object) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || named.Obj().Pkg() == nil || w.known.Common(named, o)
}

// zeroOf returns the zero value of a type that holes may have.
func zeroOf(t *types.Basic) (sequence.Value, bool) {
	if _, ok := askers[t.Kind()]; !ok {
		return sequence.Value{}, false
	}
	switch {
	case t.Info()&types.IsBoolean != 0:
		return valueOf(t, constant.MakeBool(false))
	case t.Info()&types.IsString != 0:
		return valueOf(t, constant.MakeString(""))
	}
	return valueOf(t, constant.MakeInt64(0))
}

// valueOf returns a constant as the value of a sequence.
func valueOf(t *types.Basic, v constant.Value) (sequence.Value, bool) {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return sequence.Value{Kind: sequence.Bool, Text: v.ExactString()}, true
	case t.Info()&types.IsString != 0:
		return sequence.Value{Kind: sequence.String, Text: constant.StringVal(v)}, true
	case t.Info()&types.IsUnsigned != 0:
		return sequence.Value{Kind: sequence.Uint, Text: constant.ToInt(v).ExactString()}, true
	case t.Info()&types.IsInteger != 0:
		return sequence.Value{Kind: sequence.Int, Text: constant.ToInt(v).ExactString()}, true
	case t.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(v)
		return sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(f, 64)}, true
	}
	return sequence.Value{}, false
}
