package search

import (
	"cmp"
	"context"
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Real calls come from up to sampled sequences for each function. Their values may take sampledBytes. At most
// callsOfOne of one function are used.
const (
	sampled      = 10
	sampledBytes = 2 << 20
	callsOfOne   = 50
)

// mostInside is the maximum number of judged sequences that call functions from inside.
const mostInside = 60

// Inside prepares calls of functions that only code of their own package can call, and chooses those that tell the
// versions apart. It needs the operations for such functions and the sequences of exported calls with their outcomes. A
// field that is not exported only gets values that a real call had. Nothing is generated.
type Inside struct {
	Operations []*api.Operation
	Exported   []*api.Operation // called by the sequences
	Kept       []selection.Sequence
	Players    *replay.Players
	// Changed returns the numbers of the blocks in changed code of a function of the old version.
	Changed func(function spectra.Symbol) []uint32
}

// Plan returns the operations to call from inside, and real calls of them as seeds. It selects the operations in whose
// changed code no sequence told the versions apart. An operation without known arguments is left out.
func (in Inside) Plan(ctx context.Context) ([]*api.Operation, []carve.Call, error) {
	untold := in.untold()
	real, err := in.calls(ctx, untold)
	calls := carved(real)
	operations := slices.DeleteFunc(untold, func(op *api.Operation) bool {
		seen := slices.ContainsFunc(calls, func(c carve.Call) bool { return c.Op == op.Name })
		return !seen && slices.ContainsFunc(op.Params, func(t types.Type) bool { return !plain(t) })
	})
	return operations, calls, err
}

// untold returns the operations in whose changed code no sequence told the versions apart.
func (in Inside) untold() []*api.Operation {
	told := map[uint32]bool{}
	for _, q := range in.Kept {
		if q.Difference != "" && q.Outcomes.Old != nil {
			for _, id := range q.Outcomes.Old.Coverage {
				told[id] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(in.Operations), func(op *api.Operation) bool {
		return slices.ContainsFunc(in.Changed(op.Symbol), func(id uint32) bool { return told[id] })
	})
}

// A real is a call that happened while a sequence ran.
type real struct {
	of   int // index of the sequence in Inside.Kept
	call sequence.Statement
}

// carved converts calls to the form of calls from tests.
func carved(calls []real) (list []carve.Call) {
	for _, c := range calls {
		list = append(list, carve.Whole(single(c.call))...)
	}
	return list
}

// calls plays sequences that run the functions of some operations, and returns the calls of these.
func (in Inside) calls(ctx context.Context, operations []*api.Operation) ([]real, error) {
	functions, chosen := map[spectra.Symbol]bool{}, map[int]bool{}
	for _, op := range operations {
		functions[op.Symbol] = true
		for _, i := range in.running(in.Changed(op.Symbol)) {
			chosen[i] = true
		}
	}
	var calls []real
	count := map[string]int{}
	for i := range in.Kept {
		if !chosen[i] {
			continue
		}
		made, err := callsOf(ctx, in.Players, []sequence.Sequence{in.Kept[i].Sequence}, functions)
		if err != nil {
			return nil, err
		}
		for _, st := range made {
			if count[st.Op]++; count[st.Op] <= callsOfOne {
				calls = append(calls, real{i, st})
			}
		}
	}
	return calls, nil
}

// callsOf plays sequences on old, and returns the calls of some functions in them.
func callsOf(
	ctx context.Context, players *replay.Players, sequences []sequence.Sequence, functions map[spectra.Symbol]bool,
) (calls []sequence.Statement, err error) {
	limit := func(p *replay.Player) { p.Limits.EventBytes = sampledBytes }
	played, err := players.Player(spectra.Old, 0, limit).Play(ctx, sequences, wire.ModeValues, wire.MainSeed)
	for n := range played {
		calls = append(calls, sequence.OfExecutions(played[n].Recorded(), functions)...)
	}
	return calls, err
}

// running returns the indexes of the quickest sequences that run any of the blocks.
func (in Inside) running(blocks []uint32) []int {
	var list []int
	for i, q := range in.Kept {
		if q.Outcomes.Old != nil && !q.Hung && slices.ContainsFunc(q.Outcomes.Old.Coverage, func(id uint32) bool {
			return slices.Contains(blocks, id)
		}) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(in.Kept[i].Steps, in.Kept[j].Steps) })
	return list[:min(len(list), sampled)]
}

// plain reports whether literals can express every value of a type.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return plain(t.Elem())
	}
	return false
}

// Beside returns some operations, and others as suppliers that only make values for them.
func Beside(operations, others []*api.Operation) []*api.Operation {
	list := slices.Clone(operations)
	for _, op := range others {
		own := *op
		own.Reaches = false
		list = append(list, &own)
	}
	return list
}

// Telling returns the shortest sequences that call some operations and tell the versions apart. It leaves out sequences
// that panic on the old version, because no caller passes such arguments.
func Telling(sequences []selection.Sequence, operations []*api.Operation) []selection.Sequence {
	list := slices.DeleteFunc(slices.Clone(sequences), func(q selection.Sequence) bool {
		return q.Difference == "" || q.Panics || !CallsAny(q, operations)
	})
	slices.SortStableFunc(list, func(x, y selection.Sequence) int {
		return cmp.Compare(len(x.Statements), len(y.Statements))
	})
	return list[:min(len(list), mostInside)]
}

// CallsAny reports whether a sequence calls any of some operations.
func CallsAny(q selection.Sequence, operations []*api.Operation) bool {
	return slices.ContainsFunc(q.Statements, func(st sequence.Statement) bool {
		return slices.ContainsFunc(operations, func(op *api.Operation) bool { return st.Op == op.Name })
	})
}
