package selection

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Difference returns the first difference that a caller sees between the outcomes of a sequence: another end, a call
// with another result, or a call that leaves its arguments in another state. It returns "" if a caller sees none. The
// text is for comparing, not for reading: sequences that one change tells apart tend to have the same text.
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
		both-- // its end depends on the number of steps that were left
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

// OnlyPrinted reports whether two outcomes differ in what was printed, and in nothing else that a caller sees.
func OnlyPrinted(pair spectra.Pair[*replay.Played]) bool {
	if pair.Old.Clock != pair.New.Clock || SameOutputs(pair) || !sameStates(pair) {
		return false
	}
	quiet := spectra.MakePair(func(s spectra.Side) *spectra.Spectrum {
		of := *(*pair.Of(s)).Spectrum
		of.Stdout, of.Stderr = "", ""
		return &of
	})
	return spectra.SameOutputs(quiet.Old, quiet.New)
}

// SameOutcomes reports whether the digests of both outcomes are equal.
func SameOutcomes(pair spectra.Pair[*replay.Played]) bool {
	return pair.Old != nil && pair.New != nil && pair.Old.OutcomeDigest != spectra.Digest{} &&
		pair.Old.OutcomeDigest == pair.New.OutcomeDigest && Whole(pair.Old) &&
		Whole(pair.New)
}

// Whole reports whether a sequence could be played, and no clock ended it.
func Whole(p *replay.Played) bool { return p.Clock == "" && p.Invalid == "" }

// SameOutputs reports whether the output spectra of both versions are equal.
func SameOutputs(pair spectra.Pair[*replay.Played]) bool {
	return spectra.SameOutputs(pair.Old.Spectrum, pair.New.Spectrum)
}

// sameStates reports whether all calls left their arguments in equal states.
func sameStates(pair spectra.Pair[*replay.Played]) bool {
	return len(pair.Old.Results) == len(pair.New.Results) && leftOther(pair) < 0
}

// leftOther returns the first statement that left its arguments in different states, among those that both versions
// ran; -1 if there is none.
func leftOther(pair spectra.Pair[*replay.Played]) int {
	for i := range min(len(pair.Old.Results), len(pair.New.Results)) {
		if pair.Old.Results[i].State != pair.New.Results[i].State {
			return i
		}
	}
	return -1
}
