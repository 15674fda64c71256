package source

import (
	"bytes"
	"go/parser"
	"go/token"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Hunk is a run of lines that was replaced. Lines are numbered from 1. Where a side has no lines, its start
// is the line before which the other side's lines would stand.
type Hunk = spectra.Pair[Lines]

// Lines is a run of lines.
type Lines struct {
	Start, Count int
	Leaves       int // how many of the regions around their beginning end in them, in Go
}

// Touch reports whether lines lie in a place, or at it where there are none.
func (l Lines) Touch(s spectra.Lines) bool {
	return s.Line > 0 && l.Start <= s.EndLine && l.Start+max(l.Count, 1)-1 >= s.Line
}

// maxEdits bounds the work on one stretch of lines. Two stretches that differ more are cut at lines that
// occur once on each side; without such lines they count as replaced as a whole.
const maxEdits = 1000

// textLines splits a text into lines without their ends, so that CRLF and LF are the same.
func textLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	pieces := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	lines := make([]string, len(pieces))
	for i, p := range pieces {
		lines[i] = string(bytes.TrimSuffix(p, []byte("\r")))
	}
	return lines
}

// lineHunks returns the hunks that turn old into new, in order, never adjacent.
func lineHunks(old, new []string) []Hunk {
	var hunks []Hunk
	for _, gap := range align.Gaps(align.Equal(old, new, maxEdits), len(old), len(new)) {
		hunks = append(hunks, Hunk{Old: linesOf(gap.Old), New: linesOf(gap.New)})
	}
	return hunks
}

func linesOf(r align.Run) Lines { return Lines{Start: r.From + 1, Count: r.To - r.From} }

// leave counts the regions that the changed lines of a Go file leave. A file that is no Go has none.
func leave(hunks []Hunk, s spectra.Side, text []byte) {
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	lines := files.File(syntax.FileStart).LineCount()
	around, before := make([]int, lines+2), make([]int, lines+2) // of a line; between the line before it and it
	for _, r := range symbol.Regions(syntax) {
		first, last := files.PositionFor(r.Open, false).Line, files.PositionFor(r.Close, false).Line
		for line := first + 1; line <= last; line++ {
			if before[line]++; line < last {
				around[line]++
			}
		}
	}
	for i := range hunks {
		of := hunks[i].Of(s)
		for line := of.Start; line < of.Start+of.Count; line++ {
			of.Leaves = max(of.Leaves, before[of.Start]-around[line])
		}
	}
}
