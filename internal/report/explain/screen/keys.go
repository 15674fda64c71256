package screen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 { // some terminals do not know theirs
			m.width, m.height = msg.Width, msg.Height
		}
		m.keep()
	case tea.PasteMsg:
		if m.asking {
			m.ask(msg.Content)
		}
	case tea.KeyPressMsg:
		if key := msg.String(); key == "ctrl+c" || m.key(key, msg.Key().Text) {
			return m, tea.Quit
		}
		m.keep()
	}
	return m, nil
}

// key does what a key is for, and reports whether the user has enough.
func (m *Model) key(key, typed string) (enough bool) {
	m.note = ""
	switch {
	case m.asking:
		m.answer(key, typed)
	case m.full != nil:
		m.page(key)
	case key == "q":
		return true
	case key == "n":
		m.other(1)
	case key == "p":
		m.other(-1)
	case key == "d":
		if m.only = !m.only; m.only {
			m.note = "only what deviates; d shows all"
		}
		m.fill()
	case key == "s":
		m.toSource()
	case key == "v":
		m.openValue()
	case key == "?":
		m.full = &pager{title: "keys", help: true}
	case key == "/":
		m.asking = true
		m.query = ""
	default:
		m.move(key)
	}
	return false
}

// other goes to the next finding, or to the one before.
func (m *Model) other(by int) {
	rank := m.story.Rank + by
	if rank < 1 || rank > m.o.Of {
		m.note = fmt.Sprintf("there is no other: finding %d of %d", m.story.Rank, m.o.Of)
		return
	}
	m.open(rank)
}

// toSource goes to the source of the selected row, or back.
func (m *Model) toSource() {
	if m.focus == source || m.shown == source && !m.wide() {
		m.shown, m.focus = values, tree
		return
	}
	if m.selected().kind == whole {
		m.note = "a call has source: choose one with the arrow keys"
		return
	}
	m.shown, m.focus = source, source
}

// move handles the keys that go from line to line and from pane to pane.
func (m *Model) move(key string) {
	switch key {
	case "enter", "right", "l":
		switch m.focus {
		case tree:
			if m.focus = m.shown; m.selected().kind == whole {
				m.focus = values
			}
		case values:
			m.openValue()
		}
	case "left", "h", "esc", "backspace":
		m.focus = tree
	case "tab":
		m.next()
	default:
		by := distance(key, m.rowsOf(m.focus))
		switch {
		case by == 0:
		case m.focus == tree:
			before := m.row
			if m.row = max(0, min(m.row+by, len(m.rows)-1)); m.row != before {
				m.moved()
			}
		case m.focus == values && m.pickable():
			m.picked += by
		default:
			m.scroll[m.focus] += by
		}
	}
}

// next goes to the next pane.
func (m *Model) next() {
	switch {
	case m.focus == tree:
		if m.focus = m.shown; m.wide() || m.selected().kind == whole {
			m.focus = values
		}
	case m.focus == values && m.wide() && m.selected().kind != whole:
		m.focus = source
	default:
		m.focus = tree
	}
}

// far is more than there are lines.
const far = 1 << 40

// distance returns how many lines a key moves down; 0: it is no such key.
func distance(key string, height int) int {
	switch key {
	case "down", "j":
		return 1
	case "up", "k":
		return -1
	case "pgdown", "space", "ctrl+f":
		return max(1, height-1)
	case "pgup", "ctrl+b":
		return -max(1, height-1)
	case "home", "g":
		return -far
	case "end", "G":
		return far
	}
	return 0
}

// answer handles keys while it is asked what to search.
func (m *Model) answer(key, typed string) {
	switch key {
	case "enter":
		m.asking = false
		m.search()
	case "esc":
		m.asking = false
	case "backspace":
		if _, size := utf8.DecodeLastRuneInString(m.query); size > 0 {
			m.query = m.query[:len(m.query)-size]
		} else {
			m.asking = false
		}
	default:
		m.ask(typed)
	}
}

// longestQuery is how many bytes of a text are searched for.
const longestQuery = 200

func (m *Model) ask(typed string) {
	typed = strings.ReplaceAll(typed, "\n", " ")
	if len(m.query)+len(typed) <= longestQuery {
		m.query += text.Clean(typed)
	}
}

// search selects the next row that has the text, or in a page the next line.
func (m *Model) search() {
	query := strings.ToLower(m.query)
	if query == "" {
		return
	}
	if m.full != nil {
		if !m.full.search(query) {
			m.note = "not found: " + m.query
		}
		return
	}
	for i := range m.rows {
		at := (m.row + 1 + i) % len(m.rows)
		if m.holds(m.rows[at], query) {
			m.row, m.focus = at, tree
			m.moved()
			return
		}
	}
	m.note = "not found: " + m.query
}

// holds reports whether the name of a row or a value in it holds a text, which is in lower case.
func (m *Model) holds(r row, query string) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), query) }
	switch r.kind {
	case whole:
		return has(m.story.Sentence)
	case step:
		s := &m.story.Steps[r.at]
		return has(s.Title) || s.Value != nil && (has(s.Value.Old) || has(s.Value.New))
	}
	c := &m.story.Calls[r.at]
	if has(c.Name) {
		return true
	}
	for _, state := range []*explain.State{c.Entry, c.Exit} {
		if state == nil {
			continue
		}
		for _, list := range [][]explain.Value{state.Values, state.Differ, state.Shared} {
			for i := range list {
				if has(list[i].Path) || has(list[i].Old) || has(list[i].New) {
					return true
				}
			}
		}
	}
	return false
}

// page handles keys while a page is in front.
func (m *Model) page(key string) {
	switch key {
	case "q", "esc", "left", "h", "v", "?", "enter", "backspace":
		m.full = nil
	case "/":
		m.asking, m.query = true, ""
	default:
		m.full.scroll += distance(key, m.height-2)
	}
}
