package rt

import "github.com/spectradiff/spectradiff/internal/spectra/rt/state"

// free is how many nodes the states of a point may have before the allowance counts.
const free = 1 << 14

// affords reports whether the states of the point may be walked now.
func (r *record) affords(p *Point) bool {
	if perStep == 0 {
		return true
	}
	if p.run != r.run {
		p.run, p.spent = r.run, 0
	}
	return p.spent < free || r.spent < (r.begun-steps)*int64(perStep)
}

// pay accounts for a walk.
func (r *record) pay(p *Point, w *state.Walker) {
	n := int64(w.Nodes())
	r.nodes -= n
	r.spent += n
	p.spent += n
	r.tally.States++
	if w.Truncated() {
		r.tally.Truncated++
	}
}
