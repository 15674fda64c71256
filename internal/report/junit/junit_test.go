package junit_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/joshdk/go-junit"

	"github.com/spectradiff/spectradiff/internal/report"
	ours "github.com/spectradiff/spectradiff/internal/report/junit"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func write(t testing.TB, r *report.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := ours.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read reads a document as others do. Its counts are those that it states.
func read(t testing.TB, data []byte) junit.Suite {
	t.Helper()
	suites, err := junit.Ingest(data)
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites, error %v\n%s", len(suites), err, data)
	}
	return suites[0]
}

func TestGolden(t *testing.T) {
	for _, c := range reporttest.Cases(t) {
		got := write(t, c.Report)
		reporttest.Golden(t, c.Name+".xml", c.Reason, *update, got)
		totals, exit := read(t, got).Totals, c.Report.Exit
		if (totals.Error > 0) != (exit == 2) || exit < 2 && (totals.Failed > 0) != (exit == 1) {
			t.Errorf("%s: status %d, but %d failures and %d errors", c.Name, exit, totals.Failed, totals.Error)
		}
	}
}

// TestFailOn: what --fail-on does not name is no failure.
func TestFailOn(t *testing.T) {
	for _, c := range []struct {
		reason         string
		failOn         report.FailOn
		failed, passed int
	}{
		{"all that deviates", report.FailAny, 7, 2},
		{"a tier and worse ones", report.FailOn(spectra.TierError), 2, 7},
		{"nothing", report.FailNone, 0, 9},
	} {
		r := reporttest.Full(t)
		if err := r.Decide(c.failOn); err != nil {
			t.Fatal(err)
		}
		if got := read(t, write(t, r)).Totals; got.Failed != c.failed || got.Passed != c.passed {
			t.Errorf("%s: %+v, want %d failed and %d passed", c.reason, got, c.failed, c.passed)
		}
	}
}

// TestCase: a reader finds the fields of a root where it looks for them.
func TestCase(t *testing.T) {
	var got junit.Test
	for _, test := range read(t, write(t, reporttest.Full(t))).Tests {
		if test.Name == "(*Cart).Total" {
			got = test
		}
	}
	var failure junit.Error
	if !errors.As(got.Error, &failure) || failure.Type != "value" || got.Classname != "example.com/shop/v2" {
		t.Fatalf("case %+v", got)
	}
	for _, want := range []string{"1200 → 1180", "total 11.80 EUR", "+    return c.sum - 20", "v0 := shop.New()"} {
		if !strings.Contains(failure.Body, want) {
			t.Errorf("the body has no %q:\n%s", want, failure.Body)
		}
	}
	if !strings.HasPrefix(failure.Message, "(*Cart).Total returns") || got.Properties["line"] != "41" {
		t.Errorf("message %q, properties %q", failure.Message, got.Properties)
	}
}

// TestNames: two roots of one function are two cases.
func TestNames(t *testing.T) {
	r := reporttest.Many(t, 3, spectra.TierValue)
	r.Roots[1].Function, r.Roots[2].Function = r.Roots[0].Function, r.Roots[0].Function
	var names []string
	for _, test := range read(t, write(t, r)).Tests {
		names = append(names, test.Name)
	}
	if got := strings.Join(names, ", "); got != "F0, F0 #2, F0 #3" {
		t.Errorf("names are %s", got)
	}
}

func TestLarge(t *testing.T) {
	if got := read(t, write(t, reporttest.Many(t, 10_000, spectra.TierValue))); len(got.Tests) != 10_000 {
		t.Errorf("%d cases", len(got.Tests))
	}
}

// TestHuge: values of megabytes are cut.
func TestHuge(t *testing.T) {
	data := write(t, reporttest.Hostile(t, strings.Repeat("]]> <x ", 1<<16), 1, false))
	if read(t, data); len(data) > 4<<20 {
		t.Errorf("the document has %d bytes", len(data))
	}
}

func TestWriteError(t *testing.T) {
	if err := ours.Write(reporttest.Closed{}, reporttest.Full(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}

func FuzzWrite(f *testing.F) {
	for i, text := range reporttest.Texts() {
		f.Add(text, i-1, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, line int, several bool) {
		r := reporttest.Hostile(t, text, line, several)
		data := write(t, r)
		cases := len(r.Roots)
		for _, m := range r.Modules {
			if m.Verdict != report.Deviates {
				cases++
			}
		}
		if got := read(t, data); len(got.Tests) != cases || got.Totals.Tests != cases {
			t.Errorf("%d cases, want %d:\n%s", len(got.Tests), cases, data)
		}
		hidden := func(r rune) bool {
			return r != '\n' && r != '\t' && !unicode.IsPrint(r) || r == unicode.ReplacementChar
		}
		if i := bytes.IndexFunc(data, hidden); i >= 0 && !strings.ContainsRune(text, unicode.ReplacementChar) {
			t.Errorf("at byte %d is what is not seen:\n%q", i, data)
		}
	})
}
