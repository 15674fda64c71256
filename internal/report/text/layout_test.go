package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report"
)

func TestShort(t *testing.T) {
	for _, test := range []struct {
		module, text, want, reason string
	}{
		{"example.com/m", "example.com/m.F", "m.F", "root package"},
		{"example.com/m", "example.com/m/p.(*T).M", "p.(*T).M", "package below"},
		{"example.com/m/v2", "example.com/m/v2.F(example.com/m/v2/p.T{})", "m.F(p.T{})",
			"a version is no name; twice in a text"},
		{"gopkg.in/yaml.v3", "gopkg.in/yaml.v3.Marshal", "yaml.Marshal", "a version behind a dot is no name"},
		{"example.com/m", "example.com/many.F", "example.com/many.F", "another module with the same start"},
		{"example.com/m", "x.example.com/m.F", "x.example.com/m.F", "another module with the same end"},
		{"example.com/m", "*example.com/m.T, []example.com/m.T", "*m.T, []m.T", "types"},
		{"m", "m.F and am.G", "m.F and am.G", "a module of one word"},
		{"", "example.com/m.F", "example.com/m.F", "no module"},
		{"api", `api/p.F("api/users", 'a', "api/x\"api/y")`, `p.F("api/users", 'a', "api/x\"api/y")`, "values stay"},
		{"api", "doesn't call api/p.F, '\"' and `api/x`", "doesn't call p.F, '\"' and `api/x`", "apostrophes, runes"},
		{"api", `returns "cut… of api/p.F`, `returns "cut… of p.F`, "a value that was cut"},
	} {
		p := printer{report: &report.Report{Subject: report.Subject{Module: test.module}},
			base: moduleBase(test.module)}
		if got := p.short(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text, want, reason string
		room               int
	}{
		{"one two three", "one two|three", "at spaces", 8},
		{"a example.com/very/long/identifier b", "a|example.com/very/long/identifier|b", "a long word stands alone", 8},
		{`v := F("a b c d e", 1)`, `v :=|F("a b c d e",|1)`, "not inside of quotes", 8},
		{`F("a\" b", 1) x`, `F("a\" b",|1) x`, "an escaped quote ends nothing", 8},
		{"日本 語", "日本|語", "wide runes count as two", 6},
		{"", "", "nothing", 8},
	} {
		if got := strings.Join(wrap(test.text, test.room, Words), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text        string
		start, room int
		want        string
		reason      string
	}{
		{"abcdef", 0, 6, "abcdef", "fits"},
		{"abcdefgh", 0, 6, "abcde…", "the end is missing"},
		{"abcdefgh", 4, 6, "…efgh", "the start is missing"},
		{"abcdefghijkl", 4, 6, "…efgh…", "both are missing"},
		{"日本語日本語", 0, 6, "日本…", "a wide rune is never halved"},
		{"ab", 9, 6, "…", "nothing is left of the shorter value"},
	} {
		got := cut(test.text, test.start, test.room)
		if got != test.want || textWidth(got) > test.room {
			t.Errorf("%s: %q of width %d, want %q", test.reason, got, textWidth(got), test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123",
	} {
		if got := count(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for share, want := range map[float64]string{
		0: "0%", 1: "100%", 0.93: "93%", 0.9999: "99.9%", 0.0001: "below 0.1%", 0.125: "12.5%",
	} {
		if got := percent(share); got != want {
			t.Errorf("%v is written %s, want %s", share, got, want)
		}
	}
}

// FuzzValue checks that any values are printed without control characters, and that values which fit are
// printed whole.
func FuzzValue(f *testing.F) {
	f.Add("3", "4")
	f.Add("\x1b[31m", "\xff\n")
	f.Add(strings.Repeat("日本", 50), strings.Repeat("日本", 50)+"x")
	f.Fuzz(func(t *testing.T, oldValue, newValue string) {
		p := printer{report: new(report.Report), width: defaultWidth}
		p.value("   ", "ret0", oldValue, newValue)
		if i := strings.IndexFunc(p.out.String(), func(r rune) bool { return unprintable(r) && r != '\n' }); i >= 0 {
			t.Errorf("%q, %q: unprintable character in %q", oldValue, newValue, p.out.String())
		}
		if !utf8.ValidString(p.out.String()) {
			t.Errorf("%q, %q: bytes that are no UTF-8 in %q", oldValue, newValue, p.out.String())
		}
		for line := range strings.Lines(p.out.String()) {
			if textWidth(strings.TrimRight(line, "\n")) > p.width {
				t.Errorf("%q, %q: line too long: %q", oldValue, newValue, line)
			}
		}
	})
}
