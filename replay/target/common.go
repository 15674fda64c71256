package target

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
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
	Renames              []Rename     // what new has under another name; nowhere else in the lists
	Names                *Names       // translates all of it

	renamer *renamer
	new     *Target
	newOps  map[string]*Operation // by their names in old
	newType map[string]Type
}

// Change says how something differs between the versions.
type Change string

// The structural changes.
const (
	Added     Change = "added"
	Removed   Change = "removed"
	Signature Change = "signature"
)

// A Structural is a declared function that can't be compared by value, or not all of it.
type Structural struct {
	Symbol spectra.Symbol
	Change Change
	Detail string // how a signature differs
}

// Common compares two versions; what the overrides say is no question. Operations and types are those of the selected packages, given by
// their paths in old; all else is compared for every package that type-checks in both. A package
// that is broken in one version is left out, not called added or removed.
func Common(old, new *Target, paths []string, overrides ...Override) *Surface {
	r := renames(old, new, overrides)
	s := &Surface{OldModule: old.Module, NewModule: new.Module, Renames: r.found, Names: r.names, renamer: r, new: new}
	before, after := old.inventory(func(name string) string { return name }), new.inventory(r.names.Old)
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
		inNew = append(inNew, s.Names.New(path), symbol.Rebase(path, old.Module, new.Module))
	}
	s.operations(old, new, paths, inNew)
	return s
}

// Same reports whether a declared function of both versions, by its name in old, differs in
// nothing but names, its own or others that were renamed, and layout.
func (s *Surface) Same(function spectra.Symbol) bool { return s.renamer.same(string(function)) }

// Path gives the path of a package of old in one of the versions.
func (s *Surface) Path(old string, t *Target) string {
	if t != s.new {
		return symbol.Rebase(old, s.OldModule, t.Module)
	}
	return s.Names.New(old)
}

// In gives the operations and types under their common names, written as the version needs them.
func (s *Surface) In(t *Target) ([]*Operation, []Type) {
	if t != s.new {
		return s.Operations, s.Types
	}
	var operations []*Operation
	for _, op := range s.Operations {
		own := *s.newOps[op.Name]
		own.Name = op.Name
		operations = append(operations, &own)
	}
	var list []Type
	for _, typ := range s.Types {
		own := s.newType[typ.Name]
		own.Name = typ.Name
		list = append(list, own)
	}
	return operations, list
}

// operations keeps what both versions can do in the same way.
func (s *Surface) operations(old, new *Target, paths, inNew []string) {
	newOps := Operations(new, inNew)
	s.newOps, s.newType = map[string]*Operation{}, map[string]Type{}
	for _, op := range newOps {
		s.newOps[s.Names.Old(op.Name)] = op
	}
	for _, op := range Operations(old, paths) {
		own := s.newOps[op.Name]
		if own == nil {
			continue
		}
		if other := own.otherReceiver(); other != nil && s.Names.Old(other.signature()) == op.signature() {
			own, s.newOps[op.Name] = other, other
		}
		if s.Names.Old(own.signature()) == op.signature() {
			s.Operations = append(s.Operations, op)
		}
	}
	for _, t := range Types(new, newOps, inNew) {
		s.newType[s.Names.Old(t.Name)] = t
	}
	for _, t := range Types(old, s.Operations, paths) {
		if _, ok := s.newType[t.Name]; ok {
			s.Types = append(s.Types, t)
		}
	}
}

// otherReceiver is a method's operation that takes a pointer to its receiver, or what it points to;
// nil for other operations.
func (op *Operation) otherReceiver() *Operation {
	if !op.Receiver || types.IsInterface(op.Params[0]) {
		return nil
	}
	other := *op
	other.Params = slices.Clone(op.Params)
	other.Pointee = true
	if p, ok := types.Unalias(op.Params[0]).(*types.Pointer); ok {
		other.Params[0] = p.Elem()
	} else {
		other.Params[0] = types.NewPointer(op.Params[0])
	}
	return &other
}

// signature is the operation's canonical type; for suppliers and module functions alike.
func (op *Operation) signature() string {
	var parts []string
	for _, list := range [][]types.Type{op.Params, op.Results} {
		for _, t := range list {
			parts = append(parts, symbol.Type(t))
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
			s.Structural = append(s.Structural, Structural{Symbol: spectra.Symbol(symbol), Change: Removed})
		case signature != before.functions[symbol] || s.renamer.reordered(symbol):
			s.Structural = append(s.Structural, Structural{spectra.Symbol(symbol), Signature, s.reshaped(symbol)})
		}
	}
	for _, symbol := range sortedKeys(after.functions) {
		if _, ok := before.functions[symbol]; !ok && both(symbol) {
			s.Structural = append(s.Structural, Structural{Symbol: spectra.Symbol(symbol), Change: Added})
		}
	}
	slices.SortStableFunc(s.Structural, func(x, y Structural) int { return strings.Compare(string(x.Symbol), string(y.Symbol)) })
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

// inventory lists the declarations under the names that rename gives them.
func (t *Target) inventory(rename func(string) string) *inventory {
	inv := &inventory{
		packages: map[string]bool{}, broken: map[string]bool{}, functions: map[string]string{}, home: map[string]string{},
		vars: map[string]string{}, structs: map[string]fieldList{},
		rename: rename,
	}
	for _, b := range t.Broken {
		inv.broken[inv.rename(b.Package)] = true
	}
	for _, p := range t.Packages {
		inv.packages[inv.rename(p.PkgPath)] = true
		inv.add(p)
	}
	for path, p := range t.universe {
		if !t.owns(p) {
			inv.addForeign(path, p)
		}
	}
	return inv
}

// addForeign adds the struct types of a package outside the module: another version of a dependency
// may have other fields.
func (inv *inventory) addForeign(path string, p *types.Package) {
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		if s, ok := obj.Type().Underlying().(*types.Struct); ok {
			inv.structs[inv.rename(path+"."+name)] = inv.fields(path+"."+name, s)
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
