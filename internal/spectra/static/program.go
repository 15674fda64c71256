// Package static analyses the code of one version's packages without running it.
//
// In: the type-checked packages of one version, with syntax. Out: a Program. Its methods return the SSA form, the
// package variables that may change (Written), mentions between declarations (Reaching, Users), and fields that an
// Equal ignores (UnreadFields). The packages below use the SSA form for the call graph and for purity.
//
// Results err on the safe side: a variable that is not proven constant counts as written, and a declaration that may be
// mentioned counts as mentioned. The SSA form is built on first use, and again after Forget. The same packages have the
// same results. The package runs nothing, changes no package or file, and reads no files except assembly sources.
package static

import (
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Program is the code of one version's packages. It may be used by several goroutines.
type Program struct {
	Packages []*packages.Package // as New got them; never changed

	owns    func(path string) bool
	written func() map[string]bool
	mention func() *mentionGraph

	building sync.Mutex
	code     func() (*Code, error) // nil: nobody has asked since Forget
}

// New makes a Program of packages that type-check. The function owns reports whether an import path
// belongs to the module, whether or not the package is in the list. If it is nil, the packages of the
// list are the module.
func New(pkgs []*packages.Package, owns func(path string) bool) *Program {
	if owns == nil {
		owns = func(path string) bool {
			return slices.ContainsFunc(pkgs, func(p *packages.Package) bool { return p.PkgPath == path })
		}
	}
	p := &Program{
		Packages: pkgs, owns: owns,
		written: sync.OnceValue(func() map[string]bool { return written(pkgs) }),
	}
	p.mention = sync.OnceValue(p.mentions)
	return p
}

// Code returns the SSA form of the packages. The first call builds it. It fails if the builder can't
// handle some of the code.
func (p *Program) Code() (*Code, error) {
	p.building.Lock()
	if p.code == nil {
		p.code = sync.OnceValues(func() (*Code, error) { return newCode(p.Packages) })
	}
	code := p.code
	p.building.Unlock()
	return code()
}

// Forget drops the SSA form, which is large; the next call of Code builds it again.
func (p *Program) Forget() {
	p.building.Lock()
	defer p.building.Unlock()
	p.code = nil
}

// Written returns the names of the package variables ("example.com/m/p.x") that may change after
// initialisation, or from which something can be reached that may. Plain assignments in init functions
// belong to initialisation. The caller must not change the map.
func (p *Program) Written() map[string]bool { return p.written() }

// Variables returns the sorted names of those written variables that the packages declare.
func (p *Program) Variables() []string {
	var list []string
	for _, pkg := range p.Packages {
		if pkg.Types == nil {
			continue
		}
		for _, short := range pkg.Types.Scope().Names() {
			v := packageVariable(pkg.Types.Scope().Lookup(short))
			if v != nil && p.Written()[symbol.Global(v)] {
				list = append(list, symbol.Global(v))
			}
		}
	}
	slices.Sort(list)
	return list
}

// Foreign reports whether the package with an import path belongs to another module.
func (p *Program) Foreign(path string) bool { return !IsStandard(path) && !p.owns(path) }

// IsStandard reports whether an import path is one of the standard library, or reserved for it.
func IsStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// ownsPackage reports whether a package belongs to the module.
func (p *Program) ownsPackage(pkg *types.Package) bool { return pkg != nil && p.owns(pkg.Path()) }
