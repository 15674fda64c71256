package explain_test

import (
	"bytes"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

// look has the lines of two functions; another one is new, and of the rest a version is not there.
func look(side spectra.Side, function string, _ *report.Position) explain.Source {
	file, first, lines := reporttest.SourceOf(side, function)
	switch {
	case first > 0:
		return explain.Source{File: file, First: first, Lines: lines}
	case side == spectra.Old:
		return explain.Source{Absent: true}
	}
	return explain.Source{Missing: "the source is not there: no \x1b[2J repository"}
}

func written(t testing.TB, r *report.Report, rank int) string {
	t.Helper()
	var out bytes.Buffer
	if err := explain.Write(&out, explain.New(r, rank), look); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWrite(t *testing.T) {
	r := reporttest.Stepped(t)
	for i := range r.Roots {
		root := &r.Roots[i]
		name, reason := "", ""
		switch {
		case root.Accepted != nil:
			name, reason = "accepted.txt", "somebody accepted it, and a command shows it"
		case root.Calls != nil:
			name, reason = "calls.txt", "a call tree with states"
		case root.Chain != nil:
			name, reason = "swallowed.txt", "a chain without a call tree"
		case root.Tier == spectra.TierError:
			name, reason = "little.txt", "no more than a place"
		default:
			continue
		}
		got := written(t, r, root.Rank)
		reporttest.Golden(t, name, reason, *update, []byte(got))
		if again := written(t, r, root.Rank); again != got {
			t.Errorf("%s: a second time it is another text", name)
		}
	}
}

// TestSteps: a step is the execution that its link is about.
func TestSteps(t *testing.T) {
	r := reporttest.Stepped(t)
	for i := range r.Roots {
		if r.Roots[i].Calls == nil {
			continue
		}
		s := explain.New(r, i+1)
		var got []string
		for _, step := range s.Steps {
			name := "none"
			if step.Call >= 0 {
				name = fmt.Sprint(step.Call, " ", s.Calls[step.Call].Name)
			}
			got = append(got, name)
		}
		const want = "2 shop.(*Cart).Total, 3 price.round, 1 shop.(*Cart).String"
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("steps are %s, want %s", text, want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	l := &explain.Listing{}
	for i := range 100 {
		sign := byte(' ')
		if i == 50 {
			sign = '+'
		}
		l.Rows = append(l.Rows, explain.Row{New: i + 1, Sign: sign})
	}
	for _, c := range []struct {
		reason      string
		room        int
		first, rows int
		left        int
	}{
		{"all fit", 100, 1, 100, 0},
		{"the head, and what differs with three lines around", 40, 1, 8, 92},
		{"not even that", 5, 1, 5, 95},
	} {
		rows, gaps, left := l.Excerpt(c.room)
		if len(rows) != c.rows || left != c.left || rows[0].New != c.first {
			t.Errorf("%s: %d rows, %d left", c.reason, len(rows), left)
		}
		if left > 0 && (len(gaps) != 1 || !gaps[1]) {
			t.Errorf("%s: gaps before %v, want one before row 1", c.reason, gaps)
		}
	}
	same := &explain.Listing{Rows: l.Rows[:45]}
	if rows, gaps, left := same.Excerpt(40); len(rows) != 40 || len(gaps) != 0 || left != 5 {
		t.Errorf("a function that does not differ: %d rows, %d gaps, %d left", len(rows), len(gaps), left)
	}
}

// TestRenamed: the old version has another name for a function.
func TestRenamed(t *testing.T) {
	r := reporttest.Stepped(t)
	r.Structural = []report.Structural{
		{Function: "m.Before", Change: spectra.ChangeRenamed, Detail: "now m.After, matched by its body"},
	}
	s := explain.New(r, 1)
	if got := s.OldName("m.After"); got != "m.Before" {
		t.Errorf("old calls it %s", got)
	}
	if got := s.OldName("m.Aft"); got != "m.Aft" {
		t.Errorf("another function is called %s", got)
	}
}

// readable fails if a text holds more than what is read: control characters, marks that turn text around.
func readable(t testing.TB, reason, got string) {
	t.Helper()
	for _, r := range got {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("%s: a rune %U", reason, r)
		}
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Fatalf("%s: a command of a build machine: %q", reason, line)
		}
	}
}

func hostile(t testing.TB, text string, number int) {
	r := reporttest.Stepped(t)
	reporttest.Fill(reflect.ValueOf(r).Elem(), text)
	for i := range r.Roots {
		root := &r.Roots[i]
		if root.Position != nil {
			root.Position.Line, root.Position.EndLine = number, number
		}
		if root.Calls != nil {
			root.Calls.Left = number
			for j := range root.Calls.Nodes {
				root.Calls.Nodes[j].Depth, root.Calls.Nodes[j].Executions = number*j, number
			}
		}
		readable(t, fmt.Sprintf("%q", text), written(t, r, i+1))
	}
}

func TestHostile(t *testing.T) {
	for _, text := range reporttest.Texts() {
		hostile(t, text, -1)
	}
	hostile(t, strings.Repeat("\x1b[2J é", 1<<12), 1<<40)
}

func FuzzWrite(f *testing.F) {
	for _, text := range reporttest.Texts() {
		f.Add(text, 1)
	}
	f.Fuzz(func(t *testing.T, text string, number int) { hostile(t, text, number) })
}
