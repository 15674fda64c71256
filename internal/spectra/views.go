package spectra

import (
	"cmp"
	"slices"
)

// An Entity is a function execution as a spectrum sees it. Two executions are equivalent if and only if
// their entities are equal.
type Entity struct {
	Symbol      Symbol
	Entry, Exit Digest
	How         How
	Left        uint64 // stands for the goroutines that it left running; 0: none
}

// Compare orders entities, so that spectra can be sorted.
func (e Entity) Compare(other Entity) int {
	return cmp.Or(cmp.Compare(e.Symbol, other.Symbol), slices.Compare(e.Entry[:], other.Entry[:]),
		slices.Compare(e.Exit[:], other.Exit[:]), cmp.Compare(e.How, other.How), cmp.Compare(e.Left, other.Left))
}

// An Identity returns an execution's entity. If it returns false, the execution is left out, but not its
// callees.
type Identity func(*Execution) (Entity, bool)

// Count is the value count spectrum: how often each function execution occurs.
type Count map[Entity]int

// Trace is the value trace spectrum: for each goroutine its function executions in the order of their
// entries, with a zero Entity for each return. The goroutine that runs the sequence stands first. The
// others are sorted, because their order means nothing.
type Trace [][]Entity

// Count returns the value count spectrum.
func (s *Spectrum) Count(id Identity) Count {
	count := Count{}
	for e := range s.Executions {
		if entity, ok := id(e); ok {
			count[entity]++
		}
	}
	return count
}

// Differ reports whether the hit and the count spectra of two runs differ, at a fraction of what the spectra take.
func Differ(old, new *Spectrum, ofOld, ofNew Identity) (hit, count bool) {
	type occurrences struct{ old, new int32 }
	seen := map[Entity]occurrences{}
	for e := range old.Executions {
		if entity, ok := ofOld(e); ok {
			n := seen[entity]
			n.old++
			seen[entity] = n
		}
	}
	for e := range new.Executions {
		if entity, ok := ofNew(e); ok {
			n := seen[entity]
			if n.old == 0 {
				return true, true
			}
			n.new++
			seen[entity] = n
		}
	}
	for _, n := range seen {
		hit, count = hit || n.new == 0, count || n.old != n.new
	}
	return hit, count
}

// Trace returns the value trace spectrum.
func (s *Spectrum) Trace(id Identity) Trace {
	trace := Trace{nil}
	for _, step := range s.Steps {
		for _, call := range step.Calls {
			trace.add(0, call, id)
		}
	}
	for _, e := range s.Stray {
		trace = append(trace, nil)
		trace.add(len(trace)-1, e, id)
	}
	slices.SortFunc(trace[1:], func(x, y []Entity) int { return slices.CompareFunc(x, y, Entity.Compare) })
	return trace
}

func (t *Trace) add(line int, e *Execution, id Identity) {
	entity, ok := id(e)
	if ok {
		(*t)[line] = append((*t)[line], entity)
	}
	for _, child := range e.Children {
		if child.Go {
			*t = append(*t, nil)
			t.add(len(*t)-1, child, id)
		} else {
			t.add(line, child, id)
		}
	}
	if ok {
		(*t)[line] = append((*t)[line], Entity{})
	}
}

// Equal reports whether two trace spectra are the same.
func (t Trace) Equal(other Trace) bool {
	return slices.EqualFunc(t, other, func(x, y []Entity) bool { return slices.Equal(x, y) })
}

// Executions yields every execution of s, callers before callees.
func (s *Spectrum) Executions(yield func(*Execution) bool) {
	for _, step := range s.Steps {
		for _, call := range step.Calls {
			if !call.Walk(yield) {
				return
			}
		}
	}
	for _, e := range s.Stray {
		if !e.Walk(yield) {
			return
		}
	}
}

// Nodes counts the executions of a spectrum, and the values of their states, those of equal states once: what it takes
// memory for.
func (s *Spectrum) Nodes() int {
	n := 0
	counted := map[*values]bool{}
	for e := range s.Executions {
		n++
		for _, v := range []*values{e.Entry.values, e.Exit.values} {
			if v != nil && !counted[v] {
				counted[v] = true
				n += v.nodes
			}
		}
	}
	return n
}

// Walk visits e and all below it, callers before callees, until visit returns false.
func (e *Execution) Walk(visit func(*Execution) bool) bool {
	if !visit(e) {
		return false
	}
	for _, child := range e.Children {
		if !child.Walk(visit) {
			return false
		}
	}
	return true
}

// String returns how an execution ended, in words.
func (h How) String() string {
	switch h {
	case Returned:
		return "returned"
	case Panicked:
		return "panicked"
	case Goexited:
		return "ended its goroutine"
	case Open:
		return "still running"
	}
	return "unknown"
}
