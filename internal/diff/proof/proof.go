// Package proof finds out by experiment whether a root is a cause: old with this change alone must show the effect of
// the root (the change is sufficient), and new without it must not (it is necessary).
//
// In: judged sequences with their roots, and the drivers of both versions, from which programs are built in which
// units of change can be switched between both versions. Out: a Proof for each root. A trial plays the root's
// example on old and on the program, under several seeds, and compares them as suspects are compared. Before
// anything is believed the program has to deviate nowhere from old while every unit is old, and to show the effect
// as new does while every unit is new; if only types and dependencies keep it from that, it must not deviate where
// the effect shows. Where one change alone is not sufficient, or not necessary, the fewest others that make it so
// are looked for by delta debugging (Zeller and Hildebrandt, 2002). The number of trials is limited, so the same
// roots have the same proofs.
package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Subject is a program of both versions in which units of change can be switched, with a function that plays it.
type Subject struct {
	Base         spectra.Side              // the version that the program is when no unit is switched
	Units        [][]spectra.Symbol        // by number, what each switches
	Adapted      map[spectra.Symbol]bool   // what is in a unit only because it calls others that are
	Unswitchable map[spectra.Symbol]string // why other changes can't be switched
	Lacks        []Lack                    // what differs and is the base's, whatever is switched

	// Play plays an example on old and on the program, and compares them. The units are as in wire.UnitsVariable.
	// What old played is remembered for the next trial. Once: only under one seed, to see where it is worth more.
	Play func(
		ctx context.Context, worker int, units string, f *diff.Finding, of *replay.Memory, once bool,
	) (*diff.Comparison, error)

	Found func(*diff.Finding) // told of what is proven at once; nil: nobody
}

// A Lack is something that differs between the versions, and that a program has as its base has it, whatever units are
// switched: no choice of units is exactly the other version.
type Lack struct {
	Of   spectra.Symbol
	User spectra.Symbol   // code that uses the base's version of it, while the program holds both; "": it holds one
	Run  []spectra.Symbol // it matters only to what runs one of these; nil: that can't be told

	// Outer says that it is a type or a dependency, which no program can switch: where it is all that matters, it is
	// what a root comes from that shows with all changes taken back.
	Outer bool
}

// mostTrials is how many trials one root may take; decisive of them are kept for those that are no search. mostRoots is
// how many roots are tried, the worst first.
const (
	mostTrials = 60
	decisive   = 4
	mostRoots  = 40
)

// errUntold says that a trial that would decide could not be played, or not be compared; errSpent that none is left
// for the search, so what was found so far may hold changes that nothing needs.
var (
	errUntold = errors.New("a trial could not be compared (-v says why)")
	errSpent  = errors.New("it takes several changes, and 60 trials did not find which")
)

// Try tries to prove findings, and returns them with their proofs. Of those that another program was tried on, only the
// ones that it could not tell of are tried, and what it said of them stands unless this program can tell.
func Try(ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding) ([]*diff.Finding, error) {
	return each(ctx, e, findings, all(findings), func(ctx context.Context, worker, i int) (*diff.Proof, error) {
		before := findings[i].Proof
		if before != nil && !before.Unfit {
			return before, nil
		}
		p, told := newProver(e, s, worker, findings[i]), false
		switch {
		case i >= mostRoots:
			p.Reason = "only the first 40 roots are tried"
		case e.Over():
			p.Reason = judge.ErrTimeUp.Error()
		default:
			elapsed := replay.Stopwatch()
			err := p.prove(ctx)
			if err != nil && !untellable(err) {
				return nil, err
			}
			if told = err == nil && !p.Unfit; err != nil {
				another := errors.Is(err, errUntold) || uninitialised(err) // may tell more of it
				p.Proof = diff.Proof{Trials: p.Trials, Reason: err.Error(), Unfit: another}
			}
			e.Detailf("%s: %d trials in %.2f s: %+v", p.of.Blamed.Symbol, p.Trials, elapsed().Seconds(), p.Proof)
			s.tell(p)
		}
		if before != nil && !told { // what the first program said counts
			kept := *before
			kept.Built = p.built(before)
			return &kept, nil
		}
		return &p.Proof, nil
	})
}

// each returns the findings with what a function makes the proofs of some of them.
func each(
	ctx context.Context, e *replay.Workers, findings []*diff.Finding, some []int,
	prove func(ctx context.Context, worker, i int) (*diff.Proof, error),
) ([]*diff.Finding, error) {
	list := slices.Clone(findings)
	return list, e.Each(ctx, len(some), "proving", func(ctx context.Context, worker, n int) error {
		proof, err := prove(ctx, worker, some[n])
		if err == nil {
			f := *findings[some[n]]
			f.Proof, list[some[n]] = proof, &f
		}
		return err
	})
}

func all(findings []*diff.Finding) (indexes []int) {
	for i := range findings {
		indexes = append(indexes, i)
	}
	return indexes
}

// untellable reports whether a trial ended without saying anything.
func untellable(err error) bool {
	return errors.Is(err, errUntold) || errors.Is(err, errSpent) || errors.Is(err, judge.ErrTimeUp) ||
		uninitialised(err)
}

// uninitialised reports whether a program could not even begin: with some of the changes alone, a package of it may
// panic while it is initialised.
func uninitialised(err error) bool {
	var failed *replay.Uninitialised
	return errors.As(err, &failed)
}

// untold is the reason of a proof where something that the program does not hold makes it differ from old, unshown that
// of one where something makes it differ from new.
const (
	untold  = "with every change undone the example still differs from old"
	unshown = "the program in which changes are tried does not show the example's effect, all of them in place"
)

// Retyped tries to prove some findings that show although every unit is old, on a program that has a changed type as
// old has it: with every unit old it must not deviate from old, and with every unit new it must not show the effect.
// The new proofs take the place of those before.
func Retyped(
	ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding, some []int,
) ([]*diff.Finding, error) {
	return each(ctx, e, findings, some, func(ctx context.Context, worker, i int) (*diff.Proof, error) {
		p := newProver(e, s, worker, findings[i])
		p.Proof = *findings[i].Proof
		old, err := p.try(ctx, p.all(spectra.Old), fully)
		if err == nil && len(old.Deviations) > 0 {
			p.Reason = "with the old type and every change undone the example still differs from old"
			p.detail(old)
		} else if err == nil {
			p.Sufficient, p.Reason = true, ""
			if p.Necessary, err = p.lacks(ctx); !p.Necessary {
				p.Reason = "the effect stays with the old type"
			}
		}
		if untellable(err) {
			p.Sufficient, p.Necessary, p.Reason, err = false, false, err.Error(), nil
		}
		e.Detailf("%s, retyped: %+v", p.of.Blamed.Symbol, p.Proof)
		s.tell(p)
		return &p.Proof, err
	})
}

// tell tells of what was proven at once.
func (s *Subject) tell(p *prover) {
	proven := *p.of
	if proven.Proof = &p.Proof; proven.Confirmed() && s.Found != nil {
		s.Found(shown(&proven))
	}
}

// lacks reports whether the program does not show the effect while every unit is new.
func (p *prover) lacks(ctx context.Context) (bool, error) {
	same, err := p.shows(ctx, p.all(spectra.New), fully)
	return err == nil && !same, err
}

// A prover tries to prove one root.
type prover struct {
	*Subject
	diff.Proof
	env    *replay.Workers
	worker int
	of     *diff.Finding
	unit   int                         // the root's own change; -1: it is none
	seen   map[string]*diff.Comparison // what was tried
	memory replay.Memory
	amid   bool // see Amid
}

func newProver(e *replay.Workers, s *Subject, worker int, f *diff.Finding) *prover {
	unit := slices.IndexFunc(s.Units, func(unit []spectra.Symbol) bool {
		return slices.Contains(unit, f.Blamed.Symbol)
	})
	return &prover{Subject: s, env: e, worker: worker, of: f, unit: unit, seen: map[string]*diff.Comparison{}}
}

func (p *prover) prove(ctx context.Context) error {
	if p.Reason = p.unprovable(); p.Reason != "" {
		return nil
	}
	faithful, err := p.tells(ctx)
	if err != nil || !faithful {
		return err
	}
	var own []int
	if p.unit >= 0 {
		if own = []int{p.unit}; len(p.Units[p.unit]) > 1 {
			p.Unit = p.names(own)
		}
		if p.Sufficient, err = p.shows(ctx, p.only(own), fully); err != nil {
			return err
		}
	}
	if !p.Sufficient && p.of.Effect.Tier == spectra.TierNondeterminism {
		// What varies has no value by which it could be told from what varies beside it.
		p.Reason = "with this change alone nothing varies, or something else does"
		return nil
	}
	if !p.Sufficient && p.unit >= 0 && !p.amid { // else another effect may be that of what is new anyway
		if err = p.beside(ctx, own); err != nil || p.Sufficient {
			return err
		}
	}
	if !p.Sufficient {
		if own, err = p.search(ctx, own); err != nil || !p.Sufficient {
			return err
		}
	}
	stays, err := p.shows(ctx, p.without(own), fully)
	if err != nil {
		return err
	}
	if p.Necessary = !stays; stays {
		return p.also(ctx, own)
	}
	return nil
}

// unprovable returns why no trial could prove the root.
func (p *prover) unprovable() string {
	switch {
	case p.of.Effect.Tier == spectra.TierCalls:
		return "no value differs"
	case p.of.Example.Endless:
		return "one version does not end"
	}
	return ""
}

// unswitched says why the root's own change is no unit.
func (p *prover) unswitched() string {
	if reason := p.Unswitchable[p.of.Blamed.Symbol]; reason != "" {
		return reason
	}
	const reason = "a change of kind %s can't be tried: no program can hold both versions of it"
	return fmt.Sprintf(reason, p.of.Blamed.Change)
}

// tells reports whether the program tells what the changes in it do to the example.
func (p *prover) tells(ctx context.Context) (bool, error) {
	if p.amid {
		return p.faithfulThere(ctx)
	}
	return p.faithful(ctx)
}

// faithful reports whether the program is old while every unit is, and new while none is, as far as the example shows.
func (p *prover) faithful(ctx context.Context) (bool, error) {
	old, err := p.try(ctx, p.all(spectra.Old), once) // what differs then is no old
	if err != nil {
		return false, err
	}
	if old.Incomparable != "" {
		return false, fmt.Errorf("%w: %s", errUntold, old.Incomparable)
	}
	if len(old.Deviations) > 0 {
		p.Unfit, p.Reason = true, p.lacking(untold)
		p.Outside, err = p.shows(ctx, p.all(spectra.Old), once)
		p.Outside = p.Outside && p.Base == spectra.New && p.Reason == untold
		p.detail(old)
		return false, err
	}
	same, err := p.shows(ctx, p.all(spectra.New), fully)
	if !same {
		p.Unfit, p.Reason = true, p.lacking(unshown)
		p.detail(p.seen[string(p.all(spectra.New))])
	}
	return same, err
}

// lacking returns the reason of a proof that the program can't tell of, with what it lacks, beside types and
// dependencies, that matters to the example. What is lacking may be the cause, so nothing else is taken for it.
func (p *prover) lacking(reason string) string {
	ran := p.ran()
	for _, l := range p.Lacks {
		switch {
		case l.Outer:
		case l.Run != nil && !slices.ContainsFunc(l.Run, func(s spectra.Symbol) bool { return ran[s.Declared()] }):
		case l.User != "":
			return fmt.Sprintf("%s: %s can't be exchanged together with %s", reason, l.User, l.Of)
		default:
			return fmt.Sprintf("%s: %s can't be exchanged", reason, l.Of)
		}
	}
	return reason
}

// built reports whether the example shows the effect because of how programs are built, as where code reads memory
// beyond its objects: the program on the base of new differs from old with all changes taken back, though it lacks
// nothing that matters, and that on the base of old lacks nothing at all, and does not show the effect with all of
// them. What is blamed for more than having run before may lead to it in a way that no program shows.
func (p *prover) built(before *diff.Proof) bool {
	e := p.of.Example.Evidence
	guessed := p.of.Blamed.Change == spectra.ChangeUnknown || p.unit >= 0 && e != nil && e.Route == diff.RouteNearby
	return guessed && before.Reason == untold && p.Base == spectra.Old && p.Reason == unshown &&
		len(p.Units) > 0 && len(p.Lacks) == 0
}

// detail logs what a trial showed that should not have.
func (p *prover) detail(c *diff.Comparison) {
	if c == nil {
		return
	}
	p.env.Detailf("%s: %s: %s", p.of.Blamed.Symbol, p.Reason, c.Incomparable)
	for _, d := range c.Deviations[:min(len(c.Deviations), 3)] {
		p.env.Detailf("  %s %s %s %s: %s → %s", d.Kind, d.Function, d.State, d.Path, d.Old, d.New)
	}
}

func (p *prover) all(s spectra.Side) []byte {
	return bytes.Repeat([]byte{p.state(s)}, len(p.Units))
}

// state returns how a unit of one version is written.
func (p *prover) state(s spectra.Side) byte {
	if s == p.Base {
		return wire.UnitBase
	}
	return wire.UnitOther
}

// only returns the choice in which just some units are new.
func (p *prover) only(list []int) []byte {
	units := p.all(spectra.Old)
	for _, i := range list {
		units[i] = p.state(spectra.New)
	}
	return units
}

// without returns the choice in which some units are old.
func (p *prover) without(list []int) []byte {
	units := p.all(spectra.New)
	for _, i := range list {
		units[i] = p.state(spectra.Old)
	}
	return units
}

// A thoroughness is under how many seeds a trial is played.
type thoroughness bool

const (
	once  thoroughness = false // under the main seed, to see where it is worth more
	fully thoroughness = true
)

// try plays the example with a choice of units. It is an error when there were trials enough to search.
func (p *prover) try(ctx context.Context, units []byte, how thoroughness) (*diff.Comparison, error) {
	key := string(units)
	if c, done := p.seen[key]; done {
		return c, nil
	}
	if how == once {
		key = "once " + key
		if c, done := p.seen[key]; done {
			return c, nil
		}
	}
	if how == once && p.Trials >= mostTrials-decisive {
		return nil, errSpent
	}
	p.Trials++
	c, err := p.Play(ctx, p.worker, string(units), p.of, &p.memory, how == once)
	switch {
	case err != nil && ctx.Err() == nil && !untellable(err): // a program may do what neither version does
		return nil, fmt.Errorf("%w: %w", errUntold, err)
	case err != nil:
		return nil, err
	case how == fully && c.Incomparable != "":
		return nil, fmt.Errorf("%w: %s", errUntold, c.Incomparable)
	}
	p.seen[key] = c
	return c, nil
}

// shows reports whether a choice of units shows the root's effect: the same harm at the same place, with the value that
// new has. Another value there is another effect: half a change may panic where all of it does not.
func (p *prover) shows(ctx context.Context, units []byte, how thoroughness) (bool, error) {
	c, err := p.try(ctx, units, how)
	switch {
	case c == nil:
		return false, err
	case p.Effect != nil:
		return c.HasEffect(*p.Effect), err
	}
	return slices.ContainsFunc(c.Effects(), p.of.Example.Effect.Same), err
}
