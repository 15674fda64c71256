package pipeline

// This file works out how much of the code, and of the change, was executed.

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/coverage"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
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

// unrecordedShown is how many functions a warning names.
const unrecordedShown = 5

// unrecorded returns a warning that names the changed functions which get no probes.
func (b *built) unrecorded() []string {
	skipped := map[spectra.Symbol]bool{}
	b.versions.Each(func(_ spectra.Side, v instrumented) {
		for _, pkg := range v.packages {
			for _, s := range pkg.Skipped {
				skipped[s.Symbol] = true
			}
		}
	})
	var names []string
	for _, f := range b.changedFunctions() {
		if skipped[f.Symbol] && !b.elsewhere(f) && !b.common.Same(b.oldName(f.Symbol)) {
			names = append(names, f.Symbol.Short())
		}
	}
	if len(names) == 0 {
		return nil
	}
	shown := strings.Join(names[:min(len(names), unrecordedShown)], ", ")
	if rest := len(names) - unrecordedShown; rest > 0 {
		shown += fmt.Sprintf(" and %d more", rest)
	}
	const text = "of changed functions that can't be recorded (-v says why) only what their callers get is compared: "
	return []string{text + shown}
}
