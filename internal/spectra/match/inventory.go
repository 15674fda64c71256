package match

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// compareFunctions fills in m.structural.
func (m *Match) compareFunctions(before, after *inventory) {
	both := func(symbol string) bool {
		path := before.home[symbol]
		if path == "" {
			path = after.home[symbol]
		}
		return before.packages[path] && after.packages[path]
	}
	for _, symbol := range slices.Sorted(maps.Keys(before.functions)) {
		signature, ok := after.functions[symbol]
		switch {
		case !both(symbol):
		case !ok:
			m.structural = append(m.structural, Structural{spectra.Symbol(symbol), spectra.ChangeRemoved, ""})
		case signature != before.functions[symbol] || m.reordered(symbol):
			detail := m.signatureDetail(symbol)
			m.structural = append(m.structural, Structural{spectra.Symbol(symbol), spectra.ChangeSignature, detail})
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(after.functions)) {
		if _, ok := before.functions[symbol]; !ok && both(symbol) {
			m.structural = append(m.structural, Structural{spectra.Symbol(symbol), spectra.ChangeAdded, ""})
		}
	}
	slices.SortStableFunc(m.structural, func(x, y Structural) int {
		return strings.Compare(string(x.Symbol), string(y.Symbol))
	})
}

// An inventory lists a version's declarations by canonical name.
type inventory struct {
	packages, broken map[string]bool
	functions        map[string]string // symbol → signature
	home             map[string]string // symbol → import path
	vars             map[string]string // name → type
	structs          map[string]fieldList
	rename           func(string) string
}

// inventory lists the declarations of a version. rename translates its names.
func (v *Version) inventory(rename func(string) string) *inventory {
	inv := &inventory{
		packages: map[string]bool{}, broken: map[string]bool{},
		functions: map[string]string{}, home: map[string]string{},
		vars: map[string]string{}, structs: map[string]fieldList{},
		rename: rename,
	}
	for _, path := range v.Broken {
		inv.broken[inv.rename(path)] = true
	}
	for _, p := range v.Packages {
		inv.packages[inv.rename(p.PkgPath)] = true
		inv.add(p)
	}
	for _, p := range v.Foreign {
		inv.addForeign(p)
	}
	return inv
}

// addForeign adds the struct types of a package outside the module: another version of a dependency
// may have other fields.
func (inv *inventory) addForeign(p *types.Package) {
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		if s, ok := obj.Type().Underlying().(*types.Struct); ok {
			full := p.Path() + "." + name
			inv.structs[inv.rename(full)] = inv.fields(full, s)
		}
	}
}

func (inv *inventory) add(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Name.Name == "_" || fd.Recv == nil && fd.Name.Name == "init" || generated(fd.Name.Name) {
				continue
			}
			if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
				symbol := inv.rename(string(symbol.Function(fn)))
				inv.functions[symbol] = inv.rename(callable(fn.Signature()))
				inv.home[symbol] = inv.rename(p.PkgPath)
			}
		}
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if generated(name) {
			continue
		}
		own := p.PkgPath + "." + name
		full := inv.rename(own)
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			inv.vars[full] = inv.rename(symbol.Type(obj.Type()))
		case *types.TypeName:
			if s, ok := obj.Type().Underlying().(*types.Struct); ok && !obj.IsAlias() {
				inv.structs[full] = inv.fields(own, s)
			}
		}
	}
}

// generated reports whether cgo made up the name.
func generated(name string) bool {
	return strings.HasPrefix(name, "_C") || strings.HasPrefix(name, "_cgo") || strings.HasPrefix(name, "__cgo")
}
