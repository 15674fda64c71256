package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Phrases are what a terminal report says, for formats that are read elsewhere. All of it is printable, and cut where
// it is too long to be read.
type Phrases struct {
	report *report.Report
	base   string
}

// NewPhrases returns the phrases for a report.
func NewPhrases(r *report.Report) *Phrases {
	return &Phrases{report: r, base: moduleBase(r.Subject.Module)}
}

const (
	detailsWidth = 120  // columns of details
	maxLine      = 1000 // characters of a line
	maxDetails   = 150  // lines of details
)

func (p *Phrases) printer() *printer {
	return &printer{report: p.report, width: detailsWidth, base: p.base}
}

// Line returns a text in one line.
func (p *Phrases) Line(text string) string {
	return spectra.Shorten(Printable(clean(spectra.Shorten(text, maxLine))), maxLine)
}

// Short returns a text in one line, in which symbols stand without the path of the module.
func (p *Phrases) Short(text string) string {
	return p.Line(p.printer().short(spectra.Shorten(text, maxLine)))
}

// Verdict is the first line of a terminal report.
func (p *Phrases) Verdict() string { return p.Line(p.printer().verdict()) }

// Ended says why the run ended early; "" if it did not.
func (p *Phrases) Ended() string { return p.Line(p.printer().ended()) }

// Module says how a module ended.
func (p *Phrases) Module(m *report.Module) string {
	return p.Line(spectra.Shorten(string(m.Verdict), maxLine) + ": " + ofModule(m))
}

// Summary is the sentence of a root, with the odd arguments that it needs, and the commits with which it came, if they
// are known. Where it is about a place of the old version, it says so.
func (p *Phrases) Summary(root *report.Root) string {
	text := root.Summary
	if text == "" {
		text = root.Function + " deviates"
	}
	text = p.Short(text)
	if at := root.Position; at != nil && at.Side == spectra.Old {
		in := *at
		in.Side = ""
		text += " (" + p.Line(position(&in)) + " in the old version)"
	}
	if only := Needs(root); only != "" {
		text += ", " + only
	}
	if since := p.Since(root); since != "" {
		text += ", " + since
	}
	return text
}

// Station names a station of a chain by its function and what differs there.
func (p *Phrases) Station(l report.Link) string {
	l.Function, l.Path = spectra.Shorten(l.Function, maxLine), spectra.Shorten(l.Path, maxLine)
	return p.Line(p.printer().station(l))
}

// Details are the lines about a root below its summary: place and kind, why, the values, the way to the
// effect, the changed lines, what shows it.
func (p *Phrases) Details(root *report.Root) string {
	q := p.printer()
	q.labels(root)
	if root.Why != "" {
		q.prose(rootIndent, rootIndent, p.Short(root.Why))
	}
	q.intended(root)
	q.proof(root)
	q.since(root)
	q.places(root.Places)
	q.values(root)
	q.chain(root.Chain)
	q.change(root)
	if text := q.sequenceOf(root); text != "" {
		q.blank()
		q.example(root, text)
	}
	q.reproducer(root)
	return limited(q.out.String())
}

// limited returns printed lines without their indentation, and cuts what is too long.
func limited(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	left := len(lines) - maxDetails
	lines = lines[:min(len(lines), maxDetails)]
	for i, line := range lines {
		line = spectra.Shorten(strings.TrimPrefix(line, rootIndent), maxLine)
		lines[i] = strings.TrimRight(spectra.Shorten(Printable(line), maxLine), " ")
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("… %s more lines; --format json has them", count(left)))
	}
	return strings.Join(lines, "\n")
}
