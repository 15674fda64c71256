package screen

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// mostValues is how many of the values are shown of a finding without calls.
const mostValues = 50

// A valueLine is a line of the values pane; the lines of values can be selected.
type valueLine struct {
	line
	value *explain.Value
}

func countValues(lines []valueLine) (n int) {
	for i := range lines {
		if lines[i].value != nil {
			n++
		}
	}
	return n
}

// lineOf returns the line of the n-th value.
func lineOf(lines []valueLine, n int) int {
	for i := range lines {
		if lines[i].value != nil {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return 0
}

func valueAt(lines []valueLine, n int) *explain.Value {
	if len(lines) == 0 {
		return nil
	}
	return lines[lineOf(lines, n)].value
}

// pickable reports whether the pane of values has values to select; else it is scrolled.
func (m *Model) pickable() bool { return m.selected().kind != whole }

func (m *Model) treeTitle() string {
	title := text.Plural(len(m.story.Calls), "call")
	switch {
	case len(m.story.Calls) == 0:
		title = "the way to the effect"
	case m.only:
		title = "calls that deviate"
	}
	if m.story.Left > 0 && !m.only {
		title += fmt.Sprintf(", %s more are not in the report", text.Count(m.story.Left))
	}
	return title
}

// treeLines are the visible lines of the tree.
func (m *Model) treeLines(s sizes) []string {
	out := make([]string, 0, s.tree)
	for i := m.top; len(out) < s.tree; i++ {
		if i >= len(m.rows) {
			out = append(out, strings.Repeat(" ", s.left))
			continue
		}
		out = append(out, m.fit(m.treeLine(m.rows[i], i == m.row, s.left), s.left))
	}
	return out
}

// treeLine is a row with a mark where it is selected. Deep calls are moved to the left so that their names show.
func (m *Model) treeLine(r row, here bool, width int) line {
	cursor, style := "  ", ""
	if here {
		if cursor = "> "; m.focus == tree {
			style = chosen
		}
	}
	switch r.kind {
	case whole:
		return line{{cursor, ""}, {"the finding", either(style, bold)}}
	case step:
		return line{{cursor, ""}, {m.story.Steps[r.at].Title, style}, {fmt.Sprintf("  step %d", r.at+1), yellow}}
	}
	c := &m.story.Calls[r.at]
	indent := strings.Repeat("  ", c.Depth)
	if most := max(2, width/3); len(indent) > most {
		indent = text.Cut(fmt.Sprintf("%d… ", c.Depth), most)
		indent = pad(indent, most)
	}
	color := yellow
	switch {
	case c.Root:
		color = red
	case !c.Deviates:
		style, color = either(style, faint), faint
	}
	marks := c.Marks()
	if marks != "" {
		marks = "  " + marks
	}
	room := width - 2 - text.Width(indent)
	name := text.Cut(c.Name, max(room/2, room-text.Width(marks)))
	return line{{cursor + indent, ""}, {name, style}, {marks, color}}
}

func either(style, other string) string {
	if style != "" {
		return style
	}
	return other
}

// valuePane is the pane of values with its heading.
func (m *Model) valuePane(s sizes) []string {
	lines := m.valueLines(s.right)
	title := "values"
	switch r := m.selected(); r.kind {
	case whole:
		title = "the finding"
	case call:
		title = m.story.Calls[r.at].Name
	case step:
		title = m.story.Steps[r.at].Title
	}
	out := []string{m.fit(rule(title, s.right, m.focus == values), s.right)}
	at := -1
	if m.focus == values && m.pickable() && countValues(lines) > 0 {
		at = lineOf(lines, m.picked)
	}
	for i := m.scroll[values]; len(out) <= s.values; i++ {
		switch {
		case i >= len(lines):
			out = append(out, strings.Repeat(" ", s.right))
		case i == at:
			l := append(line{{"> ", ""}}, lines[i].line...)
			l[1].text, l[1].style = strings.TrimPrefix(l[1].text, "  "), either(l[1].style, bold)
			out = append(out, m.fit(l, s.right))
		default:
			out = append(out, m.fit(lines[i].line, s.right))
		}
	}
	return out
}

// valueLines are the lines of the values pane.
func (m *Model) valueLines(width int) []valueLine {
	var b builder
	b.width = width
	switch r := m.selected(); r.kind {
	case whole:
		b.finding(m.story)
	case step:
		b.step(&m.story.Steps[r.at])
	case call:
		b.call(&m.story.Calls[r.at])
	}
	return b.lines
}

// step adds the value of a step that is no call of the tree.
func (b *builder) step(s *explain.Step) {
	if s.Place != "" {
		b.plain("  "+s.Place, "")
	}
	if s.Value == nil {
		b.plain("  the report has no values of it", faint)
		return
	}
	path := pathWidth([]explain.Value{*s.Value}, b.width)
	b.header("", path)
	b.value(s.Value, path)
}

func joinedPlace(name, place string) string { return strings.TrimSpace(name + " " + place) }

// A builder collects lines.
type builder struct {
	lines []valueLine
	width int
}

func (b *builder) add(l line) { b.lines = append(b.lines, valueLine{line: l}) }

func (b *builder) plain(of, style string) { b.add(line{{of, style}}) }

// prose adds a text in lines of the width.
func (b *builder) prose(first, rest, of string) {
	for i, part := range text.Wrap(of, max(10, b.width-text.Width(rest))) {
		if i > 0 {
			first = rest
		}
		b.add(line{{first, faint}, {part, ""}})
	}
}

// finding adds what there is to say about the finding as a whole.
func (b *builder) finding(s *explain.Story) {
	b.prose("", "", s.Sentence)
	widest := 0
	for _, f := range s.Facts {
		widest = max(widest, len(f.Name))
	}
	for _, f := range s.Facts {
		b.prose("  "+pad(f.Name, widest)+"  ", strings.Repeat(" ", widest+4), f.Text)
	}
	if len(s.Change) > 0 {
		b.plain("", "")
		b.plain("the change", bold)
	}
	for _, l := range s.Change {
		b.plain("  "+l, changeStyle(l[:min(1, len(l))]))
	}
	if len(s.Shown) > 0 {
		b.plain("", "")
		b.plain("what shows it", bold)
	}
	for _, l := range s.Shown {
		b.prose("  ", "    ", l)
	}
	if len(s.Values) > 0 {
		list := s.Values[:min(len(s.Values), mostValues)]
		path := pathWidth(list, b.width)
		b.plain("", "")
		b.header("what differs", path)
		b.values("", list, path)
	}
	b.plain("", "")
	b.plain("the way to the effect", bold)
	for i := range s.Steps {
		b.prose(fmt.Sprintf("  %d  ", i+1), "     ", joinedPlace(s.Steps[i].Title, s.Steps[i].Place))
	}
}

func changeStyle(sign string) string {
	switch sign {
	case "-":
		return red
	case "+":
		return green
	case "@":
		return faint
	}
	return ""
}

// call adds the states of an execution.
func (b *builder) call(c *explain.Call) {
	if c.Ended != "" {
		b.prose("  ended: ", "    ", c.Ended)
	}
	if c.Entry == nil && c.Exit == nil {
		b.plain("  the report has no values of it", faint)
	}
	for _, state := range []struct {
		name string
		of   *explain.State
	}{{"entry", c.Entry}, {"exit", c.Exit}} {
		if state.of == nil {
			continue
		}
		all := append(append(append([]explain.Value{}, state.of.Values...), state.of.Differ...), state.of.Shared...)
		path := pathWidth(all, b.width)
		b.header(state.name, path)
		b.values("", state.of.Values, path)
		b.values("differs in", state.of.Differ, path)
		b.values("shared", state.of.Shared, path)
		if state.of.Omitted > 0 {
			b.plain("    "+text.Plural(state.of.Omitted, "value")+" left out by the report", faint)
		}
	}
}

func (b *builder) values(title string, list []explain.Value, path int) {
	if title != "" && len(list) > 0 {
		b.plain("  "+title, faint)
	}
	for i := range list {
		b.value(&list[i], path)
	}
}

// pathWidth returns the columns of the paths of values.
func pathWidth(list []explain.Value, width int) int {
	widest := 4
	for i := range list {
		widest = max(widest, text.Width(brief(list[i].Path, width)))
	}
	return min(widest, max(4, width/3))
}

// Columns around the two texts of a value: indentation and mark, gap, bar.
const valueEdges = 4 + 2 + 3

// header names a state, and the two columns.
func (b *builder) header(name string, path int) {
	column := max(1, (b.width-path-valueEdges)/2)
	b.add(line{{pad(name, path+6), bold}, {pad("old", column), faint}, {" │ ", faint}, {"new", faint}})
}

// value adds a value: both versions side by side where they differ.
func (b *builder) value(v *explain.Value, path int) {
	l := line{{"    ", ""}, {pad(text.Cut(v.Path, path), path), ""}, {"  ", ""}}
	if v.Differs {
		l[0].text, l[1].style = "  * ", yellow
	}
	column := max(1, (b.width-path-valueEdges)/2)
	if !v.Differs || v.Old == v.New {
		l = append(l, span{v.Said(), ""})
		b.lines = append(b.lines, valueLine{l, v})
		return
	}
	before, after := text.Marked(v.Old, v.New, column)
	width := 0
	for _, part := range before {
		width += text.Width(part.Text)
		l = append(l, span{part.Text, partStyle(part, red)})
	}
	l = append(l, span{strings.Repeat(" ", max(0, column-width)), ""}, span{" │ ", faint})
	for _, part := range after {
		l = append(l, span{part.Text, partStyle(part, green)})
	}
	b.lines = append(b.lines, valueLine{l, v})
}

func partStyle(of text.Part, color string) string {
	if of.Differ {
		return color
	}
	return ""
}

// sourceLen is how many lines the source of the selected row has.
func (m *Model) sourceLen() int {
	if l := m.list(); l != nil {
		return len(l.Notes) + len(l.Rows)
	}
	return 0
}

// sourcePane is the pane of source with its heading.
func (m *Model) sourcePane(s sizes) []string {
	l := m.list()
	out := []string{m.fit(rule(joinedPlace("source", l.Title), s.right, m.focus == source), s.right)}
	for i := m.scroll[source]; len(out) <= s.source; i++ {
		switch {
		case i < len(l.Notes):
			out = append(out, m.fit(line{{"  " + l.Notes[i], yellow}}, s.right))
		case i < len(l.Notes)+len(l.Rows):
			r := l.Rows[i-len(l.Notes)]
			out = append(out, m.fit(line{{r.String(), changeStyle(string(r.Sign))}}, s.right))
		default:
			out = append(out, strings.Repeat(" ", s.right))
		}
	}
	return out
}
