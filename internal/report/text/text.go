// Package text prints a report for people who read it in a terminal.
//
// In: a finished report, a width and whether colours are wanted. Out: the verdict in one sentence, then the roots by
// rank, those that somebody accepted in a line each, the commits with which they came, then what else changed, what was
// compared and how to go on; or the verdict and the commits alone. Of a series of reports: a row for each, then the
// first roots of each, in a line. The same report, width and colour lead to the same bytes. Prose is wrapped at the
// width. Identifiers, commands and positions are never broken, even if a line gets too long. Control characters in
// recorded values are escaped, so that a value can't write to the terminal. The package decides nothing: verdict, order
// and exit status are those of the report.
package text

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// Options describe where the text is read.
type Options struct {
	Width  int  // columns; 0: 80
	Color  bool // escape sequences for colours
	Detail bool // all about the run: what was compared, noise, exposure
}

const (
	defaultWidth = 80
	minWidth     = 40
	maxChange    = 30 // lines of the change of one root
	fullRoots    = 5  // roots printed in full; the others have a line in the overview
	overviewFrom = 4  // roots from which on there is an overview
	maxValues    = 6  // value differences of one root
	maxTree      = 30 // lines of one tree
	maxDepth     = 40 // indentation of a line in it
	maxRows      = 12 // rows of one table
)

// A printer collects the text.
type printer struct {
	out    bytes.Buffer
	report *report.Report
	width  int
	color  bool
	detail bool
	base   string // name of the module's root package in short symbols
	err    error  // first error of laying out a table
}

// Write prints the report.
func Write(w io.Writer, r *report.Report, options Options) error {
	p := newPrinter(r, options)
	p.print()
	return p.write(w, "text report")
}

func newPrinter(r *report.Report, options Options) *printer {
	p := &printer{
		report: r, base: moduleBase(r.Subject.Module),
		width: options.Width, color: options.Color, detail: options.Detail,
	}
	if p.width == 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	return p
}

// write writes the text that was printed.
func (p *printer) write(w io.Writer, what string) error {
	err := p.err
	if err == nil {
		_, err = io.WriteString(w, p.safe(p.out.String()))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}

// safe returns the whole text so that it does no more than to be read, whatever a field of the report holds.
func (p *printer) safe(text string) string {
	if !p.color {
		return Printable(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = coloredLine(line)
	}
	return strings.Join(lines, "\n")
}

func (p *printer) print() {
	p.prose("", "", p.paint(bold, p.verdict()))
	p.partial()
	if p.quiet() {
		p.compared()
		p.details()
		p.accepted()
		p.modules()
		p.early()
		p.contracts()
		p.structural()
		p.warnings()
		p.goOn()
		return
	}
	loud := p.loud()
	if len(loud) > 0 {
		p.prose("", "", p.paint(faint, "A root is where differences come from. "+p.order(loud)))
	}
	p.overview(loud)
	for i := range loud[:min(len(loud), fullRoots)] {
		p.root(&loud[i])
	}
	if n := len(loud) - fullRoots; n > 0 {
		p.blank()
		text := fmt.Sprintf("… %s in the overview alone; --format json has them", plural(n, "more root"))
		p.line("", p.paint(faint, text))
	}
	p.quietRoots(p.open(true))
	p.accepted()
	p.commits()
	p.modules()
	p.contracts()
	p.structural()
	p.rest()
	p.early()
	p.warnings()
	p.goOn()
}

// order says in which order the roots stand.
func (p *printer) order(loud []report.Root) string {
	var last []string
	if slices.ContainsFunc(loud, func(r report.Root) bool { return r.OnNil }) {
		last = append(last, "what needs a nil pointer that few callers have")
	}
	if slices.ContainsFunc(loud, func(r report.Root) bool { return r.Only }) {
		last = append(last, "what only tests of the change itself show")
	}
	if len(last) == 0 || len(loud) == 1 {
		return "The worst comes first."
	}
	return "The worst comes first, but last " + strings.Join(last, ", then ") + "."
}

// rest says on what the findings rest: in short, or in detail.
func (p *printer) rest() {
	p.blank()
	p.compared()
	p.details()
}

// details prints all about the run, where it is asked for.
func (p *printer) details() {
	if p.detail {
		p.noise()
		p.exposure()
		p.facts()
	}
}

// quiet reports whether only what was compared is to be shown.
func (p *printer) quiet() bool {
	return len(p.report.Roots) == 0
}

func (p *printer) warnings() {
	if len(p.report.Warnings) == 0 {
		return
	}
	p.heading("warnings")
	for _, warning := range p.report.Warnings {
		p.prose("  ", "  ", clean(warning))
	}
}

// more prints how many entries were left out, if any were.
func (p *printer) more(indent string, n int, what string) {
	if n > 0 {
		p.line(indent, p.paint(faint, fmt.Sprintf("… %s more %s; --format json has them", count(n), what)))
	}
}
