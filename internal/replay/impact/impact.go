package impact

import (
	"go/ast"
	"go/types"
	"maps"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// An Origin describes the change, in the names of the analysed version: the start of the analysis.
type Origin struct {
	Functions map[spectra.Symbol]bool // functions that changed as a whole
	Values    map[spectra.Symbol]bool // constants and variables
	Types     map[spectra.Symbol]bool // types of any module with another definition or other methods
	Outside   func(path string) bool  // whether a package of another module may have other code; nil: none may
}

// empty reports whether nothing changed but lines of functions.
func (o Origin) empty() bool {
	return len(o.Functions)+len(o.Values)+len(o.Types) == 0 && o.Outside == nil
}

// An Affected is the impact set of a change.
type Affected struct {
	Functions map[spectra.Symbol]bool // functions whose behaviour may change
	Values    map[spectra.Symbol]bool // constants and variables that changed, or are made of what did
	Types     map[spectra.Symbol]bool // named types whose values reach something of a changed type
	Mentioned map[spectra.Symbol]bool // what concerns code without probes, such as that of tests, where it mentions it
}

// FindAffected returns the impact set of a change: the declared functions of a version whose behaviour may depend on it
// although their own lines did not change, and the named types whose values reach something of a changed type. A
// function literal counts for the function that declares it.
//
// An execution that runs none of these functions and no changed line is the same in both versions. This requires that
// it starts in the same state, gets no value of such a type from outside, and calls no changed function. So the set may
// be too large but never too small:
//
//   - A changed constant, variable or type matters where it is mentioned, also through the initialisers of other
//     constants and variables.
//   - A changed type also matters where an expression has a type made of it, where a value that may contain it becomes
//     an interface or is compared, and where such a value is handed over.
//   - Other code of a package of another module matters where the package is mentioned. The caller counts those that
//     import it, too. What such a package does to others while the program starts, and to the standard library at any
//     time, is not seen.
//   - A value of a changed type enters a function either through a function of the set or from outside with a type of
//     the set. So calls through interfaces and function values need no analysis. Tests are outside, too: they have no
//     probes, and may have such values where they mention something of Affected.Mentioned.
func FindAffected(p *static.Program, c Origin) (Affected, error) {
	s := &search{
		program: p, found: map[spectra.Symbol]bool{}, outside: c.Outside,
		values: map[spectra.Symbol]bool{}, types: map[spectra.Symbol]bool{},
		deep: map[types.Type]bool{}, flat: map[types.Type]bool{},
	}
	maps.Copy(s.values, c.Values)
	maps.Copy(s.types, c.Types)
	for name := range c.Functions {
		s.found[name.Declared()] = true
	}
	if len(s.values)+len(s.types) == 0 && s.outside == nil {
		return Affected{Functions: s.found}, nil
	}
	for s.derive() {
	}
	if err := s.search(); err != nil {
		return Affected{}, err
	}
	return Affected{s.found, s.values, s.named(), s.mentioned()}, nil
}

// search finds the functions.
func (s *search) search() error {
	p := s.program
	for _, pkg := range p.Packages {
		s.functions(pkg)
	}
	for _, users := range p.Users(s.values) {
		for _, user := range users {
			s.found[user] = true
		}
	}
	if len(s.types) == 0 {
		return nil
	}
	code, err := p.Code()
	if err != nil {
		return err
	}
	for _, fn := range code.Functions {
		if s.converts(fn) {
			s.add(code, fn)
		}
	}
	return nil
}

// named lists the declared types whose values reach something of a changed type.
func (s *search) named() map[spectra.Symbol]bool {
	found := maps.Clone(s.types)
	for _, pkg := range s.program.Packages {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			if of, ok := scope.Lookup(name).(*types.TypeName); ok && s.contains(of.Type()) {
				found[spectra.Symbol(pkg.PkgPath+"."+name)] = true
			}
		}
	}
	return found
}

// A search collects functions.
type search struct {
	program       *static.Program
	values, types map[spectra.Symbol]bool // changed, or made of changed ones
	outside       func(path string) bool
	foreign       bool // all types of packages outside that may have other code count as changed
	found         map[spectra.Symbol]bool
	deep          map[types.Type]bool // type → its values reach something of a changed type
	flat          map[types.Type]bool // the same without following pointers
}

// add notes the declared function around a function of the SSA form.
func (s *search) add(code *static.Code, fn *ssa.Function) {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if name := code.Symbol(fn); name != "" {
		s.found[name.Declared()] = true
	}
}

// derive adds constants, variables and types whose declarations mention changed ones, such as an array whose length is
// a changed constant. It reports whether it added any.
func (s *search) derive() bool {
	before := len(s.values) + len(s.types)
	for _, pkg := range s.program.Packages {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				if decl, ok := decl.(*ast.GenDecl); ok {
					for _, spec := range decl.Specs {
						s.specification(pkg, spec)
					}
				}
			}
		}
	}
	return len(s.values)+len(s.types) > before
}

func (s *search) specification(pkg *packages.Package, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if s.within(pkg.TypesInfo, spec) {
			for _, name := range spec.Names {
				s.values[spectra.Symbol(pkg.PkgPath+"."+name.Name)] = true
			}
			if literals(spec) {
				s.found[spectra.Symbol(pkg.PkgPath+".glob.")] = true
			}
		}
	case *ast.TypeSpec:
		if s.computed(pkg.TypesInfo, spec.Type) {
			s.types[spectra.Symbol(pkg.PkgPath+"."+spec.Name.Name)] = true
		}
	}
}

// literals reports whether a declaration has function literals. They go by the name that stands for all initialisers of
// the package.
func literals(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		found = found || ok
		return !found
	})
	return found
}

// computed reports whether a type mentions a changed constant as the length of an array, or a changed alias.
func (s *search) computed(info *types.Info, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			object := info.ObjectOf(id)
			found = found || s.value(object) || s.alias(object)
		}
		return !found
	})
	return found
}

// alias reports whether an object is a changed alias: its name stands for another type in code that is the same in both
// versions.
func (s *search) alias(object types.Object) bool {
	name, ok := object.(*types.TypeName)
	return ok && name.IsAlias() && s.changed(name.Type())
}

// value reports whether an object is a constant or variable that changed.
func (s *search) value(object types.Object) bool {
	return object != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() &&
		s.values[spectra.Symbol(symbol.Global(object))]
}

// functions finds the functions of a package that mention other modules or have expressions of changed types.
func (s *search) functions(pkg *packages.Package) {
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				fn, ok := pkg.TypesInfo.Defs[decl.Name].(*types.Func)
				if ok && (s.signature(fn) || s.within(pkg.TypesInfo, decl)) {
					s.found[symbol.Function(fn)] = true
				}
			}
		}
	}
}

// signature reports whether parameters or results of a function may contain a changed type.
func (s *search) signature(fn *types.Func) bool {
	of := fn.Signature()
	for _, list := range []*types.Tuple{of.Params(), of.Results()} {
		for v := range list.Variables() {
			if s.contains(v.Type()) {
				return true
			}
		}
	}
	return of.Recv() != nil && s.made(of.Recv().Type())
}

// within reports whether code mentions a changed value, mentions a package of another module that has other code, has
// an expression whose type is made of a changed one, or uses package unsafe while a type changed.
func (s *search) within(info *types.Info, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		expr, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		if id, ok := expr.(*ast.Ident); ok {
			found = s.mentions(info, id)
		}
		if of := info.TypeOf(expr); of != nil && !found {
			found = s.made(of)
		}
		return !found
	})
	return found
}

func (s *search) mentions(info *types.Info, id *ast.Ident) bool {
	object := info.ObjectOf(id)
	if name, ok := object.(*types.PkgName); ok {
		return len(s.types) > 0 && name.Imported() == types.Unsafe
	}
	if s.value(object) || s.alias(object) {
		return true
	}
	return s.outside != nil && object != nil && object.Pkg() != nil && s.outside(object.Pkg().Path())
}

// made reports whether the spelling of a type contains a changed one.
func (s *search) made(t types.Type) bool {
	found := false
	symbol.Mentioned(t, func(mentioned types.Type) { found = found || s.changed(mentioned) })
	return found
}

// changed reports whether a type is a changed one, or has its name from an alias that changed.
func (s *search) changed(t types.Type) bool {
	var name *types.TypeName
	switch t := t.(type) {
	case *types.Named:
		name = t.Obj()
	case *types.Alias:
		if s.changed(t.Rhs()) {
			return true
		}
		name = t.Obj()
	default:
		return false
	}
	if name.Pkg() == nil {
		return false
	}
	return s.types[spectra.Symbol(symbol.Global(name))] || s.foreign && s.outside != nil && s.outside(name.Pkg().Path())
}
