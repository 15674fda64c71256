package root_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestOtherCause: the sentence on another cause has the effect, not what was thought to lead to it.
func TestOtherCause(t *testing.T) {
	runs := []run{{"m.F(a=1) -> ret0=1\n  m.G(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n  m.G(a=1) -> ret0=2"}}
	common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G"}
	found := find(runs, common, functions(modified("m.G", 30)))[0]
	table := diff.Cause{
		Symbol: "m.table", Change: spectra.ChangeVariable, Evidence: found.Cause.Evidence, ByTrial: true,
	}
	for _, c := range []struct {
		reason string
		proof  diff.Proof
		cause  diff.Cause
		want   string
	}{
		{
			"one change instead", diff.Proof{Instead: []spectra.Symbol{"m.table"}}, table,
			"F returns 2 where it returned 1; table alone makes the old version do so, too",
		},
		{
			"several instead", diff.Proof{Instead: []spectra.Symbol{"m.table", "m.H"}}, table,
			"F returns 2 where it returned 1; table and 1 more make the old version do so, too",
		},
		{
			"a type", diff.Proof{Outside: true}, table,
			"F returns 2 where it returned 1; it comes from the change of table, and from that of no function",
		},
		{
			"a dependency", diff.Proof{Outside: true},
			diff.Cause{
				Symbol: "example.com/dep", Change: spectra.ChangeDependency, ByTrial: true,
				Upgrade: &diff.Upgrade{Path: "example.com/dep", Old: "v1", New: "v2"},
			},
			"F returns 2 where it returned 1; it comes from example.com/dep v2 in place of v1: it stays with " +
				"every other change undone",
		},
	} {
		moved := *found
		moved.Cause, moved.Proof = c.cause, &c.proof
		if got := summary.Sentence(&moved); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
