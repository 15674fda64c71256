package match

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// maxLines bounds the work on two bodies.
const maxLines = 2000

// hunks returns where a function is in both versions, and the lines that differ by more than renames and
// layout. The function is given by its name in old. ok is false if one version has no such function with
// known lines.
func (m *Match) hunks(function spectra.Symbol) (old, new spectra.Lines, hunks []spectra.Hunk, ok bool) {
	before, after := m.both(string(function))
	if before == nil || after == nil || before.file == "" || after.file == "" {
		return old, new, nil, false
	}
	old, new = before.span(), after.span()
	for _, numbered := range []bool{false, true} {
		oldLines, newLines := m.lines(spectra.Old, before, numbered), m.lines(spectra.New, after, numbered)
		if len(oldLines) > maxLines || len(newLines) > maxLines {
			return old, new, []spectra.Hunk{{Old: old, New: new}}, true
		}
		if hunks = differing(oldLines, newLines, before.file, after.file); len(hunks) > 0 {
			break
		}
	}
	return old, new, hunks, true
}

// span returns the lines of a function.
func (d *declaration) span() spectra.Lines {
	return spectra.Lines{File: d.file, Line: d.lines[0], EndLine: d.lines[1]}
}

// inBoth reports whether both versions have the declaration, by its name in old.
func (m *Match) inBoth(name spectra.Symbol) bool {
	old, new := m.both(string(name))
	return old != nil && new != nil
}

// A bodyLine is one line of a body, written as its tokens.
type bodyLine struct {
	number int
	text   string
}

// lines returns the lines of a body under old's names. With numbered, local variables are told apart.
func (r *reading) lines(side spectra.Side, d *declaration, numbered bool) []bodyLine {
	var list []bodyLine
	at := map[int]int{} // line → index
	for _, p := range d.tokens {
		if p.line == 0 {
			continue
		}
		if side == spectra.New {
			p = r.undone(p)
		}
		if p.local > 0 {
			p.text = "local"
			if numbered {
				p.text = fmt.Sprint("local", p.local)
			}
		}
		i, ok := at[p.line]
		if !ok {
			i, at[p.line] = len(list), len(list)
			list = append(list, bodyLine{number: p.line})
		}
		list[i].text += strings.TrimSpace(p.text) + "\n"
	}
	return list
}

// differing returns the runs of lines outside of a longest common subsequence.
func differing(old, new []bodyLine, oldFile, newFile string) []spectra.Hunk {
	var hunks []spectra.Hunk
	for _, gap := range align.Gaps(align.Exact(texts(old), texts(new)), len(old), len(new)) {
		hunks = append(hunks, spectra.Hunk{
			Old: spanOf(old[gap.Old.From:gap.Old.To], oldFile),
			New: spanOf(new[gap.New.From:gap.New.To], newFile),
		})
	}
	return hunks
}

func texts(lines []bodyLine) []string {
	list := make([]string, len(lines))
	for i, l := range lines {
		list[i] = l.text
	}
	return list
}

func spanOf(lines []bodyLine, file string) spectra.Lines {
	if len(lines) == 0 {
		return spectra.Lines{}
	}
	span := spectra.Lines{File: file, Line: lines[0].number, EndLine: lines[0].number}
	for _, l := range lines {
		span.Line, span.EndLine = min(span.Line, l.number), max(span.EndLine, l.number)
	}
	return span
}
