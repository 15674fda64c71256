package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// packages returns the instrumented packages of both versions.
func (b *built) packages() spectra.Pair[instrument.Packages] {
	return spectra.MakePair(func(s spectra.Side) instrument.Packages { return b.versions.Of(s).packages })
}

// unreached lists the changed functions that no sequence ran. What only one version has is a structural change:
// where it is called, a function changed that both have.
func (b *built) unreached(executed spectra.Pair[map[uint32]bool]) []spectra.Symbol {
	var list []spectra.Symbol
	for _, f := range b.changedFunctions() {
		both := f.Old.File != "" && f.New.File != ""
		if !both || b.elsewhere(f) || b.common.Same(b.oldName(f.Symbol)) {
			continue
		}
		if !coverage.Executed(f, b.packages(), executed) {
			list = append(list, f.Symbol)
		}
	}
	return list
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

// refused says of which of some functions, if they are exported, no call can be made, and why.
func (b *built) refused(functions []string) map[string]string {
	if len(functions) == 0 {
		return nil
	}
	reasons, refused := map[string]string{}, api.Refused(b.sides.Old.target, b.driven)
	for _, name := range functions {
		if reason := refused[b.oldName(spectra.Symbol(name))]; reason != "" {
			reasons[name] = reason
		}
	}
	return reasons
}

// positionsIn returns positions in one version.
func positionsIn(side spectra.Side, list []spectra.Lines) (positions []report.Position) {
	for _, l := range list {
		positions = append(positions, report.Position{Side: side, File: l.File, Line: l.Line, EndLine: l.EndLine})
	}
	return positions
}
