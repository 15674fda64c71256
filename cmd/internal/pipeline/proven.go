package pipeline

// This file builds a program that holds both versions of what changed, and has the roots proven on it.

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/cmd/internal/proof"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/hybrid"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
)

// A tried is what the trials of roots showed.
type tried struct {
	*judge.Judged
	proofs   []proof.Proof // of Judged.Roots; nil: nothing was tried
	warnings []string
}

// proveRoots tries to prove the roots.
func proveRoots(ctx context.Context, t *task, g *generated, j *judge.Judged) (*tried, error) {
	out := &tried{Judged: j}
	if t.cfg.NoProof || !slices.ContainsFunc(j.Roots, provable) {
		return out, nil
	}
	t.env.Stage("prove")
	for _, base := range []spectra.Side{spectra.New, spectra.Old} {
		if out.proofs != nil && !slices.ContainsFunc(out.proofs, func(p proof.Proof) bool { return p.Unfit }) {
			break
		}
		mixed, err := buildHybrid(ctx, t, g, base)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			t.env.Detailf("on the base of %s: %v", base, err)
			continue
		}
		if out.proofs, err = proof.Roots(ctx, t.env, mixed.subject(t, g, j), out.proofs); err != nil {
			return nil, err
		}
	}
	if out.proofs == nil {
		out.warnings = append(out.warnings, "no root could be proven: no program with both versions' code builds (-v says why)")
	}
	return out, nil
}

// provable reports whether trials could show anything of a root.
func provable(e judge.Example) bool { return e.Found.Effect.Tier != diff.TierCalls }

// A mixture is a program that holds both versions of what changed.
type mixture struct {
	*hybrid.Hybrid
	base   spectra.Side
	player replay.Player
}

// subject returns what is tried on the program.
func (m *mixture) subject(t *task, g *generated, j *judge.Judged) *proof.Subject {
	s := &proof.Subject{Roots: j.Roots, Base: m.base, Left: map[spectra.Symbol]string{}}
	for _, unit := range m.Units {
		var names []spectra.Symbol
		for _, of := range unit {
			names = append(names, g.inNew(m.base, of))
		}
		s.Units = append(s.Units, names)
	}
	for _, l := range m.Left {
		t.env.Detailf("on the base of %s, %s can't be switched: %s", m.base, l.Symbol, l.Reason)
		s.Left[g.inNew(m.base, l.Symbol)] = l.Reason
	}
	old := g.player(t, spectra.Old, g.compared)
	old.Compare.Bubbles = g.players.Bubbles()
	s.Play = func(ctx context.Context, worker int, units string, e judge.Example) (*diff.Comparison, error) {
		mixed := m.player
		mixed.Units = units
		return j.Against(ctx, worker, t.players(spectra.Pair[replay.Player]{Old: old, New: mixed}), e)
	}
	return s
}

// buildHybrid writes and builds the program that is one version with code of the other.
func buildHybrid(ctx context.Context, t *task, g *generated, base spectra.Side) (*mixture, error) {
	t.env.Report("building both versions in one", 0, 0)
	h, err := hybrid.Make(g.mixed(base))
	if err != nil {
		return nil, err
	}
	b := *g.built
	versions := b.versions.Of(base)
	versions.packages = slices.Clone(versions.packages)
	options := instrument.Options{
		Dir: b.sides.Of(base).target.Dir, Runtime: spectra.RuntimePath, Overlay: h.Overlay,
		Switches: map[spectra.Symbol]instrument.Switch{}, Written: b.written(base),
	}
	for from, to := range h.Switches {
		options.Switches[from] = instrument.Switch(to)
	}
	for i, p := range versions.packages {
		if mixed := h.Packages[p.Path]; mixed != nil {
			if versions.packages[i], err = instrument.Instrument(mixed, options); err != nil {
				return nil, err
			}
		}
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
	if binary.Patched != b.drivers.Of(base).binary.Patched {
		return nil, fmt.Errorf("its runtime is not that of the versions")
	}
	b.drivers.Of(base).binary = binary
	m := &mixture{h, base, b.player(t, base, g.besides(&b, base, h.Others))}
	m.player.Side, m.player.Compare.Bubbles = "mixed", g.players.Bubbles()
	return m, nil
}

// inNew returns a name of one version as new has it.
func (b *built) inNew(s spectra.Side, name spectra.Symbol) spectra.Symbol {
	if s == spectra.New {
		return name
	}
	return spectra.Symbol(b.newName(string(name)))
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

// mixed is what a hybrid of the versions is made of.
func (b *built) mixed(base spectra.Side) hybrid.Config {
	of, other := b.sides.Of(base).target, b.sides.Of(base.Other()).target
	c := hybrid.Config{
		Functions: map[spectra.Symbol]spectra.Symbol{}, Values: map[spectra.Symbol]spectra.Symbol{},
		BaseName: func(s spectra.Symbol) spectra.Symbol { return b.renamed(base, s) },
		Read:     os.ReadFile,
		Check: func(p *packages.Package, overlay map[string][]byte) (*packages.Package, []types.Error, error) {
			return of.Recheck(p, overlay, other)
		},
	}
	add := func(list map[spectra.Symbol]spectra.Symbol, name spectra.Symbol) {
		names := spectra.Pair[spectra.Symbol]{Old: b.oldName(name), New: name}
		list[*names.Of(base)] = *names.Of(base.Other())
	}
	changes := b.rootChanges()
	for _, f := range changes.Functions {
		add(c.Functions, f.Symbol)
	}
	for _, d := range changes.Declarations {
		if d.Change == root.ChangeVariable {
			add(c.Values, d.Name)
		}
	}
	for _, p := range b.versions.Of(base).packages {
		pair := hybrid.Versions{
			Base: of.Package(p.Path), Other: other.Package(string(b.renamed(base.Other(), spectra.Symbol(p.Path)))),
		}
		if pair.Base != nil && pair.Other != nil && !usesC(pair.Base) && !usesC(pair.Other) {
			c.Packages = append(c.Packages, pair)
		}
	}
	return c
}

func usesC(p *packages.Package) bool { return len(p.GoFiles) != len(p.CompiledGoFiles) }

// besides returns what is compared of a program that is one version, with code of the other under further names. Its
// executions go by new's names.
func (g *generated) besides(
	b *built, base spectra.Side, others map[spectra.Symbol]spectra.Symbol,
) comparisons {
	c := g.compared
	tables, of := c.tables.Of(base), c.of.Of(base)
	*tables = b.table(base)
	from := g.compared.of.Of(base.Other())
	of.Watch, of.Names = nil, map[spectra.Symbol]spectra.Symbol{}
	of.Touches, of.Slots, of.Numbers = maps.Clone(of.Touches), maps.Clone(of.Slots), maps.Clone(of.Numbers)
	literals := maps.Clone(of.Literals)
	if of.Literals = literals; literals == nil {
		of.Literals = map[string]string{}
	}
	slots := map[spectra.Symbol][]spectra.SlotDecl{}
	for _, table := range *g.compared.tables.Of(base.Other()) {
		for _, p := range table.Points {
			slots[p.Symbol] = p.Slots
		}
	}
	paired := g.pairedNames()
	for _, table := range *tables {
		for i := range table.Points {
			p := &table.Points[i]
			declared, beside := others[p.Symbol.Declared()]
			if !beside {
				if names, ok := (*paired.Of(base))[p.Symbol]; ok {
					of.Names[p.Symbol] = names.New
				}
				continue
			}
			other := declared + p.Symbol[len(p.Symbol.Declared()):]
			of.Literals[p.Symbol.Linked()] = other.Linked()
			names, ok := (*paired.Of(base.Other()))[other]
			if !ok {
				continue
			}
			of.Literals[p.Symbol.Linked()] = names.Old.Linked()
			of.Names[p.Symbol], p.Slots = names.New, slots[other]
			of.Numbers[p.Symbol] = from.Numbers[other]
			if list, ok := from.Touches[other]; ok {
				of.Touches[p.Symbol] = list
			}
			if list, ok := from.Slots[other]; ok {
				of.Slots[p.Symbol] = list
			}
		}
	}
	return c
}

// pairedNames returns both names of the functions that both versions have, by each version's.
func (b *built) pairedNames() *spectra.Pair[map[spectra.Symbol]spectra.Pair[spectra.Symbol]] {
	paired := spectra.MakePair(func(spectra.Side) map[spectra.Symbol]spectra.Pair[spectra.Symbol] {
		return map[spectra.Symbol]spectra.Pair[spectra.Symbol]{}
	})
	for name, old := range b.matched {
		names := spectra.Pair[spectra.Symbol]{Old: old, New: name}
		paired.Old[old], paired.New[name] = names, names
	}
	return &paired
}

// proven returns a root with the cause that the trials showed, where that is not the change that the root is of.
func (b *built) proven(e judge.Example, p proof.Proof) judge.Example {
	changes := b.rootChanges()
	switch {
	case len(p.Instead) > 0:
		cause := p.Instead[0]
		text := "old does so too with " + cause.Short() + " alone"
		if len(p.Instead) > 1 {
			text = fmt.Sprintf("old does so too with %s and %d other changes", cause.Short(), len(p.Instead)-1)
		}
		for _, f := range changes.Functions {
			if f.Symbol == cause {
				e.Root = e.Root.Because(cause, f.Change, root.Position{
					Side: spectra.New, File: f.New.File, Line: f.New.Line, EndLine: f.New.EndLine,
				}, text)
			}
		}
		for _, d := range changes.Declarations {
			if d.Name == cause {
				e.Root = e.Root.Because(cause, d.Change, d.Position, text)
			}
		}
	case p.Outside:
		if m := dependencyOf(changes.Modules, e.Root.Function); m != nil {
			e.Root = e.Root.Because(spectra.Symbol(m.Path), root.ChangeDependency, root.Position{}, fmt.Sprintf(
				"with %s %s in place of %s, whatever else is taken back", m.Path, m.New, m.Old))
		}
	}
	return e
}

// dependencyOf returns the changed module that a function can call, or else one of which it is not known.
func dependencyOf(modules []root.Module, function spectra.Symbol) *root.Module {
	for _, known := range []bool{true, false} {
		for i, m := range modules {
			if (m.Users != nil) == known && (!known || slices.Contains(m.Users, function)) {
				return &modules[i]
			}
		}
	}
	return nil
}
