package judge

import (
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// heldNodes is how many executions and values are held in all, of both versions. A pair of recordings may have half
// as many.
const heldNodes = 4 * spectra.MaxNodes

// A holding bounds the memory of the recordings of sequences that deviate. Their trees are held until the roots are
// known. Sizes are counted in nodes: executions and values.
type holding struct{ *Capacity }

func (s *Subject) newHolding() *holding {
	if s.held > 0 {
		return &holding{NewCapacity(s.held)}
	}
	return &holding{NewCapacity(heldNodes)}
}

// take notes the sizes of the recordings at a place, and reports whether they may be held for now.
func (h *holding) take(place int, recorded spectra.Pair[*spectra.Spectrum]) bool {
	size := 0
	recorded.Each(func(_ spectra.Side, s *spectra.Spectrum) {
		if s != nil {
			size += s.Nodes()
		}
	})
	return h.Take(place, size)
}

// hold takes the recordings of a verdict, and drops them if they can't be held.
func (h *holding) hold(place int, v *Verdict) {
	if v.Confirmed() && !h.take(place, v.Recorded) {
		v.drop()
	}
}

// drop makes v the verdict on a sequence that was not judged. What is known to be unstable in it stays.
func (v *Verdict) drop() {
	*v = Verdict{Suspect: v.Suspect, Known: v.Known, place: v.place, dropped: true}
}

// held drops what can't be held, now that all was taken. It returns the verdicts that are left, and notes what is
// lost: a sequence that was dropped still counts where another one of its kind is held.
func (h *holding) held(list []*Verdict, left *Uncompared) []*Verdict {
	var kept, dropped []*Verdict
	confirmed := Kinds{}
	for _, v := range list {
		if v.Confirmed() && !h.Holds(v.place) {
			v.drop()
		}
		if v.dropped {
			dropped = append(dropped, v)
			continue
		}
		kept = append(kept, v)
		if v.Confirmed() {
			confirmed.Add(v.Suspect)
		}
	}
	for _, v := range dropped {
		if !confirmed.Has(v.Suspect) {
			unjudged(left, v)
		}
	}
	return kept
}
