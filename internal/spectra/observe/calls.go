package observe

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Call is a call that a function may make in one version only without that being a deviation. Both functions have
// their names in new. Where a method of a type with another representation read a field, it may now call another method
// that only reads, or the other way round.
type Call struct{ Caller, Callee spectra.Symbol }

// ExpectedCalls returns the calls that follow from another representation of types. functions are the
// functions of new that old has too, literals included. A caller is one of them that belongs to a type of the
// list; a callee is a method of such a type that is proven to write nothing in both versions. The calls are
// sorted by caller, then by callee.
func ExpectedCalls(m *match.Match, list []Type, functions []spectra.Symbol, purity spectra.Pair[Purity]) []Call {
	own, pure := map[spectra.Symbol]bool{}, map[spectra.Symbol]bool{}
	for _, t := range list {
		pureInOld := map[spectra.Symbol]bool{}
		for method := range t.Declared.Old.Methods() {
			pureInOld[symbol.Function(method)] = purity.Old.Question(method).Impure == ""
		}
		for method := range t.Declared.New.Methods() {
			name := symbol.Function(method)
			own[name] = true
			if pureInOld[spectra.Symbol(m.Old(string(name)))] && purity.New.Question(method).Impure == "" {
				pure[name] = true
			}
		}
	}
	var calls []Call
	for _, caller := range slices.Sorted(slices.Values(functions)) {
		if !own[caller.Declared()] {
			continue
		}
		for _, callee := range slices.Sorted(maps.Keys(pure)) {
			calls = append(calls, Call{caller, callee})
		}
	}
	return calls
}
