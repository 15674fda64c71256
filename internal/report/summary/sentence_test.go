package summary

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestLongValues: what is kept of two values may be the same.
func TestLongValues(t *testing.T) {
	long := "Result{" + strings.Repeat("Index:0 ", 40) + "..."
	e := diff.Effect{Function: "m.F", Path: "ret0", Old: long, New: long, Tier: spectra.TierValue}
	if got, want := noticed(e), "F returns another value in ret0"; got != want {
		t.Errorf("values that are alike as far as they are kept: %s, want %s", got, want)
	}
	e.New = "Result{...}"
	if got := noticed(e); !strings.Contains(got, "where it returned") {
		t.Errorf("values that differ: %s", got)
	}
}
