package sequence

import "slices"

// MaxTrials is the maximum number of sequences that Minimise asks about, Batch the maximum number in one question.
const (
	MaxTrials = 2000
	Batch     = 16
)

// Minimise returns a smaller sequence that keep keeps, or s itself if it finds none. It first keeps only the slice of
// one statement, then drops statements, then makes values simpler.
//
// Keep gets batches and reports for each sequence whether it is kept. It is assumed to keep s, because of the
// statements in shown; if shown is empty, because of any statement. Minimise never asks about a sequence twice. If s is
// valid, so is every sequence that it passes to keep.
func Minimise(s Sequence, shown []int, keep func([]Sequence) []bool) Sequence {
	m := minimiser{keep: keep, best: s, asked: map[Key]bool{s.Key(): true}}
	m.slice(shown)
	for before := -1; before != len(m.asked); {
		before = len(m.asked)
		m.dropRuns()
		m.dropSingles()
		m.bypass()
		m.simplify()
	}
	return m.best
}

type minimiser struct {
	keep  func([]Sequence) []bool
	best  Sequence
	asked map[Key]bool // sequences passed to keep, and s itself
}

// ask returns the indexes of the new candidates that are kept.
func (m *minimiser) ask(candidates []Sequence) (kept []int) {
	var batch []Sequence
	var at []int
	flush := func() {
		if len(batch) > 0 {
			for i, ok := range m.keep(batch) {
				if ok {
					kept = append(kept, at[i])
				}
			}
		}
		batch, at = nil, nil
	}
	for i, candidate := range candidates {
		key := candidate.Key()
		if m.asked[key] || len(m.asked) > MaxTrials {
			continue
		}
		m.asked[key] = true
		if batch, at = append(batch, candidate), append(at, i); len(batch) == Batch {
			flush()
		}
	}
	flush()
	return kept
}

// try replaces the best sequence by the shortest kept candidate, the first of several.
func (m *minimiser) try(candidates ...Sequence) bool {
	kept := m.ask(candidates)
	if len(kept) == 0 {
		return false
	}
	m.best = candidates[kept[0]]
	for _, i := range kept[1:] {
		if len(candidates[i].Statements) < len(m.best.Statements) {
			m.best = candidates[i]
		}
	}
	return true
}

// slice keeps only the statements that one of the shown statements needs.
func (m *minimiser) slice(shown []int) {
	var candidates []Sequence
	for _, i := range shown {
		if i >= 0 && i < len(m.best.Statements) {
			candidates = append(candidates, m.best.Slice(i, false), m.best.Slice(i, true))
		}
	}
	m.try(candidates...)
}

// Slice returns a statement with the statements that it needs: those whose results it uses, transitively. If wide is
// set, these include earlier statements that use one of these results and may have changed it.
func (s Sequence) Slice(last int, wide bool) Sequence {
	needed := make([]bool, len(s.Statements))
	needed[last] = true
	for before := 0; before < count(needed); {
		before = count(needed)
		for i := last; i >= 0; i-- {
			if st := &s.Statements[i]; needed[i] {
				st.EachRef(func(ref *Value) { needed[ref.Statement] = true })
			} else if wide && st.uses(needed) {
				needed[i] = true
			}
		}
	}
	for i := range needed {
		needed[i] = !needed[i]
	}
	return without(s, needed)
}

func count(marked []bool) (n int) {
	for _, one := range marked {
		if one {
			n++
		}
	}
	return n
}

// dropRuns drops halves, quarters and so on of the statements.
func (m *minimiser) dropRuns() {
	for size := len(m.best.Statements) / 2; size > 1; size /= 2 {
		var runs [][]int
		for end := len(m.best.Statements); end > 0; end -= size {
			var run []int
			for i := max(0, end-size); i < end; i++ {
				run = append(run, i)
			}
			runs = append(runs, run)
		}
		m.drop(runs)
	}
}

// dropSingles drops single statements as long as one can be dropped.
func (m *minimiser) dropSingles() {
	for again := true; again; {
		var singles [][]int
		for i := len(m.best.Statements) - 1; i >= 0; i-- {
			singles = append(singles, []int{i})
		}
		again = m.drop(singles)
	}
}

// drop drops groups of statements with all that depends on them: all groups that can be dropped alone, or else one of
// them.
func (m *minimiser) drop(groups [][]int) bool {
	var candidates []Sequence
	for _, group := range groups {
		candidates = append(candidates, m.dropped(group))
	}
	before, kept := m.best, m.ask(candidates)
	if len(kept) == 0 {
		return false
	}
	var all []int
	for _, i := range kept {
		all = append(all, groups[i]...)
		if candidate := candidates[i]; len(candidate.Statements) < len(m.best.Statements) {
			m.best = candidate
		}
	}
	if len(kept) > 1 {
		shortest := m.best
		m.best = before
		together := m.dropped(all)
		if m.best = shortest; len(together.Statements) < len(shortest.Statements) {
			m.try(together)
		}
	}
	return true
}

func (m *minimiser) dropped(statements []int) Sequence {
	marked := make([]bool, len(m.best.Statements))
	for _, i := range statements {
		marked[i] = true
	}
	return without(m.best, marked)
}

// bypass drops statements and gives their dependents another value.
func (m *minimiser) bypass() {
	for again := true; again; {
		var candidates []Sequence
		for i := len(m.best.Statements) - 1; i >= 0; i-- {
			for _, substitute := range m.substitutes(i) {
				marked := make([]bool, len(m.best.Statements))
				marked[i] = true
				candidates = append(candidates, without(redirect(m.best, i, substitute), marked))
			}
		}
		again = m.try(candidates...)
	}
}

// substitutes returns the possible replacements for a statement's results.
func (m *minimiser) substitutes(i int) (list []func(Value) Value) {
	st := &m.best.Statements[i]
	if st.Kind == Let {
		list = append(list, func(Value) Value { return st.Args[0] })
	}
	for j := range i {
		other := &m.best.Statements[j]
		if other.Kind == st.Kind && other.Op == st.Op && st.Kind != CallValue {
			list = append(list, func(ref Value) Value { ref.Statement = j; return ref })
			break
		}
	}
	for _, kind := range []ValueKind{Zero, Nil} {
		list = append(list, func(Value) Value { return Value{Kind: kind} })
	}
	return list
}

// simplify makes values simpler, as many at once as possible.
func (m *minimiser) simplify() {
	for from := 0; ; {
		var at []int // the position of the value in each candidate
		var simple []Value
		var candidates []Sequence
		values, whole := m.values(), m.best.whole()
		some := max(1, Batch/max(1, len(values)))
		more := false
		for position, v := range values {
			if whole[position] {
				continue
			}
			list := simpler(v)
			list = list[min(from, len(list)):]
			more = more || len(list) > 0
			for _, one := range list[:min(some, len(list))] {
				at, simple = append(at, position), append(simple, one)
				candidates = append(candidates, withValue(m.best, position, one))
			}
		}
		if !more {
			return
		}
		if kept := m.ask(candidates); len(kept) > 0 {
			m.together(kept, at, simple, candidates)
			from = 0
		} else {
			from += some
		}
	}
}

// together applies all simplifications that work alone, or the first of them.
func (m *minimiser) together(kept, at []int, simple []Value, candidates []Sequence) {
	all, last := m.best, -1
	for _, i := range slices.Backward(kept) { // a simpler value may hold fewer others, and those come behind it
		if at[i] != last {
			last = at[i]
			first := slices.IndexFunc(kept, func(j int) bool { return at[j] == last })
			all = withValue(all, last, simple[kept[first]])
		}
	}
	m.best = candidates[kept[0]]
	m.try(all)
}

// whole reports for all values, in the order of the text, whether they must not change: structs with unexported fields,
// and values that contain these. Such a field may only have values that a real call had.
func (s Sequence) whole() (list []bool) {
	var visit func(values []Value, inside bool)
	visit = func(values []Value, inside bool) {
		for i := range values {
			v := &values[i]
			kept := inside || v.Closed()
			list = append(list, kept)
			closed := inside || v.Kind == Struct && kept
			visit(v.Elems, closed)
			for _, f := range v.Fields {
				visit([]Value{f.Value}, closed)
			}
		}
	}
	for _, st := range s.Statements {
		visit(st.Args, false)
	}
	return list
}

// values returns all values of all statements, in the order of the text.
func (m *minimiser) values() (list []Value) {
	for {
		v, ok := valueAt(m.best, len(list))
		if !ok {
			return list
		}
		list = append(list, v)
	}
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

// replaceNth replaces the value that follows *n others. It subtracts the number of visited values from *n.
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
