package search

import (
	"context"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Of telling calls the first goals are looked for, with so many sequences at most.
const (
	goals        = 20
	goalAttempts = 400
)

// Reached returns sequences of exported calls that hand over what telling calls from inside were handed, and tell the
// versions apart too. They are like sequences that lead to real calls, but for a literal: where an argument of the
// real call is found in it, it has the telling one.
func (in Inside) Reached(
	ctx context.Context, try *Tryout, telling []selection.Sequence, operations []*api.Operation,
) ([]selection.Sequence, error) {
	if len(telling) == 0 {
		return nil, nil
	}
	real, err := in.calls(ctx, operations)
	if err != nil {
		return nil, err
	}
	kept, err := try.Keep(ctx, in.attempts(real, telling))
	if err != nil {
		return nil, err
	}
	var list []selection.Sequence
	for _, q := range try.Select(kept) {
		if q.Difference != "" {
			list = append(list, q)
		}
	}
	return list, nil
}

// attempts returns the sequences to try.
func (in Inside) attempts(calls []real, telling []selection.Sequence) []sequence.Sequence {
	var list []sequence.Sequence
	asked := map[string]bool{}
	for _, q := range telling[:min(len(telling), goals)] {
		goal := q.Statements[len(q.Statements)-1]
		for _, c := range calls {
			if c.call.Op != goal.Op || len(c.call.Args) != len(goal.Args) {
				continue
			}
			for at := range goal.Args {
				for _, other := range in.handing(c, at, goal.Args[at]) {
					if text := other.String(); !asked[text] && len(list) < goalAttempts {
						asked[text] = true
						list = append(list, other)
					}
				}
			}
		}
	}
	return list
}

// handing returns sequences like the one that led to a call, with literals that may have it handed another argument.
func (in Inside) handing(c real, at int, want sequence.Value) (list []sequence.Sequence) {
	has := c.call.Args[at]
	number := want.Kind == sequence.Int || want.Kind == sequence.Uint
	if has.Kind != want.Kind || has.Text == want.Text || !number && want.Kind != sequence.String {
		return nil
	}
	comparison := value.Comparison{Number: number, Left: has.Text, Right: want.Text}
	q := in.Kept[c.of].Sequence
	for i, st := range q.Statements {
		for n := range st.Args {
			comparison.Each(st.Args[n], in.typeOf(st, n), func(v sequence.Value) {
				list = append(list, q.With(i, n, v))
			})
		}
	}
	return list
}

// typeOf returns what literals of a parameter depend on.
func (in Inside) typeOf(st sequence.Statement, n int) value.Type {
	for _, op := range in.Exported {
		if op.Name == st.Op && n < len(op.Params) {
			if _, ok := op.Params[n].Underlying().(*types.Basic); ok {
				return value.TypeOf(op.Params[n], symbol.Type(op.Params[n]))
			}
		}
	}
	return value.Type{}
}
