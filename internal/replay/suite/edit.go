package suite

import (
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

// edited returns a part of a file's source in which the literals of its holes may have other values.
func (d *digger) edited(f file, from, to int) string {
	list := slices.Clone(d.inFile[f.syntax])
	slices.SortFunc(list, func(x, y *hole) int { return int(x.lit.Pos() - y.lit.Pos()) })
	var b strings.Builder
	for _, h := range list {
		start, end := f.offset(h.lit.Pos()), f.offset(h.lit.End())
		if start < from || end > to {
			continue
		}
		b.Write(f.source[from:start])
		text := fmt.Sprintf("zspectra_suite%s&zspectra_holes, %d, %s)", askers[h.basic().Kind()], h.number,
			f.source[start:end])
		if _, basic := types.Unalias(h.typ).(*types.Basic); !basic {
			text = d.spelled(f.syntax, h.typ) + "(" + text + ")"
		}
		b.WriteString(text)
		from = end
	}
	b.Write(f.source[from:to])
	return b.String()
}

func (d *digger) spelled(f *ast.File, t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		name, _ := d.local(f, p)
		return name
	})
}

// again returns a function that registers how the variables with holes of a file are computed again, "" without any.
func (d *digger) again(f file) string {
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
				value := d.edited(f, f.offset(v.Values[0].Pos()), f.offset(v.Values[0].End()))
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

// local returns how a file calls a package, and whether it can.
func (d *digger) local(f *ast.File, p *types.Package) (name string, ok bool) {
	if d.own != nil && p.Path() == d.own.Path() {
		return "", true
	}
	for _, spec := range f.Imports {
		if strings.Trim(spec.Path.Value, "`\"") != p.Path() {
			continue
		}
		switch {
		case spec.Name == nil:
			return p.Name(), true
		case spec.Name.Name == ".":
			return "", true
		case spec.Name.Name != "_":
			return spec.Name.Name, true
		}
	}
	return "", false
}

// basic returns the type of the parameter for a hole.
func (h *hole) basic() *types.Basic { return types.Typ[h.typ.Underlying().(*types.Basic).Kind()] }

// place says where a hole is.
func (h *hole) place(fset *token.FileSet) string {
	at := fset.Position(h.lit.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
