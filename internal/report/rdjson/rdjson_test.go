package rdjson_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/reviewdog/reviewdog/proto/rdf"
	"google.golang.org/protobuf/encoding/protojson"

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

// read reads a result as reviewdog does, but fails at what the format does not define.
func read(t testing.TB, data []byte) *rdf.DiagnosticResult {
	t.Helper()
	of := new(rdf.DiagnosticResult)
	if err := protojson.Unmarshal(data, of); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return of
}

func TestGolden(t *testing.T) {
	for _, c := range reporttest.Cases(t) {
		got := write(t, c.Report)
		reporttest.Golden(t, c.Name+".json", c.Reason, *update, got)
		if of := read(t, got); len(of.GetDiagnostics()) != len(c.Report.Roots) {
			t.Errorf("%s: %d diagnostics for %d roots", c.Name, len(of.GetDiagnostics()), len(c.Report.Roots))
		}
	}
}

func TestDiagnostic(t *testing.T) {
	for _, d := range read(t, write(t, reporttest.Full(t))).GetDiagnostics() {
		at := d.GetLocation()
		switch d.GetCode().GetValue() {
		case "value":
			if d.GetSeverity() != rdf.Severity_ERROR || at.GetPath() != "cart.go" ||
				at.GetRange().GetStart().GetLine() != 41 || at.GetRange().GetEnd().GetLine() != 47 ||
				len(d.GetRelatedLocations()) != 1 {
				t.Errorf("value: %v", d)
			}
		case "latent":
			if at.GetPath() != "price/price.go" || at.GetRange() != nil ||
				!strings.HasSuffix(d.GetMessage(), "(price/price.go:12 in the old version)") {
				t.Errorf("a place in the old version: %v", d)
			}
		case "crash":
			if at != nil {
				t.Errorf("a root without a place: %v", d)
			}
		case "text":
			if d.GetSeverity() != rdf.Severity_INFO {
				t.Errorf("text: %v", d)
			}
		}
	}
}

func TestLarge(t *testing.T) {
	if of := read(t, write(t, reporttest.Many(t, 10_000, spectra.TierValue))); len(of.GetDiagnostics()) != 10_000 {
		t.Errorf("%d diagnostics", len(of.GetDiagnostics()))
	}
}

func TestWriteError(t *testing.T) {
	if err := rdjson.Write(failing{}, reporttest.Full(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func FuzzWrite(f *testing.F) {
	for i, text := range reporttest.Texts() {
		f.Add(text, i-1, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, line int, several bool) {
		r := reporttest.Hostile(t, text, line, several)
		data := write(t, r)
		if of := read(t, data); len(of.GetDiagnostics()) != len(r.Roots) {
			t.Errorf("%d diagnostics for %d roots:\n%s", len(of.GetDiagnostics()), len(r.Roots), data)
		}
		hidden := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
		if i := bytes.IndexFunc(data, hidden); i >= 0 || bytes.Contains(data, []byte("##[")) {
			t.Errorf("at byte %d is what is not seen, or there is a command:\n%s", i, data)
		}
	})
}
