package pipeline

// This file counts what sequences did on both versions.

import (
	"fmt"
	"maps"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
)

// A tally counts what sequences did; of an execution on either version.
type tally struct {
	executions            int
	crashes, timeouts     int
	truncated             int                           // states
	covering              int                           // sequences that ran changed code
	invalid, incomparable int                           // sequences
	hits                  spectra.Pair[map[uint32]bool] // numbers of the blocks that were executed
}

// note counts what one sequence did on both versions; watched are the blocks in changed code.
func (t *tally) note(pair spectra.Pair[*replay.Played], watched spectra.Pair[map[uint32]bool]) {
	changed := false
	pair.Each(func(s spectra.Side, p *replay.Played) {
		t.executions += p.Calls
		t.truncated += p.Truncated
		switch p.Spectrum.End.Kind {
		case spectra.Crashed, spectra.Exited, spectra.StepLimit, spectra.Blocked:
			t.crashes++
		case spectra.Timeout:
			t.timeouts++
		}
		hits := t.hits.Of(s)
		if *hits == nil {
			*hits = map[uint32]bool{}
		}
		for _, id := range p.Coverage {
			(*hits)[id] = true
			changed = changed || (*watched.Of(s))[id]
		}
	})
	if changed {
		t.covering++
	}
}

// plus returns the sum of two tallies.
func (t tally) plus(other tally) tally {
	t.executions += other.executions
	t.crashes += other.crashes
	t.timeouts += other.timeouts
	t.truncated += other.truncated
	t.covering += other.covering
	t.invalid += other.invalid
	t.incomparable += other.incomparable
	t.hits = spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		hits := map[uint32]bool{}
		maps.Copy(hits, *t.hits.Of(s))
		maps.Copy(hits, *other.hits.Of(s))
		return hits
	})
	return t
}

// warnings says what was not compared.
func (t tally) warnings() []string {
	var list []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{t.invalid, "%d sequences do not fit the new version and were not compared"},
		{t.incomparable, "%d sequences ended at a time or size limit and were not compared"},
		{t.truncated, "%d states are larger than a walk may be; they were not compared"},
	} {
		if part.n > 0 {
			list = append(list, fmt.Sprintf(part.text, part.n))
		}
	}
	return list
}
