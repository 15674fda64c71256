package text

import (
	"math"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// A Wording has the words of the terminal format for other formats that people read, which lay them out in their own
// way. Nothing is painted, and nothing is wrapped or cut unless a width is named. What a version recorded is cleaned:
// no text that is returned holds a line break or another control character.
type Wording struct{ p *printer }

// NewWording returns the words for a report.
func NewWording(r *report.Report) *Wording {
	return &Wording{&printer{report: r, width: math.MaxInt / 2, base: moduleBase(r.Subject.Module)}}
}

// Verdict is the outcome in a sentence without a full stop.
func (w *Wording) Verdict() string { return clean(w.p.verdict()) }

// Partial says why the run ended early, and what was not done. It is empty for a run that was not.
func (w *Wording) Partial() string { return strings.Join(w.lines(w.p.partial), " ") }

// Compared says in a sentence what was compared. It is empty where nothing was.
func (w *Wording) Compared() string {
	if w.p.report.Replay.Sequences == 0 {
		return ""
	}
	return clean(w.p.comparedText())
}

// Facts are the facts about the run, each with its name in front.
func (w *Wording) Facts() [][]string { return cleanRows(w.p.factRows()) }

// Modules are the modules of a report with several: folder, verdict, what was compared.
func (w *Wording) Modules() [][]string { return cleanRows(w.p.moduleRows()) }

// Noise says which share of the values was not compared. It is empty where all were.
func (w *Wording) Noise() string {
	if w.p.report.Noise.Masked == 0 {
		return ""
	}
	return w.p.noiseText()
}

// Unreached are lines about what of the change did not run, and what was lost. A line that begins with a space
// belongs to the one before.
func (w *Wording) Unreached() []string {
	return w.lines(func() {
		w.p.unreached()
		w.p.lost()
	})
}

// Early are lines about tests that do not run to their end on old.
func (w *Wording) Early() []string { return w.lines(w.p.early) }

// Command is the command that makes the report again.
func (w *Wording) Command() string { return clean(w.p.command("")) }

// Loud are the roots of which some value differs. They come before the others.
func (w *Wording) Loud() []report.Root { return w.p.loud() }

// Short is a text of the report without the path of the module in its symbols.
func (w *Wording) Short(text string) string { return w.p.short(clean(text)) }

// Position is a file with a line or a range of lines. It is empty for nil.
func (w *Wording) Position(at *report.Position) string { return position(at) }

// A Difference is a value that differs: where, and both values, cut to the first difference.
type Difference struct{ Label, Old, New string }

// First is the first value that differs in a root, both sides cut to so many columns; nil if there is none, or both are
// equal as far as they are kept.
func (w *Wording) First(root *report.Root, width int) *Difference {
	values := w.p.differences(root)
	if len(values) == 0 {
		return nil
	}
	before, after := window(w.Short(values[0].Old), w.Short(values[0].New), width)
	if before == after {
		return nil
	}
	return &Difference{Label: w.p.label(root, values[0]), Old: orNothing(before), New: orNothing(after)}
}

// Values are lines with the values that differ in a root, laid out for a width as in a terminal.
func (w *Wording) Values(root *report.Root, width int) []string {
	narrow := *w.p
	narrow.width = max(width, minWidth)
	lines := (&Wording{&narrow}).lines(func() { narrow.values(root) })
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, rootIndent)
	}
	return lines
}

// Stations are the stations of a root's chain to its effect. A chain that says no more than the values do has none.
func (w *Wording) Stations(root *report.Root) []string {
	var names []string
	for _, s := range w.Way(root.Chain) {
		names = append(names, s.Text)
	}
	return names
}

// Sequence are the statements of the shortest sequence that shows a root, or none. If an earlier root has the same
// sequence, as is that root's rank.
func (w *Wording) Sequence(root *report.Root) (statements []string, as int) {
	text := w.p.sequenceOf(root)
	if text != "" {
		as = w.p.earlier(root, text)
	}
	return w.Calls(text), as
}

// Test are lines that name a test or command: first what it is, then its name, then what it has in other ways.
func (w *Wording) Test(t *report.Test) []string { return w.lines(func() { w.p.test(t) }) }

// Proof are lines that say with which other changes a root was proven, or why it was not.
func (w *Wording) Proof(root *report.Root) []string { return w.lines(func() { w.p.proof(root) }) }

// Intended is the line that names the test of new that wants a root's effect. It is empty if there is none.
func (w *Wording) Intended(root *report.Root) string {
	return strings.Join(w.lines(func() { w.p.intended(root) }), " ")
}

// lines returns what a part of the report prints, empty lines left out.
func (w *Wording) lines(print func()) []string {
	w.p.out.Reset()
	print()
	var lines []string
	for line := range strings.Lines(w.p.out.String()) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			lines = append(lines, clean(line))
		}
	}
	w.p.out.Reset()
	return lines
}

func cleanRows(rows [][]string) [][]string {
	for _, row := range rows {
		for i := range row {
			row[i] = clean(row[i])
		}
	}
	return rows
}

// Clean is a text in which everything is escaped that is not printed as it is, line breaks too.
func Clean(text string) string { return clean(text) }

// Plural is a number with its noun: "1 root", "2 roots".
func Plural(n int, noun string) string { return plural(n, noun) }

// Links returns the links of a chain that are stations: none twice because it is its own output.
func Links(c *report.Chain) []report.Link {
	if c == nil {
		return nil
	}
	return links(c)
}

// Station names a link of a chain by its function and what differs there.
func (w *Wording) Station(l report.Link) string { return w.p.station(l) }
