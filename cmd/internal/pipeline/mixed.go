package pipeline

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// variant builds a driver of a program of both versions, and returns the drivers with it in the place of its base.
func (b *built) variant(ctx context.Context, base spectra.Side, h *hybrid.Hybrid) (*built, error) {
	with, err := b.with(base, h)
	if err != nil {
		return nil, err
	}
	request, _, err := with.writeDriver(base)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := b.in.Tools.Builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != b.drivers.Of(base).binary.Patched {
		return nil, errors.New("its runtime is not that of the versions")
	}
	with.drivers.Of(base).binary = binary
	return with, nil
}

// with returns the drivers with a program of both versions instrumented in the place of its base.
func (b *built) with(base spectra.Side, h *hybrid.Hybrid) (*built, error) {
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
