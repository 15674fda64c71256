package pipeline

// This file calls changed functions that are not exported from inside their packages, where no exported call told the
// versions apart in them.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/inside"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/cmd/internal/search"
	"github.com/spectradiff/spectradiff/cmd/internal/tryout"
	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/spectra"
)

// So long, or with --sequences so many sequences, functions are called from inside at most.
const (
	insideBudget    = 5 * time.Second
	insideSequences = 300
)

// insideOperations returns operations for the changed functions that only code of their own package can call.
func (p *plan) insideOperations() spectra.Pair[[]*api.Operation] {
	return api.Inside(p.sides.Old.target, p.sides.New.target, p.driven, p.common, p.changedSymbols())
}

// generateInside returns sequences that call changed functions from inside their packages and tell the versions apart.
func generateInside(ctx context.Context, t *task, g *generated) ([]choice.Sequence, error) {
	if len(g.inside.Old) == 0 || t.cfg.Without.Inside || t.env.Over() {
		return nil, nil
	}
	in := inside.Input{
		Operations: g.inside.Old, Exported: g.callable.Operations.Old, Kept: g.kept, Players: g.players,
		Changed: g.changedIn,
	}
	operations, calls, err := in.Plan(ctx)
	if err != nil || len(operations) == 0 {
		return nil, err
	}
	t.env.Detailf("calling %d functions from inside, %d real calls of them are known", len(operations), len(calls))
	beside := inside.Beside(operations, g.callable.Operations.Old)
	mined, unread := g.mined(t, beside)
	for _, w := range unread {
		if !slices.Contains(g.warnings, w) {
			g.warnings = append(g.warnings, w)
		}
	}
	found, err := look(ctx, t, g.built, g.players, effort{
		operations: beside, calls: append(calls, mined...),
		limits: search.Limits{
			Sequences: min(t.cfg.Sequences, insideSequences), Most: insideBudget, Apart: insideBudget,
		},
		settled: t.cfg.Sequences == 0,
	})
	if errors.Is(err, tryout.ErrBubble) {
		t.env.Detailf("calls from inside: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	telling := inside.Telling(found.Tryout.Select(found.Kept), operations)
	reached, err := in.Reached(ctx, found.Tryout, telling, operations)
	g.kept = append(g.kept, reached...)
	return telling, err
}

// changedIn returns the numbers of the blocks in changed code of a function of old.
func (b *built) changedIn(function spectra.Symbol) []uint32 {
	blocks := b.versions.Old.packages.BlocksOf(function)
	return slices.DeleteFunc(blocks, func(id uint32) bool { return !b.watched.Old[id] })
}

// judgeInside judges the sequences that call functions from inside. Its roots are those among these functions that no
// exported call showed; nil where there is nothing to judge.
func judgeInside(ctx context.Context, t *task, g *generated, j *judge.Judged) (*judge.Judged, error) {
	operations := map[spectra.Symbol]*api.Operation{}
	for _, op := range g.inside.Old {
		operations[spectra.Symbol(g.newName(string(op.Symbol)))] = op
	}
	for _, e := range j.Roots {
		delete(operations, e.Root.Function)
		delete(operations, e.Found.Function)
	}
	own := *g
	own.kept = slices.DeleteFunc(slices.Clone(g.direct), func(q choice.Sequence) bool {
		for _, op := range operations {
			if inside.Calls(q, []*api.Operation{op}) {
				return false
			}
		}
		return true
	})
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
	judged.Roots = slices.DeleteFunc(judged.Roots, func(e judge.Example) bool {
		return operations[e.Root.Function] == nil
	})
	return judged, nil
}
