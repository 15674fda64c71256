package pipeline

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

// A Variant is one version with other code in some of its packages.
type Variant struct {
	Base     spectra.Side
	Overlay  map[string][]byte
	Packages map[string]*packages.Package // by path
	Switches map[spectra.Symbol]instrument.Switch
}

// Variant builds a driver of a variant, and returns the drivers with it in the place of its base.
func (b *built) Variant(ctx context.Context, v Variant) (*built, error) {
	with, err := b.with(v)
	if err != nil {
		return nil, err
	}
	request, _, err := with.writeDriver(v.Base)
	if err != nil {
		return nil, err
	}
	request.Name = "program of both versions"
	binary, err := b.in.Tools.Builder.Build(ctx, request)
	if err != nil {
		return nil, err
	}
	if binary.Patched != b.drivers.Of(v.Base).binary.Patched {
		return nil, errors.New("its runtime is not that of the versions")
	}
	with.drivers.Of(v.Base).binary = binary
	return with, nil
}

// with returns the drivers with a variant instrumented in the place of its base.
func (b *built) with(v Variant) (*built, error) {
	base := v.Base
	changed := *b
	version := changed.versions.Of(base)
	version.packages = slices.Clone(version.packages)
	options := instrument.Options{
		Dir: b.sides.Of(base).target.Dir, Runtime: spectra.RuntimePath, Overlay: v.Overlay,
		Switches: v.Switches, Written: b.written(base),
	}
	for i, p := range version.packages {
		mixed := v.Packages[p.Path]
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
