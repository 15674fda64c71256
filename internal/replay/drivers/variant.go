package drivers

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"golang.org/x/tools/go/packages"
)

// A Mixture is the source of a program of both versions: what is not as in its base.
type Mixture struct {
	Packages map[string]*packages.Package         // those with code of the other version, by path
	Overlay  map[string][]byte                    // absolute path → source
	Switches map[spectra.Symbol]instrument.Switch // by functions of the base
}

// Variant builds a driver of a program of both versions, and returns the drivers with it in the place of its base.
func (d *Drivers) Variant(ctx context.Context, base spectra.Side, m Mixture) (*Drivers, error) {
	with, err := d.with(base, m)
	if err != nil {
		return nil, err
	}
	request, _, err := with.writeDriver(base)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := d.Tools.Builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != d.Compiled.Of(base).Binary.Patched {
		return nil, errors.New("its runtime is not that of the versions")
	}
	with.Compiled.Of(base).Binary = binary
	return with, nil
}

// with returns the drivers with a program of both versions instrumented in the place of its base.
func (d *Drivers) with(base spectra.Side, m Mixture) (*Drivers, error) {
	changed := *d
	version := changed.Versions.Of(base)
	version.Packages = slices.Clone(version.Packages)
	options := instrument.Options{
		Dir: d.Plan.Sides.Of(base).Target.Dir, Runtime: spectra.RuntimePath, Overlay: m.Overlay,
		Switches: m.Switches, Written: d.written(base),
	}
	for i, p := range version.Packages {
		mixed := m.Packages[p.Path]
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
func (d *Drivers) written(base spectra.Side) map[string]bool {
	written := maps.Clone(d.Plan.Sides.Of(base).Program.Written())
	for name := range d.Plan.Sides.Of(base.Other()).Program.Written() {
		written[string(d.Renamed(base, spectra.Symbol(name)))] = true
	}
	return written
}

// Renamed returns a name of the other version as one has it.
func (d *Drivers) Renamed(to spectra.Side, name spectra.Symbol) spectra.Symbol {
	if to == spectra.Old {
		return d.Plan.OldName(name)
	}
	return spectra.Symbol(d.Plan.NewName(string(name)))
}
