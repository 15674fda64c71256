package contract

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A relation is an operation that compares two values of a subject.
type relation struct {
	*planner
	subject   *subject
	operation *api.Operation
	kind      relationKind
	inexact   bool // values may be NaN, which equals nothing
}

type relationKind int

const (
	equality   relationKind = iota // bool: the same
	comparison                     // int: below 0, 0, above 0
	less                           // bool: before the other
)

// relationNames are the names of operations that compare two values.
var relationNames = map[string]relationKind{
	"Equal": equality, "Equals": equality, "Cmp": comparison, "Compare": comparison, "CompareTo": comparison,
	"Less": less, "LessThan": less,
}

// relationOf returns the relation that an operation computes.
func (p *planner) relationOf(s *subject, op *api.Operation) (r relation, ok bool) {
	kind, ok := relationNames[op.Symbol.Name()]
	if !ok || len(op.Params) != 2 || len(op.Results) != 1 || op.Variadic {
		return r, false
	}
	result, _ := op.Results[0].Underlying().(*types.Basic)
	want := types.IsBoolean
	if kind == comparison {
		want = types.IsInteger
	}
	if result == nil || result.Info()&want == 0 || result.Info()&types.IsUnsigned != 0 {
		return r, false
	}
	other := op.Params[1]
	if !s.is(other) && (!types.IsInterface(other) || !types.AssignableTo(op.Params[0], other)) {
		return r, false
	}
	return relation{p, s, op, kind, inexact(s.named, map[types.Type]bool{})}, true
}

// inexact reports whether a value of a type may contain a float.
func inexact(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Map:
		return inexact(t.Key(), seen) || inexact(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if inexact(f.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return inexact(t.Elem(), seen)
	}
	return false
}

// The number of values that a probe compares with each other, and of probes for an operation.
const (
	compared  = 6
	relatings = 2
)

// relations returns the probes for operations that compare values.
func (p *planner) relations(s *subject) (list []Probe) {
	for _, op := range s.operations {
		r, ok := p.relationOf(s, op)
		if !ok {
			continue
		}
		fitting := slices.DeleteFunc(slices.Clone(s.values), func(v value) bool { return !r.takes(v) })
		for part := range slices.Chunk(fitting[:min(len(fitting), compared*relatings)], compared) {
			list = append(list, r.probe(part))
		}
	}
	return list
}

// takes reports whether a value fits both sides.
func (r relation) takes(v value) bool {
	left, right := r.operation.Params[0], r.operation.Params[1]
	return r.fits(v.typ, left) && (types.IsInterface(right) || r.fits(v.typ, right))
}

// sides returns a value as the left and as the right argument.
func (r relation) sides(b *builder, v value) (left, right sequence.Value) {
	made := b.add(v)
	left = b.as(made, v.typ, r.operation.Params[0])
	b.describe(r.subject, made, v.typ)
	if to := r.operation.Params[1]; types.IsInterface(to) {
		right = left
	} else if right = made; isPointer(to) {
		if right = left; !isPointer(r.operation.Params[0]) {
			right = b.as(made, v.typ, to)
		}
	}
	return left, right
}

// A table has the indexes of the calls that compare each value with each other.
type table struct {
	relation
	values []value
	made   int
	at     [][]int
}

// probe returns the probe that compares some values with each other.
func (r relation) probe(values []value) Probe {
	b := &builder{planner: r.planner}
	t := table{relation: r, values: values}
	var left, right []sequence.Value
	for _, v := range values {
		l, r := r.sides(b, v)
		left, right = append(left, l), append(right, r)
	}
	t.made = len(b.statements)
	for i := range values {
		t.at = append(t.at, nil)
		for j := range values {
			t.at[i] = append(t.at[i], b.call(r.operation, left[i], right[j]))
		}
	}
	return Probe{sequence.Sequence{Statements: b.statements}, t.checks}
}

// checks returns the checks for contracts that seem broken, and else for one difference.
func (t *table) checks(seen []run) (list []Check) {
	if t.kind == comparison && !slices.ContainsFunc(seen, t.negative) {
		return nil // probably a distance or a score, not an order
	}
	for _, r := range seen {
		list = append(list, t.broken(r)...)
	}
	for i := range t.values {
		for j := range i + 1 {
			if at := t.at[i][j]; len(list) == 0 && slices.ContainsFunc(seen, func(r run) bool {
				return !r.upTo(at).same(seen[0].upTo(at), at)
			}) {
				list = append(list, t.pair(i, j))
			}
		}
	}
	return list
}

// upTo returns the run up to a statement.
func (r run) upTo(at int) run { return run{r.statements, r.steps[:min(len(r.steps), at+1)]} }

// negative reports whether any value is before another.
func (t *table) negative(r run) bool {
	for _, row := range t.at {
		for _, at := range row {
			if n, ok := sign(r, at); ok && n < 0 {
				return true
			}
		}
	}
	return false
}

// broken returns the checks for contracts that seem broken in one run, at most one for each contract.
func (t *table) broken(r run) (list []Check) {
	n := len(t.values)
	found := map[Contract]bool{}
	try := func(c Check, broken bool) {
		if broken && !found[c.Contract] {
			found[c.Contract] = true
			list = append(list, c)
		}
	}
	for i := range n {
		for j := range i + 1 {
			_, panicked := r.panic(t.at[i][j])
			_, reverse := r.panic(t.at[j][i])
			try(t.panics(i, j), panicked)
			try(t.panics(j, i), reverse)
			c := t.pair(i, j)
			_, broken := t.contradicts(r, t.at[i][j], t.at[j][i])
			try(c, broken)
		}
	}
	for i := range n * n * n {
		x, y, z := i/n/n, i/n%n, i%n
		_, broken := t.astray(r, t.at[x][y], t.at[y][z], t.at[x][z])
		if x != y && y != z && x != z {
			try(t.triple(x, y, z), broken)
		}
	}
	return list
}

// pair returns the check that compares two values both ways, or one with itself.
func (t *table) pair(i, j int) Check {
	b := &builder{planner: t.planner}
	xl, xr := t.sides(b, t.values[i])
	if i == j {
		made := len(b.statements)
		at := b.call(t.operation, xl, xr)
		of := Antisymmetric
		if t.kind == equality {
			of = Reflexive
		}
		return b.check(of, t.operation, made, func(r run) (string, bool) { return t.contradicts(r, at, at) })
	}
	yl, yr := t.sides(b, t.values[j])
	made := len(b.statements)
	there, back := b.call(t.operation, xl, yr), b.call(t.operation, yl, xr)
	of := Antisymmetric
	if t.kind == equality {
		of = Symmetric
	}
	return b.check(of, t.operation, made, func(r run) (string, bool) { return t.contradicts(r, there, back) })
}

// contradicts reports whether the results of comparing two values both ways contradict each other. For one value, both
// calls may be the same.
func (t *table) contradicts(r run, there, back int) (string, bool) {
	x, ok := r.result(there)
	y, too := r.result(back)
	if !ok || !too {
		return "", false
	}
	m, one := sign(r, there)
	n, other := sign(r, back)
	switch {
	case t.kind == equality && there == back:
		return "a value does not equal itself", x.Text == "false" && !t.inexact
	case t.kind == equality:
		return "two values are equal one way and not the other", x.Text != y.Text
	case t.kind == less && there == back:
		return "a value is less than itself", x.Text == "true"
	case t.kind == less:
		return "each of two values is less than the other", x.Text == "true" && y.Text == "true"
	case there == back:
		return fmt.Sprintf("a value compared with itself gives %s", x.Text), one && m != 0 && !t.inexact
	}
	return fmt.Sprintf("two values give %s one way and %s the other", x.Text, y.Text), one && other && m != -n
}

// triple returns the check that compares three values.
func (t *table) triple(i, j, k int) Check {
	b := &builder{planner: t.planner}
	xl, _ := t.sides(b, t.values[i])
	yl, yr := t.sides(b, t.values[j])
	_, zr := t.sides(b, t.values[k])
	made := len(b.statements)
	xy, yz, xz := b.call(t.operation, xl, yr), b.call(t.operation, yl, zr), b.call(t.operation, xl, zr)
	return b.check(Transitive, t.operation, made, func(r run) (string, bool) { return t.astray(r, xy, yz, xz) })
}

// astray reports whether the order of three values is not transitive.
func (t *table) astray(r run, xy, yz, xz int) (string, bool) {
	if t.inexact {
		return "", false
	}
	switch t.kind {
	case less:
		a, ok := r.result(xy)
		b, too := r.result(yz)
		c, three := r.result(xz)
		const detail = "the first of three values is less than the second, that than the third, but not the first"
		return detail, ok && too && three && a.Text == "true" && b.Text == "true" && c.Text == "false"
	case comparison:
		a, ok := sign(r, xy)
		b, too := sign(r, yz)
		c, three := sign(r, xz)
		detail := fmt.Sprintf("three values give %d and %d, but the first and the third %d", a, b, c)
		return detail, ok && too && three && a <= 0 && b <= 0 && (c > 0 || c == 0 && a+b < 0)
	}
	return "", false
}

// panics returns the check that comparing two values does not panic.
func (t *table) panics(i, j int) Check {
	b := &builder{planner: t.planner}
	left, right := t.sides(b, t.values[i])
	if i != j {
		_, right = t.sides(b, t.values[j])
	}
	made := len(b.statements)
	at := b.call(t.operation, left, right)
	return b.check(NoPanic, t.operation, made, func(r run) (string, bool) {
		text, panicked := r.panic(at)
		any := t.kind == equality || i == j
		return why(text), panicked && (any || isFault(text)) && !foreign(t.operation, text)
	})
}

// sign returns the sign of the number that a statement returned.
func sign(r run, at int) (int, bool) {
	v, ok := r.result(at)
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case !ok || err != nil:
		return 0, false
	case n < 0:
		return -1, true
	case n > 0:
		return 1, true
	}
	return 0, true
}
