package text

import (
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// said returns the paragraphs that are printed.
func (w *Wording) said(prints ...func(*printer)) (lines []string) {
	for _, print := range prints {
		for _, line := range w.lines(func() { print(w.p) }) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// Lines is Short for a text of several lines, in which tabs and ends of lines stay.
func (w *Wording) Lines(text string) string { return w.p.short(Readable(text)) }

// Readable returns a text of one or more lines in which all that is not printable is escaped, but for tabs.
func Readable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j, part := range parts {
			parts[j] = clean(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

// Position returns a place as file:line; "" if it is not known.
func Position(at *report.Position) string { return position(at) }

// Tier returns the tier of a root, or its reach in a report of an earlier version.
func Tier(root *report.Root) spectra.Tier { return tierOf(root) }

// Effect returns the sentence about a root.
func (w *Wording) Effect(root *report.Root) string { return w.Short(root.Summary) }

// Reasons returns what there is to say about a root beside its effect: where the cause lies, who wants it, what a proof
// leaves open.
func (w *Wording) Reasons(root *report.Root) []string {
	return w.said(func(p *printer) {
		if root.Why != "" {
			p.prose("", "", p.short(clean(root.Why)))
		}
	}, func(p *printer) {
		p.intended(root)
	}, func(p *printer) {
		p.needs(root)
	}, func(p *printer) {
		p.reservations(root)
	})
}

// Needs says which arguments a root needs that few callers pass; "" if it needs none.
func Needs(root *report.Root) string {
	switch {
	case root.OnNil:
		return "seen only where a method of a nil pointer is called"
	case root.OnNegative:
		return "seen only with a negative number"
	}
	return ""
}

// By says who accepted a root, and when. It is empty where nobody noted that.
func By(a report.Acceptance) string {
	author, _, _ := strings.Cut(a.Author, " <") // the address is in the file
	var by []string
	for _, text := range []string{author, a.Date} {
		if text != "" {
			by = append(by, clean(text))
		}
	}
	return strings.Join(by, ", ")
}

// Differing returns what differs, each value once. A root that has no values of its own has those of its deviations.
func (w *Wording) Differing(root *report.Root) []report.Difference {
	return w.p.differences(root)
}

// Label names a value of a root by its path, its function, and whether callers see it.
func (w *Wording) Label(root *report.Root, value report.Difference) string {
	return w.p.label(root, value)
}

// A Station is an execution or an output on the way of a deviation, and its place, if that is known.
type Station struct{ Text, Position string }

// Way returns the stations of a chain; none if it says no more than the values do.
func (w *Wording) Way(c *report.Chain) (list []Station) {
	if c == nil {
		return nil
	}
	kept := links(c)
	if len(kept) < shortestChain && c.Swallowed == "" {
		return nil
	}
	for _, l := range kept {
		list = append(list, Station{w.p.station(l), position(l.Position)})
	}
	return list
}

// SequenceText returns the shortest sequence that shows a root, as programs read it; "" if there is none.
func (w *Wording) SequenceText(root *report.Root) string { return w.p.sequenceOf(root) }

// Calls returns the statements of a sequence.
func (w *Wording) Calls(sequence string) (lines []string) {
	for line := range strings.Lines(sequence) {
		if !strings.HasPrefix(line, sequenceHeader) {
			lines = append(lines, w.Short(strings.TrimRight(line, "\r\n")))
		}
	}
	return lines
}

// Shown says which test or command shows a root, what is other in it, and where a test was written; none if calls do.
func (w *Wording) Shown(root *report.Root) []string {
	if root.Test == nil {
		return nil
	}
	return w.said(func(p *printer) { p.test(root.Test) })
}

// Reproducer names the Go test that was written, or says why there is none.
func (w *Wording) Reproducer(root *report.Root) string {
	return strings.Join(w.said(func(p *printer) { p.reproducer(root) }), " ")
}

// Missed says which changed lines never ran, and which branches went one way only.
func (w *Wording) Missed() []string { return w.said((*printer).missed) }

// Lost says how many sequences were not compared, and where they ended.
func (w *Wording) Lost() []string { return w.said((*printer).lost) }

// Ended says which tests do not run to their end in the old version.
func (w *Wording) Ended() []string {
	lines := w.said((*printer).early)
	return lines[min(1, len(lines)):] // without the heading
}

// Module says what of a module was compared.
func Module(m *report.Module) string { return ofModule(m) }

// Contract says in what way a contract is broken, and by which versions.
func Contract(c report.Contract) (broken, by string) {
	if len(c.Sides) == 1 {
		return how(c), only(c)
	}
	return how(c), "both versions"
}

// Next returns commands that help now, each with what it is for.
func (w *Wording) Next() [][2]string { return w.p.next() }

// Count groups the digits of a number.
func Count(n int) string { return count(n) }

// Percent returns a share as a percentage, which is never rounded to all or none.
func Percent(share float64) string { return percent(share) }

// A Part is a piece of a value that is equal on both sides, or differs.
type Part struct {
	Text   string
	Differ bool
}

// Marked cuts two printable values to a number of columns around their first difference, and splits them into parts
// that are equal and parts that differ.
func Marked(oldValue, newValue string, room int) (oldParts, newParts []Part) {
	before, after := parts(window(oldValue, newValue, room))
	return exported(before), exported(after)
}

func exported(list []part) []Part {
	out := make([]Part, len(list))
	for i, p := range list {
		out[i] = Part{p.text, p.differ}
	}
	return out
}

// Width counts the columns of a text that holds no escape sequences. Ambiguous characters count as one.
func Width(text string) int { return textWidth(text) }

// Cut returns at most room columns of a printable text, with … where something is missing.
func Cut(text string, room int) string {
	if room < 1 {
		return ""
	}
	return cut(text, 0, room)
}

// Wrap puts the words of a printable text into lines of at most room columns where it can.
func Wrap(text string, room int) []string { return wrap(text, room, strings.Fields) }
