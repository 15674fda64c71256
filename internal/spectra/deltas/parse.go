package deltas

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// parsed is a Go file, divided.
type parsed struct {
	text    []byte
	pkg     string // name of the package
	head    string // what the file is besides its declarations: constraints, package, imports for their effect
	begin   int    // offset behind the imports, or behind the package clause
	cut     []span // import declarations
	imports []imported
	parts   []*part
}

type span struct{ from, to int }

// A part is a declaration with its comment: a function, or all that one keyword declares.
type part struct {
	file     string
	kind     token.Token
	names    []string          // at least one
	specs    map[string]string // by name, what declares it
	meaning  string            // equal for the same code
	harmless bool              // it does nothing by being there
	span     span
	lines    spectra.Lines

	other *part // of the other version; nil: it has none
	delta int   // -1: both versions have the same
}

// parse divides a file; nil if that can't be done.
func parse(name string, c *Content) *parsed {
	if c == nil || c.Mode&fs.ModeSymlink != 0 {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, c.Text, parser.ParseComments)
	if err != nil {
		return nil
	}
	p := &parsed{text: c.Text, pkg: file.Name.Name}
	at := fset.File(file.FileStart)
	p.begin = lineEnd(c.Text, at.Offset(file.Name.End()))
	head := []string{file.Name.Name}
	for line := range strings.Lines(string(c.Text[:at.Offset(file.Package)])) {
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "// +build") {
			head = append(head, strings.TrimSpace(line))
		}
	}
	for _, spec := range file.Imports {
		one := importOf(spec, file)
		if one.path == "C" {
			return nil
		}
		if one.name == "_" || one.name == "." {
			head = append(head, one.name+" "+one.path)
		}
		p.imports = append(p.imports, one)
	}
	p.head = strings.Join(head, "\n")
	for _, d := range file.Decls {
		if !p.add(name, d, at) {
			return nil
		}
	}
	return p
}

// add adds a declaration. It reports false if it shares lines with another one.
func (p *parsed) add(name string, d ast.Decl, at *token.File) bool {
	first, doc := d.Pos(), (*ast.CommentGroup)(nil)
	one := &part{file: name, specs: map[string]string{}, delta: -1}
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
		p.function(one, d, at)
	case *ast.GenDecl:
		doc = d.Doc
		p.names(one, d, at)
	default:
		return false
	}
	one.lines = spectra.Lines{File: name, Line: at.Line(d.Pos()), EndLine: at.Line(d.End() - 1)}
	if doc != nil {
		first = doc.Pos()
	}
	one.span = span{at.Offset(first), lineEnd(p.text, at.Offset(d.End()))}
	if one.span.from < p.begin || len(one.names) == 0 && one.kind != token.IMPORT {
		return len(one.names) == 0 && one.span.from >= p.begin // an empty declaration lies between others
	}
	if one.kind == token.IMPORT {
		p.cut, p.begin = append(p.cut, one.span), one.span.to
		return true
	}
	if n := len(p.parts); n > 0 && p.parts[n-1].span.to > one.span.from {
		return false
	}
	text := p.text[one.span.from:one.span.to]
	one.meaning = meaning(text, isTest(name))
	p.parts = append(p.parts, one)
	return true
}

// lineEnd returns the offset behind the line of an offset.
func lineEnd(text []byte, offset int) int {
	for offset < len(text) && text[offset] != '\n' {
		offset++
	}
	return min(offset+1, len(text))
}

// function fills in the part of a function. Those that a package may have several of are told apart by their order.
func (p *parsed) function(one *part, d *ast.FuncDecl, at *token.File) {
	one.kind = token.FUNC
	name := d.Name.Name
	if d.Recv != nil && len(d.Recv.List) == 1 {
		name = symbol.ReceiverSyntax(d.Recv.List[0].Type) + "." + name
	}
	one.harmless = d.Recv == nil && name != "init" && !strings.HasPrefix(name, "Test") &&
		!strings.HasPrefix(name, "Example") && !strings.HasPrefix(name, "Fuzz")
	if name == "init" || strings.HasSuffix(name, "_") && d.Name.Name == "_" {
		name = p.numbered(at.Name(), name)
	}
	one.names = []string{name}
}

// numbered tells a name from the same ones in the file and in other files.
func (p *parsed) numbered(file, name string) string {
	n := 0
	for _, other := range p.parts {
		if strings.HasPrefix(other.names[0], name+".") {
			n++
		}
	}
	return name + "." + strconv.Itoa(n) + numbering + file
}

// numbering divides the name of a declaration that a package may have several of from its file.
const numbering = " of "

// names fills in the part of a declaration by a keyword.
func (p *parsed) names(one *part, d *ast.GenDecl, at *token.File) {
	one.kind, one.harmless = d.Tok, d.Tok == token.CONST || d.Tok == token.TYPE
	for _, s := range d.Specs {
		text := meaning(p.text[at.Offset(s.Pos()):at.Offset(s.End())], false)
		switch s := s.(type) {
		case *ast.TypeSpec:
			one.names = append(one.names, s.Name.Name)
			one.specs[s.Name.Name] = text
		case *ast.ValueSpec:
			for _, name := range s.Names {
				own := name.Name
				if own == "_" {
					own = p.numbered(at.Name(), own)
				}
				one.names = append(one.names, own)
				one.specs[own] = text
			}
		}
	}
}

// meaning returns a text that differs for other code: its tokens and directives, or in tests all of it.
func meaning(text []byte, exact bool) string {
	if exact {
		return string(text)
	}
	var out strings.Builder
	for t := range symbol.Tokens(text) {
		out.WriteString(t.Text + "\n")
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "//export ") {
			out.WriteString(line)
		}
	}
	return out.String()
}
