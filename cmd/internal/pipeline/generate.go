package pipeline

// This file generates sequences against the old version.

import (
	"context"
	"errors"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Runtime seeds: the first is the one that versions are compared under, the second shows what
// depends on it.
const (
	mainSeed  = 1
	otherSeed = 2
)

// Of the sequences that were kept so many are replayed at most, and so many steps of the old
// version.
const (
	replayedSequences = 4000
	replayedSteps     = 15_000_000
)

// A kept is a sequence that both versions will play.
type kept struct {
	sequence sequence.Sequence
	novel    bool // it brought new code or a new kind of outcome
}

// selectKept picks what is replayed when generation kept more than replaying has time for: first
// what brought new code or a new kind of outcome, then what ran changed code, then the rest.
func (r *run) selectKept(all []generate.Kept) {
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
			steps += r.costs[k.Sequence.Key()]
		}
	}
	for i, k := range all {
		if chosen[i] {
			r.kept = append(r.kept, kept{k.Sequence, class(k) == 0})
		}
	}
	if left := len(all) - count; left > 0 {
		r.detail("%d of %d kept sequences are not replayed", left, len(all))
	}
}

// errBubble says that the module can't be run in time bubbles.
var errBubble = errors.New("code of the module does not work in a time bubble")

func (r *run) generate(ctx context.Context) error {
	elapsed := stopwatch()
	out, err := r.generateOnce(ctx)
	if errors.Is(err, errBubble) {
		r.detail("package variables hold channels, timers or wait groups of one sequence into the next: no time bubbles")
		r.old.build.compare.Bubbles, r.new.build.compare.Bubbles = false, false
		out, err = r.generateOnce(ctx)
	}
	if err != nil {
		return err
	}
	r.selectKept(out.Kept)
	g := &r.report.Generation
	g.Sequences, g.Kept, g.Redundant, g.Illegal = out.Stats.Sequences, out.Stats.Kept, out.Stats.Redundant, out.Stats.Illegal
	g.Steps, g.OperationsReached = out.Stats.Steps, len(out.Stats.Reached)
	g.Seconds = report.Seconds(elapsed())
	for _, op := range r.common.Operations {
		if !op.Supplier {
			r.report.Subject.Operations++
		}
	}
	r.detail("generation stopped: %s", out.Stop)
	if len(r.kept) == 0 {
		r.warn("no sequence could be generated: nothing was compared")
		r.done = true
	}
	return nil
}

func (r *run) generateOnce(ctx context.Context) (generate.Generated, error) {
	r.costs, r.waits = map[sequence.Key]int64{}, map[sequence.Key]bool{}
	deadline := time.Now().Add(r.cfg.Budget)
	input := generate.Input{
		Operations: r.common.Operations,
		Types:      r.common.Types,
		Unset:      r.common.Unset(),
		Constants:  r.constants(),
		Seed:       r.cfg.Seed,
		Limits:     generate.Limits{Sequences: r.cfg.Sequences, Batch: 256},
		Execute:    r.execute,
		Changed:    func(id uint32) bool { return r.old.build.watched[id] },
	}
	if r.cfg.Sequences == 0 {
		input.Expired = func() bool {
			left := time.Until(deadline)
			r.progress("generating", int((r.cfg.Budget - left).Seconds()), int(r.cfg.Budget.Seconds()))
			return left <= 0
		}
	}
	return generate.Run(ctx, input)
}

// execute plays a batch on the old version, in as many processes as there are sandboxes.
func (r *run) execute(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
	outcomes := make([]generate.Outcome, len(batch))
	costs, waits := make([]int64, len(batch)), make([]bool, len(batch))
	const parts = 2 // fixed: what a process has played before may matter
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.cfg.Jobs, 1))
	for part := range parts {
		from, to := len(batch)*part/parts, len(batch)*(part+1)/parts
		if from == to {
			continue
		}
		g.Go(func() error {
			player := r.player(r.old, part)
			player.Limits = replay.GenerationLimits()
			played, err := player.Play(ctx, batch[from:to], replay.Outcomes, mainSeed)
			if err != nil {
				return err
			}
			for i := range played {
				if r.old.build.compare.Bubbles && burst(played[i].Spectrum) {
					return errBubble
				}
				outcomes[from+i] = outcome(&played[i])
				costs[from+i] = played[i].Steps
				waits[from+i] = r.waited(played[i].Spectrum.End.Kind)
			}
			return nil
		})
	}
	err := g.Wait()
	for i, q := range batch {
		r.costs[q.Key()] = costs[i]
		if waits[i] {
			r.waits[q.Key()] = true
		}
	}
	return outcomes, err
}

// waited says whether a sequence with that end took its time: the clock ended it, and without a bubble
// that is what ends one that is blocked too.
func (r *run) waited(end spectra.EndKind) bool {
	return end == spectra.Timeout || end == spectra.Blocked && !r.old.build.compare.Bubbles
}

// burst says whether the time bubble itself, not the target, ended a sequence.
func burst(s *spectra.Spectrum) bool {
	if strings.Contains(s.End.Detail, "synctest") {
		return true
	}
	for _, step := range s.Steps {
		if strings.Contains(step.Panic, "synctest") {
			return true
		}
	}
	return false
}

// outcome tells the generator what came of a sequence.
func outcome(p *replay.Played) generate.Outcome {
	o := generate.Outcome{Coverage: p.Coverage, End: ends[p.Spectrum.End.Kind]}
	if p.Invalid != "" {
		o.End = generate.Rejected
	}
	for i, results := range p.Results {
		step := generate.Step{Panic: p.Spectrum.Steps[i].Panic, State: results.State}
		if step.Panic != "" {
			o.End = generate.Panicked
		}
		for _, result := range results.Results {
			step.Results = append(step.Results, generate.Result{
				Digest: result.Digest, Nil: result.Nil, ErrorSet: result.Failed, Dynamic: result.Dynamic, Huge: result.Huge,
			})
		}
		o.Steps = append(o.Steps, step)
	}
	return o
}

var ends = map[spectra.EndKind]generate.End{
	spectra.Done: generate.Done, spectra.Exited: generate.Exited, spectra.Crashed: generate.Crashed,
	spectra.StepLimit: generate.Limit, spectra.Timeout: generate.Timeout, spectra.Blocked: generate.Blocked,
}

// constants turns the mined literals into values.
func (r *run) constants() []generate.Constant {
	pool := target.Constants(r.old.target, r.packages)
	var list []generate.Constant
	add := func(constants []target.Constant, typ types.Type, value func(string) constant.Value) {
		for _, c := range constants {
			v := value(c.Text)
			if v.Kind() == constant.Unknown {
				continue
			}
			for _, p := range c.Packages {
				list = append(list, generate.Constant{Package: p, Type: typ, Value: v})
			}
		}
	}
	add(pool.Strings, nil, constant.MakeString)
	add(pool.Runes, types.Typ[types.Rune], func(text string) constant.Value {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return constant.MakeUnknown()
		}
		return constant.MakeInt64(n)
	})
	add(pool.Ints, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.INT, 0) })
	add(pool.Floats, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.FLOAT, 0) })
	return append(list, r.declaredConstants()...)
}

// declaredConstants lists the constants of the driven packages: the values of their enumerations.
func (r *run) declaredConstants() []generate.Constant {
	var list []generate.Constant
	for _, path := range r.packages {
		p := r.old.target.Package(path)
		if p == nil {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok {
				list = append(list, generate.Constant{Package: path, Type: c.Type(), Value: c.Val()})
			}
		}
	}
	return list
}
