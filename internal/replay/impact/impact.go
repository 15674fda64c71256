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

// A Change is what differs in the other version.
type Origin struct {
	Functions map[spectra.Symbol]bool // functions that count as a whole
	Values    map[spectra.Symbol]bool // constants and variables
	Types     map[spectra.Symbol]bool // types of any module with another shape, or other methods
	Modules   bool                    // other code of other modules
}

// An Affected is what a change may affect.
type Affected struct {
	Functions map[spectra.Symbol]bool // that may behave in another way
	Types     map[spectra.Symbol]bool // named ones; something of a changed type can be reached from their values
}

// Find returns what a change may affect.
func FindAffected(p *static.Program, c Origin) (Affected, error) {
	s := &search{
		program: p, found: map[spectra.Symbol]bool{}, modules: c.Modules,
		values: map[spectra.Symbol]bool{}, types: map[spectra.Symbol]bool{},
		deep: map[types.Type]bool{}, flat: map[types.Type]bool{},
	}
	maps.Copy(s.values, c.Values)
	maps.Copy(s.types, c.Types)
	for name := range c.Functions {
		s.found[name.Declared()] = true
	}
	if len(s.values)+len(s.types) == 0 && !s.modules {
		return Affected{Functions: s.found}, nil
	}
	for s.derive() {
	}
	if err := s.search(); err != nil {
		return Affected{}, err
	}
	return Affected{s.found, s.named()}, nil
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

// named lists the declared types from which something of a changed type can be reached.
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
	values, types map[spectra.Symbol]bool // changed, or made of what is
	modules       bool
	found         map[spectra.Symbol]bool
	deep          map[types.Type]bool // whether something of a changed type can be reached from a value of the type
	flat          map[types.Type]bool // the same without pointers
}

// add notes the declared function that a function of the SSA form belongs to.
func (s *search) add(code *static.Code, fn *ssa.Function) {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if name := code.Symbol(fn); name != "" {
		s.found[name.Declared()] = true
	}
}

// derive adds constants, variables and types whose declarations mention what changed: a length of an array, a
// value that another one is computed from. It reports whether it added any.
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

// literals reports whether a declaration has function literals. They are found by the name that stands for all of
// the package's initialisers.
func literals(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		found = found || ok
		return !found
	})
	return found
}

// computed reports whether a type is written with a changed constant: the length of an array.
func (s *search) computed(info *types.Info, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || s.value(info.ObjectOf(id))
		}
		return !found
	})
	return found
}

// value reports whether an object is a constant or variable that changed.
func (s *search) value(object types.Object) bool {
	return object != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() &&
		s.values[spectra.Symbol(symbol.Global(object))]
}

// functions finds the functions of a package that mention other modules, or have expressions of changed types.
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

// signature reports whether a function is handed, or returns, what may contain a changed type.
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

// within reports whether code mentions a changed value or, where their code changed, another module, has an
// expression whose type is made of a changed one, or uses package unsafe where a type changed.
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
	if s.value(object) {
		return true
	}
	return s.modules && object != nil && object.Pkg() != nil && s.program.Foreign(object.Pkg().Path())
}

// made reports whether the spelling of a type has a changed one.
func (s *search) made(t types.Type) bool {
	found := false
	symbol.Named(t, func(named *types.Named) { found = found || s.changed(named) })
	return found
}

func (s *search) changed(named *types.Named) bool {
	return named.Obj().Pkg() != nil && s.types[spectra.Symbol(symbol.Global(named.Obj()))]
}
