package explore

import (
	"cmp"
	"context"
	"go/types"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// An explorer explores one type after the other.
type explorer struct {
	in         Input
	choices    *choices
	structures *structures
	accepted   map[string]accepted // by type
	nameable   map[string]bool     // types that a sequence can use for variables
	seen       *novelty.Seen
	states     map[*api.Operation]int // number of sequences kept only for a new state
	out        Explored
}

func newExplorer(in Input) *explorer {
	x := &explorer{
		in: in, nameable: map[string]bool{}, seen: novelty.New(), states: map[*api.Operation]int{},
		choices: &choices{
			operations: in.Operations, values: in.Depth, known: map[string][]made{}, valid: map[string][]made{},
		},
	}
	x.accepted = map[string]accepted{}
	x.structures = &structures{choices: x.choices, unset: in.Unset, known: map[string][]sequence.Value{}}
	for _, t := range in.Types {
		x.nameable[t.Name] = true
	}
	return x
}

// subjects returns the types that have operations, with these operations.
func subjects(operations []*api.Operation) []subject {
	aimless := !slices.ContainsFunc(operations, func(op *api.Operation) bool { return op.Reaches })
	byName := map[string]*subject{}
	for _, op := range operations {
		if !op.Receiver || op.Supplier || op.Variable {
			continue
		}
		named, _ := symbol.Receiver(op.Params[0])
		name := symbol.Type(named)
		if byName[name] == nil {
			byName[name] = &subject{name: name}
		}
		byName[name].operations = append(byName[name].operations, op)
		byName[name].wanted = byName[name].wanted || aimless || op.Reaches
	}
	var list []subject
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		list = append(list, *byName[name])
	}
	slices.SortStableFunc(list, func(a, b subject) int { return cmp.Compare(len(a.operations), len(b.operations)) })
	return list
}

// begin returns the start states of a subject, each once: values from operations that take none, or a new variable, and
// the literals that its own predicate accepts. It also reports whether these are all.
func (x *explorer) begin(ctx context.Context, s subject) (states []state, all bool, err error) {
	valid, err := x.valid(ctx, s)
	if err != nil {
		return nil, false, err
	}
	made, all := x.makers(s)
	if len(made) > 0 {
		states, err = x.addressed(ctx, s, made)
	} else if all {
		states, err = x.variables(ctx, s)
	}
	return append(states, valid...), all, err
}

// makers returns the calls that make a value of a subject, and whether these are all, as extensions does.
func (x *explorer) makers(s subject) (list []extension, all bool) {
	most := x.most()
	for _, op := range x.in.Operations {
		if op.Receiver || op.Variable || x.endless(op) || !x.makes(op, s) {
			continue
		}
		for args := range x.choices.arguments(op.Params, state{typ: types.Typ[types.Invalid]}) {
			if len(list) == most {
				return list, false
			}
			e := extension{operation: op}
			call := sequence.Statement{Kind: sequence.Call, Op: op.Name}
			for _, arg := range args {
				e.statements, call.Args = arg.appended(e.statements, call.Args)
			}
			e.statements = append(e.statements, call)
			list = append(list, e)
		}
	}
	return list, true
}

// variables returns new variables of a subject, which nothing else makes.
func (x *explorer) variables(ctx context.Context, s subject) ([]state, error) {
	var list []extension
	for _, t := range x.receivers(s) {
		list = append(list, variable(t, nil, fresh(t)))
	}
	return x.play(ctx, s, list)
}

// addressed plays extensions that make values. It adds pointers to the values if operations take pointers.
func (x *explorer) addressed(ctx context.Context, s subject, list []extension) ([]state, error) {
	values, err := x.play(ctx, s, list)
	if err != nil {
		return nil, err
	}
	var more []extension
	for _, t := range x.receivers(s) {
		pointer, ok := t.(*types.Pointer)
		for _, v := range values {
			if ok && types.Identical(pointer.Elem(), v.typ) {
				address := sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v.value}}
				more = append(more, variable(t, v.statements, address))
			}
		}
	}
	pointers, err := x.play(ctx, s, more)
	return append(values, pointers...), err
}

// variable returns statements followed by a new variable with a value.
func variable(t types.Type, before []sequence.Statement, v sequence.Value) extension {
	statements := append(slices.Clone(before), sequence.Statement{
		Kind: sequence.Let, Op: symbol.Type(t), Args: []sequence.Value{v},
	})
	ref := sequence.Value{Kind: sequence.Ref, Statement: len(before)}
	return extension{state: state{statements: statements, value: ref, typ: t}}
}

// fresh returns a zero value, or a pointer to one.
func fresh(t types.Type) sequence.Value {
	zero := sequence.Value{Kind: sequence.Zero}
	if _, ok := t.(*types.Pointer); ok {
		return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{zero}}
	}
	return zero
}

// makes reports whether an operation returns a value of the subject and takes none.
func (x *explorer) makes(op *api.Operation, s subject) bool {
	is := func(t types.Type) bool { return x.is(t, s) }
	return slices.ContainsFunc(op.Results, is) && !slices.ContainsFunc(op.Params, is)
}

// is reports whether a type is the subject or a pointer to it.
func (x *explorer) is(t types.Type, s subject) bool {
	named, _ := symbol.Receiver(t)
	return named != nil && symbol.Type(named) == s.name
}

// receivers returns the types of the receivers of a subject's operations, each once.
func (x *explorer) receivers(s subject) []types.Type {
	var list []types.Type
	for _, op := range s.operations {
		t := op.Params[0]
		if !slices.ContainsFunc(list, func(known types.Type) bool { return types.Identical(known, t) }) {
			list = append(list, t)
		}
	}
	return list
}
