package judge

import (
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Loss is a sequence that was played and could not be compared at once. A clock or the limit of size ended it on one
// of the versions or on both. Waiting is counted by limits and in the order of the sequences, never by a clock of ours,
// so that the same Subject loses the same sequences.
type Loss struct {
	Index     int
	Clocks    spectra.Pair[replay.Clock] // what ended it; "" where it ended by itself
	Operation string                     // what the statement called that did not end, as in sequence.Sequence.Driven
	Function  spectra.Symbol             // the innermost function of both versions that was open then; "": none
	Changed   bool                       // it ran changed code, or may have
	Alike     bool                       // neither version ends, and up to there both did the same
	Large     bool                       // no clock ended it: its recording has no room
}

// An Unplayed is a sequence that was not played.
type Unplayed struct {
	Index     int
	Operation string // what does not end, and is therefore not called again; "": the time of the run was up
	Changed   bool   // it may run changed code
}

// lossesOfOne is how many sequences may be lost at one function. Others that call what led there are not played.
const lossesOfOne = 3

// replayWait returns how long is waited in all for sequences that don't end while they are replayed, as a sum of
// limits. With what judgeWait allows it keeps a run on two processors below twice its budget and a minute.
func replayWait(budget time.Duration) time.Duration { return budget + 10*time.Second }

// endless returns an operation of a sequence that led to too many losses, "" if there is none.
func endless(q selection.Sequence, lists ...[]Loss) string {
	operations, functions := map[string]int{}, map[spectra.Symbol]int{}
	each := func(visit func(Loss)) {
		for _, list := range lists {
			for _, l := range list {
				if !l.Large && l.Operation != "" {
					visit(l)
				}
			}
		}
	}
	each(func(l Loss) {
		operations[l.Operation]++
		functions[l.Function]++
	})
	if len(operations) == 0 {
		return ""
	}
	found := ""
	each(func(l Loss) {
		often := operations[l.Operation] >= lossesOfOne || l.Function != "" && functions[l.Function] >= lossesOfOne
		if found == "" && often && q.Drives(l.Operation) {
			found = l.Operation
		}
	})
	return found
}

// lose notes that a clock ended a sequence. The limits are those of sequences that ended on the old version when they
// were made.
func (r *replaying) lose(
	c *chunk, index int, pair spectra.Pair[*replay.Played], changed bool, limits replay.Limits,
) {
	q := r.Sequences[index]
	recorded := decode(pair)
	l := Loss{
		Index: index, Clocks: clocks(pair), Changed: changed || q.Changed || r.ranChanged(recorded),
		Alike: r.alike(recorded, clocks(pair)),
	}
	if q.Hung {
		limits = replay.GenerationLimits()
	}
	for _, s := range []spectra.Side{spectra.Old, spectra.New} { // what new says counts
		clock := *l.Clocks.Of(s)
		if clock == "" {
			continue
		}
		c.waited += limits.Of(clock)
		l.Operation = q.Driven(lastRan(*recorded.Of(s)))
		l.Function = r.innermost(*recorded.Of(s), s)
	}
	c.losses = append(c.losses, l)
	r.env.Detailf("sequence %d does not end: old %q, new %q, in %s %s", index, l.Clocks.Old, l.Clocks.New, l.Operation,
		l.Function)
}

// clocks returns the clocks that ended a sequence.
func clocks(pair spectra.Pair[*replay.Played]) spectra.Pair[replay.Clock] {
	return spectra.Pair[replay.Clock]{Old: pair.Old.Clock, New: pair.New.Clock}
}

// innermost returns the innermost function of both versions that was open when a run was ended, by its new name.
func (s *Subject) innermost(run *spectra.Spectrum, side spectra.Side) spectra.Symbol {
	var found spectra.Symbol
	for _, e := range OpenExecutions(run) {
		if name, ok := s.newName(e.Symbol, side); ok {
			found = name
		}
	}
	return found
}

// newName returns the new name of a function of one version, false if only that one has it.
func (s *Subject) newName(function spectra.Symbol, side spectra.Side) (spectra.Symbol, bool) {
	if side == spectra.New {
		_, ok := s.Matched[function]
		return function, ok
	}
	for name, old := range s.Matched {
		if old == function {
			return name, true
		}
	}
	return "", false
}

// ranChanged reports whether a changed function is among the executions of either version.
func (s *Subject) ranChanged(recorded spectra.Pair[*spectra.Spectrum]) bool {
	changed := map[spectra.Symbol]bool{}
	for _, f := range s.Causes.Functions {
		changed[f.Symbol], changed[f.OldSymbol] = true, true
	}
	found := false
	recorded.Each(func(_ spectra.Side, run *spectra.Spectrum) {
		for e := range run.Executions {
			found = found || changed[e.Symbol.Declared()]
		}
	})
	return found
}

// alike reports whether neither version ends, and both did the same up to there. It is not told of those that took too
// much time by the clock on the wall: the machine may be the reason.
func (s *Subject) alike(recorded spectra.Pair[*spectra.Spectrum], by spectra.Pair[replay.Clock]) bool {
	if by.Old == "" || by.New == "" || by.Old == replay.Wall || by.New == replay.Wall {
		return false
	}
	cut := spectra.Pair[*spectra.Spectrum]{
		Old: CutUnended(recorded.Old, recorded.New, recorded.New),
		New: CutUnended(recorded.New, recorded.Old, recorded.Old),
	}
	cut.Old.Stdout, cut.Old.Stderr = cut.New.Stdout, cut.New.Stderr
	cut.Old.Files, cut.Old.StubCalls = nil, nil
	cut.New.Files, cut.New.StubCalls = nil, nil
	cut.Old.End.Detail, cut.New.End.Detail = "", ""
	return len(s.compareEndless(cut, s.noise()).Deviations) == 0
}
