package explore

import (
	"context"
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// predicates are the names of methods that report whether a value is valid.
var predicates = []string{"Valid", "IsValid", "Validate", "Check", "CheckRep", "RepOK", "RepOk"}

// Limits for one type.
const (
	mostTried    = 5000
	mostAccepted = 500
)

// predicate returns the operation that reports whether a value of a subject is valid, nil if there is none. Its only
// result is a boolean or an error.
func predicate(s subject) *api.Operation {
	for _, name := range predicates {
		for _, op := range s.operations {
			if op.Symbol.Name() != name || len(op.Params) != 1 || len(op.Results) != 1 {
				continue
			}
			if t := op.Results[0]; types.Identical(t, types.Typ[types.Bool]) || api.IsError(t) {
				return op
			}
		}
	}
	return nil
}

// accepted holds the literals of a type that its predicate accepts.
type accepted struct {
	literals []sequence.Value
	asked    int // literals passed to the predicate
	valid    int // literals that it accepted
}

// accept finds the literals of a subject that its predicate accepts, after Korat (Boyapati, Khurshid, Marinov: Korat:
// Automated Testing Based on Java Predicates, ISSTA 2002): all of a small scope, none twice. Korat skips fields that
// the predicate did not read; accept enumerates all fields, the smallest literals first, up to the size of the depth.
// Accepted literals come before other choices of the type.
func (x *explorer) accept(ctx context.Context, s subject) error {
	op := predicate(s)
	if op == nil || x.endless(op) {
		return nil
	}
	t := op.Params[0]
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if len(x.structures.settable(t)) == 0 {
		return nil
	}
	yes, err := x.truth(ctx)
	if err != nil {
		return err
	}
	var list []extension
	for size := 0; size <= x.in.Depth; size++ {
		for _, v := range x.structures.of(t, size) {
			list = append(list, asked(op, v))
		}
	}
	list = list[:min(len(list), mostTried)]
	outcomes, err := x.execute(ctx, sequences(list))
	if err != nil {
		return err
	}
	of := accepted{asked: len(list)}
	for i := range outcomes {
		x.keep(&list[i], &outcomes[i], false)
		if ended(&list[i], &outcomes[i]) && says(op, &outcomes[i], yes) {
			of.literals = append(of.literals, list[i].value)
		}
	}
	of.valid = len(of.literals)
	of.literals = of.literals[:min(of.valid, mostAccepted)]
	x.accepted[s.name] = of
	x.choices.prefer(s.name, of.literals)
	return nil
}

// asked returns the call of a predicate on a literal, as an extension.
func asked(op *api.Operation, literal sequence.Value) extension {
	receiver := literal
	if _, ok := op.Params[0].Underlying().(*types.Pointer); ok {
		receiver = sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{literal}}
	}
	return extension{operation: op, state: state{value: literal, statements: []sequence.Statement{{
		Kind: sequence.Call, Op: op.Name, Args: []sequence.Value{receiver},
	}}}}
}

// truth returns the digest of true.
func (x *explorer) truth(ctx context.Context) ([2]uint64, error) {
	outcomes, err := x.execute(ctx, []sequence.Sequence{{Statements: []sequence.Statement{{
		Kind: sequence.Let, Op: "bool", Args: []sequence.Value{{Kind: sequence.Bool, Text: "true"}},
	}}}})
	if err != nil || len(outcomes[0].Steps) != 1 || len(outcomes[0].Steps[0].Results) != 1 {
		return [2]uint64{}, err
	}
	return outcomes[0].Steps[0].Results[0].Digest, nil
}

// says reports whether a predicate accepted its literal.
func says(op *api.Operation, o *generate.Outcome, yes [2]uint64) bool {
	results := o.Steps[len(o.Steps)-1].Results
	if len(results) != 1 {
		return false
	}
	if api.IsError(op.Results[0]) {
		return !results[0].ErrorSet
	}
	return yes != [2]uint64{} && results[0].Digest == yes
}

// valid returns the states of the accepted literals of a subject, each once.
func (x *explorer) valid(ctx context.Context, s subject) ([]state, error) {
	var list []extension
	for _, t := range x.receivers(s) {
		for _, v := range x.accepted[s.name].literals {
			if _, ok := t.Underlying().(*types.Pointer); ok {
				v = sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}}
			}
			list = append(list, variable(t, nil, v))
		}
	}
	return x.play(ctx, s, list)
}

// prefer puts two literals of a type, the largest and a middle one, before other values.
func (c *choices) prefer(name string, literals []sequence.Value) {
	if n := len(literals); n > 0 {
		c.valid[name] = append(c.valid[name], plain(literals[n-1]))
	}
	if n := len(literals); n > 1 {
		c.valid[name] = append(c.valid[name], plain(literals[(n-1)/2]))
	}
	clear(c.known)
}

// preferred returns the accepted literals of a type, or pointers to them.
func (c *choices) preferred(t types.Type) []made {
	if pointer, ok := t.(*types.Pointer); ok {
		return c.wrapped(c.preferred(pointer.Elem()), func(v sequence.Value) sequence.Value {
			return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}}
		})
	}
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return nil
	}
	return slices.Clone(c.valid[symbol.Type(t)])
}
