package suite

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// askers are the functions of the runtime that return the values of holes, by the kinds of their types.
var askers = map[types.BasicKind]string{
	types.Bool:    ".Bool(",
	types.String:  ".String(",
	types.Int:     ".Int(",
	types.Int8:    ".Int8(",
	types.Int16:   ".Int16(",
	types.Int32:   ".Int32(",
	types.Int64:   ".Int64(",
	types.Uint:    ".Uint(",
	types.Uint8:   ".Uint8(",
	types.Uint16:  ".Uint16(",
	types.Uint32:  ".Uint32(",
	types.Uint64:  ".Uint64(",
	types.Uintptr: ".Uintptr(",
	types.Float32: ".Float32(",
	types.Float64: ".Float64(",
}

// An insertion is what a hole adds to the source before and behind its node.
type insertion struct {
	start, end   int // of the node
	before, back string
}

// edited returns a part of a file's source with the holes in it. Those of statements are left out of the text of one
// that is repeated.
func (d *digger) edited(f file, from, to int, repeated bool) string {
	var list []insertion
	for _, h := range d.inFile[f.syntax] {
		start, end := f.offset(h.lit.Pos()), f.offset(h.lit.End())
		if h.writtenWith() || start < from || end > to || repeated && h.choice.ofStatement() {
			continue
		}
		before, back := d.around(f, h)
		list = append(list, insertion{start, end, before, back})
	}
	for _, g := range d.guards[f.syntax] {
		if at := f.offset(g.body.Lbrace); from <= at && at < to {
			back := fmt.Sprintf(" defer zspectra_suite.Caught(zspectra_suite.Still(%s)); ", g.name)
			list = append(list, insertion{at, at + 1, "", back})
		}
	}
	type edge struct {
		at   int
		text string
	}
	var edges []edge
	slices.SortStableFunc(list, func(x, y insertion) int { // what contains others comes first
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
	})
	var open []insertion
	shut := func(until int) {
		for len(open) > 0 && open[len(open)-1].end <= until {
			last := open[len(open)-1]
			edges, open = append(edges, edge{last.end, last.back}), open[:len(open)-1]
		}
	}
	for _, i := range list {
		shut(i.start)
		edges, open = append(edges, edge{i.start, i.before}), append(open, i)
	}
	shut(to)
	var b strings.Builder
	for _, e := range edges {
		b.Write(f.source[from:e.at])
		b.WriteString(e.text)
		from = e.at
	}
	b.Write(f.source[from:to])
	return b.String()
}

// writtenWith reports whether another hole writes this one.
func (h *hole) writtenWith() bool {
	return h.within != nil && (h.choice == nil || h.choice.kind == option || h.choice.kind == fail)
}

// A guard is the beginning of a subtest, where its panic is caught.
type guard struct {
	of   ast.Expr // type of its *testing.T
	body *ast.BlockStmt
	name string // of its *testing.T
}

// guards finds the subtests of a file that are function literals.
func guards(f *ast.File, info *types.Info) (list []guard) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		method, selected := call.Fun.(*ast.SelectorExpr)
		lit, literal := call.Args[len(call.Args)-1].(*ast.FuncLit)
		if !selected || !literal || method.Sel.Name != "Run" && method.Sel.Name != "Fuzz" {
			return true
		}
		params := lit.Type.Params.List
		if len(params) == 0 {
			return true
		}
		if first := params[0]; len(first.Names) == 1 && first.Names[0].Name != "_" && isT(info.TypeOf(first.Type)) {
			list = append(list, guard{first.Type, lit.Body, first.Names[0].Name})
		}
		return true
	})
	return list
}

// isT reports whether a type is *testing.T.
func isT(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "T" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}

// around returns what a hole adds around its node.
func (d *digger) around(f file, h *hole) (before, back string) {
	switch {
	case h.choice != nil:
		return h.choice.around(d, f, h)
	case h.asks != "":
		return d.computed(f.syntax, h)
	}
	before, back = d.asked(f.syntax, h)
	if h.unset {
		return h.name + ": " + before + zeroText(h.basic()) + back + ", ", ""
	}
	return before, back
}

// asked returns what asks for the value of a hole, around the usual value.
func (d *digger) asked(f *ast.File, h *hole) (before, back string) {
	before, back = fmt.Sprintf("zspectra_suite%s&zspectra_holes, %d, ", askers[h.basic().Kind()], h.number), ")"
	if isConstant(h.lit) { // it may have a type of its own, or none that fits
		before, back = before+h.basic().Name()+"(", back+")"
	}
	if _, basic := types.Unalias(h.typ).(*types.Basic); !basic {
		before, back = d.spelled(f, h.typ)+"("+before, back+")"
	}
	return before, back
}

// isConstant reports whether a constant node is a name, but for true and false, or an expression.
func isConstant(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name != "true" && n.Name != "false"
	case *ast.SelectorExpr, *ast.UnaryExpr, *ast.BinaryExpr:
		return true
	}
	return false
}

func zeroText(t *types.Basic) string {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return "false"
	case t.Info()&types.IsString != 0:
		return `""`
	}
	return "0"
}

// computedAgain returns a function that registers how the variables with holes of a file are computed again, ""
// without any.
func (d *digger) computedAgain(f file) string {
	var b strings.Builder
	for _, decl := range f.syntax.Decls {
		of, ok := decl.(*ast.GenDecl)
		if !ok || of.Tok != token.VAR {
			continue
		}
		for _, spec := range of.Specs {
			v := spec.(*ast.ValueSpec)
			if len(v.Names) != 1 || v.Names[0].Name == "_" {
				continue
			}
			if in := d.of[d.info.Defs[v.Names[0]]]; in != nil && len(in.holes) > 0 {
				value := d.edited(f, f.offset(v.Values[0].Pos()), f.offset(v.Values[0].End()), false)
				fmt.Fprintf(&b, "zspectra_holes.Again(%d, %d, func() { %s = %s })\n",
					in.holes[0].number, in.holes[len(in.holes)-1].number, v.Names[0].Name, value)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\nfunc init() {\n" + b.String() + "}\n"
}

// basic returns the type of the parameter for a hole.
func (h *hole) basic() *types.Basic {
	if h.asks != "" && h.asks != askNumber || h.choice != nil && (h.choice.kind == header || h.choice.kind == more) {
		return types.Typ[types.String]
	}
	if h.choice != nil && h.choice.basic != nil {
		return h.choice.basic
	}
	if h.choice != nil {
		return types.Typ[types.Bool]
	}
	return types.Typ[h.typ.Underlying().(*types.Basic).Kind()]
}

// place says where a hole is.
func (h *hole) place(fset *token.FileSet) string {
	at := fset.Position(h.lit.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
