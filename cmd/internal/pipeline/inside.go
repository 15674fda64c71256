package pipeline

// This file calls changed functions that are not exported from inside their packages, where no sequence told the
// versions apart in them: with the values that they are called with, and mutants of these.

import (
	"cmp"
	"context"
	"errors"
	"go/types"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/direct"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/cmd/internal/tryout"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// So long, or with --sequences so many sequences, functions are called from inside at most. Their real calls are taken
// from directSampled sequences for each, of which the values may take directBytes, and directCalls of them at most.
const (
	directBudget    = 5 * time.Second
	directSequences = 300
	directSampled   = 10
	directBytes     = 2 << 20
	directCalls     = 50
)

// directJudged is how many sequences that call functions from inside are judged at most.
const directJudged = 60

// insideOperations returns operations for the changed functions that only code of their own package can call.
func (p *plan) insideOperations() spectra.Pair[[]*api.Operation] {
	return api.Inside(p.sides.Old.target, p.sides.New.target, p.driven, p.common, p.changedSymbols())
}

// generateInside generates sequences that call changed functions from inside their packages: those in which no kept
// sequence told the versions apart. It returns the sequences that do.
func generateInside(ctx context.Context, t *task, g *generated) ([]choice.Sequence, error) {
	operations := g.untold()
	if len(operations) == 0 || t.env.Over() {
		return nil, nil
	}
	seeds, err := g.realCalls(ctx, operations)
	if err != nil {
		return nil, err
	}
	operations = slices.DeleteFunc(operations, func(op *api.Operation) bool {
		seen := slices.ContainsFunc(seeds, func(c generate.Call) bool { return c.Op == op.Name })
		return !seen && slices.ContainsFunc(op.Params, func(t types.Type) bool { return !plain(t) })
	})
	if len(operations) == 0 {
		return nil, nil
	}
	t.env.Detailf("calling %d functions from inside, %d real calls of them are known", len(operations), len(seeds))
	try, out, err := tryOut(ctx, t, g.built, g.players, effort{
		operations: slices.Concat(operations, aside(g.callable.Operations.Old)), calls: seeds,
		sequences: min(t.cfg.Sequences, directSequences), most: directBudget, apart: directBudget,
		settled: t.cfg.Sequences == 0,
	})
	if errors.Is(err, tryout.ErrBubble) {
		t.env.Detailf("calls from inside: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	inside := map[string]bool{}
	for _, op := range operations {
		inside[op.Name] = true
	}
	list := slices.DeleteFunc(try.Select(out.Kept), func(q choice.Sequence) bool {
		calls := slices.ContainsFunc(q.Statements, func(st sequence.Statement) bool { return inside[st.Op] })
		return !calls || q.Apart == "" || q.Panics // what panics on old, nobody hands over
	})
	slices.SortStableFunc(list, func(x, y choice.Sequence) int {
		return cmp.Compare(len(x.Statements), len(y.Statements))
	})
	t.env.Detailf("calls from inside: %d of %d sequences tell the versions apart", len(list), len(out.Kept))
	return list[:min(len(list), directJudged)], nil
}

// untold returns the operations inside whose changed code no sequence ran that told the versions apart.
func (g *generated) untold() []*api.Operation {
	told := map[uint32]bool{}
	for _, q := range g.kept {
		if q.Apart != "" && q.Seen.Old != nil {
			for _, id := range q.Seen.Old.Coverage {
				told[id] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(g.inside.Old), func(op *api.Operation) bool {
		return slices.ContainsFunc(g.changedIn(op.Symbol), func(id uint32) bool { return told[id] })
	})
}

// changedIn returns the numbers of the blocks in changed code of a function of old.
func (b *built) changedIn(function spectra.Symbol) (list []uint32) {
	for _, point := range b.versions.Old.points() {
		if point.Symbol != function {
			continue
		}
		b.versions.Old.blocks(func(id uint32, _ string, _ int, of spectra.Block) {
			if b.watched.Old[id] && of.File == point.File && point.Line <= of.Line && of.Last <= point.EndLine {
				list = append(list, id)
			}
		})
	}
	return list
}

// realCalls plays sequences that run some operations' functions, and returns the calls of these.
func (g *generated) realCalls(ctx context.Context, operations []*api.Operation) ([]generate.Call, error) {
	functions, chosen := map[spectra.Symbol]bool{}, map[int]bool{}
	for _, op := range operations {
		functions[op.Symbol] = true
		for _, i := range g.running(g.changedIn(op.Symbol)) {
			chosen[i] = true
		}
	}
	var calls []generate.Call
	count := map[string]int{}
	for i := range g.kept {
		if !chosen[i] {
			continue
		}
		limit := func(p *replay.Player) { p.Limits.EventBytes = directBytes }
		played, err := g.players.Player(spectra.Old, 0, limit).Play(
			ctx, []sequence.Sequence{g.kept[i].Sequence}, wire.ModeValues, wire.MainSeed)
		if err != nil {
			return nil, err
		}
		for n := range played {
			for _, st := range direct.Calls(played[n].Recorded(), functions) {
				if count[st.Op]++; count[st.Op] <= directCalls {
					calls = append(calls, seed(st))
				}
			}
		}
	}
	return calls, nil
}

// seed returns a call whose arguments are all known.
func seed(st sequence.Statement) generate.Call {
	c := generate.Call{Op: st.Op}
	for i := range st.Args {
		c.Args = append(c.Args, &st.Args[i])
	}
	return c
}

// running returns the indexes of the quickest sequences that run any of some blocks.
func (g *generated) running(blocks []uint32) []int {
	var list []int
	for i, q := range g.kept {
		if q.Seen.Old != nil && !q.Hung && slices.ContainsFunc(q.Seen.Old.Coverage, func(id uint32) bool {
			return slices.Contains(blocks, id)
		}) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(g.kept[i].Steps, g.kept[j].Steps) })
	return list[:min(len(list), directSampled)]
}

// plain reports whether a value of a type says all that there is to know of it.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return plain(t.Elem())
	}
	return false
}

// aside returns operations as ones that can't reach changed code: they only make values for others.
func aside(operations []*api.Operation) []*api.Operation {
	var list []*api.Operation
	for _, op := range operations {
		own := *op
		own.Reaches = false
		list = append(list, &own)
	}
	return list
}

// judgeInside judges the sequences that call functions from inside, and returns the examples of the roots among these
// functions that no other sequence showed.
func judgeInside(ctx context.Context, t *task, g *generated, j *judge.Judged) (*judge.Judged, error) {
	known := map[spectra.Symbol]bool{}
	for _, e := range j.Roots {
		known[e.Root.Function], known[e.Found.Function] = true, true
	}
	wanted, own := map[spectra.Symbol]bool{}, *g
	own.kept = nil
	for _, q := range g.direct {
		for _, op := range g.inside.Old {
			of := spectra.Symbol(g.newName(string(op.Symbol)))
			if !known[of] && q.Drives(op.Name) {
				wanted[of] = true
				own.kept = append(own.kept, q)
				break
			}
		}
	}
	if len(own.kept) == 0 || t.env.Over() {
		return nil, nil
	}
	played, err := judge.Play(ctx, t.env, own.subject(t))
	if err != nil {
		return nil, err
	}
	judged, err := judge.Judge(ctx, t.env, played)
	if err != nil {
		return nil, err
	}
	judged.Roots = slices.DeleteFunc(judged.Roots, func(e judge.Example) bool { return !wanted[e.Root.Function] })
	return judged, nil
}
