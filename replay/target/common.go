package target

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
)

// A Surface is what two versions have in common and what they don't. Names of new are given as in
// old, see Rebase.
type Surface struct {
	OldModule, NewModule string
	Packages             []string     // import paths in both versions
	OldOnly, NewOnly     []string     // import paths in one version only; their functions are not in Structural
	Operations           []*Operation // in both with the same canonical signature, taken from old
	Types                []Type       // in both, taken from old
	Structural           []Structural // functions of the common packages that are in one version only or changed their signature
	Shapes               []Shape      // struct types in both whose fields differ
	Vars                 []string     // package variables in both with the same type: "m/p.x"
}

// Change says how something differs between the versions.
type Change string

// The structural changes.
const (
	Added     Change = "added"
	Removed   Change = "removed"
	Signature Change = "signature"
)

// A Structural is a declared function that can't be compared by value.
type Structural struct {
	Symbol spectra.Symbol
	Change Change
}

// A Shape says which fields of a struct type can't be compared.
type Shape struct {
	Type                    string   // canonical
	Skip                    []string // all of the following: not compared
	Added, Removed, Retyped []string
}

// Common compares two versions. Operations and types are those of the selected packages, given by
// their paths in old; all else is compared for every package that type-checks in both. A package
// that is broken in one version is left out, not called added or removed.
func Common(old, new *Target, paths []string) *Surface {
	s := &Surface{OldModule: old.Module, NewModule: new.Module}
	before, after := old.inventory(""), new.inventory(old.Module)
	for _, path := range sortedKeys(before.packages) {
		switch {
		case after.packages[path]:
			s.Packages = append(s.Packages, path)
		case !after.broken[path]:
			s.OldOnly = append(s.OldOnly, path)
		}
	}
	for _, path := range sortedKeys(after.packages) {
		if !before.packages[path] && !before.broken[path] {
			s.NewOnly = append(s.NewOnly, path)
		}
	}
	s.structural(before, after)
	s.shapes(before, after)
	for _, name := range sortedKeys(before.vars) {
		if kind, ok := after.vars[name]; ok && kind == before.vars[name] {
			s.Vars = append(s.Vars, name)
		}
	}
	var inNew []string
	for _, path := range paths {
		inNew = append(inNew, Rebase(path, old.Module, new.Module))
	}
	s.operations(old, new, paths, inNew)
	return s
}

// operations keeps what both versions can do in the same way.
func (s *Surface) operations(old, new *Target, paths, inNew []string) {
	newOps := Operations(new, inNew)
	signatures := map[string]string{}
	for _, op := range newOps {
		signatures[s.inOld(op.Name)] = s.inOld(op.signature())
	}
	for _, op := range Operations(old, paths) {
		if signatures[op.Name] == op.signature() {
			s.Operations = append(s.Operations, op)
		}
	}
	known := map[string]bool{}
	for _, t := range Types(new, newOps, inNew) {
		known[s.inOld(t.Name)] = true
	}
	for _, t := range Types(old, s.Operations, paths) {
		if known[t.Name] {
			s.Types = append(s.Types, t)
		}
	}
}

func (s *Surface) inOld(name string) string { return Rebase(name, s.NewModule, s.OldModule) }

// signature is the operation's canonical type; for suppliers and module functions alike.
func (op *Operation) signature() string {
	var parts []string
	for _, list := range [][]types.Type{op.Params, op.Results} {
		for _, t := range list {
			parts = append(parts, Canonical(t))
		}
		parts = append(parts, ";")
	}
	if op.Variadic {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ",")
}

func (s *Surface) structural(before, after *inventory) {
	both := func(symbol string) bool {
		path := before.home[symbol]
		if path == "" {
			path = after.home[symbol]
		}
		return before.packages[path] && after.packages[path]
	}
	for _, symbol := range sortedKeys(before.functions) {
		signature, ok := after.functions[symbol]
		switch {
		case !both(symbol):
		case !ok:
			s.Structural = append(s.Structural, Structural{spectra.Symbol(symbol), Removed})
		case signature != before.functions[symbol]:
			s.Structural = append(s.Structural, Structural{spectra.Symbol(symbol), Signature})
		}
	}
	for _, symbol := range sortedKeys(after.functions) {
		if _, ok := before.functions[symbol]; !ok && both(symbol) {
			s.Structural = append(s.Structural, Structural{spectra.Symbol(symbol), Added})
		}
	}
	slices.SortStableFunc(s.Structural, func(x, y Structural) int { return strings.Compare(string(x.Symbol), string(y.Symbol)) })
}

func (s *Surface) shapes(before, after *inventory) {
	for _, name := range sortedKeys(before.structs) {
		fields, ok := after.structs[name]
		if !ok {
			continue
		}
		shape := Shape{Type: name}
		for _, field := range sortedKeys(before.structs[name]) {
			switch kind, ok := fields[field]; {
			case !ok:
				shape.Removed = append(shape.Removed, field)
			case kind != before.structs[name][field]:
				shape.Retyped = append(shape.Retyped, field)
			}
		}
		for _, field := range sortedKeys(fields) {
			if _, ok := before.structs[name][field]; !ok {
				shape.Added = append(shape.Added, field)
			}
		}
		shape.Skip = slices.Sorted(slices.Values(slices.Concat(shape.Added, shape.Removed, shape.Retyped)))
		if len(shape.Skip) > 0 {
			s.Shapes = append(s.Shapes, shape)
		}
	}
}

// An inventory lists a version's declarations by canonical name.
type inventory struct {
	packages, broken map[string]bool
	functions        map[string]string            // symbol → signature
	home             map[string]string            // symbol → import path
	vars             map[string]string            // name → type
	structs          map[string]map[string]string // type → field → type
	rename           func(string) string
}

// inventory lists the declarations, named as in the module path given ("" = the target's own).
func (t *Target) inventory(module string) *inventory {
	if module == "" {
		module = t.Module
	}
	inv := &inventory{
		packages: map[string]bool{}, broken: map[string]bool{}, functions: map[string]string{}, home: map[string]string{},
		vars: map[string]string{}, structs: map[string]map[string]string{},
		rename: func(name string) string { return Rebase(name, t.Module, module) },
	}
	for _, b := range t.Broken {
		inv.broken[inv.rename(b.Package)] = true
	}
	for _, p := range t.Packages {
		inv.packages[inv.rename(p.PkgPath)] = true
		inv.add(p)
	}
	return inv
}

func (inv *inventory) add(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Name.Name == "_" || fd.Recv == nil && fd.Name.Name == "init" || generated(fd.Name.Name) {
				continue
			}
			if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
				symbol := inv.rename(string(CanonicalSymbol(fn)))
				inv.functions[symbol] = inv.rename(Canonical(fn.Signature()))
				inv.home[symbol] = inv.rename(p.PkgPath)
			}
		}
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if generated(name) {
			continue
		}
		full := inv.rename(p.PkgPath + "." + name)
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			inv.vars[full] = inv.rename(Canonical(obj.Type()))
		case *types.TypeName:
			if s, ok := obj.Type().Underlying().(*types.Struct); ok && !obj.IsAlias() {
				inv.structs[full] = inv.fields(s)
			}
		}
	}
}

func (inv *inventory) fields(s *types.Struct) map[string]string {
	out := map[string]string{}
	for f := range s.Fields() {
		if f.Name() != "_" {
			out[f.Name()] = inv.rename(Canonical(f.Type()))
		}
	}
	return out
}
