package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// large returns a report with deviations as they are in reports of large changes: about a thousand bytes each.
func large(t testing.TB, roots, deviations int) *report.Report {
	t.Helper()
	r := new(report.Report)
	sequence := "spectradiff sequence 1\n" + strings.Repeat("v0 := example.com/m.F(\"a\\tb\", 1)\n", 25)
	for i := range roots {
		list := make([]report.Deviation, deviations/roots)
		for j := range list {
			list[j] = report.Deviation{Kind: spectra.KindContainer, Function: "example.com/m.F", Old: "1", New: "2",
				Path: fmt.Sprintf("recv.n%d", j), Sequence: sequence}
		}
		r.Add(report.Root{Function: fmt.Sprintf("example.com/m.F%d", i), Change: spectra.ChangeModified,
			Confidence: spectra.Likely, Sequence: sequence}, list...)
	}
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return r
}

func BenchmarkWrite(b *testing.B) {
	r := large(b, 200, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := json.Write(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWholeAndPieces: a report that is written entry by entry has the bytes that encoding/json gives it as a whole, but
// for what is spelled in another way, which reads the same.
func TestWholeAndPieces(t *testing.T) {
	empty := new(report.Report) // lists that are nil, too
	for i, r := range append(draws(40), full(t), empty) {
		var lines bytes.Buffer
		if err := json.WriteLine(&lines, json.Line{Report: r}); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			got    []byte
			value  any
			indent string
		}{
			{write(t, r), r, "  "},
			{lines.Bytes(), json.Line{Report: r}, ""},
		} {
			var want bytes.Buffer
			encoder := stdjson.NewEncoder(&want)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", test.indent)
			if err := encoder.Encode(test.value); err != nil {
				t.Fatal(err)
			}
			if got := plain(string(test.got)); got != want.String() {
				t.Fatalf("report %d:\n%s\nwant:\n%s", i, got, want.String())
			}
		}
	}
}

// plain undoes the spellings of what encoding/json leaves as it is and which the random reports hold.
var plain = strings.NewReplacer(`#\u0023[`, "##[", `#\u0023vso[`, "##vso[", `\u202e`, "\u202e", `\u007f`, "\u007f",
	`\udb40\udc01`, "\U000e0001").Replace

// TestLittleMemory: what is allocated grows with the number of entries far less than with their size.
func TestLittleMemory(t *testing.T) {
	if raced {
		t.Skip("the race detector lets pools lose what they hold, which then is allocated anew")
	}
	r := large(t, 200, 2000)
	size := len(write(t, r)) // encoding/json knows the types now
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := json.Write(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > uint64(size)/4 {
		t.Errorf("writing %d bytes allocates %d", size, got)
	}
}
