package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// packages returns the instrumented packages of both versions.
func (b *built) packages() spectra.Pair[instrument.Packages] {
	return spectra.MakePair(func(s spectra.Side) instrument.Packages { return b.versions.Of(s).packages })
}

// unrecorded returns a warning that names the changed functions which get no probes.
func (b *built) unrecorded() []string {
	var changed []spectra.Symbol
	for _, f := range b.changedFunctions() {
		if !b.elsewhere(f) && !b.common.Same(b.oldName(f.Symbol)) {
			changed = append(changed, f.Symbol)
		}
	}
	return coverage.Unrecorded(b.packages(), changed)
}
