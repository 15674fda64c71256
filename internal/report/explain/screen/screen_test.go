package screen_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/explain/screen"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func look(side spectra.Side, function string, _ *report.Position) explain.Source {
	file, first, lines := reporttest.SourceOf(side, function)
	if first == 0 {
		return explain.Source{Missing: "the source is not there: no \x1b[2J repository"}
	}
	return explain.Source{File: file, First: first, Lines: lines}
}

// stepped returns options for a report, from the finding that has a call tree.
func stepped(r *report.Report) screen.Options {
	o := screen.Options{
		Rank: 1, Of: len(r.Roots), Look: look,
		Story: func(rank int) *explain.Story { return explain.New(r, rank) },
	}
	for i := range r.Roots {
		if r.Roots[i].Calls != nil {
			o.Rank = i + 1
		}
	}
	return o
}

// codes are the keys that have names.
var codes = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
	"esc": tea.KeyEscape, "tab": tea.KeyTab, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome,
	"end": tea.KeyEnd, "backspace": tea.KeyBackspace,
}

// press sends keys, and reports whether one of them ended the program. A word that is no name of a key is typed.
func press(m *screen.Model, keys ...string) (ended bool) {
	for _, key := range keys {
		msgs := []tea.KeyPressMsg{{Code: codes[key]}}
		if codes[key] == 0 {
			msgs = nil
			for _, r := range key {
				msgs = append(msgs, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		for _, msg := range msgs {
			_, cmd := m.Update(msg)
			if cmd != nil {
				_, quits := cmd().(tea.QuitMsg)
				ended = ended || quits
			}
		}
	}
	return ended
}

func sized(o screen.Options, width, height int) *screen.Model {
	m := screen.New(o)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		keys         []string
	}{
		{"first", "the finding as a whole", nil},
		{"scrolled", "the rest of what is said about it", []string{"enter", "pgdown"}},
		{"root", "the execution in which the deviation begins", []string{"down", "j", "j"}},
		{"value", "a value is selected in its exit state", []string{"down", "down", "down", "right", "j", "j"}},
		{"full", "that value in full", []string{"down", "down", "down", "right", "j", "j", "v"}},
		{"source", "the function in both versions", []string{"down", "down", "down", "s"}},
		{"missing", "a function whose source is not there", []string{"j", "j", "j", "j", "s"}},
		{"deviating", "only what deviates", []string{"d", "end"}},
		{"asking", "what to search", []string{"/", "Lof", "backspace", "g"}},
		{"found", "the call that has it", []string{"/", "log", "enter"}},
		{"not-found", "nothing has it", []string{"/", "nowhere", "enter"}},
		{"help", "the keys", []string{"?"}},
		{"next", "the next finding, which has a chain and no tree", []string{"n", "down"}},
		{"accepted", "one that somebody accepted", []string{"p", "p"}},
		{"none-before", "there is no finding before the first", []string{"p", "p", "p"}},
	} {
		for _, size := range [][2]int{{80, 24}, {200, 50}} {
			m := sized(stepped(reporttest.Stepped(t)), size[0], size[1])
			if press(m, c.keys...) {
				t.Fatalf("%s: the program ended", c.name)
			}
			frame := m.Frame()
			check(t, c.name, frame, size[0], size[1], false)
			var got strings.Builder
			for line := range strings.Lines(frame) {
				got.WriteString(strings.TrimRight(line, " \n") + "\n")
			}
			name := fmt.Sprintf("%s-%dx%d.txt", c.name, size[0], size[1])
			reporttest.Golden(t, name, c.reason, *update, []byte(got.String()))
		}
	}
}

func TestQuit(t *testing.T) {
	for _, c := range []struct {
		reason string
		keys   []string
		want   bool
	}{
		{"q ends the program", []string{"q"}, true},
		{"not while a page is in front", []string{"?", "q"}, false},
		{"then the next one does", []string{"?", "q", "q"}, true},
		{"nor where it is text to search for", []string{"/", "q"}, false},
		{"esc ends asking", []string{"/", "esc", "q"}, true},
		{"so does deleting more than there is", []string{"/", "x", "backspace", "backspace", "q"}, true},
	} {
		if got := press(screen.New(stepped(reporttest.Stepped(t))), c.keys...); got != c.want {
			t.Errorf("%s: it ended: %v", c.reason, got)
		}
	}
	m := screen.New(stepped(reporttest.Stepped(t)))
	if _, cmd := m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}); cmd == nil {
		t.Error("ctrl+c does not end the program")
	}
}

// TestSelected: what is selected stays selected, and on the screen, when the size or the rows change.
func TestSelected(t *testing.T) {
	m := sized(stepped(reporttest.Stepped(t)), 80, 50)
	press(m, "end", "up")
	for _, change := range []func(){
		func() { m.Update(tea.WindowSizeMsg{Width: 60, Height: 12}) },
		func() { m.Update(tea.WindowSizeMsg{Width: 200, Height: 6}) },
		func() { m.Update(tea.WindowSizeMsg{Width: 80, Height: 24}) },
		func() { press(m, "d") }, func() { press(m, "d") },
	} {
		change()
		if !regexp.MustCompile(`(?m)^> +shop\.tax `).MatchString(m.Frame()) {
			t.Fatalf("shop.tax is not selected:\n%s", m.Frame())
		}
	}
}

// ours are the sequences that a frame may hold.
var ours = strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[7m", "", "\x1b[31m", "",
	"\x1b[32m", "", "\x1b[33m", "")

// check fails where a frame has not the size of the screen, or holds what is not read.
func check(t testing.TB, reason, frame string, width, height int, color bool) {
	t.Helper()
	if color {
		frame = ours.Replace(frame)
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%s: %d lines on a screen of %d", reason, len(lines), height)
	}
	for _, line := range lines {
		if text.Width(line) > width {
			t.Errorf("%s: a line of %d columns on a screen of %d: %q", reason, text.Width(line), width, line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Fatalf("%s: a rune %U in %q", reason, r, line)
			}
		}
	}
}

func hostile(t testing.TB, of string, number, width, height int, keys string) {
	r := reporttest.Stepped(t)
	reporttest.Fill(reflect.ValueOf(r).Elem(), of)
	for i := range r.Roots {
		if c := r.Roots[i].Calls; c != nil {
			c.Left = number
			for j := range c.Nodes {
				c.Nodes[j].Depth, c.Nodes[j].Executions = number*j, number
				for _, state := range []*report.CallState{c.Nodes[j].Entry, c.Nodes[j].Exit} {
					if state != nil && len(state.Values) > 0 {
						state.Values[0].New = of + "1"
					}
				}
			}
		}
	}
	o := stepped(r)
	o.Look = func(spectra.Side, string, *report.Position) explain.Source {
		return explain.Source{File: of, First: number, Lines: strings.Split(of, "\n"), Note: of}
	}
	o.Color = number%2 == 0
	m := sized(o, width, height)
	m.Update(tea.PasteMsg{Content: of})
	for _, key := range keys {
		name := string(key)
		switch key {
		case '\r':
			name = "enter"
		case '\t':
			name = "tab"
		}
		press(m, name)
		m.Update(tea.PasteMsg{Content: of})
		check(t, fmt.Sprintf("%q after %q", brief(of), keys), m.Frame(), width, height, o.Color)
	}
}

func brief(of string) string { return of[:min(len(of), 80)] }

const everyKey = "jjj\rjv/a\rqsjsdGd\t\t\t?jqnpv/x\r"

func TestHostile(t *testing.T) {
	for _, of := range reporttest.Texts() {
		hostile(t, of, 1, 80, 24, everyKey)
	}
	hostile(t, strings.Repeat("\x1b[2J界", 1<<14), 1<<40, 130, 30, everyKey)
	for _, size := range [][2]int{{1, 1}, {2, 3}, {7, 5}, {200, 2}, {119, 9}, {120, 4}} {
		hostile(t, "界e\u0301\u202e", -2, size[0], size[1], everyKey)
	}
}

func FuzzKeys(f *testing.F) {
	for i, of := range reporttest.Texts() {
		f.Add(of, i, uint8(80), uint8(24), everyKey)
	}
	f.Fuzz(func(t *testing.T, of string, number int, width, height uint8, keys string) {
		hostile(t, of, number, int(width)+1, int(height)+1, keys[:min(len(keys), 20)])
	})
}

// TestRun: however it ends, the terminal leaves the second screen again, and shows its cursor.
func TestRun(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		reason, keys string
		ctx          context.Context
		look         explain.Lookup
		want         error
	}{
		{"q", "jq", t.Context(), look, nil},
		{"ctrl+c", "\x03", t.Context(), look, nil},
		{"a context that ends, as by a signal", "", done, look, context.Canceled},
		{"a panic", "j", t.Context(), func(spectra.Side, string, *report.Position) explain.Source {
			panic("as if by mistake")
		}, tea.ErrProgramPanic},
	} {
		o := stepped(reporttest.Stepped(t))
		o.Look = c.look
		in, keys := io.Pipe()
		go func() { _, _ = io.WriteString(keys, c.keys) }()
		var out bytes.Buffer
		err := screen.Run(c.ctx, in, &out, o)
		keys.Close()
		if !errors.Is(err, c.want) {
			t.Errorf("%s: it ended with %v, want %v", c.reason, err, c.want)
		}
		if shown := out.String(); strings.Count(shown, "\x1b[?1049h") != strings.Count(shown, "\x1b[?1049l") ||
			strings.LastIndex(shown, "\x1b[?25h") < strings.LastIndex(shown, "\x1b[?25l") {
			t.Errorf("%s: it left %q", c.reason, shown)
		}
	}
}
