// Package source finds what differs between two versions of a Go module at the level of Go.
//
// In: for each version a folder of source and the path of its module. Out: Changes, that is files
// with their changed lines, declarations and required modules that differ.
//
// Always: comments and layout alone change no declaration; a function keeps its identity where it
// moves within its package; every list is sorted; the same folders give the same Changes. Go files
// that don't parse become Problems. Never: writes, builds, type-checks or asks a repository.
package source

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

// What says what happened to something.
type What string

// What can happen.
const (
	Added    What = "added"
	Removed  What = "removed"
	Modified What = "modified"
)

// Changes is what differs between two modules. All lists are sorted.
type Changes struct {
	Files        []FileChange
	Declarations []Change
	Modules      []ModuleChange
	Problems     []string // files that could not be read as Go
}

// FileKind is what a file is to a build.
type FileKind string

// The kinds of files.
const (
	GoFile       FileKind = "go"
	ModuleFile   FileKind = "module"   // go.mod, go.sum, go.work, vendor/modules.txt
	NativeFile   FileKind = "native"   // C and assembly
	EmbeddedFile FileKind = "embedded" // taken by a //go:embed line
	TestdataFile FileKind = "testdata"
	OtherFile    FileKind = "other"
)

// A FileChange is a file that is not the same on both sides.
type FileChange struct {
	Path   string // from the module's folder, slash-separated
	What   What
	Kind   FileKind
	Test   bool // _test.go
	Vendor bool // below a vendor folder
	Other  bool // Go file that the host's go command leaves out
	Hunks  []Hunk
}

// DeclKind is the kind of a declaration.
type DeclKind string

// The kinds of declarations.
const (
	Function DeclKind = "function"
	Variable DeclKind = "variable"
	Constant DeclKind = "constant"
	Type     DeclKind = "type"
	Import   DeclKind = "import"
	Required DeclKind = "module"
)

// A Change is a declaration that is not the same on both sides: its tokens differ, comments and
// layout aside. A constant also differs when its iota does, a function when a package name in it
// stands for another path.
//
// Symbol is the function's, "m/p.name" for variables, constants and types, "m/p.init.0" and
// "m/p._.0" for those without a name of their own (numbered by file name and line, test files apart),
// the imported path for imports, the module's path for modules.
type Change struct {
	Symbol    spectra.Symbol
	Kind      DeclKind
	What      What
	Package   string // import path; "_test" added for external tests
	File      string // on the new side, the old one if removed
	Signature bool   // a function whose signature or receiver changed, not only its body
	Test      bool   // in a _test.go file
	Vendor    bool
	Other     bool // in files that the host's go command leaves out
	Old, New  Span // zero where it isn't declared
}

// A Span is a declaration's place, without its comment.
type Span struct {
	File          string // module-relative, slash-separated
	Line, EndLine int
}

// A ModuleChange is a requirement, replacement, go or toolchain line that changed. "" = not there.
type ModuleChange struct {
	Path     string // module path; "go" and "toolchain" for those lines
	Old, New string // version; "=> path version" where replaced
}

// A Module is one version of a module, as far as comparing needs to know it.
type Module struct {
	Dir  string // absolute
	Path string // module path
	Tree string // absolute root of the version's files: Dir or above it
}

// Diff compares two modules.
func Diff(old, new Module) (*Changes, error) {
	oldFiles, err := moduleFiles(old.Dir)
	if err != nil {
		return nil, fmt.Errorf("compare versions: list %s: %w", old.Path, err)
	}
	newFiles, err := moduleFiles(new.Dir)
	if err != nil {
		return nil, fmt.Errorf("compare versions: list %s: %w", new.Path, err)
	}
	c := &comparison{old: side{module: old, files: oldFiles}, new: side{module: new, files: newFiles}}
	if err := c.files(); err != nil {
		return nil, fmt.Errorf("compare versions: %w", err)
	}
	c.declarations()
	c.modules()
	c.sort()
	return &c.changes, nil
}

// side is one version in a comparison.
type side struct {
	module Module
	files  map[string]fs.FileMode
	embeds []string // //go:embed patterns from the module's folder, filled when first needed
}

type comparison struct {
	old, new side
	changes  Changes
}

// moduleFiles lists the files of a module; other modules below it are not part of it.
func moduleFiles(dir string) (map[string]fs.FileMode, error) {
	files := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == dir {
				return nil
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && !strings.Contains(name[len(dir):], "/vendor/") {
				return filepath.SkipDir
			}
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = info.Mode()
		return err
	})
	return files, err
}

// content returns a file's bytes, a symlink's target, or nothing for a file that isn't there.
func (s *side) content(name string) ([]byte, error) {
	mode, ok := s.files[name]
	if !ok {
		return nil, nil
	}
	full := filepath.Join(s.module.Dir, filepath.FromSlash(name))
	if mode&fs.ModeSymlink == 0 {
		return os.ReadFile(full)
	}
	target, err := os.Readlink(full)
	return []byte(target), err
}

// files finds the files that differ.
func (c *comparison) files() error {
	names := map[string]bool{}
	for name := range c.old.files {
		names[name] = true
	}
	for name := range c.new.files {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		old, err := c.old.content(name)
		if err != nil {
			return err
		}
		new, err := c.new.content(name)
		if err != nil {
			return err
		}
		oldMode, before := c.old.files[name]
		newMode, after := c.new.files[name]
		if before && after && oldMode == newMode && bytes.Equal(old, new) {
			continue
		}
		c.file(name, old, new, what(before, after))
	}
	return nil
}

func what(before, after bool) What {
	switch {
	case !before:
		return Added
	case !after:
		return Removed
	}
	return Modified
}

func (c *comparison) file(name string, old, new []byte, what What) {
	f := FileChange{
		Path: name, What: what, Kind: c.kind(name),
		Test:   strings.HasSuffix(name, "_test.go"),
		Vendor: within(name, "vendor"),
	}
	if f.Kind == GoFile {
		f.Hunks = lineHunks(textLines(old), textLines(new))
		text := new
		if what == Removed {
			text = old
		}
		file, err := parseHeader(name, text)
		f.Other = err == nil && excluded(name, file)
	}
	c.changes.Files = append(c.changes.Files, f)
}

// within reports whether a path leads through a folder of that name.
func within(name, folder string) bool {
	return strings.HasPrefix(name, folder+"/") || strings.Contains(name, "/"+folder+"/")
}

// kind tells what a file is to a build.
func (c *comparison) kind(name string) FileKind {
	switch base := path.Base(name); {
	case name == "go.mod", name == "go.sum", name == "go.work", name == "go.work.sum", name == "vendor/modules.txt":
		return ModuleFile
	case within(name, "testdata"):
		return TestdataFile
	case strings.HasSuffix(base, ".go"):
		return GoFile
	case slices.Contains(nativeSuffixes, path.Ext(base)):
		return NativeFile
	case c.old.embedded(name) || c.new.embedded(name):
		return EmbeddedFile
	}
	return OtherFile
}

var nativeSuffixes = strings.Fields(".c .cc .cpp .cxx .h .hh .hpp .hxx .m .s .S .sx .syso .f .F .f90 .swig .swigcxx")

func (c *comparison) sort() {
	slices.SortFunc(c.changes.Declarations, func(one, other Change) int {
		return cmp.Or(
			cmp.Compare(one.Package, other.Package),
			cmp.Compare(one.File, other.File),
			cmp.Compare(one.New.Line, other.New.Line),
			cmp.Compare(one.Old.Line, other.Old.Line),
			cmp.Compare(one.Symbol, other.Symbol),
			cmp.Compare(one.Kind, other.Kind),
			cmp.Compare(one.What, other.What),
		)
	})
	slices.SortFunc(c.changes.Modules, func(one, other ModuleChange) int { return cmp.Compare(one.Path, other.Path) })
	slices.Sort(c.changes.Problems)
	c.changes.Problems = slices.Compact(c.changes.Problems)
}

// Functions returns the functions that changed in what is built on this host: no tests, no vendored
// code.
func (c *Changes) Functions() []Change {
	var functions []Change
	for _, change := range c.Declarations {
		if change.Kind == Function && !change.Test && !change.Other && !change.Vendor {
			functions = append(functions, change)
		}
	}
	return functions
}

// Hunks returns the changed lines of a Go file.
func (c *Changes) Hunks(file string) []Hunk {
	at, found := slices.BinarySearchFunc(c.Files, file, func(f FileChange, name string) int { return cmp.Compare(f.Path, name) })
	if !found {
		return nil
	}
	return c.Files[at].Hunks
}

// Empty reports whether no file differs.
func (c *Changes) Empty() bool { return len(c.Files) == 0 && len(c.Modules) == 0 }

// TestOnly reports whether something differs, but nothing that is built outside of tests.
func (c *Changes) TestOnly() bool {
	if c.Empty() || len(c.Modules) > 0 {
		return false
	}
	for _, f := range c.Files {
		switch {
		case f.Test || f.Kind == TestdataFile || f.Kind == OtherFile || f.Other:
		case f.Kind == GoFile && c.onlyText(f):
		default:
			return false
		}
	}
	return true
}

// onlyText reports whether a Go file changed in comments and layout only.
func (c *Changes) onlyText(f FileChange) bool {
	for _, change := range c.Declarations {
		if change.Old.File == f.Path || change.New.File == f.Path {
			return false
		}
	}
	return !slices.ContainsFunc(c.Problems, func(problem string) bool { return strings.Contains(problem, f.Path) })
}
