package pipeline

// This file builds a program that holds both versions of what changed, and has the roots proven on it.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
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
	mixed, err := buildHybrid(ctx, t, g)
	if err != nil {
		if ctx.Err() == nil {
			out.warnings = append(out.warnings, "no root could be proven: "+err.Error())
			err = nil
		}
		return out, err
	}
	units := make([][]spectra.Symbol, len(mixed.Units))
	for i, unit := range mixed.Units {
		units[i] = unit
	}
	left := map[spectra.Symbol]string{}
	for _, l := range mixed.Left {
		t.env.Detailf("%s can't be switched: %s", l.Symbol, l.Reason)
		left[l.Symbol] = l.Reason
	}
	out.proofs, err = proof.Roots(ctx, t.env, &proof.Subject{
		Roots: j.Roots, Units: units, Left: left,
		Play: func(ctx context.Context, worker int, units string, e judge.Example) (*diff.Comparison, error) {
			return j.Against(ctx, worker, mixed.players(t, g, units), e)
		},
	})
	return out, err
}

// provable reports whether trials could show anything of a root.
func provable(e judge.Example) bool { return e.Found.Effect.Tier != diff.TierCalls }

// A mixture is a program that holds both versions of what changed.
type mixture struct {
	*hybrid.Hybrid
	player replay.Player
}

// players returns players of old and of the program with a choice of units.
func (m *mixture) players(t *task, g *generated, units string) *env.Players {
	of := m.player
	of.Units, of.Compare.Bubbles = units, g.players.Bubbles()
	old := g.player(t, spectra.Old, g.compared)
	old.Compare.Bubbles = of.Compare.Bubbles
	return t.players(spectra.Pair[replay.Player]{Old: old, New: of})
}

// buildHybrid writes and builds the program.
func buildHybrid(ctx context.Context, t *task, g *generated) (*mixture, error) {
	t.env.Stage("prove")
	t.env.Report("building both versions in one", 0, 0)
	h, err := hybrid.Make(g.mixed(t))
	if err != nil {
		return nil, err
	}
	b := *g.built
	versions := b.versions.New
	versions.packages = slices.Clone(versions.packages)
	options := instrument.Options{
		Dir: b.sides.New.target.Dir, Runtime: spectra.RuntimePath, Overlay: h.Overlay,
		Switches: map[spectra.Symbol]instrument.Switch{}, Written: b.written(),
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
	b.versions.New = versions
	request, _, err := b.writeDriver(spectra.New)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := t.builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != b.drivers.New.binary.Patched {
		return nil, fmt.Errorf("its runtime is not that of the versions")
	}
	b.drivers.New.binary = binary
	return &mixture{h, b.player(t, spectra.New, g.besides(&b, h.Olds))}, nil
}

// written returns the package variables that either version changes, by their names in new.
func (b *built) written() map[string]bool {
	written := maps.Clone(b.sides.New.program.Written())
	for name := range b.sides.Old.program.Written() {
		written[b.newName(name)] = true
	}
	return written
}

// mixed is what a hybrid of the versions is made of.
func (b *built) mixed(t *task) hybrid.Config {
	c := hybrid.Config{
		Functions: map[spectra.Symbol]spectra.Symbol{}, Values: map[spectra.Symbol]spectra.Symbol{},
		NewName: func(s spectra.Symbol) spectra.Symbol { return spectra.Symbol(b.newName(string(s))) },
		Read:    os.ReadFile, Check: b.sides.New.target.Recheck,
	}
	changes := b.rootChanges()
	for _, f := range changes.Functions {
		c.Functions[f.Symbol] = b.oldName(f.Symbol)
	}
	for _, d := range changes.Declarations {
		if d.Change == root.ChangeVariable {
			c.Values[d.Name] = b.oldName(d.Name)
		}
	}
	for _, p := range b.versions.New.packages {
		pair := spectra.Pair[*packages.Package]{
			Old: b.sides.Old.target.Package(string(b.oldName(spectra.Symbol(p.Path)))),
			New: b.sides.New.target.Package(p.Path),
		}
		if pair.Old != nil && pair.New != nil && len(pair.New.GoFiles) == len(pair.New.CompiledGoFiles) &&
			len(pair.Old.GoFiles) == len(pair.Old.CompiledGoFiles) { // no cgo
			c.Packages = append(c.Packages, pair)
		}
	}
	return c
}

// besides returns what is compared of a program in which code of old stands beside new's, under other names.
func (g *generated) besides(b *built, olds map[spectra.Symbol]spectra.Symbol) comparisons {
	c := g.compared
	c.tables.New = b.table(spectra.New)
	of := &c.of.New
	of.Watch, of.Names = nil, map[spectra.Symbol]spectra.Symbol{}
	of.Touches, of.Slots, of.Numbers = maps.Clone(of.Touches), maps.Clone(of.Slots), maps.Clone(of.Numbers)
	of.Literals = maps.Clone(of.Literals)
	news := map[spectra.Symbol]spectra.Symbol{}
	for name, old := range b.matched {
		news[old] = name
	}
	slots := map[spectra.Symbol][]spectra.SlotDecl{}
	for _, table := range g.compared.tables.Old {
		for _, p := range table.Points {
			slots[p.Symbol] = p.Slots
		}
	}
	for _, table := range c.tables.New {
		for i := range table.Points {
			p := &table.Points[i]
			declared, ok := olds[p.Symbol.Declared()]
			if !ok {
				continue
			}
			old := declared + p.Symbol[len(p.Symbol.Declared()):]
			of.Literals[p.Symbol.Linked()] = old.Linked()
			name, paired := news[old]
			if !paired {
				continue
			}
			of.Names[p.Symbol], p.Slots = name, slots[old]
			of.Numbers[p.Symbol] = g.compared.of.Old.Numbers[old]
			if list, ok := g.compared.of.Old.Touches[old]; ok {
				of.Touches[p.Symbol] = list
			}
			if list, ok := g.compared.of.Old.Slots[old]; ok {
				of.Slots[p.Symbol] = list
			}
		}
	}
	return c
}
