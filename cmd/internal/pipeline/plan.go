package pipeline

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// A plan is what is known before anything is instrumented.
type plan struct {
	given   *versions.Versions
	sides   spectra.Pair[side]
	changes *source.Changes
	sandbox string // the layers that confine, "" where the flow ended before
	// recorded lists the packages whose functions are recorded, by their paths in old, or in new where
	// only new has them. driven are those of them that both versions have.
	recorded, driven []string
	common           *match.Match            // nil where the flow ended before
	callable         *api.Surface            // what sequences can call and name, likewise
	reaching         map[spectra.Symbol]bool // functions that can reach changed code, by their names in old; likewise
	// beyond reports whether a function or variable of a dependency is one that no code of the module can reach; nil
	// where no dependency is recorded. Unused are such functions that changed, with their places.
	beyond   func(spectra.Symbol) bool
	unused   map[spectra.Symbol]source.Change
	warnings []string
}

// A side is what the plan knows of one version; nothing where the flow ended before.
type side struct {
	// included are the dependencies that are recorded too, with the folders of their sources.
	included map[string]string
	target   *load.Version
	program  *static.Program // of target's packages
}

// makePlan finds out what there is to compare.
func makePlan(ctx context.Context, t *task) (*plan, error) {
	// Before anything is read, so that a machine which can't confine is refused at once.
	layers, err := t.env.Confine(ctx)
	if err != nil {
		return nil, err
	}
	found, err := versions.Find(ctx, versions.Config{
		Dir: t.cfg.Dir, Args: t.cfg.Args, Outside: t.cfg.Outside,
		Go: t.env.Go, Store: t.env.Store, Report: t.env.Report,
	})
	if err != nil {
		return nil, err
	}
	p := &plan{given: found, changes: found.Changes, warnings: found.Warnings}
	if reason := found.Unchanged(); reason != "" && !t.cfg.All {
		t.env.Logf("%s", reason)
		return p, errOver
	}
	p.sandbox = layers.String()
	p.warn(append(layers.Missing(), layers.Weak()...)...)
	if t.env.Go.WithoutC() {
		p.warn("files can't be confined here, so cgo is off: set CGO_ENABLED=1 if you trust both versions")
	}
	return p, p.findSurface(ctx, t)
}

func (p *plan) warn(texts ...string) { p.warnings = append(p.warnings, texts...) }
