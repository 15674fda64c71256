package hybrid

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
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
				out.note(imported{".", m.path(object.Pkg())})
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
	return imported{cmp.Or(m.renamed[name], name.Name()), m.path(name.Imported())}
}

// dotted reports whether an object is declared by another package, which is named with it unless it was imported with
// a dot.
func (m *mixer) dotted(object types.Object) bool {
	return object != nil && object.Pkg() != nil && object.Pkg() != m.of.Other.Types &&
		object.Parent() == object.Pkg().Scope()
}

// spell writes a type of the other as a file of the hybrid may refer to it, and notes what it has to import.
func (m *mixer) spell(out *output, t types.Type) string {
	text := types.TypeString(t, func(p *types.Package) string {
		if p == m.of.Other.Types {
			return own
		}
		of := imported{m.packageName(out, p), m.path(p)}
		out.note(of)
		return of.name
	})
	return ownName.ReplaceAllStringFunc(text, func(of string) string {
		name := strings.TrimPrefix(of, own+".")
		return cmp.Or(m.renamed[m.of.Other.Types.Scope().Lookup(name)], name)
	})
}

// own stands for the package while a type is spelled, because its names may be others in the hybrid.
const own = "\x00"

var ownName = regexp.MustCompile(own + `\.[\pL_][\pL\p{Nd}_]*`)

// path returns the path that a package of the other has in the base.
func (m *mixer) path(p *types.Package) string { return string(m.BaseName(spectra.Symbol(p.Path()))) }

// elsewhere returns what the base calls a function, type, variable or constant of another package, if not as the other.
func (m *mixer) elsewhere(object types.Object) string {
	if object.Pkg() == nil || object.Pkg() == m.of.Other.Types ||
		!isFunction(object) && object.Parent() != object.Pkg().Scope() {
		return ""
	}
	of, name := splitLast(string(m.BaseName(symbol.Declared(object))))
	if name == object.Name() || of != m.path(object.Pkg()) && !isMethod(object) {
		return ""
	}
	return name
}

func isMethod(object types.Object) bool {
	fn, ok := object.(*types.Func)
	return ok && fn.Signature().Recv() != nil
}

// packageName returns the name under which a file refers to a package that it may not have imported: the first one
// that it has for it, or one that means nothing else.
func (m *mixer) packageName(out *output, p *types.Package) string {
	means := m.of.Base.Types.Scope().Lookup(p.Name()) != nil
	for _, of := range out.imports {
		if of.path == m.path(p) && of.name != "." {
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
