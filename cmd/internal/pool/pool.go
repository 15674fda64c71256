// Package pool collects what the sources of both versions offer the generator: literals and constants as values, and
// the calls that tests write down.
//
// In: both versions, type-checked, the driven packages, the operations. Out: constants, those of changed code marked,
// and calls, those first that only new's tests have. The same versions give the same lists. Only test files and what
// they name are read.
package pool

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/carve"
	"github.com/spectradiff/spectradiff/replay/fault"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/replay/testtypes"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// An Input is what is collected from.
type Input struct {
	Versions   spectra.Pair[*load.Version]
	Driven     []string         // paths of packages, as old has them
	Operations []*api.Operation // of old
	Declared   *testtypes.Set   // by tests
	NoTests    bool             // nothing is taken from tests but their literals
}

// Declared returns the types that the tests of both versions declare.
func Declared(of spectra.Pair[*load.Version], driven []string) *testtypes.Set {
	var dirs []string
	of.Each(func(_ spectra.Side, target *load.Version) {
		for _, path := range driven {
			if p := target.Package(symbol.Rebase(path, of.Old.Module, target.Module)); p != nil {
				dirs = append(dirs, p.Dir)
			}
		}
	})
	return testtypes.Read(dirs, of.Old.Known)
}

// Constants turns the mined literals of both versions into values. Those that only one version has stand in changed
// code, or in the tests of the change.
func (in Input) Constants() []generate.Constant {
	lists := spectra.MakePair(func(s spectra.Side) []generate.Constant { return in.constantsOf(s) })
	type key struct{ pkg, text string }
	keyOf := func(c generate.Constant) key { return key{c.Package, c.Value.ExactString()} }
	seen := spectra.MakePair(func(s spectra.Side) map[key]bool {
		m := map[key]bool{}
		for _, c := range *lists.Of(s) {
			m[keyOf(c)] = true
		}
		return m
	})
	var all []generate.Constant
	lists.Each(func(_ spectra.Side, list []generate.Constant) {
		for _, c := range list {
			c.Changed = !seen.Old[keyOf(c)] || !seen.New[keyOf(c)]
			all = append(all, c)
		}
	})
	return append(fewer(all), in.declaredConstants()...)
}

// Calls returns the calls in the tests of both versions, those first that only new has, each with what escapes in its
// texts mean behind it. Packages whose tests can't be read for an error of ours give none.
func (in Input) Calls() (calls []carve.Call, faults fault.List) {
	if in.NoTests {
		return nil, nil
	}
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

// withMeant adds calls with what escapes in texts mean: a raw string in a test may stand for that.
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

// maxTexts is how many texts of one package the generator gets that do not stand in changed code.
const maxTexts = 1000

// fewer leaves out texts where a package has very many. Which of them stay depends on each alone, so that one more or
// less does not change the others.
func fewer(all []generate.Constant) []generate.Constant {
	order := func(c generate.Constant) uint64 {
		h := fnv.New64a()
		h.Write([]byte(c.Value.ExactString()))
		return h.Sum64()
	}
	slices.SortStableFunc(all, func(x, y generate.Constant) int { return cmp.Compare(order(x), order(y)) })
	count := map[string]int{}
	return slices.DeleteFunc(all, func(c generate.Constant) bool {
		if c.Value.Kind() == constant.String && !c.Changed {
			count[c.Package]++
		}
		return count[c.Package] > maxTexts && c.Value.Kind() == constant.String && !c.Changed
	})
}

// constantsOf turns the mined literals of one version into values, with the names that packages have in old.
func (in Input) constantsOf(s spectra.Side) []generate.Constant {
	target := *in.Versions.Of(s)
	var paths []string
	for _, path := range in.Driven {
		paths = append(paths, symbol.Rebase(path, in.Versions.Old.Module, target.Module))
	}
	pool := api.Constants(target, paths)
	var list []generate.Constant
	add := func(constants []api.Constant, typ types.Type, value func(string) constant.Value) {
		for _, c := range constants {
			v := value(c.Text)
			if v.Kind() == constant.Unknown {
				continue
			}
			for _, p := range c.Packages {
				p = symbol.Rebase(p, target.Module, in.Versions.Old.Module)
				list = append(list, generate.Constant{Package: p, Type: typ, Value: v})
			}
		}
	}
	add(pool.Strings, nil, constant.MakeString)
	if !in.NoTests {
		add(pool.Samples, nil, constant.MakeString)
	}
	add(pool.Runes, types.Typ[types.Rune], func(text string) constant.Value {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return constant.MakeUnknown()
		}
		return constant.MakeInt64(n)
	})
	add(pool.Ints, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.INT, 0) })
	add(pool.Floats, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.FLOAT, 0) })
	return list
}

// declaredConstants lists the constants of the driven packages: the values of their enumerations.
func (in Input) declaredConstants() []generate.Constant {
	var list []generate.Constant
	for _, path := range in.Driven {
		p := in.Versions.Old.Package(path)
		if p == nil {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok {
				list = append(list, generate.Constant{Package: path, Type: c.Type(), Value: c.Val()})
			}
		}
	}
	return list
}
