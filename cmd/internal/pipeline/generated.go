package pipeline

// This file generates sequences against the old version, and selects those that are replayed.

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/archive"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// Of the sequences that were kept so many are replayed at most, and so many steps of the old
// version.
const (
	replayedSequences = 4000
	replayedSteps     = 15_000_000
)

// A generated is what is known once there are sequences.
type generated struct {
	*built
	players *env.Players // in time bubbles only where the module works in them
	kept    []choice.Sequence
	stats   generate.Stats
	seconds float64
	budget  time.Duration // as in judge.Subject
	// warnings of this stage alone.
	warnings []string
}

// generateSequences generates sequences on the old version.
func generateSequences(ctx context.Context, t *task, b *built) (*generated, error) {
	elapsed := env.Stopwatch()
	try := newTryout(t, b, b.players)
	out, err := try.generate(ctx)
	if errors.Is(err, errBubble) {
		t.env.Detailf("package variables hold channels, timers or wait groups of one sequence into the next: " +
			"no time bubbles")
		try = newTryout(t, b, b.players.WithoutBubbles())
		out, err = try.generate(ctx)
	}
	if err != nil {
		return nil, err
	}
	g := &generated{
		built: b, players: try.players, stats: out.Stats, kept: try.selectKept(out.Kept), budget: t.cfg.budget(),
		warnings: try.endlessWarnings(),
	}
	if left := len(out.Kept) - len(g.kept); left > 0 {
		t.env.Detailf("%d of %d kept sequences are not replayed", left, len(out.Kept))
	}
	t.env.Detailf("generation stopped: %s", out.Stop)
	g.seconds = report.Seconds(elapsed())
	if len(g.kept) == 0 {
		g.warnings = append(g.warnings, "no sequence could be generated: nothing was compared")
		return g, errOver
	}
	return g, nil
}

// A tryout plays what the generator asks for, and remembers what it took.
type tryout struct {
	*built
	task     *task
	players  *env.Players
	deadline time.Time // when generating ends; zero: when there are enough sequences
	costs    map[sequence.Key]cost
	lost     map[string]int      // calls that did not end, by what was called
	ran      map[uint64][]uint32 // changed blocks that sequences of a class ran
	reaching map[string]bool     // operations that can reach changed code
}

func newTryout(t *task, b *built, players *env.Players) *tryout {
	return &tryout{
		task: t, built: b, players: players,
		costs: map[sequence.Key]cost{}, lost: map[string]int{}, ran: map[uint64][]uint32{},
	}
}

// A cost is what playing a sequence took.
type cost struct {
	steps  int64
	waited bool           // a clock ended it, or it was blocked where only a clock tells
	hung   *replay.Played // a clock ended it; nil: none

	reaches bool   // it ran code that the change may touch
	class   uint64 // as in choice.Sequence
	seen    spectra.Digest
	end     wire.End
	fresh   []uint32 // blocks that it was the first to hit in its process
}

// errBubble says that the module can't be run in time bubbles.
var errBubble = errors.New("code of the module does not work in a time bubble")

func (t *tryout) generate(ctx context.Context) (generate.Generated, error) {
	t.reaching = t.built.reaching()
	input := generate.Input{
		Operations: t.callable.Operations.Old,
		Types:      t.callable.Types.Old,
		Unset:      t.common.Unset(),
		Constants:  t.constants(),
		Seed:       t.task.cfg.Seed,
		Limits:     generate.Limits{Sequences: t.task.cfg.Sequences, Batch: 256},
		Execute:    t.execute,
		Changed:    func(id uint32) bool { return t.watched.Old[id] },
		Endless:    t.endless,
		Expired:    t.reportExpired,
	}
	if t.task.cfg.Sequences == 0 {
		t.deadline = time.Now().Add(t.task.cfg.Budget)
	}
	return generate.Run(ctx, input)
}

// expired reports whether the time for generating is up, or that of the run.
func (t *tryout) expired() bool {
	return !t.deadline.IsZero() && time.Until(t.deadline) <= 0 || t.task.env.Over()
}

// reportExpired is expired, and reports progress.
func (t *tryout) reportExpired() bool {
	if !t.deadline.IsZero() {
		spent := t.task.cfg.Budget - time.Until(t.deadline)
		t.task.env.Report("generating", int(spent.Seconds()), int(t.task.cfg.Budget.Seconds()))
	}
	return t.expired()
}

// execute plays a batch on the old version, in as many processes as there are parts.
func (t *tryout) execute(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
	const count = 2 // fixed: what a process has played before may matter
	parts := make([]*part, count)
	outcomes := make([]generate.Outcome, 0, len(batch))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(t.task.cfg.Jobs, 1))
	for i := range parts {
		parts[i] = &part{tryout: t, number: i, sequences: batch[len(batch)*i/count : len(batch)*(i+1)/count]}
		g.Go(func() error { return parts[i].play(ctx) })
	}
	err := g.Wait()
	for _, p := range parts {
		outcomes = append(outcomes, p.outcomes...)
		for i, q := range p.sequences {
			t.costs[q.Key()] = p.costs[i]
		}
		maps.Copy(t.ran, p.ran)
		for operation, n := range p.lost {
			t.lost[operation] += n
		}
	}
	return outcomes, err
}

// waited reports whether a sequence with that end took its time: the clock ended it, and without a bubble
// that is what ends one that is blocked too.
func (t *tryout) waited(end wire.End) bool {
	return end == wire.EndTimeout || end == wire.EndBlocked && !t.players.Bubbles()
}

// selectKept picks what is replayed when generation kept more than replaying has time for: first
// what brought new code or a new kind of outcome, then what ran changed code, then the rest.
func (t *tryout) selectKept(all []generate.Kept) []choice.Sequence {
	class := func(k generate.Kept) int {
		switch {
		case k.Reason != generate.NewValue && k.Reason != generate.NewState:
			return 0
		case k.Changed:
			return 1
		}
		return 2
	}
	chosen := make([]bool, len(all))
	count, steps := 0, int64(0)
	for want := range 3 {
		for i, k := range all {
			if class(k) != want || count == replayedSequences || steps > replayedSteps {
				continue
			}
			chosen[i] = true
			count++
			steps += t.costs[k.Sequence.Key()].steps
		}
	}
	var list []choice.Sequence
	for i, k := range all {
		if c := t.costs[k.Sequence.Key()]; chosen[i] {
			list = append(list, choice.Sequence{
				Sequence: k.Sequence, Novel: class(k) == 0, Steps: c.steps, Waited: c.waited, Hung: c.hung != nil,
				Reaches: c.reaches || t.touched.Brings(k.Sequence), Class: c.class, Seen: t.seen(c),
				Changed: k.Changed || slices.ContainsFunc(k.Sequence.Statements, func(st sequence.Statement) bool {
					return t.reaching[st.Op]
				}),
			})
		}
	}
	return list
}

// seen returns what is known of a sequence from playing it on the old version.
func (t *tryout) seen(c cost) *replay.Played {
	if c.hung != nil {
		return c.hung
	}
	return &replay.Played{
		Seen: c.seen, Steps: c.steps, Coverage: slices.Concat(c.fresh, t.ran[c.class]),
		Spectrum: &spectra.Spectrum{End: spectra.End{Kind: c.end}},
	}
}

// outcome tells the generator what came of a sequence.
func outcome(p *replay.Played) generate.Outcome {
	o := generate.Outcome{Coverage: p.Coverage, End: p.Spectrum.End.Kind, Rejected: p.Invalid != ""}
	for i, results := range p.Results {
		step := generate.Step{Panic: p.Spectrum.Steps[i].Panic, State: results.State}
		o.Panicked = o.Panicked || step.Panic != ""
		for _, result := range results.Results {
			step.Results = append(step.Results, generate.Result{
				Digest: result.Digest, Nil: result.Nil, ErrorSet: result.Failed, Dynamic: result.Dynamic,
				Huge: result.Huge,
			})
		}
		o.Steps = append(o.Steps, step)
	}
	return o
}

// subject returns what is judged.
func (g *generated) subject(t *task) *judge.Subject {
	operations := map[string]spectra.Symbol{}
	for _, op := range g.callable.Operations.Old {
		operations[op.Name] = spectra.Symbol(g.newName(string(op.Symbol)))
	}
	return &judge.Subject{
		Operations: operations,
		Players:    g.players, Sequences: g.kept, Matched: g.matched, Expected: g.expected, Watched: g.watched,
		Reach: judge.Reach{Known: g.touched.Known, Blocks: g.touched.Blocks}, Whole: t.cfg.All,
		Causes: g.rootChanges(), Budget: g.budget, Patched: g.patched(),
		Headers: spectra.MakePair(func(s spectra.Side) archive.Header {
			of := g.sides.Of(s)
			return archive.Header{
				Module: of.module.Path, Side: string(s), Commit: of.commit.Hash, Go: g.drivers.Of(s).binary.GoVersion,
				Seed: wire.MainSeed,
			}
		}),
	}
}
