package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const rootIndent = "   "

// sequenceHeader starts the line that names the version of a sequence's text form; it is for programs.
const sequenceHeader = "spectradiff sequence "

func (p *printer) root(root *report.Root) {
	p.blank()
	p.line("", p.paint(bold, fmt.Sprintf("%d  %s", root.Rank, p.short(root.Function))))
	p.line(rootIndent, p.labels(root))
	if root.Summary != "" {
		p.prose(rootIndent, rootIndent, p.short(clean(root.Summary)))
	}
	if root.Why != "" {
		p.prose(rootIndent, rootIndent, p.short(clean(root.Why)))
	}
	p.intended(root)
	if root.OnNil {
		p.prose(rootIndent, rootIndent, "seen only where a method of a nil pointer is called")
	}
	p.proof(root)
	p.places(root.Places)
	p.values(root)
	p.chain(root.Chain)
	p.tree(root.Tree)
	p.sequence(root)
	p.reproducer(root)
}

// intended names the test of the new version that wants the effect.
func (p *printer) intended(root *report.Root) {
	if t := root.Intended; t != nil {
		name := p.short(clean(t.Package + "." + t.Name))
		text := "intended by " + name + ", which fails on the old version"
		if !root.Only {
			text = "also shown by " + name + " of the new version, which fails on the old one"
		}
		p.prose(rootIndent, rootIndent, text)
	}
}

// reproducer names the test that shows the root.
func (p *printer) reproducer(root *report.Root) {
	switch {
	case root.Reproducer != "":
		p.blank()
		p.line(rootIndent, "test: "+clean(root.Reproducer))
	case root.NoReproducer != "":
		p.blank()
		p.prose(rootIndent, rootIndent, "no test: "+clean(root.NoReproducer))
	}
}

// proof says with which other changes a root was proven, or why it was not.
func (p *printer) proof(root *report.Root) {
	if root.Proof == nil {
		return
	}
	var names []string
	for _, other := range root.Proof.With {
		names = append(names, p.short(clean(other)))
	}
	if len(names) > 0 {
		p.prose(rootIndent, rootIndent, "it takes this change together with "+strings.Join(names, ", "))
	}
	if root.Proof.Reason != "" {
		p.prose(rootIndent, rootIndent, "not proven: "+clean(root.Proof.Reason))
	}
}

// places lists the further places of a root.
func (p *printer) places(list []report.Place) {
	if len(list) == 0 {
		return
	}
	p.blank()
	p.line(rootIndent, "in the same way "+plural(len(list), "other declaration")+":")
	for _, place := range list[:min(len(list), maxRows)] {
		parts := []string{p.short(clean(place.Function)), position(place.Position), string(place.Confidence)}
		p.line(rootIndent+"  ", strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "  "))
	}
	p.more(rootIndent+"  ", len(list)-maxRows, "places")
}

// labels returns the line below the root's name: position, change, confidence, reach, counts.
func (p *printer) labels(root *report.Root) string {
	reach := p.paint(yellow, string(root.Reach))
	if root.Reach == spectra.Visible {
		reach = p.paint(red, string(root.Reach))
	}
	seen := "seen in " + plural(root.Sequences, "sequence")
	if root.Sequences == 0 {
		seen = "seen before any call"
	}
	labels := []string{string(root.Change), string(root.Confidence)}
	if root.Tier != "" {
		labels = append(labels, p.tier(root.Tier))
	}
	labels = append(labels, reach, seen)
	if where := position(root.Position); where != "" {
		labels = append([]string{where}, labels...)
	}
	return strings.Join(labels, ", ")
}

func position(at *report.Position) string {
	switch {
	case at == nil:
		return ""
	case at.Line == 0:
		return clean(at.File)
	}
	text := fmt.Sprintf("%s:%d", clean(at.File), at.Line)
	if at.EndLine > at.Line {
		text += fmt.Sprintf("-%d", at.EndLine)
	}
	if at.Side == spectra.Old {
		text += " (old)"
	}
	return text
}

// values prints the value differences.
func (p *printer) values(root *report.Root) {
	values := p.valuesOf(root)
	if len(values) == 0 {
		return
	}
	values = merged(values)
	p.blank()
	for _, value := range values[:min(len(values), maxValues)] {
		p.value(rootIndent, p.label(root, value), value.Old, value.New)
	}
	p.more(rootIndent, len(values)-maxValues, "values")
}

// valuesOf returns the values of a root, or those of its deviations if it has none of its own.
func (p *printer) valuesOf(root *report.Root) []report.Difference {
	values := root.Values
	if len(values) == 0 {
		for _, id := range root.Deviations {
			if d := p.report.Deviation(id); d != nil {
				values = append(values, report.Difference{Function: d.Function, Path: d.Path, Old: d.Old, New: d.New})
			}
		}
	}
	return values
}

// merged removes repetitions: a result that is also an output is shown once, as an output.
func merged(values []report.Difference) []report.Difference {
	var kept []report.Difference
	exact, anywhere := map[report.Difference]int{}, map[report.Difference]int{} // places in kept, and one more
	for _, value := range values {
		key := report.Difference{Function: value.Function, Path: value.Path, Old: value.Old, New: value.New}
		unnamed := key
		unnamed.Function = ""
		at := anywhere[unnamed]
		if value.Function != "" {
			at = exact[key]
			if output := exact[unnamed]; at == 0 || output != 0 && output < at {
				at = output
			}
		}
		if at != 0 {
			kept[at-1].Output = kept[at-1].Output || value.Output
			continue
		}
		kept = append(kept, value)
		exact[key] = len(kept)
		if anywhere[unnamed] == 0 {
			anywhere[unnamed] = len(kept)
		}
	}
	return kept
}

// label names a value by its path and, if it isn't the root, by its function. It also shows whether
// callers see the value.
func (p *printer) label(root *report.Root, value report.Difference) string {
	label := p.short(clean(value.Path))
	if value.Function != "" && value.Function != root.Function {
		label = strings.TrimSpace(p.short(clean(value.Function)) + " " + label)
	}
	if value.Output {
		label += " (output)"
	}
	return label
}

// chain prints the way from the root to the effect, if it has stations in between.
func (p *printer) chain(c *report.Chain) {
	if c == nil {
		return
	}
	var stations []string
	for _, l := range links(c) {
		stations = append(stations, p.station(l))
	}
	text := strings.Join(stations, " -> ")
	switch {
	case c.Swallowed != "":
		text += ", swallowed by " + p.short(clean(c.Swallowed)) + ", which ends alike"
	case len(stations) < shortestChain:
		return
	}
	p.blank()
	p.prose(rootIndent, rootIndent+"  ", text)
}

// links returns the stations of a chain that are named.
func links(c *report.Chain) (list []report.Link) {
	for i, l := range c.Links {
		if l.Output && i > 0 && c.Links[i-1].Function == l.Function && !c.Links[i-1].Called {
			list = list[:len(list)-1] // it is its own output
		}
		list = append(list, l)
	}
	return list
}

// shortestChain is how many stations a chain has that says more than the values do.
const shortestChain = 2

// station names a station of a chain by its function and the place that differs.
func (p *printer) station(l report.Link) string {
	name, path := p.short(clean(l.Function)), p.short(clean(l.Path))
	switch {
	case l.Output:
		path = "output " + path
	case l.Called && path != "":
		path = "called with " + path
	}
	if name == "" || path == "" {
		return name + path
	}
	return name + " (" + path + ")"
}

// tree prints the call tree with its marks in one column, if the width allows that.
func (p *printer) tree(lines []report.TreeLine) {
	if len(lines) == 0 {
		return
	}
	p.blank()
	shown := lines[:min(len(lines), maxTree)]
	texts := make([]string, len(shown))
	column := 0
	for i, line := range shown {
		texts[i] = strings.Repeat("  ", max(0, min(line.Depth, maxDepth))) + p.short(clean(line.Text))
		if width := textWidth(texts[i]); mark(line) != "" && len(rootIndent)+width+2+len(mark(line)) <= p.width {
			column = max(column, width)
		}
	}
	for i, line := range shown {
		text := texts[i]
		if m := mark(line); m != "" {
			text += strings.Repeat(" ", max(0, column-textWidth(text))) + "  " + p.paintMark(line, m)
		}
		p.line(rootIndent, text)
	}
	p.more(rootIndent, len(lines)-len(shown), "lines")
}

func mark(line report.TreeLine) string {
	var marks []string
	if line.Mark != "" {
		marks = append(marks, "["+line.Mark+"]")
	}
	if line.Root {
		marks = append(marks, "<- root")
	}
	return strings.Join(marks, " ")
}

func (p *printer) paintMark(line report.TreeLine, text string) string {
	if line.Root {
		return p.paint(red, text)
	}
	return p.paint(yellow, text)
}

// sequence prints the shortest sequence that shows the root, once for all roots that share it.
func (p *printer) sequence(root *report.Root) {
	text := p.sequenceOf(root)
	if text == "" {
		return
	}
	p.blank()
	for i := range p.report.Roots[:root.Rank-1] {
		if earlier := &p.report.Roots[i]; p.sequenceOf(earlier) == text {
			p.line(rootIndent, p.paint(faint, fmt.Sprintf("shortest sequence: as for root %d", earlier.Rank)))
			return
		}
	}
	if root.Test != nil {
		p.test(root.Test)
		return
	}
	p.line(rootIndent, p.paint(faint, "shortest sequence"))
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, sequenceHeader) {
			continue
		}
		p.code(rootIndent+"  ", rootIndent+"    ", p.short(clean(strings.TrimRight(line, "\r\n"))))
	}
}

// test prints which test shows the root.
func (p *printer) test(of *report.Test) {
	if of.Command != nil {
		p.commandLine(of.Command)
		return
	}
	if len(of.Other) == 0 {
		p.line(rootIndent, p.paint(faint, "shown by a test"))
	} else {
		p.line(rootIndent, p.paint(faint, "shown by a test with other values"))
	}
	p.code(rootIndent+"  ", rootIndent+"    ", p.short(clean(of.Package+"."+of.Name)))
	for _, l := range of.Other {
		text := fmt.Sprintf("%s: %s instead of %s", l.Place, l.Value, l.Usual)
		if l.Choice != "" {
			text = l.Place + ": " + l.Choice
		}
		p.code(rootIndent+"    ", rootIndent+"      ", clean(text))
	}
}

// sequenceOf returns the root's own sequence, or that of its first deviation.
func (p *printer) sequenceOf(root *report.Root) string {
	if text := strings.TrimSpace(root.Sequence); text != "" {
		return text
	}
	for _, id := range root.Deviations {
		if deviation := p.report.Deviation(id); deviation != nil {
			return strings.TrimSpace(deviation.Sequence)
		}
	}
	return ""
}
