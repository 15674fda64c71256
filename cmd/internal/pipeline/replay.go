package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
)

// Replay plays the sequence of an ask again on both versions, and returns the roots that it shows, the worst first.
// Their call trees have whole values. Nothing is generated or proven.
func Replay(ctx context.Context, cfg Config, a Ask) ([]report.Root, error) {
	cfg.NoProof, cfg.Emit, cfg.Corpus, cfg.Keep = true, "", "", ""
	t, err := newTask(cfg)
	if err != nil {
		return nil, err
	}
	defer t.env.Close(ctx)
	defer t.env.Store.SealModuleFiles()
	if err := t.choose(ctx); err != nil {
		return nil, err
	}
	if a.NewTest != "" {
		a.Together.NewTests = []string{a.Test}
	} else {
		a.Together.Tests = []string{a.Test}
	}
	of := flow{task: t, folder: a.Module.Folder, sandbox: t.layers, begun: time.Now()}
	q := &query{flow: of, asks: []Ask{a}, whole: true}
	if err := q.plan(ctx); errors.Is(err, plan.ErrOver) {
		const text = "the versions do not differ in anything that can be played; is the report of these commits?"
		return nil, errors.New(text)
	} else if err != nil {
		return nil, err
	}
	if err := q.ready(ctx); err != nil {
		return nil, err
	}
	return q.replay(ctx)
}

// replay plays the one sequence that is asked.
func (q *query) replay(ctx context.Context) (roots []report.Root, err error) {
	a := q.asks[0]
	one, err := sequence.Parse(a.Sequence)
	if err != nil {
		return nil, err
	}
	d, parameters, err := q.driversOf(ctx, a.by())
	if err != nil {
		return nil, err
	}
	if missing := search.Missing(one, parameters); missing != "" {
		return nil, fmt.Errorf("%s can't be called on these versions as in the report", missing)
	}
	a.Within.Bubbles, a.Within.Idle = true, d.Players.Limits().Idle
	if a.Driver != DriveAPI { // as tests of any kind fit
		a.Within.Idle = search.OutsideIdle
		if a.Within.Go, err = (search.Input{Drivers: d}).StartsGo(ctx, one); err != nil {
			return nil, err
		}
		a.Within.Writes = d.Copyable() == nil
	}
	players, err := a.Within.players(ctx, d)
	if err != nil {
		return nil, err
	}
	g := &search.Generated{
		Players: players, Selected: []selection.Sequence{{Sequence: one}}, Outside: a.Within.Outside,
	}
	run := &summary.Run{Generated: g}
	if err := q.judgeRun(ctx, run, d, timesOf{}); err != nil {
		return nil, err
	}
	for _, found := range group.Shown(d, q.source) {
		root := q.found.Alone(found).Roots[0]
		root.Rank, root.Deviations, root.Calls = 0, []string{}, summary.WholeCalls(found)
		roots = append(roots, root)
	}
	return roots, nil
}
