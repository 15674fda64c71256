package explore

import (
	"context"
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// play plays extensions, keeps those that showed something new, and returns the new states.
func (x *explorer) play(ctx context.Context, s subject, list []extension) ([]state, error) {
	outcomes, err := x.execute(ctx, sequences(list))
	if err != nil {
		return nil, err
	}
	var left []state
	for i := range outcomes {
		if ended(&list[i], &outcomes[i]) {
			left = append(left, x.left(i, &list[i], &outcomes[i], s)...)
		}
	}
	states, err := x.unseen(ctx, left)
	isNew := map[int]bool{}
	for _, s := range states {
		isNew[s.of] = true
	}
	for i := range outcomes {
		x.keep(&list[i], &outcomes[i], isNew[i])
	}
	return states, err
}

// ended reports whether a sequence ran to its end.
func ended(e *extension, o *generate.Outcome) bool {
	return !o.Missing && !o.Panicked && !o.Rejected && !o.Killed() && len(o.Steps) == len(e.statements)
}

func sequences(list []extension) []sequence.Sequence {
	var out []sequence.Sequence
	for _, e := range list {
		out = append(out, sequence.Sequence{Statements: e.statements})
	}
	return out
}

// batch is the number of sequences that are played at once.
const batch = 256

func (x *explorer) execute(ctx context.Context, list []sequence.Sequence) ([]generate.Outcome, error) {
	var outcomes []generate.Outcome
	for part := range slices.Chunk(list, batch) {
		got, err := x.in.Execute(ctx, part)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, got...)
		x.out.Stats.Sequences += len(part)
		if x.in.Progress != nil {
			x.in.Progress(x.out.Stats.Sequences)
		}
	}
	return outcomes, nil
}

// keep keeps a sequence that showed something new or left a new state.
func (x *explorer) keep(e *extension, o *generate.Outcome, isNew bool) {
	if o.Missing {
		return
	}
	stats := &x.out.Stats
	stats.Steps += len(o.Steps)
	reason := x.reason(e, o)
	if reason == "" && isNew && e.operation != nil && x.states[e.operation] < statesKept {
		x.states[e.operation]++
		reason = generate.NewState
	}
	switch {
	case reason != "":
		stats.Kept++
		hits := x.in.Changed != nil && slices.ContainsFunc(o.Coverage, x.in.Changed)
		x.out.Kept = append(x.out.Kept, generate.Kept{
			Sequence: sequence.Sequence{Statements: e.statements[:min(len(e.statements), len(o.Steps)+1)]},
			Reason:   reason, Changed: hits, Played: o.Played,
		})
	case ended(e, o):
		stats.Redundant++
	default:
		stats.Illegal++
	}
}

// The maximum numbers of kept sequences without anything else new: for new states, of those that end with the same
// operation; for one difference between the versions.
const (
	statesKept = 200
	apartKept  = 40
)

// reason returns the reason to keep a sequence, "" if there is none.
func (x *explorer) reason(e *extension, o *generate.Outcome) generate.Reason {
	if e.operation == nil || o.Rejected {
		return ""
	}
	hit, _ := x.seen.Hits(o, nil)
	apart := o.Difference != "" && x.seen.Differences(o.Difference) <= apartKept
	way, value := "no end", false
	if last := len(e.statements) - 1; len(o.Steps) > last {
		way = novelty.Way(&o.Steps[last])
		for r, result := range o.Steps[last].Results {
			value = x.seen.Value(e.operation.Name, r, result.Digest) || value
		}
	}
	switch first := x.seen.First(e.operation.Name, "", way); {
	case hit:
		return generate.NewCoverage
	case apart:
		return generate.NewDifference
	case first && o.Panicked:
		return generate.NewPanic
	case first && !ended(e, o):
		return generate.NewEnd
	case first:
		return generate.NewOutcome
	case value:
		return generate.NewValue
	}
	return ""
}

// left returns the values of the subject after a sequence: the receiver of its last call and the results.
func (x *explorer) left(of int, e *extension, o *generate.Outcome, s subject) []state {
	var list []state
	if e.typ != nil {
		list = append(list, state{e.statements, e.value, e.typ, of})
	}
	if e.operation == nil {
		return list
	}
	at := len(e.statements) - 1
	results := o.Steps[at].Results
	for r, t := range e.operation.Results {
		if r < len(results) && !results[r].Nil && !novelty.Failed(results) && x.is(t, s) {
			ref := sequence.Value{Kind: sequence.Ref, Statement: at, Result: r}
			list = append(list, state{e.statements, ref, t, of})
		}
	}
	return list
}

// unseen returns the states that no other value was in. Each value is observed by itself, in a variable behind the
// statements that made it.
func (x *explorer) unseen(ctx context.Context, list []state) ([]state, error) {
	var looks []sequence.Sequence
	list = slices.DeleteFunc(list, func(s state) bool { return !x.known(s.typ) })
	for _, s := range list {
		look := sequence.Statement{Kind: sequence.Let, Op: symbol.Type(s.typ), Args: []sequence.Value{s.value}}
		own := s.statements[:len(s.statements):len(s.statements)]
		looks = append(looks, sequence.Sequence{Statements: append(own, look)})
	}
	outcomes, err := x.execute(ctx, looks)
	if err != nil {
		return nil, err
	}
	var unseen []state
	for i, s := range list {
		n := len(s.statements)
		if steps := outcomes[i].Steps; len(steps) > n && len(steps[n].Results) == 1 {
			if x.seen.Known(symbol.Type(s.typ), steps[n].Results[0].Digest) {
				unseen = append(unseen, s)
			}
		}
	}
	return unseen, nil
}

// known reports whether a sequence can use a type for a variable.
func (x *explorer) known(t types.Type) bool {
	named, _ := symbol.Receiver(t)
	return named != nil && x.nameable[symbol.Type(named)]
}
