package root_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestWhy checks the reasons of both heuristics, and of causes that are no change of the function itself.
func TestWhy(t *testing.T) {
	const (
		body     = "m.F(a=1) -> ret0=1\n  m.G(a=1) -> ret0=1\n  m.H(a=1) -> ret0=1"
		otherEnd = "m.F(a=1) -> ret0=2\n  m.G(a=1) -> ret0=1\n  m.H(a=1) -> ret0=1"
		calls    = "m.F(a=1) -> ret0=1\n  m.G(a=1) -> ret0=1 @20\n  m.H(a=2) -> ret0=1 @30"
	)
	constant := root.Changes{Declarations: []root.Declaration{
		{Name: "m.limit", Change: spectra.ChangeVariable, Users: []spectra.Symbol{"m.F"}},
	}}
	module := root.Changes{
		Modules: []root.Module{{Upgrade: diff.Upgrade{Path: "example.com/dep", Old: "v1", New: "v2"}}},
	}
	removed := modified("m.F", 30)
	removed.Hunks[0].New = spectra.Lines{}
	common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H"}
	for _, c := range []struct {
		reason, new string
		changes     root.Changes
		want        string
	}{
		{
			"the end differs", otherEnd, functions(modified("m.F", 30)),
			"it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 81 lines, 1 " +
				"of them changed",
		},
		{
			"lines were removed", otherEnd, functions(removed),
			"it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 81 lines, " +
				"from which some were removed",
		},
		{
			"a call differs", calls, functions(modified("m.F", 25)),
			"it begins alike and makes 1 equal call, then it calls H with other values: " +
				"the cause lies in the 21 lines before, 1 of them changed",
		},
		{
			"a call differs that code of another file makes", strings.Replace(calls, "@30", "@700", 1),
			functions(modified("m.F", 25)),
			"it begins alike and makes 1 equal call, then it calls H with other values: " +
				"the cause lies in 81 lines, 1 of them changed",
		},
		{
			"what changed stands elsewhere", calls, functions(modified("m.F", 80)),
			"it begins alike and makes 1 equal call, then it calls H with other values: it changed, but not in " +
				"the 21 lines before",
		},
		{
			"a constant", otherEnd, constant,
			"F begins alike and makes 2 equal calls, then it ends differently: no line of it changed, but " +
				"limit, which it uses",
		},
		{
			"a dependency", otherEnd, module,
			"F begins alike and makes 2 equal calls, then it ends differently: " +
				"no line of it changed, but example.com/dep, which it can call",
		},
		{
			"nothing", otherEnd, root.Changes{}, "it begins alike and makes 2 equal calls, then it ends " +
				"differently, although nothing of it changed",
		},
	} {
		found := find([]run{{body, c.new}}, common, c.changes)
		if len(found) != 1 || summary.Why(found[0]) != c.want {
			t.Errorf("%s: %q, want %q", c.reason, summary.Why(found[0]), c.want)
		}
	}
}
