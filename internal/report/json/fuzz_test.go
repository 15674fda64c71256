package json_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// FuzzRead reads any text as a report. What is read can be printed, decided anew, written and read again.
func FuzzRead(f *testing.F) {
	full, err := os.ReadFile("testdata/full.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte(`{"schema": "spectradiff/1", "roots": [], "deviations": [], "verdict": "same", "exit": 0}`))
	f.Add([]byte(`{"schema": "spectradiff/1", "modules": [{"folder": "a", "verdict": "same"}], "verdict": "same"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := json.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, width := range []int{0, 1, 40, 1 << 40} {
			var out strings.Builder
			if err := text.Write(&out, r, text.Options{Width: width}); err != nil {
				t.Errorf("width %d: %v", width, err)
			}
		}
		var first, second bytes.Buffer
		if err := json.Write(&first, r); err != nil {
			t.Fatal(err)
		}
		again, err := json.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, &first)
		}
		if err := json.Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("another report came back, error %v:\n%s\n%s", err, &first, &second)
		}
		if err := r.Decide(report.FailAny); err != nil {
			t.Errorf("decide: %v", err)
		}
	})
}
