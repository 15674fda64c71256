package root_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestBecause: a root of another cause has the effect, not what was thought to lead to it.
func TestBecause(t *testing.T) {
	runs := []run{{"m.F(a=1) -> ret0=1\n  m.G(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n  m.G(a=1) -> ret0=2"}}
	common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G"}
	found := find(runs, common, functions(modified("m.G", 30)))[0]
	at := root.Position{Side: spectra.New, File: "h.go", Line: 7}
	moved := found.Because("m.table", spectra.ChangeVariable, at, "old does so too with table alone")
	const want = "F returns 2 where it returned 1; old does so too with table alone"
	if moved.Function != "m.table" || moved.Change != spectra.ChangeVariable || moved.Position != at ||
		moved.Summary != want || moved.Effect != found.Effect {
		t.Errorf("got %+v, want the effect of %q with another cause and %q", moved, found.Summary, want)
	}
	if found.Function != "m.G" {
		t.Error("the root itself changed")
	}
}
