package redundancy

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Asking takes one sequence for each pair, so it is bounded. A value that was not compared with all representatives is
// a class of its own, so fewer sequences are redundant than could be.
const (
	mostRepresentatives = 16 // of one type
	mostUnsorted        = 32 // values of one type that are compared after one batch
	mostRounds          = 6  // rounds of comparing after one batch
)

// classes sorts values into equivalence classes, by type, by calling their own Equal. For each comparison the
// statements that made both values run again.
type classes struct {
	byOperation map[string][]*kind // operation → kind of each parameter; nil without an Equal for its type
	kinds       []*kind
}

// A kind is a type with an Equal.
type kind struct {
	equal           string      // operation that compares two values
	class           map[key]key // digest of a value → digest of its class's representative
	representatives []sample
	unsorted        []sample
}

// A sample is a value and the statements that made it.
type sample struct {
	digest     key
	statements []sequence.Statement
	value      sequence.Value
	compared   int // number of representatives that it is known not to equal
}

func newClasses(operations []*api.Operation) *classes {
	c := &classes{byOperation: map[string][]*kind{}}
	byType := map[string]*kind{}
	for _, op := range operations {
		if name := symbol.Key(firstOf(op)); compares(op) && byType[name] == nil {
			byType[name] = &kind{equal: op.Name, class: map[key]key{}}
			c.kinds = append(c.kinds, byType[name])
		}
	}
	for _, op := range operations {
		list := make([]*kind, len(op.Params))
		for i, t := range op.Params {
			list[i] = byType[symbol.Key(t)]
		}
		c.byOperation[op.Name] = list
	}
	return c
}

func firstOf(op *api.Operation) types.Type {
	if len(op.Params) == 0 {
		return types.Typ[types.Invalid]
	}
	return op.Params[0]
}

// compares reports whether an operation is a method that compares two values of one type.
func compares(op *api.Operation) bool {
	name := op.Name[strings.LastIndexByte(op.Name, '.')+1:]
	return op.Receiver && (name == "Equal" || name == "Equals") && len(op.Params) == 2 && len(op.Results) == 1 &&
		types.Identical(op.Params[0], op.Params[1]) && types.Identical(op.Results[0], types.Typ[types.Bool])
}

// kindOf returns the kind of an argument, nil if its type has no Equal.
func (c *classes) kindOf(st *sequence.Statement, argument int) *kind {
	list := c.byOperation[st.Op]
	if st.Kind != sequence.Call || argument >= len(list) {
		return nil
	}
	return list[argument]
}

// of returns the digests of a statement's arguments, with each value replaced by the representative of its class.
func (c *classes) of(st *sequence.Statement, arguments [][2]uint64) [][2]uint64 {
	sorted := make([][2]uint64, len(arguments))
	for i, digest := range arguments {
		sorted[i] = digest
		if k := c.kindOf(st, i); k != nil {
			if first, ok := k.class[digest]; ok {
				sorted[i] = first
			}
		}
	}
	return sorted
}

// look plays sequences and returns their outcomes.
type look func(ctx context.Context, batch []sequence.Sequence) ([]novelty.Outcome, error)

// sort sorts the arguments of a batch's calls into classes.
func (c *classes) sort(
	ctx context.Context, ask look, batch []sequence.Sequence, outcomes []novelty.Outcome,
) error {
	for i := range batch {
		if i < len(outcomes) && judged(&outcomes[i]) {
			c.note(batch[i], &outcomes[i])
		}
	}
	for range mostRounds {
		if done, err := c.round(ctx, ask); err != nil || done {
			return err
		}
	}
	for _, k := range c.kinds {
		k.unsorted = nil
	}
	return nil
}

// note collects the unknown arguments of a sequence.
func (c *classes) note(q sequence.Sequence, o *novelty.Outcome) {
	for i := range min(len(o.Steps), len(q.Statements)) {
		st := &q.Statements[i]
		for n, digest := range o.Steps[i].Entry.Arguments {
			k := c.kindOf(st, n)
			if k == nil || n >= len(st.Args) {
				continue
			}
			if _, known := k.class[digest]; known {
				continue
			}
			k.class[digest] = digest
			if len(k.unsorted) < mostUnsorted {
				k.unsorted = append(k.unsorted, sample{digest: digest, statements: q.Statements[:i], value: st.Args[n]})
			}
		}
	}
}

// round compares unsorted values with the current representatives, and makes the first value that equals none of them
// another representative. It reports whether everything is sorted.
func (c *classes) round(ctx context.Context, ask look) (done bool, err error) {
	var batch []sequence.Sequence
	var decide []func(equal bool)
	done = true
	for _, k := range c.kinds {
		k.promote()
		for i := range k.unsorted {
			s := &k.unsorted[i]
			for _, r := range k.representatives[s.compared:] {
				batch = append(batch, pair(k.equal, r, *s))
				decide = append(decide, func(equal bool) {
					if equal && k.class[s.digest] == s.digest {
						k.class[s.digest] = r.digest
					}
				})
			}
			s.compared = len(k.representatives)
		}
		done = done && len(k.unsorted) == 0
	}
	if len(batch) == 0 {
		return done, nil
	}
	answers, err := equal(ctx, ask, batch)
	if err != nil {
		return false, fmt.Errorf("compare %d pairs of values: %w", len(batch), err)
	}
	for i, yes := range answers {
		decide[i](yes)
	}
	return false, nil
}

// promote removes sorted values, and makes the first of the others a representative if it equals none.
func (k *kind) promote() {
	var left []sample
	for _, s := range k.unsorted {
		switch {
		case k.class[s.digest] != s.digest:
		case s.compared == len(k.representatives) && len(k.representatives) < mostRepresentatives:
			k.representatives = append(k.representatives, s)
		case s.compared < len(k.representatives):
			left = append(left, s)
		}
	}
	k.unsorted = left
}

// pair returns the sequence that makes two values and compares them.
func pair(equal string, x, y sample) sequence.Sequence {
	shift := len(x.statements)
	statements := append([]sequence.Statement(nil), x.statements...)
	for _, st := range y.statements {
		statements = append(statements, st.Shifted(0, shift))
	}
	moved := sequence.Statement{Args: []sequence.Value{y.value}}.Shifted(0, shift)
	return sequence.Sequence{Statements: append(statements, sequence.Statement{
		Kind: sequence.Call, Op: equal, Args: []sequence.Value{x.value, moved.Args[0]},
	})}
}

// equal plays sequences and reports for each whether its last call returns true.
func equal(ctx context.Context, ask look, batch []sequence.Sequence) ([]bool, error) {
	truth := sequence.Sequence{Statements: []sequence.Statement{{
		Kind: sequence.Let, Op: "bool", Args: []sequence.Value{{Kind: sequence.Bool, Text: "true"}},
	}}}
	outcomes, err := ask(ctx, append(batch[:len(batch):len(batch)], truth))
	if err != nil {
		return nil, err
	}
	answer := func(i int) (key, bool) {
		statements := len(batch[min(i, len(batch)-1)].Statements)
		if i == len(batch) {
			statements = 1
		}
		if i >= len(outcomes) || len(outcomes[i].Steps) < statements ||
			len(outcomes[i].Steps[statements-1].Results) != 1 {
			return key{}, false
		}
		return outcomes[i].Steps[statements-1].Results[0].Digest, true
	}
	yes, ok := answer(len(batch))
	answers := make([]bool, len(batch))
	for i := range answers {
		got, ended := answer(i)
		answers[i] = ok && ended && got == yes
	}
	return answers, nil
}
