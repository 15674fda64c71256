package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// A tried is what the trials showed.
type tried struct {
	*judge.Judged
	findings []*diff.Finding // of Judged, with their proofs
	warnings []string
}

// proveRoots tries to prove the findings.
func proveRoots(ctx context.Context, t *task, g *generated, j *judge.Judged) (*tried, error) {
	out := &tried{Judged: j, findings: j.Findings}
	if t.cfg.NoProof || !slices.ContainsFunc(j.Findings, provable) {
		return out, nil
	}
	t.env.Stage("prove")
	tryable := func(f *diff.Finding) bool { return f.Proof == nil || f.Proof.Unfit }
	for _, base := range []spectra.Side{spectra.New, spectra.Old} {
		if !slices.ContainsFunc(out.findings, tryable) {
			break
		}
		program, err := buildHybrid(ctx, t, g, j.Causes, hybrid.Recipe{Base: base})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			t.env.Detailf("on the base of %s: %v", base, err)
			continue
		}
		if out.findings, err = proof.Try(ctx, t.env.Workers, program.subject(t, g, j), out.findings); err != nil {
			return nil, err
		}
	}
	var err error
	if out.findings, err = proveTypes(ctx, t, g, j, out.findings); err != nil {
		return nil, err
	}
	if out.findings, err = narrowDown(ctx, t, g, j, out.findings); err != nil {
		return nil, err
	}
	if out.findings[0].Proof == nil {
		const text = "no root could be proven: no program with both versions' code builds (-v says why)"
		out.warnings = append(out.warnings, text)
	}
	out.findings = proof.Settle(out.findings, j.Causes)
	return out, nil
}

// narrowDown finds out which of several changed places of a function is the cause.
func narrowDown(
	ctx context.Context, t *task, g *generated, j *judge.Judged, findings []*diff.Finding,
) ([]*diff.Finding, error) {
	in := proof.NarrowInput{
		Env: t.env.Workers, Changes: g.changes,
		Dirs: spectra.MakePair(func(s spectra.Side) string { return g.sides.Of(s).target.Dir }),
		Program: func(ctx context.Context, patches []hybrid.Patch) (*proof.Subject, []spectra.Symbol, error) {
			program, err := buildHybrid(ctx, t, g, j.Causes, hybrid.Recipe{Base: spectra.New, Patches: patches})
			if err != nil {
				return nil, nil, err
			}
			return program.subject(t, g, j), program.Unpatched, nil
		},
	}
	return in.Narrow(ctx, findings)
}

// mostTypes is for how many changed types a program is built.
const mostTypes = 4

// proveTypes tries to prove the findings that come from changed types: each on a program that is new but for one of
// those.
func proveTypes(
	ctx context.Context, t *task, g *generated, j *judge.Judged, findings []*diff.Finding,
) ([]*diff.Finding, error) {
	of := map[spectra.Symbol][]int{}
	var order []spectra.Symbol
	for i, f := range findings {
		if cause := proof.Type(f, j.Causes); cause != "" {
			if of[cause] == nil {
				order = append(order, cause)
			}
			of[cause] = append(of[cause], i)
		}
	}
	for _, cause := range order[:min(len(order), mostTypes)] {
		program, err := buildHybrid(ctx, t, g, j.Causes, hybrid.Recipe{Base: spectra.New, Type: cause})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			t.env.Detailf("without the change of %s: %v", cause, err)
			findings = proof.WithoutProgram(findings, of[cause])
			continue
		}
		findings, err = proof.Retyped(ctx, t.env.Workers, program.subject(t, g, j), findings, of[cause])
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
}

// subject returns what is tried on the program.
func (m *mixed) subject(t *task, g *generated, j *judge.Judged) *proof.Subject {
	s := &proof.Subject{Base: m.base, Unswitchable: map[spectra.Symbol]string{}}
	name := func(of spectra.Symbol) spectra.Symbol {
		if m.base == spectra.Old {
			return g.renamed(spectra.New, of)
		}
		return of
	}
	for _, unit := range m.Units {
		var names []spectra.Symbol
		for _, of := range unit {
			names = append(names, name(of))
		}
		s.Units = append(s.Units, names)
	}
	for _, l := range m.Unswitchable {
		t.env.Detailf("on the base of %s, %s can't be switched: %s", m.base, l.Symbol, l.Reason)
		s.Unswitchable[name(l.Symbol)] = l.Reason
	}
	old := g.player(t, spectra.Old, g.compared)
	old.Compare.Bubbles = g.players.Bubbles()
	s.Play = func(
		ctx context.Context, worker int, units string, f *diff.Finding, of *replay.Memory, once bool,
	) (*diff.Comparison, error) {
		program := m.player
		program.Units = units
		return j.Against(ctx, worker, of.With(t.players(spectra.Pair[replay.Player]{Old: old, New: program})), f, once)
	}
	return s
}

// buildHybrid writes and builds a program of both versions, of which is said which is its base, and what the base has
// as the other version has it.
func buildHybrid(
	ctx context.Context, t *task, g *generated, changes root.Changes, made hybrid.Recipe,
) (_ *mixed, err error) {
	defer fault.Catch(&err)
	t.env.Report("building both versions in one", 0, 0)
	made.Loaded = g.targets()
	made.Changes, made.Name = changes, g.renamed
	base := made.Base
	for _, p := range g.versions.Of(base).packages {
		made.Paths = append(made.Paths, p.Path)
	}
	h, err := made.Make()
	if err != nil {
		return nil, err
	}
	b, err := g.with(h, base)
	if err != nil {
		return nil, err
	}
	request, _, err := b.writeDriver(base)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := t.builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != g.drivers.Of(base).binary.Patched {
		return nil, fmt.Errorf("its runtime is not that of the versions")
	}
	b.drivers.Of(base).binary = binary
	compared := hybrid.Compared{Of: g.compared.of, Tables: g.compared.tables, Paired: g.matched}
	player := b.player(t, base, g.compared)
	player.Side, player.Table = "mixed", b.table(base)
	player.Compare = compared.Besides(base, player.Table, h.Others)
	player.Compare.Bubbles = g.players.Bubbles()
	return &mixed{h, base, player}, nil
}

// with returns what is built with a hybrid in the place of one version.
func (b *built) with(h *hybrid.Hybrid, base spectra.Side) (*built, error) {
	changed := *b
	version := changed.versions.Of(base)
	version.packages = slices.Clone(version.packages)
	options := instrument.Options{
		Dir: b.sides.Of(base).target.Dir, Runtime: spectra.RuntimePath, Overlay: h.Overlay,
		Switches: map[spectra.Symbol]instrument.Switch{}, Written: b.written(base),
	}
	for from, to := range h.Switches {
		options.Switches[from] = instrument.Switch(to)
	}
	for i, p := range version.packages {
		mixed := h.Packages[p.Path]
		if mixed == nil {
			continue
		}
		if faults := fault.Do(p.Path, "instrumenting both versions of", func() (err error) {
			version.packages[i], err = instrument.Instrument(mixed, options)
			return err
		}); faults != nil {
			return nil, faults
		}
	}
	return &changed, nil
}

// written returns the package variables that either version changes, by the names that one version has.
func (b *built) written(base spectra.Side) map[string]bool {
	written := maps.Clone(b.sides.Of(base).program.Written())
	for name := range b.sides.Of(base.Other()).program.Written() {
		written[string(b.renamed(base, spectra.Symbol(name)))] = true
	}
	return written
}

// renamed returns a name of the other version as one has it.
func (b *built) renamed(to spectra.Side, name spectra.Symbol) spectra.Symbol {
	if to == spectra.Old {
		return b.oldName(name)
	}
	return spectra.Symbol(b.newName(string(name)))
}
