// Package impact does change impact analysis: it finds the code of the old version that a change may touch.
//
// Input: both loaded versions, the differences of their sources, the correspondence of their names, and the old
// version's instrumented packages. Output: block numbers, a test for sequences that make values of changed types, and
// one for what code without probes mentions.
//
// A sequence that runs none of these blocks on the old version, makes no such values, and runs no code without probes
// that may, behaves the same on the new version: it starts in the same state, and every step runs the same code. The
// result may be too large but never too small: the innermost block around each changed one is in it, too. Where that
// can't be guaranteed, as where code that the change concerns ran before any call and may have left something outside
// of the module's package variables, the reason is returned instead. The same code leads to the same result. Nothing is
// changed.
package impact

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// A Change describes two versions and their differences.
type Change struct {
	Versions  spectra.Pair[*load.Version]
	Program   *static.Program // of old
	Source    *source.Changes
	Match     *match.Match
	Recorded  []*instrument.Package  // of old; blocks are numbered through them
	Watched   map[uint32]bool        // blocks of old in changed lines
	Differing []string               // package variables, by their names in old, whose initial values differ
	Outside   func(path string) bool // whether a package of another module may have other code; nil: none may
	Starts    spectra.Pair[Start]    // what ran before any call
}

// A Reach is the part of the old version that the change may touch.
type Reach struct {
	Blocks map[uint32]bool // by number

	// Bodies says that nothing but the bodies of functions changed, no import either, beside functions that only new
	// has, and that none of these ran before any call. Then the change acts where its lines run, and nowhere else: that
	// rests on no analysis of the program.
	Bodies bool

	// Outward says that code which the change concerns ran before any call, and may have left something elsewhere than
	// in what is compared.
	Outward bool

	// Unmentioned are the constants and types that changed, by their names in new, where the change touches no block
	// because no code mentions them; none: it does, or nobody can see them.
	Unmentioned []spectra.Symbol

	types     map[spectra.Symbol]bool // named types whose values reach something of a changed type
	mentioned map[spectra.Symbol]bool // as in Affected
	outside   func(path string) bool  // as in the change
}

// Find returns the part of the old version that the change may touch, and the reason if there may be more. Then only
// the blocks that are known, Outward and Unmentioned are told.
func (c *Change) Find() (found Reach, more string) {
	more = c.untraceable()
	owners := owners(c.Recorded)
	origin := c.touched(owners)
	affected, err := FindAffected(c.Program, origin)
	if err != nil {
		return found, cmp.Or(more, err.Error())
	}
	if f := c.unrecorded(affected.Functions); f != "" {
		more = cmp.Or(more, fmt.Sprintf("the change may concern %s, which is not recorded", f))
	}
	acts, why := c.started(affected.Functions)
	more = cmp.Or(more, why)
	found = Reach{Blocks: map[uint32]bool{}, Outward: why != ""}
	if more == "" {
		found.Bodies = origin.empty() && !c.imports() && !acts
		found.types, found.mentioned, found.outside = affected.Types, affected.Mentioned, c.Outside
	}
	around := c.around()
	for i, of := range owners {
		if id := uint32(i); affected.Functions[of] || (c.Watched[id] || around[id]) && !c.Match.Same(of) {
			found.Blocks[id] = true
		}
	}
	if len(found.Blocks) == 0 {
		found.Unmentioned = c.unmentioned(affected)
	}
	return found, more
}

// around returns the blocks right around those in changed lines: what runs them comes to these with other values.
func (c *Change) around() map[uint32]bool {
	found, first := map[uint32]bool{}, uint32(0)
	for _, pkg := range c.Recorded {
		inFile := map[string][]int{} // indexes of blocks
		for i := range pkg.Blocks {
			inFile[pkg.Blocks[i].File] = append(inFile[pkg.Blocks[i].File], i)
		}
		for i := range pkg.Blocks {
			if at := uint32(i); c.Watched[first+at] {
				if around := innermost(pkg.Blocks, inFile[pkg.Blocks[i].File], i); around >= 0 {
					found[first+uint32(around)] = true
				}
			}
		}
		first += uint32(len(pkg.Blocks))
	}
	return found
}

// innermost returns the index of the innermost block around another one, of those in its file; -1 if there is none.
func innermost(blocks []spectra.Block, inFile []int, of int) int {
	found, lines := -1, 0
	holds := func(s spectra.Span) bool { return s.First <= blocks[of].After && blocks[of].Before <= s.Last }
	for _, i := range inFile {
		b := &blocks[i]
		size := b.Before - b.After
		if i != of && size >= blocks[of].Before-blocks[of].After && (found < 0 || size < lines) &&
			slices.ContainsFunc(b.Inside, holds) {
			found, lines = i, size
		}
	}
	return found
}

// owners returns for each block its declared function, or the name that stands for literals in initialisers.
func owners(recorded instrument.Packages) []spectra.Symbol {
	var owners []spectra.Symbol
	for _, pkg := range recorded {
		points := map[string][]*spectra.Point{} // by file
		for i := range pkg.Points {
			p := &pkg.Points[i]
			points[p.File] = append(points[p.File], p)
		}
		for _, block := range pkg.Blocks {
			owners = append(owners, around(points[block.File], block))
		}
	}
	return owners
}

// old returns the name in old for a name in new.
func (c *Change) old(name spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(c.Match.Old(string(name)))
}

// untraceable returns the reason why the impact is unknown, "" if it is known.
func (c *Change) untraceable() string {
	if old, new := c.Versions.Old.GoVersion, c.Versions.New.GoVersion; old != new {
		return fmt.Sprintf("the Go version changed from %s to %s", old, new)
	}
	for _, m := range c.Source.Modules {
		if m.AboutGo() {
			return fmt.Sprintf("the %s line changed from %s to %s", m.Path, m.Old, m.New)
		}
	}
	for _, f := range c.Source.Files {
		if f.Kind == source.NativeFile && f.Compiled() {
			return f.Path + " changed, which is not Go"
		}
	}
	if len(c.Source.Problems) > 0 {
		return c.Source.Problems[0].String()
	}
	code, err := c.Program.Code()
	if err != nil {
		return err.Error()
	}
	for _, d := range c.Source.Declarations {
		links := code.Links[string(c.old(spectra.Symbol(d.Package)))]
		if d.Kind != source.Function && d.Kind != source.Import && len(links.Names)+len(links.Assembly) > 0 {
			return fmt.Sprintf("%s changed, and its package has linker names or assembly", d.Symbol)
		}
		if why := untraced(d); why != "" {
			return why
		}
	}
	return ""
}

// registering are the packages of the standard library that tell others of themselves while programs start, so that who
// imports them under a name may matter to what does not.
var registering = map[string]bool{
	"image/gif": true, "image/jpeg": true, "image/png": true, // to image.Decode
	"crypto/md5": true, "crypto/sha1": true, "crypto/sha256": true, "crypto/sha512": true, // to crypto.Hash
	"crypto/sha3": true,
	"expvar":      true, "net/http/pprof": true, // to http.DefaultServeMux
	"time/tzdata": true,
}

// untraced returns the reason why the impact of a declaration is unknown, "" if it is known as far as its package is.
func untraced(d source.Change) string {
	switch {
	case d.Test || d.Other:
	case d.Kind == source.Import && d.Symbol == "C":
		return d.File + " has other C code"
	case d.Kind == source.Import && d.Blank && d.What != spectra.ChangeModified:
		return fmt.Sprintf("the import of %s for what it does while programs start was %s", d.Symbol, d.What)
	case d.Kind == source.Import && registering[string(d.Symbol)] && d.What != spectra.ChangeModified:
		return fmt.Sprintf("the import of %s, which registers itself while programs start, was %s", d.Symbol, d.What)
	case d.Kind == source.Directive, d.Directed:
		return fmt.Sprintf("comments tell the compiler something else about %s", d.Symbol)
	}
	return ""
}

// unrecorded returns the first function without probes among the given and the changed ones, "" if there is none. A
// function named _ never runs.
func (c *Change) unrecorded(functions map[spectra.Symbol]bool) spectra.Symbol {
	recorded := map[spectra.Symbol]bool{}
	for _, pkg := range c.Recorded {
		for _, p := range pkg.Points {
			recorded[p.Symbol.Declared()] = true
		}
	}
	concerned := maps.Clone(functions)
	for _, f := range c.Source.Functions() {
		if name := c.old(f.Symbol).Declared(); f.Old.Line > 0 && !c.Match.Same(name) {
			concerned[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(concerned)) {
		if !recorded[name] && !strings.HasPrefix(name.Short(), "_") {
			return name
		}
	}
	return ""
}

// touched returns all changes outside of function bodies' lines, by their names in old.
func (c *Change) touched(owners []spectra.Symbol) Origin {
	of := Origin{
		Functions: map[spectra.Symbol]bool{}, Values: map[spectra.Symbol]bool{}, Types: map[spectra.Symbol]bool{},
		Outside: c.Outside,
	}
	for _, d := range c.Source.Declarations {
		if d.Test || d.Other || d.Vendor {
			continue
		}
		name := c.old(d.Symbol)
		switch d.Kind {
		case source.Function:
			if d.Signature {
				of.Functions[name] = true
			}
			if typ := receiver(name); typ != "" && (d.Signature || d.What != spectra.ChangeModified) {
				of.Types[typ] = true
			}
		case source.Variable, source.Constant:
			of.Values[name] = true
		case source.Type:
			of.Types[name] = true
		}
	}
	for _, shape := range c.Match.Shapes() {
		of.Types[spectra.Symbol(shape.Type)] = true
	}
	for _, v := range c.Differing {
		of.Values[spectra.Symbol(v)] = true
	}
	for _, v := range c.Match.Variables() { // their values may call packages whose names are unknown without types
		if !c.Match.Same(spectra.Symbol(v)) {
			of.Values[spectra.Symbol(v)] = true
		}
	}
	for _, v := range c.embedding() {
		of.Values[v] = true
	}
	c.addUnplaced(of.Functions, owners)
	return of
}

// receiver returns the type of a method, "" for other functions.
func receiver(method spectra.Symbol) spectra.Symbol {
	of, _, ok := strings.Cut(strings.NewReplacer("(*", "", ")", "").Replace(method.Short()), ".")
	if !ok {
		return ""
	}
	return spectra.Symbol(method.Package() + "." + of)
}

// addUnplaced adds functions that differ although none of their blocks changed, because names in them mean something
// else. It also adds functions with changed blocks whose names may mean something else outside of these.
func (c *Change) addUnplaced(functions map[spectra.Symbol]bool, owners []spectra.Symbol) {
	placed, differing := map[spectra.Symbol]bool{}, map[spectra.Symbol]bool{}
	for id := range c.Watched {
		placed[owners[id]] = true
	}
	for _, pkg := range c.Recorded {
		for _, p := range pkg.Points {
			name := p.Symbol.Declared()
			literal := strings.HasSuffix(string(name), ".glob.") // its variable counts instead
			switch {
			case c.Match.Same(name):
			case placed[name]:
				differing[name] = true
			case !literal:
				functions[name] = true
			}
		}
	}
	maps.Copy(functions, c.otherwise(differing))
}

// imports reports whether an import changed: C has its code there, and other packages are initialised.
func (c *Change) imports() bool {
	return slices.ContainsFunc(c.Source.Declarations, func(d source.Change) bool {
		return d.Kind == source.Import && !d.Test && !d.Other
	})
}

// embedding lists the variables of old in packages whose embedded files changed.
func (c *Change) embedding() []spectra.Symbol {
	var list []spectra.Symbol
	for _, pkg := range c.Versions.Old.Packages {
		if c.embedsChanged(pkg) {
			for _, file := range pkg.Syntax {
				list = append(list, embedded(pkg.PkgPath, file)...)
			}
		}
	}
	return list
}

func (c *Change) embedsChanged(pkg *packages.Package) bool {
	return slices.ContainsFunc(c.Source.Files, func(f source.FileChange) bool {
		within := source.PackagePath(c.Versions.Old.Module, f.Path)
		return f.Embedded && strings.HasPrefix(within+"/", pkg.PkgPath+"/")
	})
}

// embedded lists the variables of a file that have an embedding directive, between what is declared before and them.
func embedded(pkg string, file *ast.File) []spectra.Symbol {
	var list []spectra.Symbol
	end := file.Name.End()
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range decl.Specs {
				if of, ok := spec.(*ast.ValueSpec); ok && embeds(file, end, spec.Pos()) {
					for _, name := range of.Names {
						list = append(list, spectra.Symbol(pkg+"."+name.Name))
					}
				}
				end = spec.End()
			}
		}
		end = decl.End()
	}
	return list
}

// embeds reports whether there is an embedding directive between two positions.
func embeds(file *ast.File, from, to token.Pos) bool {
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return slices.ContainsFunc(group.List, func(line *ast.Comment) bool {
			return from <= line.Pos() && line.Pos() < to && strings.HasPrefix(line.Text, "//go:embed ")
		})
	})
}

// around returns the declared function of the first of a file's points that a block lies in.
func around(points []*spectra.Point, b spectra.Block) spectra.Symbol {
	for _, p := range points {
		if p.Line <= b.Line && b.Last <= p.EndLine {
			return p.Symbol.Declared()
		}
	}
	return ""
}
