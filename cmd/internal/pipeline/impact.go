package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/replay/impact"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A touched is what the change may touch.
type touched struct {
	impact.Reach
	Known   bool   // false: it may be anything, or it was not looked for
	Unknown string // why it can't be told; "" = it can
}

// findReach finds the blocks of old whose execution may differ, also because of variables that do.
func (b *built) findReach(differing []string) (t touched) {
	c := impact.Change{
		Versions: b.Plan.Targets(),
		Program:  b.Plan.Sides.Old.Program, Source: b.Plan.Changes, Match: b.Plan.Common, Recorded: b.Versions.Old.Packages,
		Watched: impact.Watched(b.Plan.Changes, spectra.Old, b.Versions.Old.Packages), Modules: b.Plan.DependenciesChanged(),
		Differing: differing,
	}
	t.Reach, t.Unknown = c.Find()
	t.Known = t.Unknown == ""
	if !t.Known {
		b.Tools.Workers.Detailf("all sequences are recorded: %s", t.Unknown)
	}
	return t
}

// unpruned returns why all sequences were recorded, "" if they were not, or were meant to be.
func (b *built) Unpruned(failed bool) string {
	if failed {
		return "a sequence that runs nothing that the change may touch deviates"
	}
	return b.Touched.Unknown
}
