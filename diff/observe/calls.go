package observe

// This file finds calls that follow from another representation: where a type's own methods used to look
// into a value, they may now ask it, or no longer ask.

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A Call is one that a function may make in one version only, which says nothing. Both go by the names
// that new has.
type Call struct{ Caller, Callee spectra.Symbol }

// ExpectedCalls returns, of the functions of new that old has too, literals included, the calls that
// follow from another representation: those of a method of a type that has one to methods of such types
// that are proven to write nothing in both versions. They are sorted by caller, then by callee.
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
