package judge

// This file counts what sequences did on both versions.

import (
	"fmt"
	"maps"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A Tally counts what sequences did. An execution counts if it happened on either version.
type Tally struct {
	Executions            int
	Crashes, Timeouts     int
	Truncated             int                           // number of states
	Covering              int                           // number of sequences that ran changed code
	Invalid, Incomparable int                           // numbers of sequences
	Hits                  spectra.Pair[map[uint32]bool] // numbers of the blocks that were executed
}

// note counts what one sequence did on both versions. The argument watched has the blocks in changed
// code.
func (t *Tally) note(pair spectra.Pair[*replay.Played], watched spectra.Pair[map[uint32]bool]) {
	changed := false
	pair.Each(func(s spectra.Side, p *replay.Played) {
		t.Executions += p.Calls
		t.Truncated += p.Truncated
		switch p.Spectrum.End.Kind {
		case wire.EndCrashed, wire.EndExited, wire.EndStepLimit, wire.EndBlocked:
			t.Crashes++
		case wire.EndTimeout:
			t.Timeouts++
		}
		hits := t.Hits.Of(s)
		if *hits == nil {
			*hits = map[uint32]bool{}
		}
		for _, id := range p.Coverage {
			(*hits)[id] = true
			changed = changed || (*watched.Of(s))[id]
		}
	})
	if changed {
		t.Covering++
	}
}

// plus returns the sum of two tallies.
func (t Tally) plus(other Tally) Tally {
	t.Executions += other.Executions
	t.Crashes += other.Crashes
	t.Timeouts += other.Timeouts
	t.Truncated += other.Truncated
	t.Covering += other.Covering
	t.Invalid += other.Invalid
	t.Incomparable += other.Incomparable
	t.Hits = spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		hits := map[uint32]bool{}
		maps.Copy(hits, *t.Hits.Of(s))
		maps.Copy(hits, *other.Hits.Of(s))
		return hits
	})
	return t
}

// Warnings returns sentences about what was not compared.
func (t Tally) Warnings() []string {
	var list []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{t.Invalid, "%d sequences do not fit the new version and were not compared"},
		{t.Incomparable, "%d sequences ended at a time or size limit and were not compared"},
		{t.Truncated, "%d states are larger than a walk may be; they were not compared"},
	} {
		if part.n > 0 {
			list = append(list, fmt.Sprintf(part.text, part.n))
		}
	}
	return list
}
