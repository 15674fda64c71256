package diff

import (
	"hash/maphash"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// facts are the properties by which executions are compared.
type facts struct {
	spectra.Entity            // under the new name, masked parts left out
	common               bool // both versions have the function
	entryKnown, outKnown bool // false: truncated, or masked without values
	unstable             bool // it occurs in some runs of one version only
	vague                bool // it belongs to a pair that can't be decided
	execution            *spectra.Execution
	callees              []*facts
	sum                  uint64 // of all above, for the execution and all below it
}

// of returns the execution, or nil if f is nil.
func (f *facts) of() *spectra.Execution {
	if f == nil {
		return nil
	}
	return f.execution
}

// children returns the facts of the callees, none if f is nil.
func (f *facts) children() []*facts {
	if f == nil {
		return nil
	}
	return f.callees
}

// A run holds the facts about the executions of one version.
type run struct {
	*spectra.Spectrum
	steps [][]*facts // as the steps of the spectrum
	stray []*facts

	leaves bool // some goroutine outlives the execution that started it, and that is compared
	room   []facts
	of     map[*spectra.Execution]*facts // nil until it is asked for
	seen   map[spectra.Entity]bool       // nil until it is asked for
}

// learn collects the facts of a run.
func (c *comparer) learn(s *spectra.Spectrum, name naming) *run {
	r := &run{Spectrum: s}
	if c.counted {
		for e := range s.Executions {
			r.leaves = r.leaves || len(e.Goroutines) > 0
		}
	}
	for _, step := range s.Steps {
		r.steps = append(r.steps, c.learnAll(r, step.Calls, name, &facts{}))
	}
	r.stray = c.learnAll(r, s.Stray, name, &facts{})
	return r
}

func (c *comparer) learnAll(r *run, list []*spectra.Execution, name naming, caller *facts) []*facts {
	if len(list) == 0 {
		return nil
	}
	out := make([]*facts, len(list))
	for i, e := range list {
		f := c.factsOf(r, e, name, caller)
		f.callees = c.learnAll(r, e.Children, name, f)
		if c.deviating {
			f.sum = f.summed()
		}
		out[i] = f
	}
	return out
}

// factsRoom is for how many executions room is made at once.
const factsRoom = 256

func (c *comparer) factsOf(r *run, e *spectra.Execution, name naming, caller *facts) *facts {
	if len(r.room) == 0 {
		r.room = make([]facts, factsRoom)
	}
	f := &r.room[0]
	r.room = r.room[1:]
	f.execution, f.How = e, e.How
	f.Symbol, f.common = name(e.Symbol)
	f.Entry, f.entryKnown = digest(c.Mask, f.Symbol, noise.Entry, e.Entry)
	f.Exit, f.outKnown = digest(c.Mask, f.Symbol, noise.Exit, e.Exit)
	call := noise.Site{Function: caller.Symbol, State: noise.Calls, Path: spectra.Path(f.Symbol)}
	f.unstable = caller.unstable || c.Mask.Has(call)
	if c.Mask.Has(noise.Site{Function: f.Symbol, State: noise.Exit}) {
		f.How = spectra.Returned // how it ends is unstable as well
	}
	if r.leaves {
		f.Left = c.leftDigest(e, f.Symbol, name)
	}
	return f
}

var factsSeed = maphash.MakeSeed()

// summed returns a sum of what f and all below it are compared by.
func (f *facts) summed() uint64 {
	type compared struct {
		spectra.Entity
		common, entryKnown, outKnown, unstable, isGo bool
		callees                                      int
	}
	var h maphash.Hash
	h.SetSeed(factsSeed)
	maphash.WriteComparable(&h, compared{
		f.Entity, f.common, f.entryKnown, f.outKnown, f.unstable, f.execution.Go, len(f.callees)})
	for _, callee := range f.callees {
		maphash.WriteComparable(&h, callee.sum)
	}
	return h.Sum64()
}

// walk visits the facts of all executions, callers first.
func (r *run) walk(visit func(*facts)) {
	var each func(list []*facts)
	each = func(list []*facts) {
		for _, f := range list {
			visit(f)
			each(f.callees)
		}
	}
	for _, step := range r.steps {
		each(step)
	}
	each(r.stray)
}

// factsOf returns the facts about an execution.
func (r *run) factsOf(e *spectra.Execution) *facts {
	if r.of == nil {
		r.of = map[*spectra.Execution]*facts{}
		r.walk(func(f *facts) { r.of[f.execution] = f })
	}
	return r.of[e]
}

// holds reports whether an execution of the other run occurs anywhere in this one.
func (r *run) holds(f *facts) bool {
	if r.seen == nil {
		r.seen = map[spectra.Entity]bool{}
		r.walk(func(f *facts) {
			if f.common && f.entryKnown && f.outKnown {
				r.seen[f.Entity] = true
			}
		})
	}
	return f.entryKnown && f.outKnown && r.seen[f.Entity]
}
