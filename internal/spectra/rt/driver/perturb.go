package driver

import (
	"runtime"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// collections is how many times the collector runs in a sequence at most.
const collections = 6

// perturbation is what is due in the running sequence.
type perturbation struct {
	later int64 // steps that the sequence has beside those up to the next collection
	part  int64 // steps up to the collection after the next one
	done  int
}

// renumber has the goroutines of the target get other numbers.
func renumber() {
	if rt.Seed <= wire.MainSeed {
		return
	}
	for range 16 * (rt.Seed%5 + 1) { // a processor takes 16 numbers at once
		ended := make(chan struct{})
		go close(ended)
		<-ended
	}
}

// collects reports whether the collector is to run during sequences. Only every second seed has it do
// so: finalizers run outside of the bubble, and may end the process there.
func collects() bool { return rt.Seed > wire.MainSeed && rt.Seed%2 == 1 }

// ration sets the steps of the sequence.
func (d *driver) ration() {
	d.perturbed = perturbation{}
	if !collects() {
		rt.SetSteps(d.steps, d.limit)
		return
	}
	d.perturbed.part = 1 + int64(rt.Seed%3)
	d.perturbed.later = d.steps
	d.nextPart(0)
}

// nextPart shares out steps up to the next collection; gone are those that were used beyond the last
// part.
func (d *driver) nextPart(gone int64) {
	p := &d.perturbed
	part := min(p.part, p.later-gone)
	if part < 0 || p.done == collections {
		part = p.later - gone
	}
	p.later -= part + gone
	p.part *= 3
	if p.later <= 0 {
		rt.SetSteps(part, d.limit)
		return
	}
	p.done++
	rt.SetSteps(part, d.collect)
}

// collect runs between two parts.
func (d *driver) collect() {
	gone := -rt.Steps()
	rt.SetSteps(d.steps, d.limit) // what finalizers do is not the sequence's
	collectGarbage()
	d.nextPart(gone)
}

// collectGarbage runs the collector so often that pools are empty, and lets finalizers run.
func collectGarbage() {
	for range 2 {
		runtime.GC()
		runtime.Gosched()
	}
}

// left returns the number of steps that the sequence did not use.
func (d *driver) left() int64 { return rt.Steps() + d.perturbed.later }
