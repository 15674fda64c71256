package pipeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
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
func generateInside(ctx context.Context, t *task, g *generated) ([]selection.Sequence, error) {
	if len(g.inside.Old) == 0 || t.env.Over() {
		return nil, nil
	}
	in := search.Inside{
		Operations: g.inside.Old, Exported: g.callable.Operations.Old, Kept: g.kept, Players: g.players,
		Changed: g.changedIn,
	}
	operations, calls, err := in.Plan(ctx)
	if err != nil || len(operations) == 0 {
		return nil, err
	}
	t.env.Detailf("calling %d functions from inside, %d real calls of them are known", len(operations), len(calls))
	beside := search.Beside(operations, g.callable.Operations.Old)
	mined, unread := g.mined(t, beside)
	for _, w := range unread {
		if !slices.Contains(g.warnings, w) {
			g.warnings = append(g.warnings, w)
		}
	}
	found, err := look(ctx, t, g.built, g.players, effort{
		operations: beside, calls: append(calls, mined...),
		limits: search.Limits{
			Sequences: min(t.cfg.Sequences, insideSequences), Most: insideBudget, Differing: insideBudget,
		},
		settled: t.cfg.Sequences == 0,
	})
	if errors.Is(err, search.ErrBubble) {
		t.env.Detailf("calls from inside: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	telling := search.Telling(found.Tryout.Select(found.Kept), operations)
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
	for _, f := range j.Findings {
		delete(operations, f.Blamed.Symbol)
	}
	own := *g
	own.kept = slices.DeleteFunc(slices.Clone(g.direct), func(q selection.Sequence) bool {
		for _, op := range operations {
			if search.CallsAny(q, []*api.Operation{op}) {
				return false
			}
		}
		return true
	})
	if len(own.kept) == 0 || t.env.Over() {
		return nil, nil
	}
	played, err := judge.Play(ctx, t.env.Workers, own.subject(t))
	if err != nil {
		return nil, err
	}
	judged, err := judge.Judge(ctx, t.env.Workers, played)
	if err != nil {
		return nil, err
	}
	judged.Findings = slices.DeleteFunc(judged.Findings, func(f *diff.Finding) bool {
		return operations[f.Blamed.Symbol] == nil
	})
	return judged, nil
}
