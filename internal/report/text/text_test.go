package text_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name   string
		make   func(*testing.T) *report.Report
		reason string
	}{
		{"deviating", deviating, "every section at once"},
		{"detailed", deviating, "all about the run, as it is asked for"},
		{"hostile", hostile,
			"names wider than the terminal, control characters, wide runes, an absent value, the working tree"},
		{"same", same, "silence says what it rests on"},
		{"unchanged", unchanged, "the same commit twice"},
		{"not-compared", notCompared, "code changed, but nothing could be played"},
		{"not-reached", notReached, "little of the change ran: why, and what helps"},
		{"partial", partial, "the run was interrupted"},
		{"incomplete", incomplete, "nothing deviates, and sequences that may run changed code were lost"},
		{"many", many, "roots beyond the first ten get a line each"},
	} {
		for _, width := range []int{60, 80, 120} {
			t.Run(fmt.Sprintf("%s-%d", test.name, width), func(t *testing.T) {
				golden(t, fmt.Sprintf("%s.%d.txt", test.name, width),
					print(t, test.make(t), text.Options{Width: width, Detail: test.name == "detailed"}), test.reason)
			})
		}
	}
}

func golden(t *testing.T, name string, got []byte, reason string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run go test ./report/text -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (%s) differs; run go test ./report/text -update and read the change\ngot:\n%s\nwant:\n%s", name,
			reason, got, want)
	}
}

func print(t *testing.T, r *report.Report, options text.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := text.Write(&out, r, options); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestColorAddsNothing checks that a coloured report without its escape sequences equals a plain one
// without its carets.
func TestColorAddsNothing(t *testing.T) {
	escapes := regexp.MustCompile("\x1b\\[[0-9]+m|\x1b\\[m")
	carets := regexp.MustCompile(`(?m)^ *\^[\^ ]*\n`)
	for _, r := range []*report.Report{deviating(t), hostile(t), many(t)} {
		colored := print(t, r, text.Options{Width: 80, Color: true})
		if !bytes.Contains(colored, []byte("\x1b[")) {
			t.Error("no colours where they were asked for")
		}
		plain := print(t, r, text.Options{Width: 80})
		got, want := escapes.ReplaceAllString(string(colored), ""), carets.ReplaceAllString(string(plain), "")
		if got != want {
			t.Errorf("coloured text says something else\ncoloured:\n%s\nplain:\n%s", got, want)
		}
	}
}

// TestNothingEscapes checks that recorded values never reach the terminal as control sequences.
func TestNothingEscapes(t *testing.T) {
	plain := print(t, hostile(t), text.Options{Width: 80})
	if i := bytes.IndexFunc(plain, func(r rune) bool { return r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("control character %q at byte %d of:\n%s", plain[i], i, plain)
	}
}

// TestProseFits checks that only lines with an identifier, a command or a position may be too long.
func TestProseFits(t *testing.T) {
	for _, r := range []*report.Report{deviating(t), same(t), notCompared(t)} {
		for line := range strings.Lines(string(print(t, r, text.Options{Width: 60}))) {
			if len([]rune(line)) > 61 && !strings.Contains(line, "spectradiff ") &&
				!strings.Contains(line, "cart.go:") && !strings.Contains(line, "price.go:") {
				t.Errorf("line of %d characters at width 60: %s", len([]rune(line)), line)
			}
		}
	}
}

func TestWriteError(t *testing.T) {
	file, err := os.Open(os.DevNull) // open for reading only, so every write fails
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := text.Write(file, same(t), text.Options{}); err == nil {
		t.Error("no error from a writer that fails")
	}
}

// TestFirstLine: other calls alone deviate only where they are asked for.
func TestFirstLine(t *testing.T) {
	for _, c := range []struct {
		reason string
		tier   spectra.Tier
		failOn report.FailOn
		want   string
	}{
		{"a value", spectra.TierValue, report.FailAny, "v1.2.0 and v1.3.0 deviate: 1 root, "},
		{"calls", spectra.TierCalls, report.FailAny, "no deviations between v1.2.0 and v1.3.0: no value "},
		{"calls that fail", "calls", report.FailOn("calls"), "v1.2.0 and v1.3.0 deviate in calls alone: "},
	} {
		r := base()
		r.Add(report.Root{Function: "m.F", Change: spectra.ChangeModified, Tier: c.tier})
		if err := r.Finish(c.failOn); err != nil {
			t.Fatal(err)
		}
		if got := string(print(t, r, text.Options{Width: 120})); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, strings.SplitN(got, "\n", 2)[0], c.want)
		}
	}
}
