package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// packages returns the instrumented packages of both versions.
func (b *built) Packages() spectra.Pair[instrument.Packages] {
	return spectra.MakePair(func(s spectra.Side) instrument.Packages { return b.Versions.Of(s).Packages })
}

// unrecorded returns a warning that names the changed functions which get no probes.
func (b *built) unrecorded() []string {
	var changed []spectra.Symbol
	for _, f := range b.Plan.ChangedFunctions() {
		if !b.Plan.Elsewhere(f) && !b.Plan.Common.Same(b.Plan.OldName(f.Symbol)) {
			changed = append(changed, f.Symbol)
		}
	}
	return coverage.Unrecorded(b.Packages(), changed)
}
