package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

const (
	aroundChange = 2    // lines around a change
	changeLines  = 40   // of the changes of one root, headers left aside
	longestLine  = 400  // bytes of one line
	comparedMost = 2000 // lines of a declaration; work grows with the product of two
)

// A Source returns the lines of a file of a version; none if it can't be read.
type Source func(side spectra.Side, file string) []string

// locate adds to a root what its finding does not know: the lines that changed, and where the functions of its chain
// stand, of all the places.
func (found *Results) locate(r *report.Root, of diff.Cause, places map[string]report.Position) {
	if found.Plan.Common != nil && found.Source != nil {
		r.Diff = changedLines(found.Plan, of, found.Source)
	}
	if r.Chain == nil {
		return
	}
	for i := range r.Chain.Links {
		if at, known := places[r.Chain.Links[i].Function]; known {
			r.Chain.Links[i].Position = &at
		}
	}
}

// places returns where the recorded functions stand, on new if they are there.
func (found *Results) places() map[string]report.Position {
	places := map[string]report.Position{}
	if found.Drivers == nil {
		return places
	}
	packages := found.Drivers.Packages()
	for _, side := range spectra.Sides() {
		for _, p := range *packages.Of(side) {
			for _, at := range p.Points {
				symbol := at.Symbol
				if side == spectra.New {
					symbol = found.Plan.OldName(symbol)
				}
				places[string(symbol)] = report.Position{Side: side, File: at.File, Line: at.Line, EndLine: at.EndLine}
			}
		}
	}
	return places
}

// changedLines returns the lines that changed in the declaration of a cause, as git diff prints hunks. Of many it
// returns those of the cause's place.
func changedLines(p *plan.Plan, of diff.Cause, source Source) string {
	for _, d := range p.Changes.Declarations {
		if d.Symbol != of.Symbol && p.OldName(d.Symbol) != of.Symbol {
			continue
		}
		old, new := part(source, spectra.Old, d.Old), part(source, spectra.New, d.New)
		return ChangedLines(old, new, d.Old.Line, d.New.Line, of.Position)
	}
	return ""
}

// ChangedLines returns the lines that differ between two parts of files, which begin at some lines, as git diff prints
// hunks. Of many it returns those of a place.
func ChangedLines(old, new []string, oldLine, newLine int, at diff.Position) string {
	if len(old) > comparedMost || len(new) > comparedMost {
		return ""
	}
	return text(nearest(hunksOf(old, new, oldLine, newLine), at))
}

// part returns some lines of a file; none if it has not so many.
func part(source Source, side spectra.Side, l spectra.Lines) []string {
	if l.File == "" {
		return nil
	}
	lines := source(side, l.File)
	if l.Line < 1 || l.EndLine > len(lines) || l.EndLine < l.Line {
		return nil
	}
	return lines[l.Line-1 : l.EndLine]
}

// A hunk is a run of changed lines with some around it.
type hunk struct {
	lines      []string // with a space, - or + before each
	old, new   int      // lines of the files where it begins
	oldN, newN int      // how many
}

// hunksOf compares two parts of files line by line.
func hunksOf(old, new []string, oldLine, newLine int) (hunks []hunk) {
	gaps := align.Gaps(align.Exact(old, new), len(old), len(new))
	for i := 0; i < len(gaps); {
		end := i + 1 // of the gaps that one hunk shows
		for end < len(gaps) && gaps[end].Old.From-gaps[end-1].Old.To <= 2*aroundChange {
			end++
		}
		from := max(gaps[i].Old.From-aroundChange, 0)
		h := hunk{old: oldLine + from, new: newLine + gaps[i].New.From - (gaps[i].Old.From - from)}
		at := from
		for _, g := range gaps[i:end] {
			h.add(" ", old[at:g.Old.From])
			h.add("-", old[g.Old.From:g.Old.To])
			h.add("+", new[g.New.From:g.New.To])
			at = g.Old.To
		}
		h.add(" ", old[at:min(at+aroundChange, len(old))])
		hunks, i = append(hunks, h), end
	}
	return hunks
}

func (h *hunk) add(mark string, lines []string) {
	for _, line := range lines {
		if len(line) > longestLine {
			line = strings.ToValidUTF8(line[:longestLine], "") + "…"
		}
		h.lines = append(h.lines, mark+line)
		if mark != "+" {
			h.oldN++
		}
		if mark != "-" {
			h.newN++
		}
	}
}

// within reports whether a hunk shows one of some lines.
func (h *hunk) within(at diff.Position) bool {
	first, n := h.new, h.newN
	if at.Side == spectra.Old {
		first, n = h.old, h.oldN
	}
	return first <= max(at.EndLine, at.Line) && at.Line < first+n
}

// nearest returns the hunks to show: all, or those of a place where they are too many.
func nearest(hunks []hunk, at diff.Position) []hunk {
	lines := 0
	for _, h := range hunks {
		lines += len(h.lines)
	}
	if lines <= changeLines {
		return hunks
	}
	if i := slices.IndexFunc(hunks, func(h hunk) bool { return h.within(at) }); i > 0 {
		hunks = hunks[i:]
	}
	return hunks
}

// text returns hunks as git diff prints them, as many lines as are shown.
func text(hunks []hunk) string {
	var out strings.Builder
	room := changeLines
	for _, h := range hunks {
		if room <= 0 {
			break
		}
		shown := hunk{old: h.old, new: h.new}
		for _, line := range h.lines[:min(room, len(h.lines))] {
			shown.add(line[:1], []string{line[1:]})
		}
		room -= len(shown.lines)
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(shown.old, shown.oldN), span(shown.new, shown.newN))
		for _, line := range shown.lines {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// span writes lines as a header of git diff does.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", max(first-1, 0))
	case 1:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}
