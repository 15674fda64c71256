package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// declaration is one declared name with all that is compared of it.
type declaration struct {
	change    Change // Symbol, Kind, Package and marks; What and spans are filled when matched
	name      string // in the package; the path of an import
	external  bool   // in an external test
	apart     bool   // in a file that other files may stand for, which declare the same names
	span      spectra.Lines
	tokens    string
	signature string   // of a function
	directed  string   // the version of the language, and of a function the comments that the compiler reads
	calls     []string // of a variable: what its value calls, as called says
}

// goFile is a parsed file of a package folder.
type goFile struct {
	name  string // module-relative
	text  []byte
	file  *ast.File
	fset  *token.FileSet
	names map[string]string // of packages → their paths
	mark  Change            // Package and the marks that hold for the whole file

	external bool // an external test
	apart    bool // as for declarations
}

func parseHeader(name string, text []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
}

// mayRepeat reports whether a file may declare init functions or blank names, which a package may have
// several of. It is a quick test that may report true for other files too, and that relies on the layout of
// gofmt.
func mayRepeat(text []byte) bool {
	for _, sign := range []string{"func init(", "func _", "var _", "const _", "type _", "\n\t_ "} {
		if bytes.Contains(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// parse parses a Go file. Of a file that is the same on both sides only the imports are needed, and the
// declarations that are numbered within their package.
func (s *side) parse(name string, changed bool) (*goFile, error) {
	text, err := s.content(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if why := whyNotText(text); why != "" {
		return nil, fmt.Errorf("%s: %s", name, why)
	}
	mode := parser.ParseComments | parser.SkipObjectResolution
	if !changed && !mayRepeat(text) {
		mode |= parser.ImportsOnly
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, mode)
	if err != nil {
		return nil, err
	}
	g := &goFile{name: name, text: text, file: file, fset: fset, names: symbol.Imported(file)}
	g.mark = Change{
		Package: PackagePath(s.module.Path, name),
		Test:    strings.HasSuffix(name, "_test.go"),
		Vendor:  within(name, "vendor"),
		Other:   s.tags.excluded(name, file) || within(name, "testdata"),
	}
	g.apart = g.mark.Other || !s.tags.certain(name, file)
	if g.mark.Test && strings.HasSuffix(file.Name.Name, "_test") {
		g.mark.Package += "_test"
		g.external = true
	}
	return g, nil
}

// PackagePath returns the import path of the package that a file of a module belongs to; one in a vendor folder is of
// another module.
func PackagePath(module, file string) string {
	if at := strings.LastIndex("/"+file, "/vendor/"); at >= 0 {
		return path.Dir(file[at+len("vendor/"):])
	}
	return path.Join(module, path.Dir(file))
}

// folder returns the declarations in the Go files of a folder in the order of file names and lines, and the
// files that don't parse. What lies outside of the version is no part of it,
// unless another file does now.
func (s *side) folder(dir string, changed map[string]bool) (all []declaration, problems []Problem) {
	for _, name := range s.goFiles[dir] {
		if !changed[name] && s.files[name]&fs.ModeSymlink != 0 && !s.leadsInside(name) {
			continue
		}
		g, err := s.parse(name, changed[name])
		if err != nil {
			problems = append(problems, Problem{s.name, name, err.Error()})
			continue
		}
		language := s.language(g.file, g.mark.Vendor)
		for _, d := range g.file.Decls {
			for _, one := range g.declared(d) {
				if kind := one.change.Kind; kind == Function || kind == Variable {
					one.directed += language
					one.tokens += language
				}
				all = append(all, one)
			}
		}
		all = append(all, g.directives()...)
	}
	return all, problems
}

func (g *goFile) declared(d ast.Decl) []declaration {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []declaration{g.function(d)}
	case *ast.GenDecl:
		switch d.Tok {
		case token.IMPORT:
			return g.imports(d)
		case token.CONST:
			return g.constants(d)
		case token.VAR:
			return g.variables(d)
		case token.TYPE:
			return g.types(d)
		}
	}
	return nil
}

// source returns the text between two positions.
func (g *goFile) source(from, to token.Pos) []byte {
	file := g.fset.File(g.file.FileStart)
	return g.text[file.Offset(from):file.Offset(to)]
}

func (g *goFile) tokens(n ast.Node) string {
	return tokens(g.source(n.Pos(), n.End()), g.names)
}

func (g *goFile) declaration(kind DeclKind, name string, n ast.Node) declaration {
	d := declaration{change: g.mark, name: name, external: g.external, apart: g.apart}
	d.change.Kind = kind
	d.change.Symbol = spectra.Symbol(g.mark.Package + "." + name)
	d.span = spectra.Lines{
		File:    g.name,
		Line:    g.fset.PositionFor(n.Pos(), false).Line,
		EndLine: g.fset.PositionFor(n.End()-1, false).Line,
	}
	return d
}

func (g *goFile) function(f *ast.FuncDecl) declaration {
	name := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) == 1 {
		name = symbol.ReceiverSyntax(f.Recv.List[0].Type) + "." + name
	}
	d := g.declaration(Function, name, f)
	d.directed = directives(f.Doc)
	d.tokens = d.directed + g.tokens(f)
	d.signature = tokens(g.source(f.Pos(), f.Type.End()), g.names)
	return d
}

// imports returns a declaration for each import. The comment of import "C" is C source, so it counts as
// tokens.
func (g *goFile) imports(d *ast.GenDecl) []declaration {
	var all []declaration
	for _, s := range d.Specs {
		spec := s.(*ast.ImportSpec)
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		one := g.declaration(Import, imported, spec)
		one.change.Symbol = spectra.Symbol(imported)
		if spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
			one.tokens = spec.Name.Name
		}
		one.change.Blank = one.tokens == "_" && imported != "embed" && imported != "unsafe"
		if imported == "C" {
			one.tokens = d.Doc.Text() + spec.Doc.Text()
		}
		all = append(all, one)
	}
	return all
}

// constants returns a declaration for each name. A spec without values has those of the spec before it, with
// the next iota.
func (g *goFile) constants(d *ast.GenDecl) []declaration {
	var all []declaration
	var typ ast.Expr
	var values []ast.Expr
	for iota, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		if spec.Type != nil || len(spec.Values) > 0 {
			typ, values = spec.Type, spec.Values
		}
		for i, name := range spec.Names {
			one := g.declaration(Constant, name.Name, spec)
			if typ != nil {
				one.tokens = g.tokens(typ)
			}
			if i < len(values) {
				one.tokens += "=\n" + g.tokens(values[i])
				if usesIota(values[i]) {
					one.tokens += fmt.Sprintf("iota %d\n", iota)
				}
			}
			all = append(all, one)
		}
	}
	return all
}

func usesIota(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return true
	})
	return found
}

func (g *goFile) variables(d *ast.GenDecl) []declaration {
	var all []declaration
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		doc := docOf(d, spec)
		for i, name := range spec.Names {
			one := g.declaration(Variable, name.Name, spec)
			one.tokens = directives(doc)
			if spec.Type != nil {
				one.tokens += g.tokens(spec.Type)
			}
			switch {
			case len(spec.Values) == len(spec.Names):
				one.tokens += "=\n" + g.tokens(spec.Values[i])
				one.calls = g.called(spec.Values[i])
			case len(spec.Values) > 0: // several names from one call
				one.tokens += fmt.Sprintf("=%d\n", i) + g.tokens(spec.Values[0])
				one.calls = g.called(spec.Values[0])
			}
			all = append(all, one)
		}
	}
	return all
}

func (g *goFile) types(d *ast.GenDecl) []declaration {
	var all []declaration
	for _, s := range d.Specs {
		spec := s.(*ast.TypeSpec)
		one := g.declaration(Type, spec.Name.Name, spec)
		one.tokens, one.change.Alias = g.tokens(spec), spec.Assign.IsValid()
		all = append(all, one)
	}
	return all
}
