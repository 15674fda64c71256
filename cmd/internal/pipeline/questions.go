package pipeline

// This file leaves out calls that follow from another representation: where a type's own methods used
// to look into a value, they may now ask it, or no longer ask.

import (
	"strings"

	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// questions has calls that only one version makes say nothing, where a method of a type with another
// representation calls one that is proven to write nothing in both versions.
func (r *run) questions(list []*reshaped, oldPurity, newPurity *instrument.Purity) {
	own, pure := map[spectra.Symbol]bool{}, map[spectra.Symbol]bool{}
	for _, t := range list {
		asked := map[spectra.Symbol]bool{}
		for method := range t.old.Methods() {
			asked[symbol.Function(method)] = oldPurity.Question(method).Pure()
		}
		for method := range t.new.Methods() {
			symbol := symbol.Function(method)
			own[symbol] = true
			pure[symbol] = asked[r.oldName(symbol)] && newPurity.Question(method).Pure()
		}
	}
	r.asked = &noise.Mask{}
	for caller := range r.matched {
		if !own[caller.Declared()] {
			continue
		}
		for callee, ok := range pure {
			if ok {
				r.asked.Add(noise.Site{Function: caller, State: noise.Calls, Path: spectra.Path(callee)}, "another representation")
			}
		}
	}
}

// withQuestions adds the calls that say nothing to a mask.
func (r *run) withQuestions(mask *noise.Mask) *noise.Mask {
	if r.asked == nil {
		return mask
	}
	all := &noise.Mask{}
	all.Union(mask, r.asked)
	return all
}

// seenThrough says which observer alone shows what differs, if its code changed as well: then either may
// be what is wrong.
func (r *run) seenThrough(values []report.Difference) string {
	changed := r.changedSymbols()
	var through spectra.Symbol
	for _, v := range values {
		if v.Output {
			continue
		}
		symbol := r.observerIn(v.Path)
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
func (r *run) observerIn(path string) spectra.Symbol {
	for _, t := range r.observed {
		for _, by := range t.observers {
			if strings.Contains(path, "."+by.old.Name) {
				return by.symbol
			}
		}
	}
	return ""
}
