// Package purity proves that methods are pure observers: a call changes nothing that existed before it.
//
// In: the Program of a version's packages, and a method. Dependencies may have types only. Out: a Verdict. A method
// that is not proven pure counts as impure.
//
// The same code has the same verdicts, in any order of questions. Nothing is run and nothing is changed.
package purity

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// A Judge judges methods of the packages that it was made for.
type Judge struct {
	program *ssa.Program
	own     map[*types.Package]bool
	methods map[string][]*types.Func // methods of types of own, by name: those that an interface method may be
	broken  string                   // why nothing can be judged; "": it can
}

// A Verdict is whether a method is a pure observer, and what is known of its results.
type Verdict struct {
	Reason    string // why it is not pure; "": it is
	Position  token.Pos
	Iterates  bool // it iterates over a map, so the order of its results may be arbitrary
	Sorts     bool // it sorts something, perhaps what it iterated over
	Collected bool // its result is an iterator that is pure as well when it is drained
}

// Pure reports whether the method was proven to write nothing.
func (v Verdict) Pure() bool { return v.Reason == "" }

// NewJudge makes a judge of methods of the program's packages. If the SSA form can't be built, nothing is
// pure.
func NewJudge(p *static.Program) *Judge {
	j := &Judge{own: map[*types.Package]bool{}, methods: map[string][]*types.Func{}}
	code, err := p.Code()
	if err != nil {
		j.broken = fmt.Sprint("it can't be analysed: ", err)
		return j
	}
	j.program = code.SSA
	for _, pkg := range code.Packages {
		j.own[pkg.Types] = true
		j.declare(pkg.Types)
	}
	return j
}

// declare notes the methods of a package's types.
func (j *Judge) declare(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || object.IsAlias() || types.IsInterface(object.Type()) {
			continue
		}
		for selection := range types.NewMethodSet(types.NewPointer(object.Type())).Methods() {
			fn := selection.Obj().(*types.Func)
			if !slices.Contains(j.methods[fn.Name()], fn) {
				j.methods[fn.Name()] = append(j.methods[fn.Name()], fn)
			}
		}
	}
}

// Observer judges a method without parameters, or any other function without parameters.
func (j *Judge) Observer(method *types.Func) Verdict {
	if method.Signature().Params().Len() > 0 {
		return Verdict{Reason: "it has parameters"}
	}
	return j.Question(method)
}

// Question judges a function that may have parameters, and so can be called to ask something about a
// value. Whatever its arguments refer to existed before the call and must not be written to.
func (j *Judge) Question(function *types.Func) (v Verdict) {
	defer func() {
		if x := recover(); x != nil { // code that the SSA form can't express
			v = Verdict{Reason: fmt.Sprint("it can't be analysed: ", x)}
		}
	}()
	if j.broken != "" {
		return Verdict{Reason: j.broken}
	}
	fn := j.program.FuncValue(function.Origin())
	s := function.Signature()
	switch {
	case s.Results().Len() == 0:
		return Verdict{Reason: "it has no results"}
	case fn == nil || j.body(fn) == nil:
		return Verdict{Reason: "its source is not there"}
	}
	f := newFlow(j)
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

// body returns the SSA form of a function, without type arguments for a generic one. It returns nil if
// there is no source.
func (j *Judge) body(fn *ssa.Function) *ssa.Function {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg != nil && !j.own[fn.Pkg.Pkg] || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// isIterator reports whether t is the type of an iterator over values or pairs.
func isIterator(t types.Type) bool {
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || s.Results().Len() != 0 {
		return false
	}
	yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 &&
		types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}
