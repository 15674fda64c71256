package source

import (
	"go/ast"
	"go/token"
	"go/version"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// meaningful are the first words of the comments that change what a program does.
var meaningful = map[string]bool{
	"//go:embed": true, "//go:linkname": true, "//go:debug": true, "//go:wasmimport": true, "//go:wasmexport": true,
	"//export": true,
}

func isDirective(c *ast.Comment) bool {
	end := strings.IndexAny(c.Text, " \t")
	return end > 0 && meaningful[c.Text[:end]]
}

// directives returns the comment lines that the compiler reads.
func directives(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	var out strings.Builder
	for _, c := range group.List {
		if isDirective(c) {
			out.WriteString(c.Text)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// docOf returns the comment before a specification of a declaration.
func docOf(d *ast.GenDecl, spec *ast.ValueSpec) *ast.CommentGroup {
	if spec.Doc == nil && !d.Lparen.IsValid() {
		return d.Doc
	}
	return spec.Doc
}

// directives returns those comments that no declaration of a function or variable has as a part of it.
func (g *goFile) directives() (all []declaration) {
	taken := map[*ast.CommentGroup]bool{}
	for _, d := range g.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			taken[d.Doc] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					taken[docOf(d, spec)] = true
				}
			}
		}
	}
	for _, group := range g.file.Comments {
		for _, c := range group.List {
			if !taken[group] && isDirective(c) {
				all = append(all, g.directive(c))
			}
		}
	}
	return all
}

func (g *goFile) directive(c *ast.Comment) declaration {
	one := g.declaration(Directive, c.Text, c)
	words := strings.Fields(strings.TrimPrefix(c.Text, "//"))
	name := words[0]
	if len(words) > 1 && token.IsIdentifier(words[1]) {
		name = words[1]
	}
	one.change.Symbol = spectra.Symbol(g.mark.Package + "." + name)
	return one
}

// language returns the version of the language that a file asks for, "" if it is that of the module. No file has an
// earlier one than Go 1.21.
func (s *side) language(file *ast.File, vendored bool) string {
	of := file.GoVersion
	if of == "" {
		return ""
	}
	if version.Compare(of, "go1.21") < 0 {
		of = "go1.21"
	}
	if !vendored && of == version.Lang(s.common) {
		return ""
	}
	return of + "\n"
}

// commonGo returns the version of Go in the go.mod files, "" unless both have the same.
func (c *comparison) commonGo() string {
	of := spectra.MakePair(func(name spectra.Side) string {
		s := *c.Of(name)
		text, err := s.content(goMod)
		if err != nil {
			return "" // it was reported when it was compared
		}
		mod, err := modfile.ParseLax(goMod, text, nil)
		if err != nil || mod.Go == nil {
			return ""
		}
		return "go" + mod.Go.Version
	})
	if of.Old != of.New {
		return ""
	}
	return of.Old
}
