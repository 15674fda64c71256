package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/replay/impact"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A touched is what the change may touch.
type touched struct {
	impact.Reach
	Known   bool   // false: it may be anything, or it was not looked for
	unknown string // why it can't be told; "" = it can
}

// findReach finds the blocks of old whose execution may differ. If all of them are recorded anyway, it does not look.
func (b *built) findReach() {
	if b.in.All {
		return
	}
	c := impact.Change{
		Versions: b.targets(),
		Program:  b.sides.Old.program, Source: b.changes, Match: b.common, Recorded: b.versions.Old.packages,
		Watched: impact.Watched(b.changes, spectra.Old, b.versions.Old.packages), Modules: b.dependenciesChanged(),
	}
	for _, v := range b.initial.Differing {
		c.Differing = append(c.Differing, v.Name)
	}
	b.touched.Reach, b.touched.unknown = c.Find()
	b.touched.Known = b.touched.unknown == ""
	if !b.touched.Known {
		b.in.Tools.Workers.Detailf("all sequences are recorded: %s", b.touched.unknown)
	}
}

// unpruned returns why all sequences were recorded, "" if they were not, or were meant to be.
func (b *built) unpruned(failed bool) string {
	if failed {
		return "a sequence that runs nothing that the change may touch deviates"
	}
	return b.touched.unknown
}
