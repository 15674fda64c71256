package api

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Limits on the instances of one generic declaration.
const (
	maxInstances = 3   // for one type parameter; one fewer for several
	maxOptions   = 16  // type arguments tried for one parameter
	maxAttempts  = 256 // combinations tried
)

// typeChoices returns a few lists of type arguments that satisfy the constraints. The arguments are predeclared types,
// types of the package itself, and types that a constraint names. A file of the package can name all of them.
func typeChoices(p *types.Package, generic types.Type, params *types.TypeParamList) [][]types.Type {
	options := make([][]types.Type, params.Len())
	for i := range options {
		options[i] = typeOptions(p, params.At(i))
	}
	limit := maxInstances
	if params.Len() > 1 {
		limit--
	}
	var out [][]types.Type
	seen := map[string]bool{}
	for attempt := 0; attempt < maxAttempts && len(out) < limit; attempt++ {
		args := combination(options, params, attempt)
		if args == nil || seen[canonicalList(args)] {
			continue
		}
		seen[canonicalList(args)] = true
		if slices.ContainsFunc(args, func(t types.Type) bool { _, _, ok := spelled(p, t); return !ok }) {
			continue
		}
		if _, err := types.Instantiate(nil, generic, args, true); err == nil {
			out = append(out, args)
		}
	}
	return out
}

// combination returns one option for each parameter; nil if a parameter has none. The first attempts change all
// parameters at once, so that few attempts cover every option. Later attempts enumerate all combinations.
func combination(options [][]types.Type, params *types.TypeParamList, attempt int) []types.Type {
	args := make([]types.Type, len(options))
	rest := attempt - maxOptions
	for i, list := range options {
		switch {
		case len(list) == 0: // follows from the other parameters, below
		case attempt < maxOptions:
			args[i] = list[(attempt+i)%len(list)]
		default:
			args[i] = list[rest%len(list)]
			rest /= len(list)
		}
	}
	// A core type may name another parameter that is filled in here too. len(args) rounds are enough.
	for range args {
		for i := range args {
			if args[i] == nil {
				args[i] = substitute(coreType(params.At(i)), args)
			}
		}
	}
	if slices.Contains(args, nil) {
		return nil
	}
	return args
}

// typeOptions returns type arguments for one parameter; none if its core type depends on other parameters.
func typeOptions(p *types.Package, param *types.TypeParam) []types.Type {
	constraint := param.Constraint().Underlying().(*types.Interface)
	dependent := strings.Contains(symbol.Type(constraint), "$")
	if core := coreType(param); dependent && core != nil {
		return nil
	}
	candidates := []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64]}
	candidates = append(candidates, terms(constraint)...)
	candidates = append(candidates, types.Typ[types.Bool], types.Universe.Lookup("error").Type())
	scope := p.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || !usable(p, name) {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && !constrains(named) {
			candidates = append(candidates, named, types.NewPointer(named))
		}
	}
	var out []types.Type
	for _, candidate := range candidates {
		fits := !forbidden(candidate) && !shadowed(p, candidate) &&
			(dependent || types.Satisfies(candidate, constraint))
		known := slices.ContainsFunc(out, func(t types.Type) bool { return types.Identical(t, candidate) })
		// Instantiate checks a constraint that depends on parameters later: keep all options.
		if fits && !known && (dependent || len(out) < maxOptions) {
			out = append(out, candidate)
		}
	}
	return out
}

// shadowed reports whether the package redefines the name of a predeclared type.
func shadowed(p *types.Package, t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return p.Scope().Lookup(t.Name()) != nil
	case *types.Named:
		return t.Obj().Pkg() == nil && p.Scope().Lookup(t.Obj().Name()) != nil
	}
	return false
}

// terms returns the types in the constraint's unions that need no imports.
func terms(t types.Type) []types.Type {
	var out []types.Type
	switch t := types.Unalias(t).(type) {
	case *types.Union:
		for term := range t.Terms() {
			out = append(out, terms(term.Type())...)
		}
	case *types.Interface:
		for e := range t.EmbeddedTypes() {
			out = append(out, terms(e)...)
		}
	case *types.Named:
		if _, ok := t.Underlying().(*types.Interface); ok {
			return terms(t.Underlying())
		}
	case *types.Basic:
		out = append(out, t)
	case *types.Slice, *types.Array, *types.Map, *types.Pointer, *types.Chan:
		if text := symbol.Type(t); !strings.ContainsAny(text, "$.") {
			out = append(out, t)
		}
	}
	return out
}

// coreType returns the single type that the parameter's constraint allows, apart from ~; nil if there are several.
func coreType(param *types.TypeParam) types.Type {
	return core(param.Constraint())
}

func core(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if _, ok := t.Underlying().(*types.Interface); !ok {
			return t
		}
		return core(t.Underlying())
	case *types.Interface:
		for e := range t.EmbeddedTypes() {
			if c := core(e); c != nil {
				return c
			}
		}
		return nil
	case *types.Union:
		if t.Len() != 1 {
			return nil
		}
		return t.Term(0).Type()
	default:
		return t
	}
}

// substitute replaces type parameters by arguments; nil if one is still unknown.
func substitute(t types.Type, args []types.Type) types.Type {
	sub := func(t types.Type) types.Type { return substitute(t, args) }
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if t.Index() < len(args) {
			return args[t.Index()]
		}
	case *types.Basic:
		return t
	case *types.Slice:
		if e := sub(t.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case *types.Pointer:
		if e := sub(t.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case *types.Chan:
		if e := sub(t.Elem()); e != nil {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Array:
		if e := sub(t.Elem()); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Map:
		if k, e := sub(t.Key()), sub(t.Elem()); k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
	case *types.Signature:
		return substituteSignature(t, args)
	}
	return nil
}

func substituteSignature(t *types.Signature, args []types.Type) types.Type {
	var lists [2][]*types.Var
	for i, tuple := range []*types.Tuple{t.Params(), t.Results()} {
		for v := range tuple.Variables() {
			replaced := substitute(v.Type(), args)
			if replaced == nil {
				return nil
			}
			lists[i] = append(lists[i], types.NewParam(0, v.Pkg(), "", replaced))
		}
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(lists[0]...), types.NewTuple(lists[1]...), t.Variadic())
}

// instancesIn returns the instances of the package's own generic types in the operations' parameters and results, as
// far as they need no imports.
func instancesIn(p *types.Package, ops []*Operation) []*types.Named {
	found := map[string]*types.Named{}
	for _, op := range ops {
		for _, t := range append(slices.Clone(op.Params), op.Results...) {
			symbol.Named(t, func(n *types.Named) {
				if n.TypeArgs().Len() == 0 || n.Obj().Pkg() != p {
					return
				}
				for arg := range n.TypeArgs().Types() {
					if !local(p, arg) {
						return
					}
				}
				found[symbol.Type(n)] = n
			})
		}
	}
	var out []*types.Named
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

// local reports whether the package can write the type without imports and the type has no free type parameters.
func local(p *types.Package, t types.Type) bool {
	ok := !strings.Contains(symbol.Type(t), "$")
	symbol.Named(t, func(n *types.Named) {
		if q := n.Obj().Pkg(); q != nil && (q != p || n.Obj().Parent() != p.Scope()) {
			ok = false
		}
	})
	return ok
}
