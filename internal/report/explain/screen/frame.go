package screen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Styles, as escape sequences.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	chosen = "\x1b[7m"
	reset  = "\x1b[0m"
)

// A span is a printable text in a style.
type span struct{ text, style string }

// A line is what stands in one line.
type line []span

func (l line) plain() string {
	var out strings.Builder
	for _, s := range l {
		out.WriteString(s.text)
	}
	return out.String()
}

// fit returns a line with exactly so many columns.
func (m *Model) fit(l line, width int) string {
	var out strings.Builder
	for i, s := range l {
		of, style := brief(s.text, width), s.style
		if w := text.Width(of); w > width || w == width && i < len(l)-1 && rest(l[i+1:]) {
			of = text.Cut(of+"…", width)
		}
		width -= text.Width(of)
		if style != "" && of != "" && m.o.Color {
			of = style + of + reset
		}
		out.WriteString(of)
		if width <= 0 {
			break
		}
	}
	return out.String() + strings.Repeat(" ", max(0, width))
}

// brief cuts a text that is far longer than a line can show, so that nobody measures it.
func brief(of string, width int) string {
	n := 16 * (max(0, width) + 1)
	if len(of) <= n {
		return of
	}
	for n > 0 && !utf8.RuneStart(of[n]) {
		n--
	}
	return of[:n] + "…"
}

// rest reports whether anything stands in spans.
func rest(l line) bool { return strings.TrimSpace(l.plain()) != "" }

// pad returns a text with at least so many columns.
func pad(of string, width int) string { return of + strings.Repeat(" ", max(0, width-text.Width(of))) }

// rule returns a heading in a line across a pane.
func rule(title string, width int, focused bool) line {
	style := faint
	if focused {
		style = bold
	}
	title = text.Cut(title, max(0, width-6))
	return line{{"── ", faint}, {title, style}, {" " + strings.Repeat("─", max(0, width-4-text.Width(title))), faint}}
}

// The size from which on the source stands beside the values, and the smallest one with more than the tree.
const (
	wideFrom = 120
	lowest   = 10
)

func (m *Model) wide() bool { return m.width >= wideFrom }

// sizes are those of the panes, in columns and rows without headings.
type sizes struct{ left, right, tree, values, source int }

const frameLines = 4 // two at the top, a heading, the keys

// sizes returns how the screen is divided.
func (m *Model) sizes() sizes {
	body := max(1, m.height-frameLines)
	if m.wide() {
		s := sizes{left: m.width * 2 / 5, tree: body}
		s.right = m.width - s.left - 1
		if s.values = body; m.selected().kind != whole {
			s.values = max(1, (body-1)/2)
			s.source = max(0, body-1-s.values)
		}
		return s
	}
	s := sizes{left: m.width, right: m.width}
	if m.height < lowest {
		s.tree = body
		return s
	}
	s.tree = max(3, min(len(m.rows), body*2/5))
	s.values = max(0, body-1-s.tree)
	s.source = s.values
	return s
}

// rowsOf returns the height of a pane.
func (m *Model) rowsOf(p pane) int {
	s := m.sizes()
	return [...]int{s.tree, s.values, s.source}[p]
}

// keep keeps what is selected on the screen, and scrolling between the first and the last line.
func (m *Model) keep() {
	s := m.sizes()
	m.top = visible(m.top, m.row, s.tree, len(m.rows))
	lines := m.valueLines(s.right)
	if m.pickable() {
		m.picked = max(0, min(m.picked, countValues(lines)-1))
		m.scroll[values] = visible(m.scroll[values], lineOf(lines, m.picked), s.values, len(lines))
	} else {
		m.scroll[values] = max(0, min(m.scroll[values], len(lines)-s.values))
	}
	m.scroll[source] = max(0, min(m.scroll[source], m.sourceLen()-s.source))
	if m.full != nil {
		m.full.layOut(m.width)
		m.full.scroll = max(0, min(m.full.scroll, len(m.full.lines)-(m.height-2)))
	}
}

// visible returns the first line of a pane such that a line is in it.
func visible(top, at, height, of int) int {
	top = min(top, at)
	top = max(top, at-height+1)
	return max(0, min(top, of-height))
}

// Frame returns what is on the screen, as many lines as it has.
func (m *Model) Frame() string {
	if m.width < 1 || m.height < 1 {
		return ""
	}
	var out []string
	if m.full != nil {
		out = m.fullFrame()
	} else {
		out = m.panes()
	}
	for len(out) < m.height-1 {
		out = append(out, strings.Repeat(" ", m.width))
	}
	out = out[:m.height-1]
	return strings.Join(append(out, m.fit(m.last(), m.width)), "\n")
}

// fullFrame is the page that is in front.
func (m *Model) fullFrame() []string {
	m.full.layOut(m.width)
	out := []string{m.fit(rule(m.full.title, m.width, true), m.width)}
	for i := m.full.scroll; i < len(m.full.lines) && len(out) < m.height-1; i++ {
		out = append(out, m.fit(m.full.lines[i], m.width))
	}
	return out
}

// last is the last line: a question, a note, or the keys.
func (m *Model) last() line {
	switch {
	case m.asking:
		return line{{"/" + m.query + "_", ""}}
	case m.note != "":
		return line{{m.note, yellow}}
	case m.full != nil:
		return line{{"↑↓ scroll  / find  q back", faint}}
	case m.focus == tree:
		return line{{"↑↓→← move  s source  v value  d deviating  n p finding  / find  ? help  q quit", faint}}
	}
	return line{{"↑↓ move  ← calls  v in full  s source  n p finding  / find  ? help  q quit", faint}}
}

// panes are the panes with their headings.
func (m *Model) panes() []string {
	s := m.sizes()
	head := line{{fmt.Sprintf("finding %d of %d  ", m.story.Rank, m.o.Of), faint}, {m.story.Name, bold}}
	if m.story.Accepted != "" {
		head = append(head, span{"  accepted: " + m.story.Accepted, yellow})
	}
	out := []string{m.fit(head, m.width), m.fit(line{{m.story.Sentence, ""}}, m.width)}
	left := append([]string{m.fit(rule(m.treeTitle(), s.left, m.focus == tree), s.left)}, m.treeLines(s)...)
	if !m.wide() {
		out = append(out, left...)
		if s.values == 0 {
			return out
		}
		if m.shown == source && m.selected().kind != whole {
			return append(out, m.sourcePane(s)...)
		}
		return append(out, m.valuePane(s)...)
	}
	right := m.valuePane(s)
	if m.selected().kind != whole {
		right = append(right, m.sourcePane(s)...)
	}
	for i := range left {
		other := ""
		if i < len(right) {
			other = right[i]
		}
		out = append(out, left[i]+" "+other)
	}
	return out
}
