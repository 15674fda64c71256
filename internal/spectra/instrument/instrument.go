// Package instrument inserts probes into the source of one Go package.
//
// In: a type-checked package (golang.org/x/tools/go/packages with files, types, and syntax including comments, which
// hold directives) whose files are on disk or in an overlay. Options hold facts that need all packages of the module.
// Out: the sources with probes, a generated file that registers the package with the runtime, and a description of
// everything that the probes record: points (functions, methods, function literals), blocks, branches and package
// variables.
//
// An instrumented file keeps the lines of the original, and every original token stays on its line. Apart from the
// probes its meaning does not change. The probes' names are unused in the whole package. The same package has the same
// result, byte for byte. Functions in which a probe is not safe stay as they are and are listed. The package writes
// nothing to disk. It prints no syntax tree: all changes are text edits.
package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Options are the settings of Instrument.
type Options struct {
	Dir     string // the version's root: file names become relative to it, slash-separated
	Runtime string // import path of the runtime

	// Written has the package variables that any package of the module changes. Nil means that nothing is
	// known about them, so no variable counts as constant.
	Written map[string]bool

	// Overlay has sources, by the absolute paths of their files, that are not those on disk.
	Overlay map[string][]byte

	// Switches has the functions that may hand their calls to other ones.
	Switches map[spectra.Symbol]Switch

	// Operands says of a function whether it notes what it compares. Nil means that none does.
	Operands func(spectra.Symbol) Interest
}

// A Package is an instrumented package.
type Package struct {
	Path     string
	Name     string            // of the package clauses; of a main package it differs from the original's
	Files    map[string][]byte // absolute path → source, the generated file included
	Points   []spectra.Point
	Blocks   []spectra.Block
	Branches []branch.Branch // of the functions that note what they compare, in the order in which they stand
	Vars     []spectra.Var
	Skipped  []Skipped
}

// Skipped is a function that got no probe, with the reason.
type Skipped struct {
	Symbol spectra.Symbol
	File   string
	Line   int
	Reason string
}

// instrumenter is the work on one package.
type instrumenter struct {
	pkg     *packages.Package
	options Options
	names   names
	changed map[*types.Var]bool
	shared  map[*types.Var]bool // where operands are noted: those that calls may change
	symbols map[ast.Node]spectra.Symbol
	out     *Package
}

// Instrument adds probes to all functions of pkg in which a probe is safe.
func Instrument(pkg *packages.Package, o Options) (*Package, error) {
	if err := usable(pkg, o); err != nil {
		return nil, fmt.Errorf("instrument %s: %w", pkg.PkgPath, err)
	}
	in := &instrumenter{
		pkg: pkg, options: o, names: freeNames(pkg), changed: static.Reassigned(pkg),
		symbols: symbol.Functions(pkg.PkgPath, pkg.TypesInfo, sourcesOf(pkg)),
		out:     &Package{Path: pkg.PkgPath, Name: pkg.Name, Files: map[string][]byte{}},
	}
	if o.Operands != nil {
		in.shared = static.Shared(pkg)
	}
	if pkg.Name == "main" {
		in.out.Name = mainName
	}
	for i, name := range pkg.CompiledGoFiles {
		if err := in.file(name, pkg.Syntax[i]); err != nil {
			return nil, fmt.Errorf("instrument %s: %w", name, err)
		}
	}
	if pkg.Name == "main" {
		if err := in.renameOthers(); err != nil {
			return nil, fmt.Errorf("rename main package %s: %w", pkg.PkgPath, err)
		}
	}
	in.out.Vars = packageVariables(pkg, o)
	if err := in.register(); err != nil {
		return nil, fmt.Errorf("register %s: %w", pkg.PkgPath, err)
	}
	return in.out, nil
}

// usable returns an error if a package can't be instrumented.
func usable(pkg *packages.Package, o Options) error {
	switch {
	case len(pkg.Errors) > 0:
		return fmt.Errorf("it does not compile: %w", pkg.Errors[0])
	case pkg.Types == nil || pkg.TypesInfo == nil || len(pkg.CompiledGoFiles) == 0:
		return fmt.Errorf("it was loaded without files, syntax or types")
	case len(pkg.Syntax) != len(pkg.CompiledGoFiles):
		return fmt.Errorf("%d of its %d files were parsed", len(pkg.Syntax), len(pkg.CompiledGoFiles))
	case pkg.PkgPath == o.Runtime:
		return fmt.Errorf("it is the runtime")
	}
	return nil
}

// file is one source file being edited.
type file struct {
	*instrumenter
	tok    *token.File
	buffer buffer
	rel    string
	skip   *skipTable
	used   bool // it contains a probe
}

// file instruments one file, or lists its functions if it belongs to cgo.
func (in *instrumenter) file(name string, syntax *ast.File) error {
	tok := in.pkg.Fset.File(syntax.FileStart)
	f := &file{instrumenter: in, tok: tok, rel: in.relative(name), skip: newSkipTable(syntax)}
	source := sourceOf(in.pkg, syntax.Name.Pos())
	if source == "" {
		return nil
	}
	if source != name {
		f.skip.whole = "file of cgo"
		f.rel = in.relative(source)
	} else if err := f.read(name); err != nil {
		return err
	}
	for _, decl := range syntax.Decls {
		f.declaration(decl)
	}
	if f.skip.whole != "" {
		return nil
	}
	if in.out.Name != in.pkg.Name {
		f.replace(syntax.Name.Pos(), syntax.Name.End(), in.out.Name)
	}
	if f.used {
		f.insert(syntax.Name.End(), fmt.Sprintf("; import %s %q", in.names.prefix, in.options.Runtime))
	}
	out, err := f.buffer.bytes()
	_, laid := f.options.Overlay[name]
	if err == nil && (laid || !bytes.Equal(out, f.buffer.src)) {
		in.out.Files[name] = out
	}
	return err
}

// read reads the source that was parsed.
func (f *file) read(name string) error {
	src, ok := f.options.Overlay[name]
	if !ok {
		var err error
		if src, err = os.ReadFile(name); err != nil {
			return err
		}
	}
	if len(src) != f.tok.Size() {
		return fmt.Errorf("it changed after it was loaded: %d bytes, then %d", f.tok.Size(), len(src))
	}
	f.buffer.src = src
	return nil
}

// sourceOf returns the file of the package that contains a position. If the compiler gets a file that cgo
// made from it, sourceOf returns the original. For a file that cgo made by itself it returns "".
func sourceOf(pkg *packages.Package, pos token.Pos) string {
	for _, adjusted := range []bool{false, true} {
		name := pkg.Fset.PositionFor(pos, adjusted).Filename
		if slices.Contains(pkg.GoFiles, name) {
			return name
		}
	}
	return ""
}

// sourcesOf lists the package's files, without those that cgo made by itself.
func sourcesOf(pkg *packages.Package) []*ast.File {
	var list []*ast.File
	for _, f := range pkg.Syntax {
		if sourceOf(pkg, f.Name.Pos()) != "" {
			list = append(list, f)
		}
	}
	return list
}

// declaration instruments the functions and literals of one declaration.
func (f *file) declaration(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		f.function(f.declared(decl))
	case *ast.GenDecl:
		f.literals(decl, "")
	}
}

// relative returns the name of a file relative to the version's root.
func (in *instrumenter) relative(name string) string {
	rel, err := filepath.Rel(in.options.Dir, name)
	if err != nil || strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// text returns the source of a node in a file that gets probes: those of cgo are not read.
func (f *file) text(n ast.Node) string {
	return string(f.buffer.src[f.tok.Offset(n.Pos()):f.tok.Offset(n.End())])
}

// insert puts text at a position.
func (f *file) insert(at token.Pos, text string) { f.buffer.insert(f.tok.Offset(at), text) }

// replace replaces the text between two positions.
func (f *file) replace(start, end token.Pos, text string) {
	f.buffer.replace(f.tok.Offset(start), f.tok.Offset(end), text)
}

// line returns the physical line of a position: line directives don't count, except those of cgo.
func (f *file) line(at token.Pos) int { return f.position(at).Line }

func (f *file) position(at token.Pos) token.Position {
	return f.tok.PositionFor(at, f.skip.whole != "")
}
