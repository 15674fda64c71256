package hybrid

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An imported is a package as a file imports it, "." if by its names alone.
type imported struct{ name, path string }

func (of imported) clause() string { return fmt.Sprintf("import %s %q", of.name, of.path) }

// note notes that the part which is being written needs an import.
func (out *output) note(of imported) {
	if !slices.Contains(out.imports, of) {
		out.imports = append(out.imports, of)
	}
	out.writing.imports = append(out.writing.imports, of)
}

// noteImports notes the packages that a node refers to.
func (m *mixer) noteImports(out *output, node ast.Node) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			object := m.of.Other.TypesInfo.Uses[n]
			if name, ok := object.(*types.PkgName); ok {
				out.note(m.imported(name))
			} else if m.dotted(object) && !selected[n] {
				out.note(imported{".", object.Pkg().Path()})
			}
		}
		return true
	})
}

// imported returns a package as the hybrid's files import it: under a name that the base does not declare.
func (m *mixer) imported(name *types.PkgName) imported {
	if m.renamed[name] == "" && m.of.Base.Types.Scope().Lookup(name.Name()) != nil {
		m.renamed[name] = m.free(name.Name())
	}
	return imported{cmp.Or(m.renamed[name], name.Name()), name.Imported().Path()}
}

// dotted reports whether an object is declared by another package, which is named with it unless it was imported with
// a dot.
func (m *mixer) dotted(object types.Object) bool {
	return object != nil && object.Pkg() != nil && object.Pkg() != m.of.Other.Types &&
		object.Parent() == object.Pkg().Scope()
}

// spell writes a type of the other as a file of the hybrid may refer to it, and notes what it has to import.
func (m *mixer) spell(out *output, t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.of.Other.Types {
			return ""
		}
		of := imported{m.packageName(out, p), p.Path()}
		out.note(of)
		return of.name
	})
}

// packageName returns the name under which a file refers to a package that it may not have imported: the first one
// that it has for it, or one that means nothing else.
func (m *mixer) packageName(out *output, p *types.Package) string {
	means := m.of.Base.Types.Scope().Lookup(p.Name()) != nil
	for _, of := range out.imports {
		if of.path == p.Path() && of.name != "." {
			return of.name
		}
		means = means || of.name == p.Name()
	}
	for _, spec := range out.syntax.Imports {
		name := m.of.Other.TypesInfo.PkgNameOf(spec)
		if name == nil || name.Name() == "." || name.Name() == "_" {
			continue
		}
		if name.Imported().Path() == p.Path() {
			return m.imported(name).name
		}
		means = means || name.Name() == p.Name()
	}
	if means {
		return m.free(p.Name())
	}
	return p.Name()
}

// importsAt reports whether an error lies at an import that a part needs.
func (p *part) importsAt(m *mixer, at token.Position) bool {
	text := m.overlay[at.Filename]
	if p.file.name != at.Filename || at.Offset > len(text) {
		return false
	}
	start := bytes.LastIndexByte(text[:at.Offset], '\n') + 1
	line, _, _ := strings.Cut(string(text[start:]), "\n")
	return slices.ContainsFunc(p.imports, func(of imported) bool { return of.clause() == line })
}
