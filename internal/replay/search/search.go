// Package search produces the sequences to compare: it runs all sources of sequences and keeps those that are worth
// replaying on both versions.
//
// Input: players of both versions, the operations and types, the code that the change may touch, and limits. Output:
// the kept sequences with all that is known of them, and the Tryout that played them. The sources are, in this order:
//
//   - the corpus: sequences that an earlier run kept in a folder
//   - exhaustive exploration of the values of a type (package explore)
//   - test generation (package generate)
//   - contracts of methods that the versions break differently (package contract)
//
// Functions that only their own package can call are added by Inside. Without a limit on time, the same input has the
// same output. Nothing is recorded, and nothing is judged: a difference between two runs may be noise.
package search

import (
	"context"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/contract"
	"github.com/spectradiff/spectradiff/internal/replay/explore"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/generate/redundancy"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A collectInput says what is collected from all sources, and by what means.
type collectInput struct {
	Env      *replay.Workers
	Tryout   TryoutInput    // all but Reaching, Entries and Expired
	Generate generate.Input // all but its functions, Redundancy, Limits.Sequences and Limits.OfClass
	Limits   Limits
	Kept     []sequence.Sequence // from earlier runs
	Explore  int                 // as in explore.Input.Depth; 0: nothing is explored
	// Redundancy is the representation by which sequences are redundant. "": by what they return and leave.
	Redundancy redundancy.Representation
	// Unread returns the fields that redundancy.MonitorEquals leaves out, by struct type.
	Unread func() map[string][]string
}

// Limits say for how long sequences are generated. What else is done is not limited in time.
type Limits struct {
	Sequences int           // until so many are kept; 0: by time
	Most      time.Duration // at most, unless Sequences is set
	Differing time.Duration // likewise, once the versions were told apart
	Quiet     time.Duration // likewise, once half of it reached nothing new of the change; 0: that ends nothing
	Least     int           // so many sequences are played before it counts as quiet
}

// quiet reports whether generating ends because nothing new comes any more: so long after its start, so long after the
// last news, and after so many sequences.
func (l *Limits) quiet(elapsed, since time.Duration, played int) bool {
	return l.Sequences == 0 && l.Quiet > 0 && elapsed >= l.Quiet && since >= l.Quiet/2 && played >= l.Least
}

// Found is what all sources gave.
type Found struct {
	generate.Generated
	Explored []explore.Count
	Broken   []contract.Broken
	Tryout   *Tryout
}

// Patience is how many times as long clocks wait where sequences are counted: how fast a machine is should decide
// nothing.
const Patience = 3

// collect runs all sources of sequences.
func collect(ctx context.Context, in collectInput) (Found, error) {
	var start time.Time // of generation
	spent := func(most time.Duration) bool {
		return in.Limits.Sequences == 0 && !start.IsZero() && time.Since(start) >= most
	}
	in.Tryout.Reaching = reaching(in.Generate.Operations)
	in.Tryout.Entries = in.Redundancy.Plays()
	if in.Limits.Sequences > 0 {
		in.Tryout.Limits = replay.GenerationLimits().Patient(Patience)
	}
	in.Tryout.Expired = func() bool { return spent(in.Limits.Most) || in.Env.Over() }
	out := Found{Tryout: NewTryout(in.Tryout)}
	kept, err := out.Tryout.Keep(ctx, in.Kept)
	if err != nil {
		return out, err
	}
	var before generate.Stats
	if in.Explore > 0 {
		explored, err := in.explore(ctx, out.Tryout)
		if err != nil {
			return out, err
		}
		kept, out.Explored = append(kept, explored.Kept...), explored.Types
		before = explored.Stats
	}
	start = time.Now()
	g := in.Generate
	g.Limits.Sequences, g.Limits.OfClass = in.Limits.Sequences, Replayed
	g.Execute, g.Operands = out.Tryout.Execute, out.Tryout.Operands
	if in.Limits.Sequences == 0 { // else the same batches make the same sequences
		p := newPace(g.Limits.Batch)
		g.Execute, g.Batch, out.Tryout.Asking = p.timed(g.Execute), p.batch, batchTime/2
	}
	if in.Redundancy != "" {
		g.Redundancy = in.redundancy(out.Tryout)
	}
	if in.Tryout.Branches != nil {
		g.Whole = in.Tryout.Branches.Whole
	}
	g.Changed, g.Endless = out.Tryout.Changed, out.Tryout.Endless
	g.Expired = func(apart bool) bool {
		if in.Limits.Sequences == 0 {
			in.Env.Report("generating", int(time.Since(start).Seconds()), int(in.Limits.Most.Seconds()))
		}
		quiet := in.Limits.quiet(time.Since(start), time.Since(out.Tryout.news), out.Tryout.played)
		return in.Tryout.Expired() || apart && spent(in.Limits.Differing) || quiet
	}
	out.Generated, err = generate.Run(ctx, g)
	out.Kept = append(kept, out.Kept...)
	out.Stats = sum(before, out.Stats)
	if err != nil || in.Env.Over() {
		return out, err
	}
	start = time.Time{} // the rest is limited in number
	return out, in.contracts(ctx, &out)
}

// redundancy returns what decides which sequences are redundant.
func (in *collectInput) redundancy(try *Tryout) *redundancy.Judge {
	var without map[string][]string
	if in.Redundancy == redundancy.MonitorEquals {
		without = in.Unread()
	}
	judged := redundancy.Input{Representation: in.Redundancy, Operations: in.Generate.Operations}
	if in.Redundancy == redundancy.PairwiseEquals || len(without) > 0 {
		judged.Look = func(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
			return try.Look(ctx, batch, without)
		}
	}
	return redundancy.New(judged)
}

// contracts checks contracts of methods on the sequences found so far.
func (in *collectInput) contracts(ctx context.Context, out *Found) error {
	found, err := contract.Find(ctx, contract.Search{
		Operations: in.Generate.Operations, Types: in.Generate.Types, Kept: out.Kept,
		Players: in.Tryout.Players, Limits: out.Tryout.Limits, Keep: out.Tryout.Keep,
	})
	out.Kept, out.Stats, out.Broken = append(out.Kept, found.Kept...), sum(found.Stats, out.Stats), found.Broken
	if n := found.Stats.Sequences; n > 0 {
		in.Env.Detailf("played %d sequences for contracts, kept %d", n, found.Stats.Kept)
	}
	for _, b := range found.Broken {
		in.Env.Detailf("contract %s: %s on %s: %s\n%s", b.Contract, b.Function, b.Sides(), b.Detail, b.Sequence)
	}
	return err
}

// sum adds the statistics of generation to those of another source.
func sum(explored, generated generate.Stats) generate.Stats {
	generated.Sequences += explored.Sequences
	generated.Kept += explored.Kept
	generated.Redundant += explored.Redundant
	generated.Illegal += explored.Illegal
	generated.Steps += explored.Steps
	return generated
}

// explore explores the types that the change may concern.
func (in *collectInput) explore(ctx context.Context, try *Tryout) (explore.Explored, error) {
	explored, err := explore.Run(ctx, explore.Input{
		Operations: in.Generate.Operations, Types: in.Generate.Types, Depth: in.Explore,
		Unset: in.Generate.Unset, Execute: try.Execute, Endless: try.Endless, Changed: try.Changed,
		Progress: func(played int) { in.Env.Report("exploring", played, 0) },
	})
	for _, c := range explored.Types {
		to := "every call"
		if !c.Ended {
			to = "not every call"
		}
		in.Env.Detailf("explored %s to depth %d: %d states, %d calls, %s", c.Type, c.Depth, c.States, c.Calls, to)
	}
	return explored, err
}

// reaching returns the operations that can reach changed code.
func reaching(operations []*api.Operation) map[string]bool {
	names := map[string]bool{}
	for _, op := range operations {
		names[op.Name] = op.Reaches
	}
	return names
}
