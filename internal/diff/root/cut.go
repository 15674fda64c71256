package root

import (
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// cut returns the changed lines of a function inside a region; known says whether the region is known. Where
// the region has none it returns all changed lines of the function, because a loop may have run them earlier,
// else the region, else the function. It reports whether the region holds changed lines; removed lines count
// for any known region.
func cut(f *Function, within spectra.Lines, known bool) (diff.Position, bool) {
	if known {
		inside := func(h spectra.Hunk) (spectra.Lines, bool) { return h.New, overlap(h.New, within) }
		if l := span(f.Hunks, inside); l.Line > 0 {
			return diff.PositionOf(spectra.New, l), true
		}
	}
	every := func(side func(spectra.Hunk) spectra.Lines) spectra.Lines {
		return span(f.Hunks, func(h spectra.Hunk) (spectra.Lines, bool) { return side(h), side(h).Line > 0 })
	}
	if l := every(func(h spectra.Hunk) spectra.Lines { return h.New }); l.Line > 0 {
		return diff.PositionOf(spectra.New, l), false
	}
	if l := every(func(h spectra.Hunk) spectra.Lines { return h.Old }); l.Line > 0 {
		return diff.PositionOf(spectra.Old, l), known
	}
	for _, at := range []struct {
		side  spectra.Side
		lines spectra.Lines
	}{{spectra.New, within}, {spectra.New, f.New}, {spectra.Old, f.Old}} {
		if at.lines.Line > 0 {
			return diff.PositionOf(at.side, at.lines), false
		}
	}
	return diff.Position{}, false
}

// span returns the range from the first to the last of the lines that are chosen.
func span(hunks []spectra.Hunk, choose func(spectra.Hunk) (spectra.Lines, bool)) spectra.Lines {
	var all spectra.Lines
	for _, h := range hunks {
		l, ok := choose(h)
		switch {
		case !ok:
		case all.Line == 0:
			all = l
		default:
			all.Line, all.EndLine = min(all.Line, l.Line), max(all.EndLine, l.EndLine)
		}
	}
	return all
}

func overlap(hunk, within spectra.Lines) bool {
	return hunk.Line > 0 && hunk.Line <= within.EndLine && within.Line <= hunk.EndLine && hunk.File == within.File
}

// changedLines counts the lines of a region that a change of the function has in new.
func changedLines(f *Function, within spectra.Lines) (n int) {
	for _, h := range f.Hunks {
		if overlap(h.New, within) {
			n += min(h.New.EndLine, within.EndLine) - max(h.New.Line, within.Line) + 1
		}
	}
	return n
}
