package explain

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Limits of what is printed. What a terminal can page through is not cut.
const (
	printedWidth  = 100
	printedRows   = 40  // lines of the source of one step
	printedCalls  = 200 // lines of the call tree
	printedChange = 60  // lines of the change
	printedDepth  = 30
)

// Write prints a finding in order: what deviates, the changed lines, the call tree, and each step from the root to its
// effect with its source and its values in both versions.
func Write(w io.Writer, s *Story, look Lookup) error {
	p := &printer{out: bufio.NewWriter(w), seen: map[int]int{}}
	p.head(s)
	p.change(s.Change)
	p.list("what shows it", s.Shown)
	if len(s.Values) > 0 {
		p.heading("what differs")
		p.values(s.Values[:min(len(s.Values), mostOfState)], "")
		p.more("    ", len(s.Values)-mostOfState, "value")
	}
	p.tree(s)
	for i := range s.Steps {
		p.step(s, i, look)
	}
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("write finding %d: %w", s.Rank, err)
	}
	return nil
}

// A printer prints lines of printable texts.
type printer struct {
	out   *bufio.Writer
	seen  map[int]int // executions that were printed, with their steps
	notes string      // what was last said about sources
}

// line prints one line; no command of a build machine stands in it.
func (p *printer) line(indent, of string) {
	_, _ = p.out.WriteString(text.Printable(strings.TrimRight(indent+of, " ")) + "\n") // Flush returns the error
}

func (p *printer) heading(of string) {
	p.line("", "")
	p.line("", of)
}

// prose prints a text in lines of the printed width.
func (p *printer) prose(first, rest, of string) {
	for i, line := range text.Wrap(of, printedWidth-len(rest)) {
		if i > 0 {
			first = rest
		}
		p.line(first, line)
	}
}

func (p *printer) head(s *Story) {
	p.line("", fmt.Sprintf("finding %d of %d: %s", s.Rank, s.Of, s.Name))
	p.prose("", "", s.Sentence)
	widest := 0
	for _, f := range s.Facts {
		widest = max(widest, len(f.Name))
	}
	for _, f := range s.Facts {
		p.prose(fmt.Sprintf("  %-*s  ", widest, f.Name), strings.Repeat(" ", widest+4), f.Text)
	}
}

func (p *printer) change(lines []string) {
	if len(lines) == 0 {
		return
	}
	p.heading("the change")
	for _, line := range lines[:min(len(lines), printedChange)] {
		p.line("  ", line)
	}
	p.more("  ", len(lines)-printedChange, "line")
}

func (p *printer) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.heading(title)
	for _, line := range lines {
		p.line("  ", line)
	}
}

// more says how much is left out, if anything is.
func (p *printer) more(indent string, n int, what string) {
	if n > 0 {
		p.line(indent, "… "+text.Plural(n, "more "+what))
	}
}

// tree prints the call tree with its marks.
func (p *printer) tree(s *Story) {
	if len(s.Calls) == 0 {
		return
	}
	p.heading("the calls of both versions")
	shown := s.Calls[:min(len(s.Calls), printedCalls)]
	column := 0
	names := make([]string, len(shown))
	for i := range shown {
		names[i] = strings.Repeat("  ", min(shown[i].Depth, printedDepth)) + shown[i].Name
		if width := text.Width(names[i]); shown[i].Marks() != "" && width < printedWidth-20 {
			column = max(column, width)
		}
	}
	for i := range shown {
		line := names[i]
		if marks := shown[i].Marks(); marks != "" {
			line += strings.Repeat(" ", max(0, column-text.Width(line))) + "  " + marks
		}
		p.line("  ", line)
	}
	p.more("  ", len(s.Calls)-len(shown)+s.Left, "execution")
}

// step prints a station: its execution, its source, its values. What an earlier step printed is not repeated.
func (p *printer) step(s *Story, i int, look Lookup) {
	step := &s.Steps[i]
	p.heading(fmt.Sprintf("step %d of %d: %s", i+1, len(s.Steps), step.Title))
	if step.Value != nil {
		p.value("  ", step.Value, 0)
	}
	if step.Call != none {
		if before := p.seen[step.Call]; before > 0 {
			p.line("  ", fmt.Sprintf("the execution of step %d", before))
			return
		}
		p.seen[step.Call] = i + 1
	}
	p.source(s.List(look, step.Function, step.At), step.Place)
	if step.Call == none {
		return
	}
	call := &s.Calls[step.Call]
	if call.Ended != "" {
		p.line("  ", "ended: "+call.Ended)
	}
	p.state("entry", call.Entry)
	p.state("exit", call.Exit)
}

// source prints the lines of a function in both versions.
func (p *printer) source(l *Listing, place string) {
	rows, gaps, left := l.Excerpt(printedRows)
	if l.Title != "" {
		place = l.Title
	}
	if said := strings.Join(l.Notes, "\n"); said == p.notes && len(rows) == 0 {
		l.Notes = nil
	} else {
		p.notes = said
	}
	if place != "" || len(l.Notes) > 0 {
		p.line("", "")
		p.line("  ", joined([]string{"source", place}, " "))
	}
	for _, note := range l.Notes {
		p.line("    ", note)
	}
	for i, row := range rows {
		if gaps[i] {
			p.line("    ", "…")
		}
		p.line("    ", row.String())
	}
	p.more("    ", left, "line")
}

// String returns a row with its line numbers.
func (r Row) String() string {
	return fmt.Sprintf("%s %s %c %s", number(r.Old), number(r.New), r.Sign, r.Text)
}

// number returns the number of a line, or as many spaces.
func number(n int) string {
	if n == 0 {
		return "    "
	}
	return fmt.Sprintf("%4d", n)
}

// state prints what was recorded at the begin or end of an execution.
func (p *printer) state(name string, of *State) {
	if of == nil {
		return
	}
	p.line("", "")
	p.line("  ", name)
	p.values(of.Values, "")
	p.values(of.Differ, "differs in")
	p.values(of.Shared, "shared")
	if of.Omitted > 0 {
		p.line("    ", text.Plural(of.Omitted, "value")+" left out by the report")
	}
}

func (p *printer) values(list []Value, title string) {
	indent := "    "
	if len(list) > 0 && title != "" {
		p.line(indent, title)
		indent += "  "
	}
	widest := 0
	for i := range list {
		if width := text.Width(list[i].Path); width <= printedWidth/3 {
			widest = max(widest, width)
		}
	}
	for i := range list {
		p.value(indent, &list[i], widest)
	}
}

// value prints a value: one line if both texts fit, else one version below the other.
func (p *printer) value(indent string, v *Value, widest int) {
	mark := "  "
	if v.Differs {
		mark = "* "
	}
	label := v.Path + strings.Repeat(" ", max(0, widest-text.Width(v.Path)))
	line := indent + mark + label + "  " + v.Said()
	if !v.Differs || v.Old == v.New || text.Width(line) <= printedWidth {
		p.line("", line)
		return
	}
	p.line("", indent+mark+v.Path)
	p.line(indent, "    - "+v.Old)
	p.line(indent, "    + "+v.New)
}
