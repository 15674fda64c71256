// Package positions gives unchanged code in new its line numbers from old, by line directives.
//
// Positions are no values, but programs observe them: they print stacks, log their own lines, and panic. Without the
// directives, moved code would look like a deviation.
//
// In: both versions of a package as type-checked files, and a function that returns the name in old for each
// declaration of new. Out: from Find, marks: the lines of new at which the positions change; from Place, a source with
// a directive at each mark.
//
// A line that old has too gets its position in old. A line that replaces others gets the position of one of them. An
// inserted line gets the position of the line before it. A declaration that is new gets the position of its place in
// old's file. In a file that is new it keeps its positions, as do files with line directives and cgo files. Place keeps
// the tokens and lines of a source. The same packages have the same positions. Nothing is read or written.
package positions

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// A Package is one version of a package.
type Package struct {
	Path  string // import path
	Fset  *token.FileSet
	Info  *types.Info
	Files []File
}

// A File is a source file of a package.
type File struct {
	Name   string // absolute path
	Source []byte // as it was parsed
	Syntax *ast.File
}

// A Mark is a line from which on the code of a file is placed elsewhere.
type Mark struct {
	Line int    // in the file, from 1
	Base string // name of the file where it is placed, without folder
	At   int    // line where it is placed
}

// Find returns by name the marks of the files of new, in the order of their lines. Files without marks are left
// out. The function inOld returns the name that a declaration of new has in old.
func Find(of spectra.Pair[Package], inOld func(spectra.Symbol) spectra.Symbol) map[string][]Mark {
	if slices.EqualFunc(of.Old.Files, of.New.Files, same) {
		return nil
	}
	sources := map[string]source{}
	for _, f := range of.Old.Files {
		sources[filepath.Base(f.Name)] = newSource(f)
	}
	olds := map[spectra.Symbol]declaration{}
	for _, d := range declarations(&of.Old) {
		olds[d.symbol] = d
	}
	placings := map[string]*placing{}
	for _, f := range of.New.Files {
		if movable(f) {
			placings[f.Name] = newPlacing(f, sources[filepath.Base(f.Name)])
		}
	}
	for _, d := range declarations(&of.New) {
		old, ok := olds[inOld(d.symbol)]
		if p := placings[d.file]; p != nil && ok {
			p.align(d.lines, sources[filepath.Base(old.file)], old.lines)
		}
	}
	marks := map[string][]Mark{}
	for name, p := range placings {
		if list := p.marks(); len(list) > 0 {
			marks[name] = list
		}
	}
	return marks
}

// same reports whether both versions have a file of that name and content.
func same(old, new File) bool {
	return filepath.Base(old.Name) == filepath.Base(new.Name) && bytes.Equal(old.Source, new.Source)
}

// movable reports whether the positions of a file are its own, and may be changed.
func movable(f File) bool {
	for _, spec := range f.Syntax.Imports {
		if spec.Path.Value == `"C"` {
			return false
		}
	}
	return !bytes.Contains(f.Source, []byte("//line ")) && !bytes.Contains(f.Source, []byte("/*line "))
}

// A source is the lines of a file, layout and comments left out.
type source struct {
	base  string
	lines []string
}

func newSource(f File) source {
	s := source{base: filepath.Base(f.Name), lines: make([]string, bytes.Count(f.Source, []byte("\n"))+1)}
	for _, t := range tokens(f.Source) {
		for i, part := range strings.Split(t.text, "\n") {
			s.lines[t.line-1+i] += part + " "
		}
	}
	return s
}

// A place is where a line is placed.
type place struct {
	base string
	line int
}

// A placing says where the lines of a file of new are placed.
type placing struct {
	source
	places []place // by index of the line
}

// newPlacing places a file where old has it; old is empty if there is no such file.
func newPlacing(f File, old source) *placing {
	p := &placing{source: newSource(f)}
	for i := range p.lines {
		p.places = append(p.places, place{p.base, i + 1})
	}
	if len(old.lines) > 0 {
		p.align(align.Run{To: len(p.lines)}, old, align.Run{To: len(old.lines)})
	}
	return p
}

// maxEdits is the number of lines from which on an alignment only keeps to lines that occur once.
const maxEdits = 2000

// align places some lines where some of old are.
func (p *placing) align(lines align.Run, old source, there align.Run) {
	pairs := align.Equal(old.lines[there.From:there.To], p.lines[lines.From:lines.To], maxEdits)
	for _, pair := range pairs {
		p.places[lines.From+pair.New] = place{old.base, there.From + pair.Old + 1}
	}
	for _, gap := range align.Gaps(pairs, there.To-there.From, lines.To-lines.From) {
		for i := gap.New.From; i < gap.New.To; i++ {
			// Without lines in their place, they are placed on the line before.
			at := min(gap.Old.From+i-gap.New.From, gap.Old.To-1)
			p.places[lines.From+i] = place{old.base, there.From + max(at, 0) + 1}
		}
	}
}

// marks lists the lines that are not placed one after the line before.
func (p *placing) marks() []Mark {
	var list []Mark
	expected := place{p.base, 1}
	for i, at := range p.places {
		if at != expected {
			list = append(list, Mark{Line: i + 1, Base: at.base, At: at.line})
		}
		expected = place{at.base, at.line + 1}
	}
	return list
}
