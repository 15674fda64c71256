package finding_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/finding"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestRules: every tier has a rule, and only one.
func TestRules(t *testing.T) {
	var got []spectra.Tier
	for _, rule := range finding.Rules() {
		got = append(got, rule.Tier)
	}
	if want := append(spectra.Tiers(), spectra.TierNondeterminism); !slices.Equal(got, want) {
		t.Errorf("rules for %q, want %q", got, want)
	}
}

func TestLevelOf(t *testing.T) {
	for _, c := range []struct {
		reason string
		tier   spectra.Tier
		reach  spectra.Reach
		want   finding.Level
	}{
		{"what a caller meets", spectra.TierCrash, spectra.Visible, finding.Error},
		{"even if it is masked", spectra.TierValue, spectra.Masked, finding.Error},
		{"what nobody sees yet", spectra.TierLatent, spectra.Masked, finding.Warning},
		{"varying is no value that is known to be wrong", spectra.TierNondeterminism, spectra.Visible, finding.Warning},
		{"a wording", spectra.TierText, spectra.Visible, finding.Note},
		{"a report of an earlier version", "", spectra.Visible, finding.Error},
		{"a tier of a later one", "later", spectra.Masked, finding.Warning},
	} {
		if got := finding.LevelOf(&report.Root{Tier: c.tier, Reach: c.reach}); got != c.want {
			t.Errorf("%s: got %d, want %d", c.reason, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		reason      string
		at          *report.Position
		file        string
		first, last int
	}{
		{"no position", nil, "", 0, 0},
		{"lines", &report.Position{File: "a/b.go", Line: 3, EndLine: 5}, "a/b.go", 3, 5},
		{"one line", &report.Position{File: "b.go", Line: 3}, "b.go", 3, 0},
		{"a file as a whole", &report.Position{File: "go.mod"}, "go.mod", 0, 0},
		{"lines that no file has", &report.Position{File: "b.go", Line: -1, EndLine: 5}, "b.go", 0, 0},
		{"more lines than formats can name", &report.Position{File: "b.go", Line: math.MaxInt32 + 1}, "b.go", 0, 0},
		{"an end before the beginning", &report.Position{File: "b.go", Line: 3, EndLine: 2}, "b.go", 3, 0},
		{"an end without end", &report.Position{File: "b.go", Line: 3, EndLine: 1 << 40}, "b.go", 3, 0},
		{"beside the root", &report.Position{File: "../b.go", Line: 3}, "", 0, 0},
		{"an absolute path", &report.Position{File: "/etc/passwd", Line: 3}, "", 0, 0},
		{"no UTF-8", &report.Position{File: "\xff", Line: 3}, "", 0, 0},
		{"no file", &report.Position{Line: 3}, "", 0, 0},
		{"a name that no system takes", &report.Position{File: strings.Repeat("a", 4097), Line: 3}, "", 0, 0},
		{"a folder", &report.Position{File: ".", Line: 3}, "", 0, 0},
	} {
		if file, first, last := finding.Place(c.at); file != c.file || first != c.first || last != c.last {
			t.Errorf("%s: got %q %d %d, want %q %d %d", c.reason, file, first, last, c.file, c.first, c.last)
		}
	}
}
