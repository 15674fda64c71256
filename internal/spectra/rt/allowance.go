package rt

import "github.com/spectradiff/spectradiff/internal/spectra/rt/state"

// free is how many nodes the states of a point may have before the allowance counts.
const free = 1 << 14

// Once half of a recording's nodes are spent, the states of one point may have a 256th of them, unless the point is
// near the change: a few functions that are handed everything must not leave nothing to the others.
const (
	plenty = 2
	scarce = 256
)

// affords reports whether the states of the point may be walked now. Nodes for them have to be left. Where an allowance
// is set, walking may also cost no more than a share of the program's own work. Without that limit, a whole program
// with large states, such as a test suite, takes many times as long. A state that is not walked is marked as truncated.
// Work is counted in steps, not in time, so the same run leaves out the same states.
func (r *record) affords(p *Point) bool {
	if p.run != r.run {
		p.run, p.spent = r.run, 0
	}
	if perStep == 0 {
		whole := r.nodes + r.spent
		return r.nodes > 0 && (p.near || r.spent < whole/plenty || p.spent < whole/scarce)
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
