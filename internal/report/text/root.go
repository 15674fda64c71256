package text

import (
	"fmt"
	"regexp"
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
	p.line("", p.paint(bold, fmt.Sprintf("%d  %s", root.Rank, p.short(clean(root.Function)))))
	p.labels(root)
	if root.Summary != "" {
		p.prose(rootIndent, rootIndent, p.short(clean(root.Summary)))
	}
	if root.Why != "" {
		p.prose(rootIndent, rootIndent, p.short(clean(root.Why)))
	}
	p.intended(root)
	p.needs(root)
	p.proof(root)
	p.since(root)
	p.places(root.Places)
	p.change(root)
	p.sequence(root) // what is done, before what then differs
	p.values(root)
	p.chain(root.Chain)
	p.tree(root.Tree)
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

// needs says which arguments it takes that few callers pass.
func (p *printer) needs(root *report.Root) {
	if only := Needs(root); only != "" {
		p.prose(rootIndent, rootIndent, only)
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

// places lists the further places of a root.
func (p *printer) places(list []report.Place) {
	if len(list) == 0 {
		return
	}
	p.blank()
	p.line(rootIndent, plural(len(list), "other declaration")+" changed in the same way:")
	for _, place := range list[:min(len(list), maxRows)] {
		parts := []string{p.short(clean(place.Function)), position(place.Position), clean(string(place.Confidence))}
		p.line(rootIndent+"  ", strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "  "))
	}
	p.more(rootIndent+"  ", len(list)-maxRows, "places")
}

// labels prints what stands below the root's name: position, change, confidence, reach, counts.
func (p *printer) labels(root *report.Root) {
	color := yellow
	if root.Reach == spectra.Visible {
		color = red
	}
	reach := p.paint(color, clean(string(root.Reach)))
	seen := "seen in " + plural(root.Sequences, "sequence")
	if p.byCommand() {
		seen = "shown by the command"
	} else if root.Sequences == 0 {
		seen = "seen before any call"
	}
	labels := []string{clean(string(root.Change)), clean(string(root.Confidence))}
	if root.Tier != "" {
		labels = append(labels, p.tier(root.Tier))
	}
	labels = append(labels, reach, seen)
	where, text := position(root.Position), strings.Join(labels, ", ")
	if where != "" && textWidth(rootIndent+where+", "+text) > p.width {
		p.line(rootIndent, where)
	} else if where != "" {
		text = where + ", " + text
	}
	p.line(rootIndent, text)
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

// change prints the changed lines.
func (p *printer) change(root *report.Root) {
	if root.Diff == "" {
		return
	}
	p.blank()
	lines, room := strings.Split(strings.TrimSuffix(root.Diff, "\n"), "\n"), p.width-len(rootIndent)
	for i := range lines {
		lines[i] = clean(strings.ReplaceAll(lines[i], "\t", "    "))
	}
	for _, line := range apart(lines, room)[:min(len(lines), maxChange)] {
		color := ""
		switch line[:min(1, len(line))] {
		case "-":
			color = red
		case "+":
			color = green
		case "@":
			color = faint
		}
		if textWidth(line) > room {
			line = cut(line, 0, room)
		}
		p.line(rootIndent, p.paint(color, line))
	}
	if n := len(lines) - maxChange; n > 0 {
		p.line(rootIndent, p.paint(faint, "… more lines; "+p.gitDiff(root)+" has all"))
	}
}

// gitDiff returns the command that prints the whole change of the file of a root.
func (p *printer) gitDiff(root *report.Root) string {
	parts := []string{"git diff", word(shortName(p.report.Old))}
	if p.report.New.Commit != report.Worktree {
		parts = append(parts, word(shortName(p.report.New)))
	}
	if root.Position != nil {
		parts = append(parts, "--", word(clean(root.Position.File)))
	}
	return strings.Join(parts, " ")
}

// apart returns the lines of a diff, where a line and the one in its place would be cut before they differ without what
// they have in common.
func apart(lines []string, room int) []string {
	lines = slices.Clone(lines)
	signed := func(i int, sign string) bool { return i < len(lines) && strings.HasPrefix(lines[i], sign) }
	for first := 0; first < len(lines); first++ {
		old := first
		for signed(first, "-") {
			first++
		}
		for n := 0; old+n < first && signed(first+n, "+"); n++ {
			x, y := lines[old+n][1:], lines[first+n][1:]
			if start := spectra.Apart(x, y, room/3); start > 0 && cut(x, 0, room-1) == cut(y, 0, room-1) {
				lines[old+n], lines[first+n] = "-…"+x[start:], "+…"+y[start:]
			}
		}
	}
	return lines
}

// values prints the value differences.
func (p *printer) values(root *report.Root) {
	values := p.differences(root)
	if len(values) == 0 {
		return
	}
	p.blank()
	for _, value := range values[:min(len(values), maxValues)] {
		p.value(rootIndent, p.label(root, value), value.Old, value.New)
	}
	p.more(rootIndent, len(values)-maxValues, "values")
}

// differences returns the values that differ, or the deviations of a root that has none, each once.
func (p *printer) differences(root *report.Root) []report.Difference {
	values := root.Values
	if len(values) == 0 {
		for _, id := range root.Deviations {
			if d := p.report.Deviation(id); d != nil {
				values = append(values, report.Difference{Function: d.Function, Path: d.Path, Old: d.Old, New: d.New})
			}
		}
	}
	return telling(merged(values))
}

// telling returns the values that say in what they differ. If none does, it returns those that differ behind what is
// kept of them; that states differ of which nothing is kept, the summary says.
func telling(values []report.Difference) []report.Difference {
	differ := func(d report.Difference) bool { return d.Old != d.New }
	if slices.ContainsFunc(values, differ) {
		return slices.DeleteFunc(values, func(d report.Difference) bool { return !differ(d) })
	}
	return slices.DeleteFunc(values, func(d report.Difference) bool { return d.Old == "" || d.Old == nothing })
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
	if p.byCommand() && value.Path == "end" {
		return commandEnd
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
	stations := p.stations(c)
	text := strings.Join(stations, " -> ")
	switch {
	case c.Swallowed != "":
		text += ", swallowed by " + p.short(clean(c.Swallowed)) + ", which ends alike in both versions"
	case len(stations) < shortestChain:
		return
	}
	p.blank()
	p.prose(rootIndent, rootIndent+"  ", text)
}

// stations names the stations of a chain.
func (p *printer) stations(c *report.Chain) (stations []string) {
	for _, l := range links(c) {
		stations = append(stations, p.station(l))
	}
	return stations
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
		path = strings.TrimSpace("output " + path)
	case l.Called && path != "":
		path = "called with " + path
	}
	if name == "" || path == "" {
		return name + path
	}
	return name + " (" + path + ")"
}

// sequence prints the shortest sequence that shows the root, once for all roots that share it.
func (p *printer) sequence(root *report.Root) {
	text := p.sequenceOf(root)
	if text == "" {
		return
	}
	p.blank()
	if earlier := p.earlier(root, text); earlier > 0 {
		p.line(rootIndent, p.paint(faint, fmt.Sprintf("shortest sequence: as for root %d", earlier)))
		return
	}
	p.example(root, text)
}

// example prints the run that shows the root: a test, or the calls of its sequence.
func (p *printer) example(root *report.Root, text string) {
	if root.Test != nil {
		if p.test(root.Test); failsOnOne(root) {
			p.line(rootIndent+"  ", p.paint(faint, p.goTest(root.Test)))
		}
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

// failsOnOne reports whether a test as it is shows a root by passing on one version only.
func failsOnOne(root *report.Root) bool {
	return root.Test.Command == nil && len(root.Test.Other) == 0 &&
		slices.ContainsFunc(root.Values, func(d report.Difference) bool { return d.Output && d.Path == "passed" })
}

// goTest returns the command that runs a test.
func (p *printer) goTest(of *report.Test) string {
	var levels []string
	for _, name := range strings.Split(of.Name, "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(clean(name))+"$")
	}
	where := clean(of.Package)
	if rel, inside := strings.CutPrefix(of.Package, p.report.Subject.Module); inside {
		where = "." + clean(rel)
	}
	return "go test -run " + quoted(strings.Join(levels, "/")) + " " + word(where)
}

// earlier returns the rank of the first root before another that has its sequence, or 0.
func (p *printer) earlier(root *report.Root, sequence string) int {
	for i := range p.report.Roots[:root.Rank-1] {
		if earlier := &p.report.Roots[i]; earlier.Accepted == nil && p.sequenceOf(earlier) == sequence {
			return earlier.Rank
		}
	}
	return 0
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
