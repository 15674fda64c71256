// Package target type-checks a version of a module and says what of it can be called, recorded
// and compared.
//
// In: a folder with a version's source, package patterns. Out: a Target (packages with syntax and
// types, errors by package), its operations, and the Common surface of two targets. Results are
// sorted; positions are module-relative. It never runs the target's code and never writes source
// into the folder; the go command may complete go.mod and go.sum there, so the folder has to be
// a private copy.
//
// Names (of operations, types, variables) are canonical: aliases resolved, packages by full
// import path. Where the module path differs between two versions (m and m/v2), the old
// version's path is used for both, because sequences are generated against the old one; Rebase
// translates.
package target

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
)

// A Target is one type-checked version.
type Target struct {
	Dir       string              // the version's root: where go.mod is
	Module    string              // module path
	GoVersion string              // of the toolchain that builds it, "go1.26.8"
	Packages  []*packages.Package // the module's packages that type-check, sorted by path
	Broken    []Broken            // packages that don't, with the first error of each
	Warnings  []string            // what was done differently from what the version asks for
	Env       []string            // environment for every go command on this version, flags included
	Fset      *token.FileSet

	imports  map[string][]string       // the module's packages and what each imports from the module
	universe map[string]*types.Package // every package whose types can be looked up
}

// A Broken is a package that can't be used.
type Broken struct {
	Package string
	Error   string // first error, position module-relative
}

// An Operation is something a sequence can call: a function, or a method as a function of its receiver.
type Operation struct {
	Name     string         // unique; the symbol, with type arguments for generic ones: "m/p.Map[int,string]"
	Symbol   spectra.Symbol // without type arguments
	Package  string         // import path in which Expr is compiled; "" is the driver's main package
	Expr     string         // Go expression for the function value inside that package: "F", "(*T).M", "Map[int, string]"
	Import   string         // of a supplier: the import path that Expr's qualifier stands for
	Params   []types.Type   // receiver first for methods
	Receiver bool           // Params[0] is a receiver
	Pointee  bool           // the common operation takes the receiver as a value where this one has a pointer, or the other way round
	Variable bool           // a function that returns the package variable Symbol; never recorded
	Variadic bool           // the last of Params is a slice that stands for …
	Results  []types.Type
	Supplier bool // from outside the module: makes values of a type that the module's operations take; never recorded
	Reaches  bool // can reach changed code (static), so it is worth more calls
}

// A Type is a type a sequence may name.
type Type struct {
	Name    string // canonical, see Canonical
	Package string // import path in which Expr is compiled; "" is the driver's main package, Expr is then qualified by import path
	Expr    string // Go type expression inside that package
	Type    types.Type
}

// Package returns the type-checked package with the import path, nil if there is none.
func (t *Target) Package(path string) *packages.Package {
	i, found := slices.BinarySearchFunc(t.Packages, path, func(p *packages.Package, path string) int {
		return strings.Compare(p.PkgPath, path)
	})
	if !found {
		return nil
	}
	return t.Packages[i]
}

// chosen returns the type-checked packages with the import paths, in the order of t.Packages.
func (t *Target) chosen(paths []string) []*packages.Package {
	var out []*packages.Package
	for _, p := range t.Packages {
		if slices.Contains(paths, p.PkgPath) {
			out = append(out, p)
		}
	}
	return out
}

// Owns reports whether a package with that import path belongs to the module.
func (t *Target) Owns(path string) bool {
	_, ok := t.imports[path]
	return ok
}

// owns reports whether the package belongs to the module.
func (t *Target) owns(p *types.Package) bool { return p != nil && t.Owns(p.Path()) }
