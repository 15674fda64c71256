// Package deltas divides what differs between two versions of some files into deltas, and writes the files of old with
// some of these taken over from new.
//
// In: the files that differ, with both contents. Out: the deltas in a stable order, and for any choice of them the
// files that old then has. A delta is a declaration of Go, or the whole of a file: one that is not Go, that can't be
// parsed, that imports "C", or in which more differs than declarations and imports. A declaration that moved to another
// file of its package is one delta. Comments and layout are none, except in tests, where comments can say what is
// expected.
//
// With no delta taken, the files are old's; with all, they behave as new's do. Imports follow: a file imports what it
// needs of what either version imports. Whether a choice compiles is for others to find out. The package is pure; it
// type-checks nothing.
package deltas

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A File is a file that may differ.
type File struct {
	Name     string // slash-separated
	Old, New *Content
}

// A Content is what a version holds in a file. A version that does not have the file has no Content.
type Content struct {
	Text []byte // of a link its target
	Mode fs.FileMode
}

func (c *Content) equal(other *Content) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.Mode == other.Mode && bytes.Equal(c.Text, other.Text)
}

// A Delta is the smallest part of a difference: it is taken, or not.
type Delta struct {
	Symbol   spectra.Symbol // of the declaration; of a whole file, its name
	Change   spectra.Change
	File     string        // in new, or in old if new does not have it
	Whole    bool          // it is a whole file
	Test     bool          // of tests or their data
	Old, New spectra.Lines // zero where there are none

	// Harmless says that one version alone has it, and that it does nothing by being there: the rest runs as before, as
	// far as its name alone can tell. A method may make its type implement an interface, so it is not known to be.
	Harmless bool
}

// Deltas are what differs.
type Deltas struct {
	List  []Delta
	files []*file
}

// A file is one that differs, with its declarations in the order of each version.
type file struct {
	File
	whole    int // the delta of the whole file; -1: it is divided
	old, new *parsed
}

// Of divides what differs. pkg returns the import path of the package to which a Go file belongs.
func Of(list []File, pkg func(name string) string) *Deltas {
	d := &Deltas{}
	for _, f := range list {
		if f.Old.equal(f.New) {
			continue
		}
		one := &file{File: f, whole: -1}
		d.files = append(d.files, one)
		if strings.HasSuffix(f.Name, ".go") {
			one.old, one.new = parse(f.Name, f.Old), parse(f.Name, f.New)
		}
		if !one.divides() {
			one.old, one.new = nil, nil
		}
	}
	d.match(pkg)
	for _, f := range d.files {
		if f.old == nil && f.new == nil {
			f.whole = len(d.List)
			d.List = append(d.List, f.delta())
		}
	}
	return d
}

// Whole makes a delta of each file that differs.
func Whole(list []File) *Deltas {
	d := &Deltas{}
	for _, f := range list {
		if one := (&file{File: f, whole: len(d.List)}); !f.Old.equal(f.New) {
			d.files, d.List = append(d.files, one), append(d.List, one.delta())
		}
	}
	return d
}

// divides reports whether only declarations and imports of a file differ.
func (f *file) divides() bool {
	switch {
	case f.Old != nil && f.old == nil, f.New != nil && f.new == nil:
		return false
	case f.Old == nil:
		return len(f.new.parts) > 0
	case f.New == nil:
		return len(f.old.parts) > 0
	}
	return f.Old.Mode == f.New.Mode && f.old.head == f.new.head && len(f.old.parts)+len(f.new.parts) > 0
}

// delta returns that of a whole file.
func (f *file) delta() Delta {
	d := Delta{
		Symbol: spectra.Symbol(f.Name), File: f.Name, Whole: true, Change: spectra.ChangeModified,
		Test: isTest(f.Name), Old: linesOf(f.Name, f.Old), New: linesOf(f.Name, f.New),
	}
	switch {
	case f.Old == nil:
		d.Change = spectra.ChangeAdded
	case f.New == nil:
		d.Change = spectra.ChangeRemoved
	}
	return d
}

func isTest(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.Contains("/"+name, "/testdata/")
}

// linesOf returns the lines of a text; none of a link.
func linesOf(name string, c *Content) spectra.Lines {
	if c == nil || len(c.Text) == 0 || c.Mode&fs.ModeSymlink != 0 {
		return spectra.Lines{}
	}
	return spectra.Lines{File: name, Line: 1, EndLine: 1 + bytes.Count(c.Text[:len(c.Text)-1], []byte("\n"))}
}

// Take returns the files that old has with some deltas taken, as far as they are not old's. Their content is New; a
// file that is not there then has none.
func (d *Deltas) Take(some []int) (list []File) {
	taken := make([]bool, len(d.List))
	for _, i := range some {
		taken[i] = true
	}
	for _, f := range d.files {
		content := f.Old
		switch {
		case f.whole >= 0 && taken[f.whole]:
			content = f.New
		case f.whole < 0:
			content = f.write(taken)
		}
		if !content.equal(f.Old) {
			list = append(list, File{Name: f.Name, New: content})
		}
	}
	return list
}

// match pairs the declarations of both versions, package by package, and makes deltas of those that differ.
func (d *Deltas) match(pkg func(string) string) {
	type scope struct{ folder, name string }
	olds := map[scope]map[string]*part{}
	for _, f := range d.files {
		if f.old == nil {
			continue
		}
		in := scope{path.Dir(f.Name), f.old.pkg}
		if olds[in] == nil {
			olds[in] = map[string]*part{}
		}
		for _, p := range f.old.parts {
			for _, name := range p.names {
				olds[in][name] = p
			}
		}
	}
	for _, f := range d.files {
		if f.new == nil {
			continue
		}
		for _, p := range f.new.parts {
			p.pair(olds[scope{path.Dir(f.Name), f.new.pkg}])
			d.add(p.other, p, pkg)
		}
	}
	for _, f := range d.files {
		if f.old == nil {
			continue
		}
		for _, p := range f.old.parts {
			if p.other == nil {
				d.add(p, nil, pkg)
			}
		}
	}
}

// pair finds the part of old that declares one of the same names, and that no other one is paired with.
func (p *part) pair(olds map[string]*part) {
	for _, name := range p.names {
		if o := olds[name]; o != nil && o.other == nil && o.kind == p.kind {
			o.other, p.other = p, o
			return
		}
	}
}

// add adds the delta of a declaration of which one version may have none, if it differs.
func (d *Deltas) add(old, new *part, pkg func(string) string) {
	one, what := new, spectra.ChangeModified
	switch {
	case old == nil:
		what = spectra.ChangeAdded
	case new == nil:
		one, what = old, spectra.ChangeRemoved
	case old.file == new.file && old.meaning == new.meaning:
		return
	}
	name := one.names[0]
	if what == spectra.ChangeModified {
		name = new.differing(old)
	}
	name, _, _ = strings.Cut(name, numbering)
	delta := Delta{
		Symbol: spectra.Symbol(pkg(one.file) + "." + name), Change: what, File: one.file, Test: isTest(one.file),
		Harmless: (old == nil || new == nil) && one.harmless,
	}
	if old != nil {
		delta.Old, old.delta = old.lines, len(d.List)
	}
	if new != nil {
		delta.New, new.delta = new.lines, len(d.List)
	}
	d.List = append(d.List, delta)
}

// differing returns the first name whose declaration differs.
func (p *part) differing(old *part) string {
	i := slices.IndexFunc(p.names, func(name string) bool { return old.specs[name] != p.specs[name] })
	return p.names[max(i, 0)]
}
