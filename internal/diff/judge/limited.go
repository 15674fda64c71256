package judge

import (
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Cut cuts recordings at what both versions reached. It knows functions by their names in new; those that only one
// version has are "".
type Cut func(spectra.Side, spectra.Symbol) spectra.Symbol

// NewCut returns a Cut of versions with these functions of new → functions of old that correspond to them.
func NewCut(matched map[spectra.Symbol]spectra.Symbol) Cut {
	news := sync.OnceValue(func() map[spectra.Symbol]spectra.Symbol { // few recordings are cut at all
		list := make(map[spectra.Symbol]spectra.Symbol, len(matched))
		for name, old := range matched {
			list[old] = name
		}
		return list
	})
	return func(s spectra.Side, name spectra.Symbol) spectra.Symbol {
		if s == spectra.Old {
			return news()[name]
		}
		if _, both := matched[name]; !both {
			return ""
		}
		return name
	}
}

// Limited cuts the recordings of two runs to what both of them reached, if both ended at the limit of steps. The place
// where that limit ends a run depends on all steps before it, so it says nothing of the versions. Other recordings are
// returned as they are.
func (c Cut) Limited(p spectra.Pair[*spectra.Spectrum]) spectra.Pair[*spectra.Spectrum] {
	if p.Old.End.Kind != wire.EndStepLimit || p.New.End.Kind != wire.EndStepLimit {
		return p
	}
	return spectra.MakePair(func(s spectra.Side) *spectra.Spectrum { return c.limited(p, s) })
}

// Loop cuts the recordings of a test that only one version ended, if the other one came to the limit of steps in a
// call that the first did not make: then it is the test that goes on, as one does that no longer fails, and not the
// code. Other recordings are returned as they are.
func (c Cut) Loop(p spectra.Pair[*spectra.Spectrum]) spectra.Pair[*spectra.Spectrum] {
	limited := spectra.MakePair(func(s spectra.Side) bool { return (*p.Of(s)).End.Kind == wire.EndStepLimit })
	side := spectra.New
	if limited.Old {
		side = spectra.Old
	}
	if limited.Old == limited.New || lastRan(p.Old) != lastRan(p.New) ||
		c.endsElsewhere(p, side) {
		return p
	}
	return spectra.MakePair(func(s spectra.Side) *spectra.Spectrum {
		cut := c.limited(p, s)
		cut.End = (*p.Of(side)).End
		if open := len(cut.Steps) - 1; open >= 0 {
			cut.Steps[open].Results, cut.Steps[open].Panic = nil, ""
		}
		return cut
	})
}

// endsElsewhere reports whether a call of a test that has not ended in one version is one that the other ended.
func (c Cut) endsElsewhere(p spectra.Pair[*spectra.Spectrum], side spectra.Side) bool {
	s, other := *p.Of(side), *p.Of(side.Other())
	if last := lastRan(s); last >= 0 && c.unlikeEnd(side, s.Steps[last].Calls, other.Steps[last].Calls) {
		return true
	}
	return c.unlikeEnd(side, s.Stray, other.Stray)
}

// unlikeEnd reports whether a call that has not ended has a counterpart that has: the call of the same function that is
// as many calls of it behind the first.
func (c Cut) unlikeEnd(side spectra.Side, list, others []*spectra.Execution) bool {
	calls := map[spectra.Symbol][]*spectra.Execution{}
	for _, e := range others {
		name := c(side.Other(), e.Symbol)
		calls[name] = append(calls[name], e)
	}
	seen := map[spectra.Symbol]int{}
	for _, e := range list {
		name := c(side, e.Symbol)
		n := seen[name]
		seen[name]++
		if e.How != spectra.Open || name == "" || n >= len(calls[name]) {
			continue
		}
		if other := calls[name][n]; other.How != spectra.Open || c.unlikeEnd(side, e.Children, other.Children) {
			return true
		}
	}
	return false
}

// limited returns the recording of one version as far as the other one went too.
func (c Cut) limited(p spectra.Pair[*spectra.Spectrum], side spectra.Side) *spectra.Spectrum {
	s, other := *p.Of(side), *p.Of(side.Other())
	out := *s
	last := min(lastRan(s), lastRan(other))
	out.Steps = slices.Clone(s.Steps[:max(last, 0)])
	if last >= 0 && lastRan(s) == lastRan(other) {
		open := s.Steps[last]
		open.Calls = c.common(side, open.Calls, other.Steps[last].Calls)
		out.Steps = append(out.Steps, open)
	}
	out.Stray = c.common(side, s.Stray, other.Stray)
	out.Stdout, out.Stderr = shorter(s.Stdout, other.Stdout), shorter(s.Stderr, other.Stderr)
	out.Files, out.Goroutines, out.Leaked = nil, nil, 0
	out.StubCalls = s.StubCalls[:min(len(s.StubCalls), len(other.StubCalls), wire.StubCalls-1)]
	for i, call := range out.StubCalls {
		if call.Step >= len(out.Steps) || other.StubCalls[i].Step >= len(out.Steps) {
			out.StubCalls = out.StubCalls[:i]
			break
		}
	}
	return &out
}

// lastRan returns the index of the last statement that ran, -1 if none did.
func lastRan(s *spectra.Spectrum) int {
	for i, step := range slices.Backward(s.Steps) {
		if step.Ran {
			return i
		}
	}
	return -1
}

// shorter returns the other one of two texts if the first begins with it.
func shorter(text, other string) string {
	if strings.HasPrefix(text, other) {
		return other
	}
	return text
}

// common returns the first of two lists of executions as far as both went: up to where one of them has not ended, or to
// the first that has another function in the other list. A function that only one version has ends it: where what it
// calls stands for it is not known of one that has not ended.
func (c Cut) common(side spectra.Side, first, second []*spectra.Execution) (kept []*spectra.Execution) {
	for i := range min(len(first), len(second)) {
		e, other := first[i], second[i]
		name, named := c(side, e.Symbol), c(side.Other(), other.Symbol)
		switch {
		case name == "" || named == "":
			return kept
		case name != named:
			return append(kept, e)
		case e.How == spectra.Open && other.How == spectra.Open:
			open := *e
			open.Children = c.common(side, e.Children, other.Children)
			e = &open
		case e.How == spectra.Open || other.How == spectra.Open:
			return kept
		}
		kept = append(kept, e)
	}
	return kept
}
