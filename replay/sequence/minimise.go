package sequence

import "slices"

// This file defines minimising. First whole statements are dropped, then values are made simpler.

// MaxTrials is the largest number of calls of keep by Minimise.
const MaxTrials = 2000

// Minimise returns a smaller sequence for which keep returns true, or s itself if it finds none. It
// assumes that keep(s) is true. It never calls keep twice for the same sequence, and calls it at most
// MaxTrials times. If s is valid, so is every sequence that is passed to keep.
func Minimise(s Sequence, keep func(Sequence) bool) Sequence {
	m := minimiser{keep: keep, best: s, asked: map[Key]bool{s.Key(): true}}
	for before := -1; before != len(m.asked); {
		before = len(m.asked)
		m.dropRuns()
		m.dropSingles()
		m.simplify()
	}
	return m.best
}

type minimiser struct {
	keep  func(Sequence) bool
	best  Sequence
	asked map[Key]bool // sequences passed to keep, and s itself
}

// try makes candidate the best one if keep holds for it.
func (m *minimiser) try(candidate Sequence) bool {
	if len(m.asked) > MaxTrials {
		return false
	}
	key := candidate.Key()
	if m.asked[key] {
		return false
	}
	m.asked[key] = true
	if !m.keep(candidate) {
		return false
	}
	m.best = candidate
	return true
}

// dropRuns drops halves, quarters and so on of the statements, the last ones first.
func (m *minimiser) dropRuns() {
	for size := len(m.best.Statements) / 2; size > 1; size /= 2 {
		for end := len(m.best.Statements); end > 0; end = min(end-size, len(m.best.Statements)) {
			m.try(m.dropped(max(0, end-size), end))
		}
	}
}

func (m *minimiser) dropped(start, end int) Sequence {
	marked := make([]bool, len(m.best.Statements))
	for i := start; i < end; i++ {
		marked[i] = true
	}
	return without(m.best, marked)
}

// dropSingles drops statements one by one, the last ones first. It drops everything that depends on the
// statement too, or replaces the statement's results.
func (m *minimiser) dropSingles() {
	for i := len(m.best.Statements) - 1; i >= 0; i-- {
		if i < len(m.best.Statements) && !m.try(m.dropped(i, i+1)) {
			m.bypass(i)
		}
	}
}

// bypass drops only the statement, and replaces its results by another value.
func (m *minimiser) bypass(i int) {
	st := &m.best.Statements[i]
	var substitutes []func(Value) Value
	if st.Kind == Let {
		substitutes = append(substitutes, func(Value) Value { return st.Args[0] })
	}
	for j := range i {
		other := &m.best.Statements[j]
		if other.Kind == st.Kind && other.Op == st.Op && st.Kind != CallValue {
			substitutes = append(substitutes, func(ref Value) Value { ref.Statement = j; return ref })
			break
		}
	}
	for _, kind := range []ValueKind{Zero, Nil} {
		substitutes = append(substitutes, func(Value) Value { return Value{Kind: kind} })
	}
	before := m.best
	for _, substitute := range substitutes {
		m.best = redirect(before, i, substitute)
		candidate := m.dropped(i, i+1)
		m.best = before
		if m.try(candidate) {
			return
		}
	}
}

// simplify makes the values simpler, one after the other, each as far as possible.
func (m *minimiser) simplify() {
	for position := 0; ; position++ {
		v, ok := valueAt(m.best, position)
		for ok && m.simplifyAt(position, v) {
			v, ok = valueAt(m.best, position)
		}
		if !ok {
			return
		}
	}
}

func (m *minimiser) simplifyAt(position int, v Value) bool {
	return slices.ContainsFunc(simpler(v), func(candidate Value) bool {
		return m.try(withValue(m.best, position, candidate))
	})
}

// valueAt returns the value at a position among all values of all statements, in the order of the text.
func valueAt(s Sequence, position int) (found Value, ok bool) {
	for i := range s.Statements {
		replaceNth(s.Statements[i].Args, &position, func(v Value) Value {
			found, ok = v, true
			return v
		})
	}
	return found, ok
}

// withValue returns s with another value at a position.
func withValue(s Sequence, position int, value Value) Sequence {
	statements := slices.Clone(s.Statements)
	for i := range statements {
		statements[i].Args = replaceNth(statements[i].Args, &position, func(Value) Value { return value })
	}
	return Sequence{Statements: statements}
}

// replaceNth replaces the value that has *n values before it. It subtracts the number of values it has
// visited from *n.
func replaceNth(values []Value, n *int, replace func(Value) Value) []Value {
	for i := range values {
		if *n < 0 {
			return values
		}
		if *n--; *n < 0 {
			values = slices.Clone(values)
			values[i] = replace(values[i])
			return values
		}
		elems, fields := replaceNth(values[i].Elems, n, replace), values[i].Fields
		for j := 0; j < len(fields) && *n >= 0; j++ {
			one := replaceNth([]Value{fields[j].Value}, n, replace)
			if *n < 0 {
				fields = slices.Clone(fields)
				fields[j].Value = one[0]
			}
		}
		if *n < 0 {
			values = slices.Clone(values)
			values[i].Elems, values[i].Fields = elems, fields
		}
	}
	return values
}
