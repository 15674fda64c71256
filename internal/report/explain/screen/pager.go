package screen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// A pager shows a value in full, or the keys.
type pager struct {
	title  string
	help   bool
	value  *explain.Value
	scroll int

	lines []line // for a width
	width int
}

// keys says what the keys do.
var keys = [][2]string{
	{"↑ ↓  j k", "to the line above or below; also page up and down, space, home and end, g and G"},
	{"→ l Enter", "into the selected call, to its values; there the value in full"},
	{"← h Esc", "back to the calls"},
	{"Tab", "to the next pane"},
	{"n  p", "next finding, the one before"},
	{"d", "only what deviates, or all"},
	{"v", "the selected value in full, or the first one that differs"},
	{"s", "the source of the selected call in both versions, and back"},
	{"/", "search names and values; Enter goes to the next line that has the text"},
	{"?", "this; any of q, Esc and Enter closes it"},
	{"q", "quit"},
	{"", ""},
	{"*", "marks a value that differs"},
	{"step 2", "marks the calls on the way from the cause to its effect"},
	{"[container]", "begins alike and ends differently"},
	{"[follower]", "begins differently"},
	{"[old-only]", "runs in the old version alone; [new-only] in the new one"},
	{"[reordered]", "an equal call is elsewhere in the other run"},
	{"[unknown]", "its states vary from run to run, or were not recorded whole"},
}

// Values that are longer are not marked where they differ, and the longest are cut.
const (
	mostMarked = 4000
	mostPaged  = 1 << 20
)

// layOut lays out the lines for a width.
func (p *pager) layOut(width int) {
	if p.width == width && p.lines != nil {
		return
	}
	p.width, p.lines = width, []line{}
	switch {
	case p.help:
		for _, k := range keys {
			for i, part := range text.Wrap(k[1], max(10, width-15)) {
				name := k[0]
				if i > 0 {
					name = ""
				}
				p.lines = append(p.lines, line{{pad("  "+name, 15), bold}, {part, ""}})
			}
		}
	case p.value.Varies:
		p.lines = append(p.lines, line{{p.value.Said(), ""}})
	case !p.value.Differs:
		p.add("in both versions", "", p.value.Old, []text.Part{{Text: p.value.Old}})
	default:
		before, after := []text.Part{{Text: p.value.Old}}, []text.Part{{Text: p.value.New}}
		if max(len(p.value.Old), len(p.value.New)) <= mostMarked {
			before, after = text.Marked(p.value.Old, p.value.New, 2*mostMarked)
		}
		p.add("old", red, p.value.Old, before)
		p.lines = append(p.lines, nil)
		p.add("new", green, p.value.New, after)
	}
}

// add adds a text in lines of the width.
func (p *pager) add(name, color, of string, parts []text.Part) {
	p.lines = append(p.lines, line{{name, bold}})
	room := max(1, p.width-2)
	at, left := line{{"  ", ""}}, room
	for _, part := range parts {
		style := ""
		if part.Differ {
			style = color
		}
		for rest := part.Text[:min(len(part.Text), mostPaged)]; rest != ""; {
			n, width := fitting(rest, left)
			if n == 0 && left == room { // wider than the screen
				_, n = utf8.DecodeRuneInString(rest)
			}
			if n > 0 {
				at = append(at, span{rest[:n], style})
			}
			if rest, left = rest[n:], left-width; rest != "" || left <= 0 {
				p.lines = append(p.lines, at)
				at, left = line{{"  ", ""}}, room
			}
		}
	}
	if len(at) > 1 {
		p.lines = append(p.lines, at)
	}
	switch {
	case strings.HasSuffix(of, "…"):
		p.lines = append(p.lines, line{{"  the report holds no more of it", faint}})
	case len(of) > mostPaged:
		p.lines = append(p.lines, line{{fmt.Sprintf("  … %s more bytes", text.Count(len(of)-mostPaged)), faint}})
	}
}

// fitting returns how many bytes of a text have at most so many columns, and how many columns these have.
func fitting(of string, room int) (n, width int) {
	for i, r := range of {
		w := text.Width(string(r))
		if width+w > room {
			return i, width
		}
		width += w
	}
	return len(of), width
}

// search scrolls to the next line with a text.
func (p *pager) search(query string) bool {
	for i := range p.lines {
		at := (p.scroll + 1 + i) % len(p.lines)
		if strings.Contains(strings.ToLower(p.lines[at].plain()), query) {
			p.scroll = at
			return true
		}
	}
	return false
}

// openValue shows the selected value in full, or the first one of the selected row that differs.
func (m *Model) openValue() {
	lines := m.valueLines(m.sizes().right)
	var v *explain.Value
	if m.focus == values {
		v = valueAt(lines, m.picked)
	} else {
		for _, l := range lines {
			if l.value != nil && (v == nil || l.value.Differs && !v.Differs) {
				v = l.value
			}
		}
	}
	if v == nil {
		m.note = "there is no value here"
		return
	}
	m.full = &pager{title: v.Path, value: v}
}
