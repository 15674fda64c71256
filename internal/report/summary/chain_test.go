package summary

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestChainOfExample: the chain ends in what the example shows, whatever longer sequences showed.
func TestChainOfExample(t *testing.T) {
	f := finding("m.R(x=1) -> ret0=1", "m.R(x=1) -> ret0=2", "m.R")
	f.Cause.Symbol = "m.R"
	f.Effect = diff.Effect{
		Tier: spectra.TierValue, Visible: true, Output: true, Function: "m.R", Path: "ret0", Old: "11", New: "22",
	}
	f.Example.Effect = f.Effect
	f.Example.Effect.Old, f.Example.Effect.New = "1", "2"
	links := chain(f).Links
	if last := links[len(links)-1]; last.Old != "1" || last.New != "2" {
		t.Errorf("the chain ends in %s → %s, want 1 → 2", last.Old, last.New)
	}
}
