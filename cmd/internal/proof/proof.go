// Package proof finds out which roots are causes, by intervention: old with one change alone must show what the root
// shows (the change is sufficient), and new without it must not (it is necessary).
//
// In: judged sequences with their roots; the units of change that a program can switch, and players of that program
// with a choice of units. Out: a Proof for each root. A trial plays the root's example on old and on the program, under
// several seeds, and compares them as suspects are compared; nothing is built. Before anything is believed the program
// has to deviate nowhere from old while every unit is old, and to show the effect as new does while none is. Where one
// change alone is not sufficient, the fewest others that make it so are looked for by delta debugging (Zeller and
// Hildebrandt, 2002). The number of trials is limited, so the same roots have the same proofs.
package proof

import (
	"context"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A Subject is what is proven.
type Subject struct {
	Roots []judge.Example
	Units [][]spectra.Symbol        // by number, what each switches
	Left  map[spectra.Symbol]string // why other changes can't be switched

	// Play plays an example on old and on the program in which the given units are as in wire.UnitsVariable, and compares
	// them.
	Play func(ctx context.Context, worker int, units string, e judge.Example) (*diff.Comparison, error)
}

// A Proof is what the trials of a root showed.
type Proof struct {
	Sufficient bool
	Necessary  bool
	Trials     int
	With       []spectra.Symbol // changes without which it is not sufficient
	Reason     string           // why the root is not proven; "": it is
}

// Confirmed reports whether the root is a cause.
func (p Proof) Confirmed() bool { return p.Sufficient && p.Necessary }

// mostTrials is how many trials one root may take, mostRoots how many roots are tried, the worst first.
const (
	mostTrials = 60
	mostRoots  = 40
)

// Roots tries to prove roots, and returns what came out in their order.
func Roots(ctx context.Context, e *env.Environment, s *Subject) ([]Proof, error) {
	proofs := make([]Proof, len(s.Roots))
	err := e.Each(ctx, len(s.Roots), "proving", func(ctx context.Context, worker, i int) (err error) {
		p := &prover{Subject: s, env: e, worker: worker, root: s.Roots[i], seen: map[string]*diff.Comparison{}}
		switch {
		case i >= mostRoots:
			p.Reason = "only the first roots are tried"
		case e.Over():
			p.Reason = "the time of the run is over"
		default:
			err = p.prove(ctx)
		}
		proofs[i] = p.Proof
		return err
	})
	return proofs, err
}

// A prover tries to prove one root.
type prover struct {
	*Subject
	Proof
	env    *env.Environment
	worker int
	root   judge.Example
	unit   int
	seen   map[string]*diff.Comparison // what was tried
}

func (p *prover) prove(ctx context.Context) error {
	if p.Reason = p.unprovable(); p.Reason != "" {
		return nil
	}
	faithful, err := p.faithful(ctx)
	if err != nil || !faithful {
		return err
	}
	if p.Sufficient, err = p.shows(ctx, p.only(p.unit)); err != nil {
		return err
	}
	if !p.Sufficient {
		if err := p.interact(ctx); err != nil || !p.Sufficient {
			return err
		}
	}
	same, err := p.same(ctx, p.without(p.unit))
	p.Necessary = !same
	if same {
		p.Reason = "without this change alone the effect stays"
	}
	return err
}

// unprovable returns why no trial could prove the root, and finds its unit.
func (p *prover) unprovable() string {
	found := p.root.Found
	switch {
	case found.Effect.Tier == diff.TierCalls:
		return "no value differs"
	case p.root.Endless:
		return "one version does not end"
	}
	p.unit = slices.IndexFunc(p.Units, func(u []spectra.Symbol) bool { return slices.Contains(u, found.Function) })
	if p.unit < 0 {
		if reason := p.Left[found.Function]; reason != "" {
			return reason
		}
		return fmt.Sprintf("no program can hold both versions of a change of kind %s", found.Change)
	}
	return ""
}

// faithful reports whether the program is old while every unit is, and new while none is, as far as the example shows.
func (p *prover) faithful(ctx context.Context) (bool, error) {
	old, err := p.try(ctx, p.all(wire.UnitOld))
	if err != nil {
		return false, err
	}
	if old == nil || len(old.Deviations) > 0 || old.Incomparable != "" {
		p.Reason = "with all changes taken back the example still differs from old"
		p.detail(old)
		return false, nil
	}
	same, err := p.same(ctx, p.all(unitNew))
	if !same {
		p.Reason = "with all changes the example does not show it"
		p.detail(p.seen[string(p.all(unitNew))])
	}
	return same, err
}

// detail logs what a trial showed that should not have.
func (p *prover) detail(c *diff.Comparison) {
	if c == nil {
		return
	}
	p.env.Detailf("%s: %s: %s", p.root.Found.Function, p.Reason, c.Incomparable)
	for _, d := range c.Deviations[:min(len(c.Deviations), 3)] {
		p.env.Detailf("  %s %s %s %s: %s → %s", d.Kind, d.Function, d.State, d.Path, d.Old, d.New)
	}
}

const unitNew = 'n'

func (p *prover) all(state byte) []byte {
	units := make([]byte, len(p.Units))
	for i := range units {
		units[i] = state
	}
	return units
}

// only returns the choice in which just some units are new.
func (p *prover) only(list ...int) []byte {
	units := p.all(wire.UnitOld)
	for _, i := range list {
		units[i] = unitNew
	}
	return units
}

// without returns the choice in which one unit is old.
func (p *prover) without(unit int) []byte {
	units := p.all(unitNew)
	units[unit] = wire.UnitOld
	return units
}

// try plays the example with a choice of units. It returns nil when there were trials enough.
func (p *prover) try(ctx context.Context, units []byte) (*diff.Comparison, error) {
	if c, done := p.seen[string(units)]; done {
		return c, nil
	}
	if p.Trials >= mostTrials {
		return nil, nil
	}
	p.Trials++
	c, err := p.Play(ctx, p.worker, string(units), p.root)
	if err != nil {
		return nil, err
	}
	p.seen[string(units)] = c
	return c, nil
}

// shows reports whether a choice of units shows the root's effect, or a worse one at the same place.
func (p *prover) shows(ctx context.Context, units []byte) (bool, error) {
	c, err := p.try(ctx, units)
	return c != nil && slices.ContainsFunc(effects(c), p.matches), err
}

// same reports whether a choice of units shows the root's effect with the value that new has.
func (p *prover) same(ctx context.Context, units []byte) (bool, error) {
	c, err := p.try(ctx, units)
	return c != nil && slices.ContainsFunc(effects(c), func(e diff.Effect) bool {
		return p.matches(e) && e.New == p.root.Root.Effect.New
	}), err
}

func (p *prover) matches(e diff.Effect) bool {
	own := p.root.Root.Effect
	return e.Function == own.Function && e.Path == own.Path && e.Compare(own) <= 0
}

// effects lists what is noticed of all deviations.
func effects(c *diff.Comparison) []diff.Effect {
	list := c.WholeRun()
	for _, d := range c.Deviations {
		list = append(list, c.Effect(d))
	}
	return list
}
