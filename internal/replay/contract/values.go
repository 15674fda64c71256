package contract

import (
	"go/types"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A planner makes probes.
type planner struct {
	in       Input
	byName   map[string]*api.Operation
	nameable map[string]bool
}

func newPlanner(in Input) *planner {
	p := &planner{in: in, byName: map[string]*api.Operation{}, nameable: map[string]bool{}}
	for _, op := range in.Operations {
		p.byName[op.Name] = op
	}
	for _, t := range in.Types {
		p.nameable[t.Name] = true
	}
	return p
}

// A subject is a type whose methods have contracts.
type subject struct {
	named      *types.Named
	operations []*api.Operation // methods, and functions with such a value as first parameter
	values     []value          // made by operations
	literals   []value          // made from literals
	last       []sequence.Sequence
}

// A value is a value of a subject, or a pointer to one, with the statements that make it.
type value struct {
	statements []sequence.Statement
	value      sequence.Value
	typ        types.Type
}

// The maximum number of values of a subject, and of subjects, by name.
const (
	mostValues   = 12
	mostSubjects = 40
	longest      = 12 // statements that make a value
)

// subjects returns the types that a changed function returns or takes first.
func (p *planner) subjects() []*subject {
	found, wanted := map[string]*subject{}, map[string]bool{}
	for _, op := range p.in.Operations {
		if op.Inside {
			continue
		}
		for _, t := range slices.Concat(op.Params[:min(len(op.Params), 1)], op.Results) {
			if named, _ := symbol.Receiver(t); named != nil && op.Reaches {
				wanted[symbol.Type(named)] = true
			}
		}
		if op.Supplier || op.Variable || len(op.Params) == 0 {
			continue
		}
		if named, _ := symbol.Receiver(op.Params[0]); named != nil {
			name := symbol.Type(named)
			if found[name] == nil {
				found[name] = &subject{named: named}
			}
			found[name].operations = append(found[name].operations, op)
		}
	}
	var list []*subject
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if wanted[name] && len(list) < mostSubjects {
			list = append(list, found[name])
		}
	}
	p.collect(list)
	return list
}

// is reports whether a type is the subject or a pointer to it.
func (s *subject) is(t types.Type) bool {
	named, _ := symbol.Receiver(t)
	return named != nil && types.Identical(named, s.named)
}

// method returns the operation of the subject's method with that name, nil if there is none.
func (s *subject) method(name string) *api.Operation {
	for _, op := range s.operations {
		if op.Receiver && op.Symbol.Name() == name {
			return op
		}
	}
	return nil
}

// collect finds values in the sequences. It takes them in turn from the operations that made them last.
func (p *planner) collect(list []*subject) {
	for _, s := range list {
		made, order := map[string][]value{}, []string{}
		seen := map[string]bool{}
		add := func(to string, v value) {
			key := sequence.Sequence{Statements: append(v.statements[:len(v.statements):len(v.statements)],
				sequence.Statement{Kind: sequence.Let, Op: "x", Args: []sequence.Value{v.value}})}.String()
			if seen[key] || len(v.statements) > longest || !innocent(v.statements) {
				return
			}
			if seen[key] = true; made[to] == nil {
				order = append(order, to)
			}
			made[to] = append(made[to], v)
		}
		for _, m := range p.in.Made {
			if n := len(m.Sequence.Statements); !m.Panics && n > 0 && m.Sequence.Statements[n-1].Kind == sequence.Call {
				p.made(s, m.Sequence, add)
			}
		}
		for round := 0; len(s.values) < mostValues; round++ {
			before := len(s.values)
			for _, to := range order {
				if round < len(made[to]) && len(s.values) < mostValues {
					s.values = append(s.values, made[to][round])
				}
			}
			if before == len(s.values) {
				break
			}
		}
	}
}

// made adds the values of a subject after a sequence: the result of its last call and the receiver.
func (p *planner) made(s *subject, q sequence.Sequence, add func(to string, v value)) {
	last := len(q.Statements) - 1
	st := q.Statements[last]
	op := p.byName[st.Op]
	if op == nil || op.Inside {
		return
	}
	for i, t := range op.Results {
		if s.is(t) {
			own := q.Slice(last, false).Statements
			ref := sequence.Value{Kind: sequence.Ref, Statement: len(own) - 1, Result: i}
			add(op.Name, value{own, ref, t})
		}
	}
	for i, t := range op.Params[:min(len(op.Params), len(st.Args))] {
		switch {
		case !s.is(t):
		case st.Args[i].Kind == sequence.Ref:
			own := q.Slice(last, true).Statements
			if op.Receiver && i == 0 && op.Name != "" {
				s.last = append(s.last, sequence.Sequence{Statements: own})
			}
			if left := own[len(own)-1].Args[i]; types.IsInterface(t) || isPointer(t) {
				add(op.Name, value{own, left, p.typeOf(own, left, t)})
			}
		case plain(&st.Args[i]):
			if len(s.literals) < mostValues && !slices.ContainsFunc(s.literals, func(v value) bool {
				return v.value.Text == st.Args[i].Text
			}) {
				s.literals = append(s.literals, value{nil, st.Args[i], s.named})
			}
		}
	}
}

// typeOf returns the type of a result. For a variable it returns the type of the slot that it fits.
func (p *planner) typeOf(statements []sequence.Statement, ref sequence.Value, slot types.Type) types.Type {
	st := statements[ref.Statement]
	if op := p.byName[st.Op]; st.Kind == sequence.Call && op != nil && ref.Result < len(op.Results) {
		return op.Results[ref.Result]
	}
	return slot
}

func isPointer(t types.Type) bool { _, ok := types.Unalias(t).(*types.Pointer); return ok }

// plain reports whether a value is a number, a text or a boolean.
func plain(v *sequence.Value) bool {
	switch v.Kind {
	case sequence.Bool, sequence.Int, sequence.Uint, sequence.Float, sequence.String:
		return true
	}
	return false
}

// innocent reports whether all statements are calls whose arguments certainly contain no nil.
func innocent(statements []sequence.Statement) bool {
	var bad func(v sequence.Value) bool
	bad = func(v sequence.Value) bool {
		switch v.Kind {
		case sequence.Ref, sequence.List, sequence.Map, sequence.Typed, sequence.Complex:
			return slices.ContainsFunc(v.Elems, bad)
		}
		return !plain(&v)
	}
	for _, st := range statements {
		if st.Kind != sequence.Call || slices.ContainsFunc(st.Args, bad) {
			return false
		}
	}
	return true
}
