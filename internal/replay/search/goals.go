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

// The first goals are the arguments of that many telling calls; for them, that many sequences are tried at most.
const (
	goals        = 20
	goalAttempts = 400
)

// Reached returns sequences of exported calls that hand a function inside the same arguments as a telling call, and
// tell the versions apart too. Each is a sequence that leads to a real call of the function, with one literal changed:
// where the literal contains an argument of the real call, it gets the argument of the telling call.
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

// handing returns variants of the sequence that led to a real call. Their literals may make it hand over another
// argument.
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

// typeOf returns the type of a parameter, as needed for its literals.
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
