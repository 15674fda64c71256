package hybrid

import (
	"bytes"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

const embedDirective = "//go:embed"

// embedding returns the directives that give a variable of a file its content. They may stand apart from it.
func embedding(file *ast.File, spec *ast.ValueSpec) (lines []string) {
	from := file.Name.End()
	before := func(node ast.Node) {
		if node.End() <= spec.Pos() {
			from = max(from, node.End())
		}
	}
	for _, decl := range file.Decls {
		before(decl)
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			for _, one := range gen.Specs {
				before(one)
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			word, _, _ := strings.Cut(strings.ReplaceAll(c.Text, "\t", " "), " ")
			if from <= c.Pos() && c.Pos() < spec.Pos() && word == embedDirective {
				lines = append(lines, c.Text)
			}
		}
	}
	return lines
}

// embedsSame reports whether a variable of the other would have the same content in the base's folder; so it has
// without directives.
func (m *mixer) embedsSame(file *ast.File, spec *ast.ValueSpec) bool {
	for _, line := range embedding(file, spec) {
		for _, pattern := range strings.Fields(strings.TrimPrefix(line, embedDirective)) {
			if strings.ContainsAny(pattern, "\"`") || !m.sameFiles(path.Clean(strings.TrimPrefix(pattern, "all:"))) {
				return false
			}
		}
	}
	return true
}

// sameFiles reports whether a pattern of the other takes the same files in both versions, as far as the base is known
// to have them.
func (m *mixer) sameFiles(pattern string) bool {
	was, is := embedded(m.of.Other, pattern), embedded(m.of.Base, pattern)
	if _, ok := was[pattern]; ok { // the base need not embed it
		is = map[string]string{pattern: filepath.Join(folder(m.of.Base), filepath.FromSlash(pattern))}
	}
	return len(was) > 0 && maps.EqualFunc(was, is, func(x, y string) bool {
		one, errOne := m.Read(x)
		other, errOther := m.Read(y)
		return errOne == nil && errOther == nil && bytes.Equal(one, other)
	})
}

// embedded returns the files that a package embeds and a pattern takes, or a folder of which: from its folder, and
// absolute.
func embedded(p *packages.Package, pattern string) map[string]string {
	found := map[string]string{}
	for _, name := range p.EmbedFiles {
		relative, err := filepath.Rel(folder(p), name)
		if err != nil {
			continue
		}
		relative = filepath.ToSlash(relative)
		for at := relative; at != "."; at = path.Dir(at) {
			if ok, err := path.Match(pattern, at); ok && err == nil {
				found[relative] = name
			}
		}
	}
	return found
}

func folder(p *packages.Package) string {
	return filepath.Dir(p.Fset.PositionFor(p.Syntax[0].FileStart, false).Filename)
}

// writeVariables writes a specification of variables, with what gives it its content.
func (m *mixer) writeVariables(out *output, p *part) {
	for _, line := range embedding(p.syntax, p.node.(*ast.ValueSpec)) {
		out.note(imported{"_", "embed"})
		out.text.WriteString(line + "\n")
	}
	out.text.WriteString(out.at(p.node.Pos()) + "var " + m.piece(out, p.node))
}
