package judge

import (
	"fmt"
	"maps"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Tally counts the executions, steps, crashes and so on of sequences that were played on both versions. The order in
// which they are counted does not matter. An execution counts if it happened on either version.
type Tally struct {
	Executions        int
	Steps             int64 // function entries and loop bodies on the old version
	Crashes, Timeouts int
	Truncated         int                           // number of states
	Covering          int                           // number of sequences that ran changed code
	Reordered         Reordered                     // others than those that deviate
	Invalid           int                           // number of sequences
	Hits              spectra.Pair[map[uint32]bool] // numbers of the blocks that were executed
}

// Note counts one sequence that was played on both versions. The argument watched has the blocks in changed code. It
// reports whether the sequence ran one of them.
func (t *Tally) Note(pair spectra.Pair[*replay.Played], watched spectra.Pair[map[uint32]bool]) (changed bool) {
	pair.Each(func(s spectra.Side, p *replay.Played) {
		t.Executions += p.Calls
		if s == spectra.Old {
			t.Steps += p.Steps
		}
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
	return changed
}

// Add adds another tally.
func (t *Tally) Add(other Tally) {
	t.Executions += other.Executions
	t.Steps += other.Steps
	t.Crashes += other.Crashes
	t.Timeouts += other.Timeouts
	t.Truncated += other.Truncated
	t.Covering += other.Covering
	t.Reordered.Count += other.Reordered.Count
	t.Reordered.Trace += other.Reordered.Trace
	t.Invalid += other.Invalid
	other.Hits.Each(func(s spectra.Side, hits map[uint32]bool) {
		if *t.Hits.Of(s) == nil {
			*t.Hits.Of(s) = map[uint32]bool{}
		}
		maps.Copy(*t.Hits.Of(s), hits)
	})
}

// Warnings returns sentences about what was not compared.
func (t Tally) Warnings() []string {
	if t.Invalid == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d sequences do not fit the new version and were not compared", t.Invalid)}
}
