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
