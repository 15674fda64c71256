// Package screen steps through findings on a terminal.
//
// In: what lays out the finding of a rank, what knows the lines of functions, and keys. Out: frames of the size of the
// terminal: the call tree, the values of the selected execution in both versions, the source beside them or in their
// place, a value in full.
//
// The same findings, size and keys lead to the same frame. A frame has as many lines as the terminal, and none is
// wider. It holds no control characters but line breaks and our own colours, whatever a report holds. The terminal is
// as it was before when Run returns, also after a panic or when its context ends. Nothing is written anywhere else.
package screen

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/spectradiff/spectradiff/internal/report/explain"
)

// Options say what is stepped through.
type Options struct {
	Rank  int // of the first finding
	Of    int // findings that there are
	Story func(rank int) *explain.Story
	Look  explain.Lookup
	Color bool
}

// Run shows findings until the user has enough, or the context ends.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	_, err := tea.NewProgram(New(o), tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithoutSignalHandler()).Run()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	case err != nil:
		return fmt.Errorf("step through findings: %w", err)
	}
	return nil
}

// A pane is a part of the screen that keys can move in.
type pane int

const (
	tree pane = iota
	values
	source
)

// A row is one line of the tree pane.
type row struct {
	kind rowKind
	at   int // among the calls or steps of the story
}

type rowKind int

const (
	whole rowKind = iota // the finding
	call
	step // that is no call of the tree
)

// A Model is what is on the screen. Its methods are those of a tea.Model.
type Model struct {
	o             Options
	width, height int

	story   *explain.Story
	rows    []row
	only    bool // what deviates
	row     int  // selected, among rows
	top     int  // first visible row
	focus   pane
	shown   pane // values or source, where there is room for one
	picked  int  // selected line of values
	scroll  [3]int
	listing map[row]*explain.Listing

	full *pager // in front of all
	note string // in the last line, until the next key

	asking bool // for what to search
	query  string
}

// New returns the model of findings, on a terminal of the usual size until its own is known.
func New(o Options) *Model {
	m := &Model{o: o, width: 80, height: 24, shown: values}
	m.open(o.Rank)
	return m
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return nil }

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView(m.Frame())
	v.AltScreen = true
	return v
}

// open shows another finding.
func (m *Model) open(rank int) {
	m.story = m.o.Story(rank)
	m.listing = map[row]*explain.Listing{}
	m.row, m.top, m.focus, m.full = 0, 0, tree, nil
	m.fill()
}

// fill lists the rows. The selected one stays, or the next one above that is still there.
func (m *Model) fill() {
	was := row{}
	if m.row < len(m.rows) {
		was = m.rows[m.row]
	}
	attached := map[int]bool{}
	m.rows = []row{{}}
	for i := range m.story.Calls {
		if c := &m.story.Calls[i]; !m.only || c.Deviates {
			m.rows = append(m.rows, row{call, i})
		}
	}
	for i := range m.story.Steps {
		if at := m.story.Steps[i].Call; at >= 0 && m.story.Calls[at].Step == i+1 {
			attached[i] = true
		}
	}
	for i := range m.story.Steps {
		if !attached[i] {
			m.rows = append(m.rows, row{step, i})
		}
	}
	m.row = 0
	for i, r := range m.rows {
		if r.kind < was.kind || r.kind == was.kind && r.at <= was.at {
			m.row = i
		}
	}
	m.moved()
}

// moved is called when another row is selected.
func (m *Model) moved() {
	m.row = max(0, min(m.row, len(m.rows)-1))
	m.picked, m.scroll = 0, [3]int{}
	if l := m.list(); l != nil {
		m.scroll[source] = firstChange(l)
	}
}

// firstChange returns the row of a listing to begin with.
func firstChange(l *explain.Listing) int {
	for i, r := range l.Rows {
		if r.Sign != ' ' {
			return max(0, i-2)
		}
	}
	return 0
}

// selected returns the selected row.
func (m *Model) selected() row { return m.rows[m.row] }

// list returns the source of the selected row; nil for the finding as a whole.
func (m *Model) list() *explain.Listing {
	r := m.selected()
	if l := m.listing[r]; l != nil || r.kind == whole {
		return l
	}
	var l *explain.Listing
	if r.kind == step {
		s := &m.story.Steps[r.at]
		l = m.story.List(m.o.Look, s.Function, s.At)
	} else {
		c := &m.story.Calls[r.at]
		l = m.story.List(m.o.Look, c.Function, m.story.Place(r.at))
	}
	m.listing[r] = l
	return l
}
