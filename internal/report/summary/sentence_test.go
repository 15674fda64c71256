package summary

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestQuotes: where a value is cut inside of a text, the text has quotes at both ends.
func TestQuotes(t *testing.T) {
	long := strings.Repeat("a", 100)
	end := `"…` + long[:20]
	for _, c := range []struct{ old, new, wantOld, wantNew, reason string }{
		{`error "` + long + `"`, "nil", `error "` + long[:52] + `…"`, "nil", "the end is cut"},
		{`"` + long + `x"`, `"` + long + `y"`, end + `x"`, end + `y"`, "the beginning is cut"},
		{`"\"` + long + `"`, "nil", `"\"` + long[:56] + `…"`, "nil", "an escaped quote ends no text"},
		{`T{S: "x", L: "` + long + `"}`, "nil", `T{S: "x", L: "` + long[:45] + `…"`, "nil", "the second text"},
		{"T{" + long + "}", "nil", "T{" + long[:57] + "…", "nil", "no text"},
	} {
		if old, new := texts(c.old, c.new); old != c.wantOld || new != c.wantNew {
			t.Errorf("%s: got %s and %s", c.reason, old, new)
		}
	}
}

// TestPanicNotKept: a panic in a run whose values were not kept has no text.
func TestPanicNotKept(t *testing.T) {
	e := diff.Effect{Function: "m.F", Path: "panic", Old: "panicked", Tier: spectra.TierCrash, Reverse: true}
	if got, want := noticed(e), "F no longer panics"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	e.Old, e.New, e.Reverse = "", "panicked", false
	if got, want := noticed(e), "F panics where it did not"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

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
