package static

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Code is the SSA form of packages. Functions of these packages have bodies, those of all other packages
// have signatures only. A generic function has a body of its own and one for each instance. The fields
// must not be changed.
type Code struct {
	Packages  []*packages.Package // those that compile
	SSA       *ssa.Program
	Functions []*ssa.Function // with wrappers and instances, in a fixed order
	Symbols   map[ast.Node]spectra.Symbol
	Links     map[string]Links // by import path

	own map[string]bool // import paths of Packages
}

// newCode builds the SSA form. Some code that type-checks makes the builder panic; such a panic becomes
// an error.
func newCode(pkgs []*packages.Package) (c *Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("build the SSA form: %v", r)
		}
	}()
	c = &Code{Symbols: map[ast.Node]spectra.Symbol{}, Links: map[string]Links{}, own: map[string]bool{}}
	fileSet := token.NewFileSet()
	if len(pkgs) > 0 {
		fileSet = pkgs[0].Fset
	}
	c.SSA = ssa.NewProgram(fileSet, ssa.InstantiateGenerics|ssa.BuildSerially)
	var built []*ssa.Package
	created := map[*types.Package]bool{}
	for _, pkg := range pkgs {
		if pkg.IllTyped || pkg.Types == nil || pkg.TypesInfo == nil || len(pkg.Syntax) == 0 {
			continue // nor do those that import it
		}
		c.Packages = append(c.Packages, pkg)
		c.own[pkg.PkgPath] = true
		created[pkg.Types] = true
		built = append(built, c.SSA.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true))
	}
	for _, pkg := range c.Packages {
		c.createImported(pkg.Types, created)
		c.Links[pkg.PkgPath] = linksOf(pkg)
	}
	for _, pkg := range built {
		pkg.Build()
	}
	c.collect()
	return c, nil
}

// createImported creates the SSA packages of all functions that the code may call, including those of
// packages that come in only through the types of others.
func (c *Code) createImported(pkg *types.Package, created map[*types.Package]bool) {
	for _, imported := range pkg.Imports() {
		if !created[imported] {
			created[imported] = true
			c.SSA.CreatePackage(imported, nil, nil, true)
			c.createImported(imported, created)
		}
	}
}

// collect lists the functions: all of the sources, whether they are called or not, and those that the
// builder made for them.
func (c *Code) collect() {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		c.Functions = append(c.Functions, fn)
		for _, inner := range fn.AnonFuncs {
			add(inner)
		}
	}
	for _, pkg := range c.Packages {
		add(c.SSA.Package(pkg.Types).Func("init"))
		maps.Copy(c.Symbols, symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax))
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok {
					add(c.SSA.FuncValue(pkg.TypesInfo.Defs[fn.Name].(*types.Func)))
				}
			}
		}
	}
	rest := sorted(ssautil.AllFunctions(c.SSA))
	for _, fn := range rest {
		add(fn)
	}
}

// sorted orders functions by their full names and by why the builder made them. Functions that compare equal lead to
// the same results, so their order doesn't matter.
func sorted(functions map[*ssa.Function]bool) []*ssa.Function {
	names := make(map[*ssa.Function]string, len(functions))
	for fn := range functions {
		names[fn] = fn.RelString(nil) + " " + fn.Synthetic
	}
	return slices.SortedFunc(maps.Keys(functions), func(x, y *ssa.Function) int {
		return cmp.Compare(names[x], names[y])
	})
}

// Owns reports whether the package with an import path is one of Packages.
func (c *Code) Owns(path string) bool { return c.own[path] }

// Symbol returns the symbol of a function of the sources, and "" for a function that the builder made. An
// instance has the symbol of its generic function.
func (c *Code) Symbol(fn *ssa.Function) spectra.Symbol {
	if fn.Syntax() == nil {
		return ""
	}
	return c.Symbols[fn.Syntax()]
}
