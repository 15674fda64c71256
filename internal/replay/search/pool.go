package search

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Sources collects values and calls for the generator from the sources of both versions: literals, constants, and the
// calls in tests. Only test files and files that they name are read besides the type-checked packages. The same
// versions give the same lists.
type Sources struct {
	Versions   spectra.Pair[*load.Version]
	Driven     []string         // package paths, as old has them
	Operations []*api.Operation // of old
	Declared   *testtypes.Set   // by tests
}

// Constants returns the literals and constants of both versions as values. Those of changed code are marked, as are
// those that only one version has: they are in changed code, or in the tests of the change. Of tags nothing else is
// there.
func (in Sources) Constants() []generate.Constant {
	lists := spectra.MakePair(func(s spectra.Side) []mined { return in.constantsOf(s) })
	type key struct{ pkg, text string }
	keys := spectra.MakePair(func(s spectra.Side) (list []key) {
		for _, c := range *lists.Of(s) {
			list = append(list, key{c.Package, c.Value.ExactString()})
		}
		return list
	})
	seen := spectra.MakePair(func(s spectra.Side) map[key]bool {
		m := map[key]bool{}
		for _, k := range *keys.Of(s) {
			m[k] = true
		}
		return m
	})
	var all []ordered
	for _, s := range spectra.Sides() {
		for i, k := range *keys.Of(s) {
			c := (*lists.Of(s))[i]
			if c.Changed = !seen.Old[k] || !seen.New[k]; c.Changed || c.short {
				all = append(all, orderedBy(k.text, c))
			}
		}
	}
	return append(fewer(all), in.declaredConstants()...)
}

// A mined is a constant of the sources. One that is not short counts only where one version alone has it.
type mined struct {
	generate.Constant
	short bool
}

// Calls returns the calls in the tests of both versions, those of new tests first. Behind a call with escapes in its
// texts stands the same call with the escapes replaced by what they mean. A package whose tests cause an internal error
// gives no calls, but a fault.
func (in Sources) Calls() (calls []carve.Call, faults fault.List) {
	lists := spectra.MakePair(func(s spectra.Side) []carve.Call {
		var list []carve.Call
		target := *in.Versions.Of(s)
		for _, path := range in.Driven {
			if p := target.Package(symbol.Rebase(path, in.Versions.Old.Module, target.Module)); p != nil {
				for _, f := range fault.Do(path, "reading its tests", func() error {
					list = append(list, carve.Calls(p.Dir, path, in.Operations, in.Declared)...)
					return nil
				}) {
					f.Side = s
					faults = append(faults, f)
				}
			}
		}
		return list
	})
	old := map[string]bool{}
	for _, c := range lists.Old {
		old[c.String()] = true
	}
	var first []carve.Call
	for _, c := range lists.New {
		if !old[c.String()] {
			first = append(first, c)
		}
	}
	return withMeant(append(first, lists.Old...)), faults
}

// withMeant adds calls whose texts have their escapes replaced: a raw string in a test may stand for that.
func withMeant(calls []carve.Call) (list []carve.Call) {
	for i := range calls {
		found := false
		meant := calls[i].With(func(v sequence.Value) (sequence.Value, bool) {
			v, ok := value.Meant(v)
			found = found || ok
			return v, ok
		})
		list = append(list, calls[i])
		if found {
			list = append(list, *meant)
		}
	}
	return list
}

// maxTexts limits the texts of one package that are outside changed code, and the changed constants of it that are not
// short.
const maxTexts = 1000

// An ordered is a constant with its place among others: the hash of its text, which takes long to compute.
type ordered struct {
	mined
	place uint64
}

func orderedBy(text string, c mined) ordered {
	h := fnv.New64a()
	h.Write([]byte(text))
	return ordered{c, h.Sum64()}
}

// fewer leaves out texts of packages with very many. The choice depends on each text alone, so one more or less does
// not change the others.
func fewer(all []ordered) (list []generate.Constant) {
	slices.SortStableFunc(all, func(x, y ordered) int { return cmp.Compare(x.place, y.place) })
	type class struct {
		pkg   string
		short bool
	}
	count := map[class]int{}
	for _, c := range all {
		if of := (class{c.Package, c.short}); !c.short || c.Value.Kind() == constant.String && !c.Changed {
			if count[of]++; count[of] > maxTexts {
				continue
			}
		}
		list = append(list, c.Constant)
	}
	return list
}

// A pool holds the constants for a plan, which all that is searched for it shares: reading them takes long.
type pool struct {
	of        *plan.Plan
	once      sync.Once
	constants []generate.Constant
}

// shared returns the pool for the plan.
func (in Input) shared() *pool {
	if p := in.pool; p != nil && p.of == in.Drivers.Plan {
		return p
	}
	if in.Calls != nil && in.Calls.pool != nil && in.Calls.pool.of == in.Drivers.Plan {
		return in.Calls.pool
	}
	return &pool{of: in.Drivers.Plan}
}

// constants returns the constants of both versions, as Sources does. Nobody changes the list.
func (in Input) constants() []generate.Constant {
	p := in.shared()
	p.once.Do(func() { p.constants = in.sources(nil).Constants() })
	return slices.Clip(p.constants)
}

// constantsOf returns the literals of one version as values, with the package names of old.
func (in Sources) constantsOf(s spectra.Side) []mined {
	target := *in.Versions.Of(s)
	var paths []string
	for _, path := range in.Driven {
		paths = append(paths, symbol.Rebase(path, in.Versions.Old.Module, target.Module))
	}
	pool := api.Constants(target, paths)
	var list []mined
	add := func(constants []api.Constant, typ types.Type, value func(string) constant.Value) {
		for _, c := range constants {
			v := value(c.Text)
			if v.Kind() == constant.Unknown {
				continue
			}
			for _, p := range c.Packages {
				of := generate.Constant{Type: typ, Value: v}
				of.Package = symbol.Rebase(p, target.Module, in.Versions.Old.Module)
				list = append(list, mined{of, slices.Contains(c.Short, p)})
			}
		}
	}
	add(pool.Strings, nil, constant.MakeString)
	add(pool.Samples, nil, constant.MakeString)
	add(pool.Runes, types.Typ[types.Rune], func(text string) constant.Value {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return constant.MakeUnknown()
		}
		return constant.MakeInt64(n)
	})
	add(pool.Ints, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.INT, 0) })
	add(pool.Floats, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.FLOAT, 0) })
	for i := range pool.Tags {
		pool.Tags[i].Short = nil
	}
	add(pool.Tags, nil, constant.MakeString)
	return list
}

// declaredConstants lists the constants that the driven packages declare: the values of their enumerations. Those that
// only new declares are marked; if old has their type, they have it.
func (in Sources) declaredConstants() []generate.Constant {
	var list []generate.Constant
	for _, path := range in.Driven {
		p := in.Versions.Old.Package(path)
		if p == nil {
			continue
		}
		old := p.Types.Scope()
		for _, c := range constantsIn(old) {
			list = append(list, generate.Constant{Package: path, Type: c.Type(), Value: c.Val()})
		}
		p = in.Versions.New.Package(symbol.Rebase(path, in.Versions.Old.Module, in.Versions.New.Module))
		if p == nil {
			continue
		}
		for _, c := range constantsIn(p.Types.Scope()) {
			if had, ok := old.Lookup(c.Name()).(*types.Const); ok && had.Val().ExactString() == c.Val().ExactString() {
				continue
			}
			of := generate.Constant{Package: path, Type: c.Type(), Value: c.Val(), Changed: true}
			if named, ok := types.Unalias(of.Type).(*types.Named); ok && named.Obj().Pkg() == p.Types {
				if t, ok := old.Lookup(named.Obj().Name()).(*types.TypeName); ok {
					of.Type = t.Type()
				}
			}
			list = append(list, of)
		}
	}
	return list
}

func constantsIn(scope *types.Scope) (list []*types.Const) {
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok {
			list = append(list, c)
		}
	}
	return list
}
