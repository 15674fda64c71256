package rdjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/rdjson"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func write(t testing.TB, r *report.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := rdjson.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The messages of the Reviewdog Diagnostic Format as its proto file defines them in JSON, all of their fields.
type (
	diagnosticResult struct {
		Diagnostics []diagnostic
		Source      struct{ Name, URL string }
		Severity    string
	}

	diagnostic struct {
		Message     string
		Location    location
		Severity    string // UNKNOWN_SEVERITY, ERROR, WARNING or INFO
		Source      struct{ Name, URL string }
		Code        struct{ Value, URL string }
		Suggestions []struct {
			Range lineRange
			Text  string
		}
		OriginalOutput   string `json:"original_output"`
		RelatedLocations []struct {
			Message  string
			Location location
		} `json:"related_locations"`
	}

	location struct {
		Path  string
		Range lineRange
	}

	lineRange struct{ Start, End struct{ Line, Column int } }
)

// read reads a result, and fails at what the format does not define.
func read(t testing.TB, data []byte) (of diagnosticResult) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&of); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	for _, d := range of.Diagnostics {
		if !slices.Contains([]string{"ERROR", "WARNING", "INFO"}, d.Severity) {
			t.Errorf("severity %q", d.Severity)
		}
	}
	return of
}

func TestGolden(t *testing.T) {
	for _, c := range reporttest.Cases(t) {
		got := write(t, c.Report)
		reporttest.Golden(t, c.Name+".json", c.Reason, *update, got)
		if of := read(t, got); len(of.Diagnostics) != len(report.Open(c.Report.Roots)) {
			t.Errorf("%s: %d diagnostics for %d roots", c.Name, len(of.Diagnostics), len(report.Open(c.Report.Roots)))
		}
	}
}

func TestDiagnostic(t *testing.T) {
	for _, d := range read(t, write(t, reporttest.Full(t))).Diagnostics {
		at := d.Location
		switch d.Code.Value {
		case "value":
			if d.Severity != "ERROR" || at.Path != "cart.go" || at.Range.Start.Line != 41 ||
				at.Range.End.Line != 47 || len(d.RelatedLocations) != 1 {
				t.Errorf("value: %+v", d)
			}
		case "latent":
			if at.Path != "price/price.go" || at.Range != (lineRange{}) ||
				!strings.HasSuffix(d.Message, "(price/price.go:12 in the old version)") {
				t.Errorf("a place in the old version: %+v", d)
			}
		case "crash":
			if at != (location{}) {
				t.Errorf("a root without a place: %+v", d)
			}
		case "text":
			if d.Severity != "INFO" {
				t.Errorf("text: %+v", d)
			}
		}
	}
}

func TestLarge(t *testing.T) {
	if of := read(t, write(t, reporttest.Many(t, 10_000, spectra.TierValue))); len(of.Diagnostics) != 10_000 {
		t.Errorf("%d diagnostics", len(of.Diagnostics))
	}
}

func TestWriteError(t *testing.T) {
	if err := rdjson.Write(reporttest.Closed{}, reporttest.Full(t)); !errors.Is(err, os.ErrClosed) {
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
		if of := read(t, data); len(of.Diagnostics) != len(r.Roots) {
			t.Errorf("%d diagnostics for %d roots:\n%s", len(of.Diagnostics), len(r.Roots), data)
		}
		hidden := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
		if i := bytes.IndexFunc(data, hidden); i >= 0 || bytes.Contains(data, []byte("##[")) {
			t.Errorf("at byte %d is what is not seen, or there is a command:\n%s", i, data)
		}
	})
}
