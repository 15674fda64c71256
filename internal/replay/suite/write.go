package suite

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/types"
	"go/version"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Suite is what a driver needs for the tests of one package.
type Suite struct {
	Package  string            // import path of the tested package
	Own      bool              // each version has its own tests, which may differ
	Inside   bool              // it has tests of its own
	External string            // import path of its external tests in the driver; "": it has none
	Files    map[string][]byte // absolute path → source
	Tests    []Test            // sorted by name
	LeftOut  []string          // what can't be run, with the reason
	Imports  []string          // of the test files
}

// A Test is a test function, a fuzz target with its corpus, a benchmark, a subtest, or an example. Its operation takes
// a map from the numbers of holes to other values than those of the source. A command line is one, too: its operation,
// the command, takes all that is not empty.
type Test struct {
	*api.Operation
	Sub    string           // name of the subtest; "": all of the test
	Line   string           // of a command, as a shell reads it; "": a test
	File   string           // in which it is declared, without its folder
	Always []sequence.Value // numbers and values that every call of a command line gives besides its holes
	Bubble bool             // it may make a time bubble of its own, which no other may contain
	Holes  []*Hole          // shared with other tests that come to the same
	Cut    bool             // it has more literals, of which its subtests may have others
	twin   bool             // it is an external test, and one of the package itself has its name
	inputs int              // the last holes, which stand for what comes from outside

	parts    func(name string, at, of int) []*Hole // the holes of a subtest, one of so many; nil: there are none
	meanings func() map[int]string                 // of all holes of the package, by their numbers; nil: there are none
}

// A Hole is a literal of a test that may have another value, or a choice that may be true.
type Hole struct {
	Number int // among those of the package
	Type   types.Type
	Name   string // of the field or parameter that it is given to; "" = none
	Usual  sequence.Value
	Place  string // "x_test.go:12", "file testdata/x", "variable X"
	Asks   bool   // a computed text or number, whose usual value is not known before WithInputs
	More   bool   // one more text of a list, "" for none
	Choice string // what is done if it is true, such as "twice: f(1)"; "": a literal
}

// other is the type of a test's parameter.
var other = types.NewMap(types.Typ[types.Int], types.Universe.Lookup("any").Type())

// A Config says how the files of a suite are written.
type Config struct {
	Name    string      // import path of the package in the names of operations
	Folder  string      // in which tests run, below that of the module
	Clause  string      // the package's name in the driver; "": it has nothing but tests
	Runtime string      // import path of the runtime
	Like    *Files      // other test files, at whose lines functions of the same names begin; nil: none
	Adapted *Adaptation // how the files are made to compile; nil: as they are

	// Twins are functions that both the tests of the package itself and the external ones declare, in either version.
	// In the names of operations the latter have the path of their own package.
	Twins map[string]bool
}

// Write writes the suite of a package from test files. If holes is nil, the tests have no parameters.
func Write(p *packages.Package, files *Files, holes *Holes, cfg Config) (*Suite, error) {
	s := &Suite{Package: p.PkgPath, Files: map[string][]byte{}}
	if holes == nil {
		holes = &Holes{}
	}
	for _, f := range slices.Concat(files.inside, files.external) {
		for _, spec := range f.syntax.Imports {
			s.addImport(spec)
		}
	}
	if cfg.Clause == "" {
		cfg = s.alone(p.Dir, files, cfg)
	}
	if s.Inside = len(files.inside) > 0; s.Inside {
		part := part{
			Suite: s, Config: cfg, types: p.Types, dir: p.Dir, path: p.PkgPath, clause: cfg.Clause,
			digger: holes.inside, elsewhere: homes(cfg.Like.in(false)),
		}
		if err := part.write(files.inside); err != nil {
			return nil, err
		}
	}
	switch {
	case len(files.external) == 0:
	case files.embeds:
		s.LeftOut = append(s.LeftOut, fmt.Sprintf("external tests of package %s: they embed files", cfg.Name))
	default:
		s.External = p.PkgPath + "/" + externalFolder
		part := part{
			Suite: s, Config: cfg, types: p.Types, dir: filepath.Join(p.Dir, externalFolder), path: s.External,
			clause: files.external[0].syntax.Name.Name, digger: holes.external, elsewhere: homes(cfg.Like.in(true)),
		}
		if err := part.write(files.external); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.Tests, func(x, y Test) int { return strings.Compare(x.Name, y.Name) })
	return s, nil
}

func (s *Suite) addImport(spec *ast.ImportSpec) {
	path, _ := strconv.Unquote(spec.Path.Value) // what does not parse is not there
	s.Imports = append(s.Imports, path)
}

// A part is one package of a suite: the tested one, or that of external tests.
type part struct {
	*Suite
	Config
	types             *types.Package // the tested one
	dir, path, clause string
	digger            *digger         // nil: without holes
	elsewhere         map[string]home // where functions of other test files lie that have no holes
	table             strings.Builder
}

const head = "// Code generated by spectradiff. DO NOT EDIT.\n\n"

// write writes test files, and a file that registers their tests.
func (p *part) write(files []file) error {
	main := ""
	left := p.Adapted.LeftOut()
	for i, f := range files {
		var err error
		if p.Files[p.file(i)], err = p.Adapted.cut(f, p.source(f)); err != nil {
			return fmt.Errorf("write the tests of %s: %w", p.Name, err)
		}
		if f.hasMain() {
			main = fmt.Sprintf("zspectra_suite.Main(%q, TestMain)\n", p.Name)
		}
		for _, call := range []string{".Test", ".Fuzz", ".Benchmark"} {
			kind := call[1:]
			for _, d := range f.functions(kind) {
				if left[d.Name.Name] {
					continue
				}
				t := Test{}
				if p.digger != nil && kind != benchmark {
					t = p.digger.test(f, p.digger.info.Defs[d.Name])
				}
				t.Bubble, t.File = f.imports("testing/synctest"), f.name
				p.add(t, d.Name.Name, fmt.Sprintf("%s(%q, %[2]s, other)", call, d.Name.Name))
			}
		}
		for _, e := range doc.Examples(f.syntax) {
			if name := "Example" + e.Name; !left[name] && (e.Output != "" || e.EmptyOutput) {
				p.add(Test{File: f.name}, name, fmt.Sprintf(".Example(%q, %[1]s, %q, %t)", name, e.Output, e.Unordered))
			}
		}
	}
	if err := p.lend(files); err != nil {
		return err
	}
	if slices.ContainsFunc(files, func(f file) bool { return f.imports("flag") }) {
		p.Files[filepath.Join(p.dir, "0zspectra_flags.go")] = fmt.Appendf(nil, ownFlags, p.clause, p.path)
	}
	folder := fmt.Appendf(nil, ownFolder, p.clause, p.Runtime+"/suite", p.path, p.Folder)
	p.Files[filepath.Join(p.dir, "0zspectra_folder.go")] = folder
	text := fmt.Sprintf("package %s\n\nimport (\nzspectra_table %q\nzspectra_suite %q\n)\n\n", p.clause, p.Runtime,
		p.Runtime+"/suite")
	if p.digger != nil {
		text += "var zspectra_holes zspectra_suite.Holes\n\n"
	}
	const start = "func init() {\nzspectra_suite.Out()\n%s" +
		"pkg := &zspectra_suite.Package{Path: %q, Folder: %q}\n_ = pkg\n"
	text += fmt.Sprintf(start, main, p.Name, p.Folder)
	text += fmt.Sprintf("zspectra_table.RegisterOperations([]zspectra_table.Operation{\n%s})\n}\n", p.table.String())
	source, err := format.Source([]byte(head + text))
	if err != nil {
		return fmt.Errorf("write the tests of %s: %w", p.Name, err)
	}
	p.Files[filepath.Join(p.dir, "zspectra_tests.go")] = source
	return nil
}

// file returns the path of a test file in the driver.
func (p *part) file(i int) string { return filepath.Join(p.dir, fmt.Sprintf("zspectra_test_%d.go", i)) }

// lend writes the functions that are in the place of some of the files. They begin at the lines of these.
func (p *part) lend(files []file) error {
	lent, err := p.Adapted.lending(p.path == p.External)
	if err != nil {
		return fmt.Errorf("write the tests of %s: %w", p.Name, err)
	}
	own := *p
	own.digger, own.elsewhere = nil, homes(files)
	for i, f := range lent {
		p.Files[p.file(len(files)+i)] = own.source(f)
		for _, spec := range f.syntax.Imports {
			p.addImport(spec)
		}
	}
	return nil
}

// test returns the holes of a test function, and of its methods that may be subtests.
func (d *digger) test(f file, o types.Object) Test {
	all := d.holesOf(o)
	whole := slices.Clip(holesIn(f, few(all)))
	parts := func(name string, at, of int) []*Hole {
		if method := d.methodOf(o, name); method != nil {
			return holesIn(f, few(d.holesOf(method)))
		}
		if own := inPart(all, name, at, of); own != nil {
			return holesIn(f, few(own))
		}
		return whole
	}
	inRows, others := literals(all)
	return Test{
		Holes: whole, Cut: inRows+others > mostHoles, parts: parts,
		meanings: func() map[int]string { return d.meanings(f.fset) },
	}
}

func holesIn(f file, list []*hole) (holes []*Hole) {
	for _, h := range list {
		if h.choice != nil && h.choice.kind == movedAway {
			continue
		}
		h.once.Do(func() { h.shown = h.show(f) })
		holes = append(holes, h.shown)
	}
	return holes
}

// show returns a hole as others see it.
func (h *hole) show(f file) *Hole {
	of := &Hole{Number: h.number, Type: h.basic(), Name: h.name, Usual: h.value, Place: h.place(f.fset)}
	if named, ok := types.Unalias(h.typ).(*types.Named); ok && (h.choice == nil || h.presets()) && h.asks == "" {
		of.Type = named // whose constants are values, too
	}
	of.Asks = h.asks != ""
	if h.choice != nil {
		_, list := h.typ.(*types.Slice)
		of.Choice, of.More = h.choice.text, h.choice.kind == more && list
	}
	if h.unset || of.Choice == "" && h.choice != nil {
		of.Place += " " + h.name
	}
	return of
}

// add adds the operation of a test, and its entry in the table of the driver.
func (p *part) add(t Test, name, call string) {
	of := p.Name + "." + name
	if t.twin = p.path == p.External && p.Twins[name]; t.twin {
		of = p.Name + externalPath + "." + name
	}
	t.Operation = &api.Operation{
		Name: of, Symbol: spectra.Symbol(of), Package: p.path, Expr: name, Params: []types.Type{other},
		Names: []string{"other"}, Results: []types.Type{types.Typ[types.Bool]}, Reaches: true,
	}
	fill := ""
	if len(t.Holes) > 0 {
		fill = "defer zspectra_holes.Fill(other)()\n"
	}
	p.Tests = append(p.Tests, t)
	const entry = "{Name: %q, Func: func(other map[int]interface{}) bool {\n%sreturn pkg%s\n}},\n"
	fmt.Fprintf(&p.table, entry, of, fill, call)
}

// raised gives a file a version of the language that has generic functions, whatever that of its module is. It is the
// first to which a file can be raised, and means the same by all that was there before.
const raised = "//go:build go1.21\n\n"

// generic reports whether the language of a package's module has generic functions, which holes use.
func generic(p *types.Package) bool {
	return p != nil && version.Compare(p.GoVersion(), "go1.18") >= 0
}

// source returns a test file with the package name of the driver, its holes, and the positions that it has in the
// version.
func (p *part) source(f file) []byte {
	name := f.syntax.Name
	at, end := f.offset(name.Pos()), f.offset(name.End())
	text := fmt.Sprintf("//line %s:1\n%s%s", p.placeOf(f.name), f.source[:at], p.clause)
	if p.digger == nil || len(p.digger.inFile[f.syntax])+len(p.digger.guards[f.syntax]) == 0 {
		return []byte(text + f.placed(end, p.elsewhere, p.placeOf))
	}
	text += fmt.Sprintf("; import zspectra_suite %q", p.Runtime+"/suite")
	if !generic(p.types) && !f.constrained() {
		text = raised + text
	}
	return []byte(text + p.digger.edited(f, end, len(f.source), false) + p.digger.computedAgain(f))
}

// placeOf returns the name that the driver has for a test file: the runtime knows the folder of the module.
func (p *part) placeOf(file string) string { return path.Join(filepath.ToSlash(p.Folder), file) }

// ownFolder has a package be initialised in its folder, as under go test, and named if that fails. Its file sorts
// before all others, because variables are initialised in the order of files. The function of the last file goes back.
const ownFolder = head + `package %s

import zspectra_suite %q

var _ = zspectra_suite.In(%q, %q)
`

// ownFlags gives a package flags of its own: tests of several packages may define the same ones. The name of its
// file sorts as that of ownFolder.
const ownFlags = head + `package %s

import zspectra_flag "flag"

var _ = func() int {
	zspectra_flag.CommandLine = zspectra_flag.NewFlagSet(%q, zspectra_flag.ContinueOnError)
	return 0
}()
`
