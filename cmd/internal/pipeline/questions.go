package pipeline

// This file leaves out calls that follow from another representation: where a type's own methods used
// to look into a value, they may now ask it, or no longer ask.

import (
	"strings"

	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/static/purity"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// expectedCalls returns the calls that follow from another representation: where a method of a type that has
// one calls a method that is proven to write nothing in both versions, it says nothing that only one
// version makes the call.
func (o *observation) expectedCalls(
	list []*reshaped, matched map[spectra.Symbol]spectra.Symbol, judges spectra.Pair[*purity.Judge],
) *noise.Mask {
	own, pure := map[spectra.Symbol]bool{}, map[spectra.Symbol]bool{}
	for _, t := range list {
		pureInOld := map[spectra.Symbol]bool{}
		for method := range t.old.Methods() {
			pureInOld[symbol.Function(method)] = judges.Old.Question(method).Pure()
		}
		for method := range t.new.Methods() {
			name := symbol.Function(method)
			own[name] = true
			pure[name] = pureInOld[o.oldName(name)] && judges.New.Question(method).Pure()
		}
	}
	calls := &noise.Mask{}
	for caller := range matched {
		if !own[caller.Declared()] {
			continue
		}
		for callee, ok := range pure {
			if ok {
				calls.Add(noise.Site{Function: caller, State: noise.Calls, Path: spectra.Path(callee)}, "another representation")
			}
		}
	}
	return calls
}

// seenThrough says which observer alone shows what differs, if its code changed as well: then either may
// be what is wrong.
func (b *built) seenThrough(values []report.Difference) string {
	changed := b.changedSymbols()
	var through spectra.Symbol
	for _, v := range values {
		if v.Output {
			continue
		}
		symbol := b.observerIn(v.Path)
		if symbol == "" || through != "" && symbol != through {
			return ""
		}
		through = symbol
	}
	if through == "" || !changed[through] {
		return ""
	}
	return ", seen through " + through.Short() + ", which changed as well"
}

// observerIn gives the observer that a value's path leads through.
func (b *built) observerIn(path string) spectra.Symbol {
	for _, t := range b.reshaped {
		for _, by := range t.observers {
			if strings.Contains(path, "."+by.old.Name) {
				return by.symbol
			}
		}
	}
	return ""
}
