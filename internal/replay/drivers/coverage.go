package drivers

import (
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// Packages returns the instrumented packages of both versions.
func (d *Drivers) Packages() spectra.Pair[instrument.Packages] {
	return spectra.MakePair(func(s spectra.Side) instrument.Packages { return d.Versions.Of(s).Packages })
}

// unrecorded returns a warning that names the changed functions which get no probes.
func (d *Drivers) unrecorded() []string {
	var changed []spectra.Symbol
	for _, f := range d.Plan.ChangedFunctions() {
		if !d.Plan.Elsewhere(f) && !d.Plan.Common.Same(d.Plan.OldName(f.Symbol)) {
			changed = append(changed, f.Symbol)
		}
	}
	return coverage.Unrecorded(d.Packages(), changed)
}
