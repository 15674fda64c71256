package text

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"plain lines", "one\ntwo\n", "one\ntwo\n"},
		{"tabs stay", "\tgo build\n", "\tgo build\n"},
		{"escape sequences", "a\x1b[2Jb", `a\x1b[2Jb`},
		{"a carriage return hides what stood before", "bad\rgood", `bad\x0dgood`},
		{"a command of a build machine", "::set-output name=x::y", `\::set-output name=x::y`},
		{"which may be indented", "  ::error::x", `  \::error::x`},
		{"in the second line", "a\n::error::x", "a\n\\::error::x"},
		{"a command in a line", "a ##[error]b ##vso[task.x]c", `a #\#[error]b #\#vso[task.x]c`},
		{"more number signs", "###[error]", `##\#[error]`},
		{"number signs elsewhere", "## a [b]", "## a [b]"},
		{"colons elsewhere", "a::b", "a::b"},
		{"text that runs the other way", "a\u202eb", `a\u202eb`},
		{"no UTF-8", "a\xffb", `a\xffb`},
	} {
		if got := Printable(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
		if again := Printable(Printable(c.text)); again != c.want {
			t.Errorf("%s: a second time it is %q", c.reason, again)
		}
	}
}

func TestColoredLine(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"our colours stay", "  " + bold + "root" + reset + " of it", "  " + bold + "root" + reset + " of it"},
		{"others are escaped", "a\x1b[5mb", `a\x1b[5mb`},
		{"so is what lies between", bold + "a\rb" + reset, bold + `a\x0db` + reset},
		{"a command behind a colour", bold + "::error::x" + reset, bold + `\::error::x` + reset},
		{"colons behind a word", "a" + bold + "::b" + reset, "a" + bold + "::b" + reset},
	} {
		if got := coloredLine(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestGuard: however a text is cut into writes, it is printed as a whole would be.
func TestGuard(t *testing.T) {
	text := "a\x1b[2J\n::error::\nlast\rline"
	for size := range len(text) {
		var out bytes.Buffer
		g := NewGuard(&out)
		for rest := text; rest != ""; {
			n := min(size+1, len(rest))
			if written, err := g.Write([]byte(rest[:n])); err != nil || written != n {
				t.Fatalf("wrote %d of %d: %v", written, n, err)
			}
			rest = rest[n:]
		}
		if err := g.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != Printable(text) || strings.Contains(got, "\x1b") {
			t.Errorf("%d bytes at a time: %q", size+1, got)
		}
	}
}

// TestHostileReport: whatever a field of a report holds, its text does no more than to be read.
func TestHostileReport(t *testing.T) {
	const hostile = "x\x1b[2J\r\n::error::y"
	r := &report.Report{
		Verdict: report.Deviates, Roots: make([]report.Root, 2), Deviations: make([]report.Deviation, 2),
		Structural: make([]report.Structural, 1), Warnings: []string{""},
	}
	r.Noise.Sites = make([]report.NoiseSite, 1)
	for i := range r.Roots {
		r.Roots[i].Values = make([]report.Difference, 2)
		r.Roots[i].Tree = make([]report.TreeLine, 2)
		r.Roots[i].Position = new(report.Position)
	}
	filled := reporttest.Fill(reflect.ValueOf(r).Elem(), hostile)
	if filled < 40 {
		t.Fatalf("only %d fields were filled", filled)
	}
	r.Verdict = report.Deviates
	for i := range r.Roots { // what a saved report is checked for, and what it is not
		r.Roots[i].Rank = i + 1
		r.Roots[i].Tree[0].Depth, r.Roots[i].Tree[1].Depth = -1, 1<<40
	}
	for _, color := range []bool{false, true} {
		var out bytes.Buffer
		if err := Write(&out, r, Options{Width: 100, Color: color}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			plain := line
			for _, sequence := range []string{bold, faint, red, green, yellow, reset} {
				plain = strings.ReplaceAll(plain, sequence, "")
			}
			if strings.ContainsAny(plain, "\x1b\r") || strings.HasPrefix(strings.TrimSpace(plain), "::") {
				t.Errorf("color %v: %q", color, line)
			}
		}
	}
}

// FuzzWrite has any text in every place: what is printed does no more than to be read, and colours change no word.
func FuzzWrite(f *testing.F) {
	for i, text := range reporttest.Texts() {
		f.Add(text, i-1, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, line int, several bool) {
		r := reporttest.Hostile(t, text, line, several)
		printed := func(color bool) string {
			var out strings.Builder
			if err := Write(&out, r, Options{Width: 100, Color: color, Detail: several}); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		plain := printed(false)
		if i := strings.IndexFunc(plain, func(r rune) bool { return unprintable(r) && r != '\n' }); i >= 0 {
			t.Errorf("unprintable: %q", plain[max(0, i-20):i+1])
		}
		if !utf8.ValidString(plain) || strings.Contains(plain, "##[") {
			t.Errorf("no UTF-8, or a command:\n%s", plain)
		}
		for line := range strings.Lines(plain) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("a command: %q", line)
			}
		}
		colored := printed(true)
		for _, sequence := range []string{bold, faint, red, green, yellow, reset} {
			colored = strings.ReplaceAll(colored, sequence, "")
		}
		if !slices.Equal(strings.Fields(colored), strings.Fields(plain)) {
			t.Errorf("without colours it is another text:\n%s\n%s", colored, plain)
		}
	})
}
