package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// A checker type-checks the packages of one listing, like golang.org/x/tools/go/packages. That library reads any file
// that a listing names; a checker reads each file through toolchain.read, which refuses other folders. Roots are
// checked from source. The types of other packages come from export data, or from source without function bodies if
// there is none.
type checker struct {
	v      *Version
	fset   *token.FileSet
	sizes  types.Sizes
	export sync.Mutex // held while export data is read, which completes shared packages
	places map[*packages.Package]*place
	syntax atomic.Int64 // the number of syntax nodes that may still be added
	read   atomic.Int64 // packages whose export data was read
}

// nodeMemory is roughly the memory of a comparison for each syntax node of one version, in bytes, including the other
// version.
const nodeMemory = 1536

// A place is the state of a package in the checker.
type place struct {
	root     bool
	source   bool // it, or a package that it imports, has no export data
	needed   bool // some package needs its types
	done     chan struct{}
	exported error // the error of reading its export data
}

// check adds syntax and types to the packages of a listing, imports before importers.
func (v *Version) check(ctx context.Context, roots, all []*packages.Package) error {
	c := &checker{v: v, fset: token.NewFileSet(), sizes: types.SizesFor("gc", v.toolchain.arch),
		places: map[*packages.Package]*place{}}
	if c.sizes == nil {
		return fmt.Errorf("type-check %s: sizes of types of GOARCH %s are not known", v.Module, v.toolchain.arch)
	}
	for _, p := range all {
		c.prepare(p, slices.Contains(roots, p))
	}
	allowed := AllowedMemory()
	c.syntax.Store(int64(min(allowed/nodeMemory, math.MaxInt64)))
	g, ctx := errgroup.WithContext(ctx)
	working := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, p := range all {
		g.Go(func() error {
			defer close(c.places[p].done)
			for _, imported := range p.Imports {
				<-c.places[imported].done
			}
			working <- struct{}{}
			defer func() { <-working }()
			if ctx.Err() == nil {
				c.load(p)
			}
			if c.syntax.Load() < 0 {
				return fmt.Errorf("type-check %s: %s has more code than can be compared in the %d MB of memory that "+
					"may be used; name fewer packages, or allow more memory", v.Module, p.PkgPath, allowed>>20)
			}
			return ctx.Err()
		})
	}
	err := g.Wait()
	v.Exported = int(c.read.Load())
	return err
}

// prepare decides where the types of a package come from. It makes an empty package for each before any export data is
// read, because reading completes packages and must make none.
func (c *checker) prepare(p *packages.Package, root bool) {
	unsafe := p.PkgPath == "unsafe"
	of := &place{root: root, needed: root, done: make(chan struct{})}
	of.source = !unsafe && (root || p.ExportFile == "")
	for _, imported := range p.Imports {
		of.source = of.source || c.places[imported].source
	}
	c.places[p] = of
	if of.source {
		for _, imported := range p.Imports {
			c.places[imported].needed = true
		}
	}
	p.Fset = c.fset
	if p.Types = types.NewPackage(p.PkgPath, p.Name); unsafe {
		p.Types = types.Unsafe
	}
}

func (c *checker) load(p *packages.Package) {
	switch of := c.places[p]; {
	case p.PkgPath == "unsafe":
	case of.source:
		c.fromSource(p, of)
	case of.needed:
		if of.exported = c.fromExport(p); of.exported != nil {
			p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: of.exported.Error()})
		}
	}
}

// fromSource parses and type-checks a package.
func (c *checker) fromSource(p *packages.Package, of *place) {
	report := func(err error) { p.Errors = append(p.Errors, positioned(err)...) }
	if len(p.CompiledGoFiles) == 0 && p.ExportFile != "" {
		report(packages.Error{Pos: "-", Msg: "sources missing for package " + p.ID})
		_ = c.fromExport(p) // the first error counts
		return
	}
	for _, name := range p.CompiledGoFiles {
		if c.syntax.Load() < 0 {
			return
		}
		file, err := c.parse(name)
		if err != nil {
			report(err)
		}
		if file != nil {
			p.Syntax = append(p.Syntax, file)
		}
	}
	if c.syntax.Load() < 0 {
		return
	}
	p.TypesSizes = c.sizes
	settings := &types.Config{
		Importer: importer{c, p}, IgnoreFuncBodies: !of.root, Error: report, Sizes: c.sizes,
	}
	err := checkTypes(p, settings)
	if err != nil && len(p.Errors) == 0 { // such as a Go version that is too new, which is not reported
		report(err)
	}
	p.IllTyped = len(p.Errors) > 0
	for _, imported := range p.Imports {
		p.IllTyped = p.IllTyped || imported.IllTyped
	}
}

// checkTypes adds types to a package that has syntax.
func checkTypes(p *packages.Package, settings *types.Config) error {
	p.TypesInfo = &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		settings.GoVersion = "go" + p.Module.GoVersion
	}
	return types.NewChecker(settings, p.Fset, p.Types, p.TypesInfo).Files(p.Syntax)
}

// parse reads and parses a file. With an error, the syntax may be incomplete.
func (c *checker) parse(name string) (*ast.File, error) {
	text, err := c.v.toolchain.read(name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(c.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if file != nil {
		c.syntax.Add(-nodes(file))
	}
	return file, err
}

// nodes counts the nodes of a file's syntax.
func nodes(file *ast.File) (number int64) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n != nil {
			number++
		}
		return true
	})
	return number
}

// read reads a source file of the version or of its dependencies, or one that the go command generated. It refuses all
// other files.
func (t *toolchain) read(name string) ([]byte, error) {
	if rel, ok := below(t.root, name); ok {
		return os.ReadFile(filepath.Join(t.root, rel)) // of the toolchain itself, wherever its links lead
	}
	for _, folder := range t.sources {
		if rel, ok := below(folder, name); ok {
			return repository.ReadFile(folder, rel)
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it lies outside of what the version may read")}
}

func below(folder, name string) (string, bool) {
	rel, ok := strings.CutPrefix(name, folder+string(filepath.Separator))
	return rel, ok && folder != ""
}

// positioned converts errors of parsing and type-checking to the library's form.
func positioned(err error) []packages.Error {
	var (
		given  packages.Error
		path   *fs.PathError
		syntax scanner.ErrorList
		typed  types.Error
	)
	switch {
	case errors.As(err, &given):
		return []packages.Error{given}
	case errors.As(err, &path):
		return []packages.Error{{Pos: path.Path + ":1", Msg: path.Err.Error()}}
	case errors.As(err, &syntax):
		var list []packages.Error
		for _, e := range syntax {
			list = append(list, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
		return list
	case errors.As(err, &typed):
		at := typed.Fset.Position(typed.Pos).String()
		return []packages.Error{{Pos: at, Msg: typed.Msg, Kind: packages.TypeError}}
	}
	return []packages.Error{{Pos: "-", Msg: err.Error()}}
}

// An importer resolves the imports of a package.
type importer struct {
	c *checker
	p *packages.Package
}

// Import returns the types of an imported package.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imported := i.p.Imports[path]
	switch {
	case imported == nil:
		return nil, errors.New("no metadata for " + path)
	case imported.Types.Complete():
		return imported.Types, nil
	case i.c.places[imported].exported != nil:
		return nil, i.c.places[imported].exported
	}
	return nil, errors.New("no types of " + path)
}

// fromExport reads the types of a package from its export data.
func (c *checker) fromExport(p *packages.Package) error {
	c.export.Lock()
	defer c.export.Unlock()
	if p.Types.Complete() {
		return nil
	}
	p.IllTyped = true
	if p.ExportFile == "" {
		return errors.New("no export data file")
	}
	view := map[string]*types.Package{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		for _, imported := range p.Imports {
			if view[imported.PkgPath] == nil {
				view[imported.PkgPath] = imported.Types
				visit(imported)
			}
		}
	}
	visit(p)
	read, err := readExport(p.ExportFile, c.fset, view, p.PkgPath)
	if err != nil {
		return fmt.Errorf("reading %s: %w", p.ExportFile, err)
	}
	p.Types, p.IllTyped = read, false
	c.read.Add(1)
	return nil
}

// readExport reads export data. It resolves references to other packages in view.
func readExport(name string, fset *token.FileSet, view map[string]*types.Package, path string) (*types.Package, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//nolint:staticcheck // SA1019: what go list -export names is an archive as long as the compiler writes archives
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, fset, view, path)
}
