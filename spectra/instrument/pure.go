package instrument

// This file says which methods are pure observers: without parameters, and proven to leave all that
// existed before the call as it was. What is not proven counts as impure.

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// Purity judges methods of the packages that it was made for.
type Purity struct {
	program *ssa.Program
	own     map[*types.Package]*ssa.Package
	methods map[string][]*types.Func // of types of own, by name: what an interface method may be
}

// A Verdict says whether a method is a pure observer, and what is known of its results.
type Verdict struct {
	Reason    string // why it is not pure, "" if it is
	Position  token.Pos
	Iterates  bool // over a map, so that the order of what it gives may be arbitrary
	Sorts     bool // something, perhaps what it iterated over
	Collected bool // its result is an iterator, pure as well when it is drained
}

// Pure says whether the method was proven to write nothing.
func (v Verdict) Pure() bool { return v.Reason == "" }

// NewPurity makes ready to judge methods of pkgs, whose dependencies may have types only. Nothing
// is analysed before it is asked for.
func NewPurity(pkgs []*packages.Package) *Purity {
	p := &Purity{own: map[*types.Package]*ssa.Package{}, methods: map[string][]*types.Func{}}
	if len(pkgs) == 0 {
		return p
	}
	p.program = ssa.NewProgram(pkgs[0].Fset, 0)
	seen := map[*types.Package]bool{}
	for _, pkg := range pkgs {
		seen[pkg.Types] = true
	}
	var create func(list []*types.Package)
	create = func(list []*types.Package) {
		for _, imported := range list {
			if !seen[imported] {
				seen[imported] = true
				p.program.CreatePackage(imported, nil, nil, true)
				create(imported.Imports())
			}
		}
	}
	for _, pkg := range pkgs {
		create(pkg.Types.Imports())
		p.own[pkg.Types] = p.program.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true)
		p.declare(pkg.Types)
	}
	return p
}

// declare notes the methods of a package's types.
func (p *Purity) declare(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || object.IsAlias() || types.IsInterface(object.Type()) {
			continue
		}
		for selection := range types.NewMethodSet(types.NewPointer(object.Type())).Methods() {
			fn := selection.Obj().(*types.Func)
			if !slices.Contains(p.methods[fn.Name()], fn) {
				p.methods[fn.Name()] = append(p.methods[fn.Name()], fn)
			}
		}
	}
}

// Observer judges a method, or any other function without parameters.
func (p *Purity) Observer(method *types.Func) Verdict {
	if method.Signature().Params().Len() > 0 {
		return Verdict{Reason: "it has parameters"}
	}
	return p.Question(method)
}

// Question judges a function that may have parameters: what they refer to was there before the call.
func (p *Purity) Question(function *types.Func) (v Verdict) {
	defer func() {
		if x := recover(); x != nil { // code that the analysable form can't express
			v = Verdict{Reason: fmt.Sprint("it can't be analysed: ", x)}
		}
	}()
	fn := p.program.FuncValue(function.Origin())
	s := function.Signature()
	switch {
	case s.Results().Len() == 0:
		return Verdict{Reason: "it has no results"}
	case fn == nil || p.body(fn) == nil:
		return Verdict{Reason: "its source is not there"}
	}
	f := newFlow(p)
	for _, param := range fn.Params {
		f.put(param, f.old)
	}
	f.enter(fn)
	if s.Recv() != nil && len(fn.Params) > 0 {
		f.self[fn.Params[0]] = isReceiver
	}
	if s.Results().Len() == 1 && isIterator(s.Results().At(0).Type()) {
		v.Collected = true
		f.drain = fn
	}
	f.solve()
	v.Iterates, v.Sorts = f.iterates, f.sorted
	if len(f.impure) > 0 {
		first := slices.MinFunc(f.impure, func(one, other fault) int {
			return cmp.Or(cmp.Compare(one.at, other.at), cmp.Compare(one.reason, other.reason))
		})
		v.Reason, v.Position = first.reason, first.at
	}
	return v
}

// body is the analysable form of a function, of a generic one the form without type arguments; nil
// if its source is not there.
func (p *Purity) body(fn *ssa.Function) *ssa.Function {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg != nil {
		if p.own[fn.Pkg.Pkg] == nil {
			return nil
		}
		fn.Pkg.Build()
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// isIterator says whether t is the type of an iterator over values or pairs.
func isIterator(t types.Type) bool {
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || s.Results().Len() != 0 {
		return false
	}
	yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 &&
		types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}
