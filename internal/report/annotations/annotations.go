// Package annotations writes a report as workflow commands of GitHub, which show it beside the lines of a change.
//
// In: a finished report. Out: a line for each root, in the order of rank, that is an error, a warning or a notice by
// the tier; a line that says so where the change was not reached, or the run is incomplete or ended early. GitHub shows
// at most 10 of each kind for one step, so there are no more, and the last notice counts what was left out. The same
// report leads to the same bytes. A place in the old version is told in the text alone, because GitHub takes lines for
// those of the new one. Values are escaped, so that none begins a command of its own.
package annotations

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/finding"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// maxKind is how many annotations of one kind GitHub shows for a step, maxText how long one is.
const (
	maxKind = 10
	maxText = 4000
)

// An annotation is one command.
type annotation struct {
	level       finding.Level
	file        string
	first, last int
	title, text string
}

// Write prints a report.
func Write(w io.Writer, r *report.Report) error {
	r = r.FromRepository()
	out := bufio.NewWriter(w)
	of := &writer{report: r, phrases: text.NewPhrases(r)}
	for _, a := range of.chosen() {
		out.WriteString(a.command())
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	return nil
}

type writer struct {
	report  *report.Report
	phrases *text.Phrases
}

// chosen returns the annotations that GitHub shows.
func (w *writer) chosen() []annotation {
	all := w.run()
	roots := report.Open(w.report.Roots)
	for i := range roots {
		all = append(all, annotation{level: finding.LevelOf(&roots[i])})
	}
	before := len(all) - len(roots)
	count := map[finding.Level]int{}
	for _, a := range all {
		count[a.level]++
	}
	room := map[finding.Level]int{finding.Error: maxKind, finding.Warning: maxKind, finding.Note: maxKind}
	if max(count[finding.Error], count[finding.Warning], count[finding.Note]) > maxKind {
		room[finding.Note]-- // for the notice that counts
	}
	var list []annotation
	for i, a := range all {
		if room[a.level] == 0 {
			continue
		}
		room[a.level]--
		if i >= before {
			a = w.root(&roots[i-before])
		}
		list = append(list, a)
	}
	if more := len(all) - len(list); more > 0 {
		said := fmt.Sprintf("%d more; GitHub shows no more than %d of a kind, --format json has all", more, maxKind)
		list = append(list, annotation{level: finding.Note, title: finding.Tool, text: said})
	}
	return list
}

// run says what the roots do not: that the comparison is not whole.
func (w *writer) run() (list []annotation) {
	r, level := w.report, finding.Warning
	unsure := r.Verdict == report.NotReached || r.Verdict == report.Incomplete
	if r.Exit == 2 || unsure && r.Exit == 1 {
		level = finding.Error
	}
	if unsure {
		list = append(list, annotation{level: level, title: finding.Tool, text: w.phrases.Verdict()})
	}
	if ended := w.phrases.Ended(); ended != "" {
		list = append(list, annotation{level: level, title: finding.Tool, text: ended})
	}
	return list
}

func (w *writer) root(root *report.Root) annotation {
	a := annotation{level: finding.LevelOf(root), title: w.phrases.Line(spectra.Symbol(root.Function).Short())}
	if root.Tier != "" {
		a.title = w.phrases.Line(string(root.Tier)) + ": " + a.title
	}
	if !finding.Old(root.Position) {
		a.file, a.first, a.last = finding.Place(root.Position)
		a.file = w.phrases.Line(a.file)
	}
	a.text = strings.TrimSpace(w.phrases.Summary(root) + "\n" + w.phrases.Details(root))
	a.text = spectra.Shorten(a.text, maxText)
	return a
}

// command returns the line of an annotation.
func (a *annotation) command() string {
	var parts []string
	if a.file != "" {
		parts = append(parts, "file="+property.Replace(a.file))
	}
	if a.first > 0 {
		parts = append(parts, fmt.Sprintf("line=%d", a.first))
	}
	if a.last > 0 {
		parts = append(parts, fmt.Sprintf("endLine=%d", a.last))
	}
	parts = append(parts, "title="+property.Replace(a.title))
	kind := map[finding.Level]string{finding.Error: "error", finding.Warning: "warning"}[a.level]
	if kind == "" {
		kind = "notice"
	}
	return fmt.Sprintf("::%s %s::%s\n", kind, strings.Join(parts, ","), data.Replace(a.text))
}

// What GitHub unescapes in the text of a command, and in its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
