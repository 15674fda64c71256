package proof

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Variables tries to prove by which changes package variables differ before any call. A trial initialises a program,
// and looks at the variable; nothing is played. It returns what is proven, cause and proof, by the variables' names in
// new, and warnings.
func (in Input) Variables(
	ctx context.Context, differing []judge.DifferingVariable,
) (proven map[spectra.Symbol]*diff.Finding, warnings []string, err error) {
	in.workers().Stage("prove")
	in.internal, in.Found = &warnings, nil
	of := &initialValues{in: in, of: map[spectra.Symbol]variable{}}
	names := in.Drivers.Plan.Common.Variables()
	var findings []*diff.Finding
	for _, v := range differing {
		name := spectra.Symbol(in.Drivers.Plan.NewName(v.Name))
		of.of[name] = variable{slices.Index(names, v.Name), v.States.Old.Digest}
		findings = append(findings, of.finding(name, v.States.New))
	}
	findings, err = in.onPrograms(ctx, findings, of.subject)
	proven = map[spectra.Symbol]*diff.Finding{}
	for _, f := range findings {
		if f.Proof.Confirmed() {
			proven[f.Blamed.Symbol] = settled(f, in.causes())
		}
	}
	return proven, warnings, err
}

// InitialValues are what initialisation leaves in variables.
type initialValues struct {
	in Input
	of map[spectra.Symbol]variable
}

// A variable is one that differs: its index, and what old leaves in it.
type variable struct {
	index int
	old   spectra.Digest
}

// finding returns that a variable has what new leaves in it.
func (i *initialValues) finding(name spectra.Symbol, new spectra.State) *diff.Finding {
	c := i.compare(name, replay.Variable{Present: true, State: new})
	cause, effect := diff.Cause{Symbol: name, Change: spectra.ChangeVariable}, c.Effects()[0]
	return &diff.Finding{
		Blamed: cause, Cause: cause, Effect: effect,
		Example: diff.Example{Case: &diff.Case{Comparison: c}, Effect: effect},
	}
}

// compare compares what is left in a variable with what old leaves.
func (i *initialValues) compare(name spectra.Symbol, left replay.Variable) *diff.Comparison {
	c, old := &diff.Comparison{Root: &diff.Node{}}, i.of[name].old
	switch {
	case !left.Present || left.State.Truncated:
		c.Incomparable = "a variable has no value that could be compared"
	case left.State.Digest != old:
		c.Deviations = []*diff.Deviation{{
			Kind: spectra.KindContainer, Function: name, Path: spectra.Path(name),
			Old: fmt.Sprint(old), New: fmt.Sprint(left.State.Digest),
		}}
	}
	return c
}

// subject returns what is tried on a program.
func (i *initialValues) subject(m *mixed) *Subject {
	s, left := i.in.subject(m), &leftBy{of: map[string]initialised{}}
	old := i.in.Players.Like(i.in.Drivers.Player(spectra.Old, i.in.Drivers.Compared))
	s.Play = func(
		ctx context.Context, worker int, units string, f *diff.Finding, _ *replay.Memory, _ bool,
	) (*diff.Comparison, error) {
		if i.in.workers().Over() {
			return nil, judge.ErrTimeUp
		}
		program := m.player
		program.Units = units
		players := i.in.Drivers.Tools.Players(spectra.Pair[replay.Player]{Old: old, New: program})
		all, err := left.by(ctx, players.Player(spectra.New, worker), units)
		if err != nil {
			return nil, err
		}
		return i.compare(f.Blamed.Symbol, all[i.of[f.Blamed.Symbol].index]), nil
	}
	return s
}

// A leftBy has what initialisation of a program leaves in variables, by the choice of its units.
type leftBy struct {
	mu sync.Mutex
	of map[string]initialised
}

type initialised struct {
	variables []replay.Variable
	err       error
}

func (l *leftBy) by(ctx context.Context, p replay.VersionPlayer, units string) ([]replay.Variable, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if of, done := l.of[units]; done {
		return of.variables, of.err
	}
	of, err := p.Initialised(ctx, wire.MainSeed)
	if ctx.Err() == nil {
		l.of[units] = initialised{of.Variables, err}
	}
	return of.Variables, err
}
