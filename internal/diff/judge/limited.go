package judge

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// CutLimited cuts the recordings of two runs to what both of them reached, if both ended at the limit of steps. The
// place where that limit ends a run depends on all steps before it, so it says nothing of the versions. Other
// recordings are returned as they are.
func CutLimited(p spectra.Pair[*spectra.Spectrum]) spectra.Pair[*spectra.Spectrum] {
	if p.Old.End.Kind != wire.EndStepLimit || p.New.End.Kind != wire.EndStepLimit {
		return p
	}
	return spectra.MakePair(func(s spectra.Side) *spectra.Spectrum { return limitedTo(*p.Of(s), *p.Of(s.Other())) })
}

// CutLoop cuts the recordings of a test that only one version ended, if the other one came to the limit of steps in a
// call that the first did not make: then it is the test that goes on, as one does that no longer fails, and not the
// code. Other recordings are returned as they are.
func CutLoop(p spectra.Pair[*spectra.Spectrum]) spectra.Pair[*spectra.Spectrum] {
	limited := spectra.MakePair(func(s spectra.Side) bool { return (*p.Of(s)).End.Kind == wire.EndStepLimit })
	side := spectra.New
	if limited.Old {
		side = spectra.Old
	}
	if limited.Old == limited.New || lastRan(p.Old) != lastRan(p.New) ||
		endsElsewhere(*p.Of(side), *p.Of(side.Other())) {
		return p
	}
	return spectra.MakePair(func(s spectra.Side) *spectra.Spectrum {
		cut := limitedTo(*p.Of(s), *p.Of(s.Other()))
		cut.End = (*p.Of(side)).End
		if open := len(cut.Steps) - 1; open >= 0 {
			cut.Steps[open].Results, cut.Steps[open].Panic = nil, ""
		}
		return cut
	})
}

// endsElsewhere reports whether a call of a test that has not ended is one that the other run ended.
func endsElsewhere(s, other *spectra.Spectrum) bool {
	if last := lastRan(s); last >= 0 && unlikeEnd(s.Steps[last].Calls, other.Steps[last].Calls) {
		return true
	}
	return unlikeEnd(s.Stray, other.Stray)
}

// unlikeEnd reports whether a call that has not ended has a counterpart that has: the call of the same function that is
// as many calls of it behind the first.
func unlikeEnd(list, others []*spectra.Execution) bool {
	calls := map[spectra.Symbol][]*spectra.Execution{}
	for _, e := range others {
		calls[e.Symbol] = append(calls[e.Symbol], e)
	}
	seen := map[spectra.Symbol]int{}
	for _, e := range list {
		n := seen[e.Symbol]
		seen[e.Symbol]++
		if e.How != spectra.Open || n >= len(calls[e.Symbol]) {
			continue
		}
		if other := calls[e.Symbol][n]; other.How != spectra.Open || unlikeEnd(e.Children, other.Children) {
			return true
		}
	}
	return false
}

// limitedTo returns a recording as far as the other one went too.
func limitedTo(s, other *spectra.Spectrum) *spectra.Spectrum {
	out := *s
	last := min(lastRan(s), lastRan(other))
	out.Steps = slices.Clone(s.Steps[:max(last, 0)])
	if last >= 0 && lastRan(s) == lastRan(other) {
		open := s.Steps[last]
		open.Calls = commonCalls(open.Calls, other.Steps[last].Calls)
		out.Steps = append(out.Steps, open)
	}
	out.Stray = commonCalls(s.Stray, other.Stray)
	out.Stdout, out.Stderr = shorter(s.Stdout, other.Stdout), shorter(s.Stderr, other.Stderr)
	out.Files, out.Goroutines, out.Leaked = nil, nil, 0
	out.StubCalls = s.StubCalls[:min(len(s.StubCalls), len(other.StubCalls), wire.StubCalls-1)]
	for i, c := range out.StubCalls {
		if c.Step >= len(out.Steps) || other.StubCalls[i].Step >= len(out.Steps) {
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

// commonCalls returns the first of two lists of executions as far as both went: up to where one of them has not ended,
// or to the first that has another function in the other list.
func commonCalls(first, second []*spectra.Execution) (kept []*spectra.Execution) {
	for i := range min(len(first), len(second)) {
		e, other := first[i], second[i]
		switch {
		case e.Symbol != other.Symbol:
			return append(kept, e)
		case e.How == spectra.Open && other.How == spectra.Open:
			open := *e
			open.Children = commonCalls(e.Children, other.Children)
			e = &open
		case e.How == spectra.Open || other.How == spectra.Open:
			return kept
		}
		kept = append(kept, e)
	}
	return kept
}
