package proof

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Input says what is proven, and on programs of which versions.
type Input struct {
	Drivers *drivers.Drivers
	Players *replay.Players     // in time bubbles only where the module works in them
	Judged  *judge.Judged       // nil where nothing was played
	Found   func(*diff.Finding) // told of each finding as soon as it is proven, by any goroutine; nil: nobody

	internal *[]string // warnings of errors of this program
}

// Prove tries to prove the findings that were judged. It returns them with their proofs and causes, and warnings.
func (in Input) Prove(ctx context.Context) (findings []*diff.Finding, warnings []string, err error) {
	findings, e := in.Judged.Findings, in.workers()
	if !slices.ContainsFunc(findings, provable) {
		return findings, nil, nil
	}
	e.Stage("prove")
	in.internal = &warnings
	if findings, err = in.onPrograms(ctx, findings, in.subject); err != nil {
		return nil, nil, err
	}
	if findings, err = in.proveTypes(ctx, findings); err != nil {
		return nil, nil, err
	}
	if findings, err = in.narrowDown(ctx, findings); err != nil {
		return nil, nil, err
	}
	if findings[0].Proof == nil {
		const text = "no root was proven: no program with the code of both versions compiles (-v says why)"
		warnings = append(warnings, text)
	}
	kept := slices.DeleteFunc(slices.Clone(findings), func(f *diff.Finding) bool {
		return f.Proof != nil && f.Proof.Built
	})
	if len(kept) < len(findings) {
		const text = "left out: differences that come from how programs are built, such as memory that is read " +
			"beyond its objects, and from no change"
		warnings = append(warnings, text)
	}
	return Settle(kept, in.causes()), warnings, nil
}

// onPrograms tries to prove findings on one program after the other, as long as one of them is not told of.
func (in Input) onPrograms(
	ctx context.Context, findings []*diff.Finding, subject func(*mixed) *Subject,
) ([]*diff.Finding, error) {
	tryable := func(f *diff.Finding) bool { return f.Proof == nil || f.Proof.Unfit }
	e, lacks := in.workers(), false
	var amid *Subject // the program on the base of new alone
	for _, made := range []hybrid.Recipe{{Base: spectra.New}, {Base: spectra.Old}, {Base: spectra.New, Lend: true}} {
		if !slices.ContainsFunc(findings, tryable) || made.Lend && !lacks {
			break
		}
		program, err := in.build(ctx, made)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			e.Detailf("on the base of %s: %v", made.Base, err)
			continue
		}
		lacks = lacks || program.Lacks && made.Base == spectra.New
		of := subject(program)
		if findings, err = Try(ctx, e, of, findings); err != nil {
			return nil, err
		}
		if amid == nil && made.Base == spectra.New {
			amid = of
		}
	}
	if amid == nil {
		return findings, nil
	}
	return Amid(ctx, e, amid, findings)
}

// causes returns the changes that may be causes.
func (in Input) causes() root.Changes {
	if in.Judged == nil {
		return root.ChangesOf(in.Drivers.Plan)
	}
	return in.Judged.Causes
}

func (in Input) workers() *replay.Workers { return in.Drivers.Tools.Workers }

// narrowDown finds out which of several changed places of a function is the cause.
func (in Input) narrowDown(ctx context.Context, findings []*diff.Finding) ([]*diff.Finding, error) {
	places := NarrowInput{
		Env: in.workers(), Changes: in.Drivers.Plan.Changes,
		Dirs: spectra.MakePair(func(s spectra.Side) string { return in.Drivers.Plan.Sides.Of(s).Target.Dir }),
		Program: func(ctx context.Context, patches []hybrid.Patch) (*Subject, []spectra.Symbol, error) {
			program, err := in.build(ctx, hybrid.Recipe{Base: spectra.New, Patches: patches})
			if err != nil {
				return nil, nil, err
			}
			return in.subject(program), program.Unpatched, nil
		},
	}
	return places.Narrow(ctx, findings)
}

// mostTypes is for how many changed types a program is built.
const mostTypes = 4

// proveTypes tries to prove the findings that come from changed types: each on a program that is new but for one of
// those.
func (in Input) proveTypes(ctx context.Context, findings []*diff.Finding) ([]*diff.Finding, error) {
	of := map[spectra.Symbol][]int{}
	var order []spectra.Symbol
	for i, f := range findings {
		if cause := Type(f, in.causes()); cause != "" {
			if of[cause] == nil {
				order = append(order, cause)
			}
			of[cause] = append(of[cause], i)
		}
	}
	for _, cause := range order[:min(len(order), mostTypes)] {
		program, err := in.build(ctx, hybrid.Recipe{Base: spectra.New, Type: cause})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			in.workers().Detailf("without the change of %s: %v", cause, err)
			findings = WithoutProgram(findings, of[cause])
			continue
		}
		findings, err = Retyped(ctx, in.workers(), in.subject(program), findings, of[cause])
		if err != nil {
			return nil, err
		}
	}
	return findings, nil
}

// provable reports whether trials could show anything of a finding.
func provable(f *diff.Finding) bool { return f.Effect.Tier != spectra.TierCalls }

// A mixed is a program that holds both versions of what changed.
type mixed struct {
	*hybrid.Hybrid
	base   spectra.Side
	player replay.Player
	name   hybrid.Renaming
}

// inNew returns what new calls something of the program's base.
func (m *mixed) inNew(of spectra.Symbol) spectra.Symbol {
	if m.base == spectra.Old {
		return m.name(spectra.New, of)
	}
	return of
}

// subject returns what is tried on the program.
func (in Input) subject(m *mixed) *Subject {
	g := in.Drivers
	s := &Subject{
		Base: m.base, Found: in.Found, Unswitchable: map[spectra.Symbol]string{}, Adapted: map[spectra.Symbol]bool{},
	}
	for _, unit := range m.Units {
		var names []spectra.Symbol
		for _, of := range unit {
			names = append(names, m.inNew(of))
		}
		s.Units = append(s.Units, names)
	}
	for of := range m.Adapted {
		s.Adapted[m.inNew(of)] = true
	}
	s.Lacks = in.lacks(m, s.Units)
	for _, l := range m.Unswitchable {
		in.workers().Detailf("on the base of %s, %s can't be switched: %s", m.base, l.Symbol, l.Reason)
		s.Unswitchable[m.inNew(l.Symbol)] = l.Reason
	}
	old := in.Players.Like(g.Player(spectra.Old, g.Compared))
	s.Play = func(
		ctx context.Context, worker int, units string, f *diff.Finding, of *replay.Memory, once bool,
	) (*diff.Comparison, error) {
		program := m.player
		program.Units = units
		players := g.Tools.Players(spectra.Pair[replay.Player]{Old: old, New: program})
		return in.Judged.Against(ctx, worker, of.With(players), f, once)
	}
	return s
}

// build builds a program of both versions. An error of this program, such as a panic, is a warning as well.
func (in Input) build(ctx context.Context, made hybrid.Recipe) (built *mixed, err error) {
	for _, f := range fault.Do(in.Drivers.Plan.Sides.New.Target.Module, "building both versions of", func() error {
		built, err = in.write(ctx, made)
		return nil
	}) {
		warning := plan.FaultWarning(f, "what changed in %s is not proven", in.workers().Detailf)
		if built, err = nil, f; !slices.Contains(*in.internal, warning) {
			*in.internal = append(*in.internal, warning)
		}
	}
	return built, err
}

// write writes and builds a program of both versions. The recipe says which is its base, and what the base has as the
// other version has it.
func (in Input) write(ctx context.Context, made hybrid.Recipe) (*mixed, error) {
	in.workers().Report("building both versions in one", 0, 0)
	g, base := in.Drivers, made.Base
	made.Loaded, made.Changes = g.Plan.Targets(), in.causes()
	made.Name = hybrid.WithInits(made.Loaded, made.Changes, g.Renamed)
	for _, p := range g.Versions.Of(base).Packages {
		made.Paths = append(made.Paths, p.Path)
	}
	h, err := made.Make()
	if err != nil {
		return nil, err
	}
	b, err := g.Variant(ctx, base, drivers.Mixture{Packages: h.Packages, Overlay: h.Overlay, Switches: h.Switches})
	if err != nil {
		return nil, err
	}
	compared := hybrid.Compared{Of: g.Compared.Of, Tables: g.Compared.Tables, Paired: g.Matched}
	player := b.Player(base, g.Compared)
	player.Side, player.Table = "mixed", b.Table(base)
	player.Compare = compared.Besides(base, player.Table, h.Others, h.Renumbered)
	return &mixed{h, base, in.Players.Like(player), made.Name}, nil
}
