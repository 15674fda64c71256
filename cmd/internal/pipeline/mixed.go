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
func (b *built) Variant(ctx context.Context, base spectra.Side, h *hybrid.Hybrid) (*built, error) {
	with, err := b.with(base, h)
	if err != nil {
		return nil, err
	}
	request, _, err := with.writeDriver(base)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := b.Tools.Builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != b.Compiled.Of(base).Binary.Patched {
		return nil, errors.New("its runtime is not that of the versions")
	}
	with.Compiled.Of(base).Binary = binary
	return with, nil
}

// with returns the drivers with a program of both versions instrumented in the place of its base.
func (b *built) with(base spectra.Side, h *hybrid.Hybrid) (*built, error) {
	changed := *b
	version := changed.Versions.Of(base)
	version.Packages = slices.Clone(version.Packages)
	options := instrument.Options{
		Dir: b.Plan.Sides.Of(base).Target.Dir, Runtime: spectra.RuntimePath, Overlay: h.Overlay,
		Switches: map[spectra.Symbol]instrument.Switch{}, Written: b.written(base),
	}
	for from, to := range h.Switches {
		options.Switches[from] = instrument.Switch(to)
	}
	for i, p := range version.Packages {
		mixed := h.Packages[p.Path]
		if mixed == nil {
			continue
		}
		if faults := fault.Do(p.Path, "instrumenting both versions of", func() (err error) {
			version.Packages[i], err = instrument.Instrument(mixed, options)
			return err
		}); faults != nil {
			return nil, faults
		}
	}
	return &changed, nil
}

// written returns the package variables that either version changes, by the names that one version has.
func (b *built) written(base spectra.Side) map[string]bool {
	written := maps.Clone(b.Plan.Sides.Of(base).Program.Written())
	for name := range b.Plan.Sides.Of(base.Other()).Program.Written() {
		written[string(b.Renamed(base, spectra.Symbol(name)))] = true
	}
	return written
}

// renamed returns a name of the other version as one has it.
func (b *built) Renamed(to spectra.Side, name spectra.Symbol) spectra.Symbol {
	if to == spectra.Old {
		return b.Plan.OldName(name)
	}
	return spectra.Symbol(b.Plan.NewName(string(name)))
}
