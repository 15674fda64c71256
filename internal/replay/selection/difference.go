package selection

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Difference returns in what way a caller sees something else of a sequence on the new version: how it ends, which call
// returns something else first, or which leaves what it was handed in another state. It returns "" if a caller sees the
// same. Sequences that the same change tells apart are likely to have the same. What it returns is for comparing, not
// for reading.
func Difference(q sequence.Sequence, pair spectra.Pair[*replay.Played]) string {
	sameEnd := pair.Old.Clock == pair.New.Clock
	if sameEnd && (SameOutcomes(pair) || SameOutputs(pair) && sameStates(pair)) {
		return ""
	}
	what := fmt.Sprintf("end %v %v", pair.Old.Spectrum.End.Kind, pair.New.Spectrum.End.Kind)
	old, new := pair.Old.Spectrum.Steps, pair.New.Spectrum.Steps
	both := min(len(old), len(new))
	limited := pair.Old.Spectrum.End.Kind == wire.EndStepLimit && pair.New.Spectrum.End.Kind == wire.EndStepLimit
	if limited {
		both-- // how far that one came, depends on how many steps were left
	}
	for i := range max(both, 0) {
		if same := slices.Equal(old[i].Results, new[i].Results); !same || old[i].Panic != new[i].Panic {
			panics := [2]bool{old[i].Panic != "", new[i].Panic != ""}
			return fmt.Sprintln(what, q.Statements[i].Op, same, panics)
		}
	}
	if limited && sameEnd {
		return ""
	}
	if i := leftOther(pair); i >= 0 {
		return fmt.Sprintln(what, q.Statements[i].Op, "leaves")
	}
	return what
}

// SameOutcomes reports whether a caller saw the same of both versions, as far as their digests tell.
func SameOutcomes(pair spectra.Pair[*replay.Played]) bool {
	return pair.Old != nil && pair.New != nil && pair.Old.OutcomeDigest != spectra.Digest{} && pair.Old.OutcomeDigest == pair.New.OutcomeDigest &&
		Whole(pair.Old) && Whole(pair.New)
}

// Whole reports whether a sequence could be played, and no clock ended it.
func Whole(p *replay.Played) bool { return p.Clock == "" && p.Invalid == "" }

// SameOutputs reports whether a caller and the system saw the same of both versions.
func SameOutputs(pair spectra.Pair[*replay.Played]) bool {
	return len(diff.Compare(pair.Old.Spectrum, pair.New.Spectrum, diff.Options{}).Outputs) == 0
}

// sameStates reports whether what the calls were handed was the same when they returned.
func sameStates(pair spectra.Pair[*replay.Played]) bool {
	return len(pair.Old.Results) == len(pair.New.Results) && leftOther(pair) < 0
}

// leftOther returns the first statement that both versions ran and that left what it was handed in another state, -1 if
// none did.
func leftOther(pair spectra.Pair[*replay.Played]) int {
	for i := range min(len(pair.Old.Results), len(pair.New.Results)) {
		if pair.Old.Results[i].State != pair.New.Results[i].State {
			return i
		}
	}
	return -1
}
