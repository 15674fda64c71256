package contract

import (
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// observed is the maximum number of values of a subject on which its methods are called.
const observed = 8

// textNames are the names of methods that describe a value.
var textNames = []string{"String", "Error", "GoString"}

// texts returns the probes that call the methods that describe a value.
func (p *planner) texts(s *subject) (list []Probe) {
	for _, name := range textNames {
		op := s.method(name)
		if op == nil || len(op.Params) != 1 || !returns(op, isText) {
			continue
		}
		values := slices.Concat(s.values[:min(len(s.values), observed)], s.literals)
		for _, v := range values {
			if !p.fits(v.typ, op.Params[0]) || v.statements == nil && isPointer(op.Params[0]) {
				continue
			}
			b := &builder{planner: p}
			x := b.as(b.add(v), v.typ, op.Params[0])
			made := len(b.statements)
			at := b.call(op, x)
			list = append(list, b.check(NoPanic, op, made, panicked(op, at)).alone())
		}
	}
	return list
}

// panicked returns the rule that a call must not panic.
func panicked(op *api.Operation, at int) func(r run) (string, bool) {
	return func(r run) (string, bool) {
		text, panicked := r.panic(at)
		return why(text), panicked && !foreign(op, text)
	}
}

// returns reports whether the results of an operation have the given types.
func returns(op *api.Operation, want ...func(types.Type) bool) bool {
	return slices.EqualFunc(op.Results, want, func(t types.Type, is func(types.Type) bool) bool { return is(t) })
}

func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

func isBytes(t types.Type) bool { return types.Identical(t, types.NewSlice(types.Typ[types.Byte])) }

// codecNames are pairs of methods: one writes a value, the other reads it.
var codecNames = [][2]string{
	{"MarshalText", "UnmarshalText"}, {"MarshalJSON", "UnmarshalJSON"}, {"MarshalBinary", "UnmarshalBinary"},
	{"GobEncode", "GobDecode"},
}

// codecs returns the probes that read a written value.
func (p *planner) codecs(s *subject) (list []Probe) {
	for _, names := range codecNames {
		write, read := s.method(names[0]), s.method(names[1])
		if write == nil || len(write.Params) != 1 || !returns(write, isBytes, api.IsError) {
			continue
		}
		c := codec{planner: p, subject: s, write: write}
		if read != nil && len(read.Params) == 2 && isBytes(read.Params[1]) && returns(read, api.IsError) &&
			isPointer(read.Params[0]) && p.nameable[symbol.Type(s.named)] {
			c.read = read
		}
		for _, v := range s.values[:min(len(s.values), observed)] {
			if p.fits(v.typ, write.Params[0]) {
				list = append(list, c.checks(v)...)
			}
		}
	}
	return list
}

// A codec writes values of a subject and reads them.
type codec struct {
	*planner
	subject     *subject
	write, read *api.Operation // read may be nil
}

// checks returns the probes for one value.
func (c codec) checks(v value) []Probe {
	b := &builder{planner: c.planner}
	x := b.as(b.add(v), v.typ, c.write.Params[0])
	made := len(b.statements)
	first := b.call(c.write, x)
	alone := builder{statements: slices.Clone(b.statements)}
	list := []Probe{alone.check(NoPanic, c.write, made, panicked(c.write, first)).alone()}
	if c.read == nil {
		return list
	}
	t := trip{first: first, made: made}
	pointer := types.NewPointer(c.subject.named)
	y := b.variable(pointer, sequence.Value{Kind: sequence.Zero})
	t.read = b.call(c.read, y, sequence.Value{Kind: sequence.Ref, Statement: first})
	t.again = b.call(c.write, y)
	if equal, ok := c.equality(v); ok {
		sides := [2]sequence.Value{x, y}
		t.itself = b.call(equal, sides[0], sides[0])
		t.equal = b.call(equal, sides[0], sides[1])
	}
	return append(list, b.check(RoundTrip, c.read, made, t.broken).alone())
}

// equality returns the method that compares a value with another, if literals can express both.
func (c codec) equality(v value) (*api.Operation, bool) {
	for _, op := range c.subject.operations {
		r, ok := c.relationOf(c.subject, op)
		if !ok || r.kind != equality || r.inexact || types.IsInterface(op.Params[1]) {
			continue
		}
		from := v.typ
		if isPointer(c.write.Params[0]) {
			from = c.write.Params[0]
		}
		both := !slices.ContainsFunc(op.Params, func(t types.Type) bool { return isPointer(t) && !isPointer(from) })
		return op, both && r.takes(v)
	}
	return nil, false
}

// A trip has the indexes of the calls that make a value, write it, read it, write the read value again, and compare.
// Without a comparison the last two are 0.
type trip struct{ made, first, read, again, itself, equal int }

// broken reports whether the read value differs from the written one.
func (t trip) broken(r run) (string, bool) {
	wrote, ok := r.result(t.first)
	if _, failed := r.failed(t.first); !ok || failed || wrote.Nil {
		return "", false
	}
	if text, panics := r.panic(t.read); panics {
		return why(text) + ", given what was written, " + wrote.Text, true
	}
	if text, failed := r.failed(t.read); failed {
		return "refuses what was written, " + wrote.Text + ": " + text, true
	}
	again, ok := r.result(t.again)
	if text, failed := r.failed(t.again); failed {
		return "reads " + wrote.Text + " as what can not be written: " + text, true
	}
	if ok && again.Digest != wrote.Digest {
		return "reads " + wrote.Text + " as what is written " + again.Text, true
	}
	itself, ok := r.result(t.itself)
	equal, too := r.result(t.equal)
	return "reads " + wrote.Text + " as what does not equal what was written",
		t.equal > 0 && ok && too && itself.Text == "true" && equal.Text == "false"
}

// callsOfOne is the maximum number of checked calls of one method, and of checked panics of one function.
const callsOfOne = 3

// validity returns the probes that validate a value before and after a method call.
func (p *planner) validity(s *subject) (list []Probe) {
	op := s.method("Validate")
	if op == nil || len(op.Params) != 1 || !returns(op, api.IsError) || !hidden(s.named) {
		return nil
	}
	times := map[string]int{}
	for _, q := range s.last {
		last := q.Statements[len(q.Statements)-1]
		x := last.Args[0]
		if last.Op == op.Name || !p.fits(p.typeOf(q.Statements, x, op.Params[0]), op.Params[0]) ||
			!innocent(q.Statements) || times[last.Op] == callsOfOne {
			continue
		}
		times[last.Op]++
		b := &builder{planner: p, statements: slices.Clone(q.Statements[:len(q.Statements)-1])}
		made := len(b.statements)
		before := b.call(op, x)
		b.statements = append(b.statements, last)
		after := b.call(op, x)
		c := b.check(StaysValid, p.byName[last.Op], made, func(r run) (string, bool) {
			_, was := r.failed(before)
			_, called := r.failed(before + 1)
			text, failed := r.failed(after)
			return "leaves a value that was valid and now is not: " + text, !was && !called && failed
		})
		list = append(list, c.alone())
	}
	return list
}

// hidden reports whether only methods can change a value of a struct.
func hidden(named *types.Named) bool {
	of, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range of.Fields() {
		if f.Exported() {
			return false
		}
	}
	return true
}
