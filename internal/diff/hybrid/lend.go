package hybrid

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A field is where a field of the other is declared: the struct type, and the expression of the field's own type.
type field struct {
	of  *types.TypeName
	typ ast.Expr
}

// noteFields notes the fields that a type of the other declares by name. Those of types with parameters are left out.
func (m *mixer) noteFields(spec *ast.TypeSpec) {
	of, declares := m.of.Other.TypesInfo.Defs[spec.Name].(*types.TypeName)
	shape, ok := spec.Type.(*ast.StructType)
	if !ok || !declares || spec.TypeParams != nil {
		return
	}
	for _, list := range shape.Fields.List {
		for _, id := range list.Names {
			if v, ok := m.of.Other.TypesInfo.Defs[id].(*types.Var); ok {
				m.fields[v] = field{of, list.Type}
			}
		}
	}
}

// needField has a field of the other called as in the base, or lends it to the base's type if that has none.
func (m *mixer) needField(v *types.Var) {
	at, declared := m.fields[v]
	if !declared || m.chosen[v] != nil || m.renamed[v] != "" {
		return
	}
	owner := spectra.Symbol(symbol.Global(at.of))
	spec := typeSpec(m.of.Base, local(m.BaseName(owner), m.of.Base))
	if spec == nil {
		return
	}
	shape, ok := spec.Type.(*ast.StructType)
	if !ok || spec.TypeParams != nil {
		return
	}
	_, name := splitLast(string(m.BaseName(owner + "." + spectra.Symbol(v.Name()))))
	if declares(shape, name) {
		if name != v.Name() {
			m.renamed[v] = name
		}
		return
	}
	if m.brings(owner, v) {
		m.renamed[v] = m.free(v.Name())
	}
	if m.Lend {
		alias := m.free(spec.Name.Name + "_" + v.Name())
		p := &part{kind: lent, node: at.typ, object: v, syntax: m.homes[at.of].file, name: alias}
		m.add(p)
		m.lent[spec] = append(m.lent[spec], p)
	} else {
		m.lacks = true
	}
}

// brings reports whether a type of the base has another field or method of a field's name, itself or by way of those
// that it embeds.
func (m *mixer) brings(owner spectra.Symbol, v *types.Var) bool {
	t := m.of.Base.Types.Scope().Lookup(local(m.BaseName(owner), m.of.Base))
	object, _, _ := types.LookupFieldOrMethod(t.Type(), true, m.of.Base.Types, v.Name())
	return object != nil
}

// declares reports whether a struct type declares a field.
func declares(shape *ast.StructType, name string) bool {
	for _, list := range shape.Fields.List {
		for _, id := range list.Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// lentTo returns the edits that give types in a file of the base the fields that are lent to them, on the last line of
// each.
func (m *mixer) lentTo(file *ast.File) (edits []edit) {
	for spec, parts := range m.lent {
		if spec.Pos() < file.FileStart || spec.Pos() >= file.FileEnd {
			continue
		}
		parts = slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return p.dropped })
		if len(parts) == 0 {
			continue
		}
		list := spec.Type.(*ast.StructType).Fields
		closing := m.of.Base.Fset.PositionFor(list.Closing, false)
		var text strings.Builder
		line := func(n ast.Node) int { return m.of.Base.Fset.PositionFor(n.End(), false).Line }
		if n := len(list.List); n > 0 && line(list.List[n-1]) == closing.Line {
			text.WriteString("; ")
		}
		for _, p := range parts {
			text.WriteString(cmp.Or(m.renamed[p.object], p.object.Name()) + " " + p.name + "; ")
		}
		edits = append(edits, edit{closing.Offset, closing.Offset, text.String()})
	}
	return edits
}

// dropLent drops the fields that are lent, and reports whether there were any: code of the base may list all values of
// a struct, or compare structs.
func (m *mixer) dropLent(reason string) (dropped bool) {
	for _, p := range m.parts {
		if p.kind == lent {
			dropped = m.dropPart(p, reason) || dropped
		}
	}
	return dropped
}
