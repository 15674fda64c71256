package root_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestDriven checks that the function that was driven is the root where no execution shows a deviation.
func TestDriven(t *testing.T) {
	old, new := difftest.Spectrum("m.F(a=1) -> ret0=1\n--"), difftest.Spectrum("m.F(a=1) -> ret0=1\n--")
	old.Steps[1].Results = []spectra.Output{{Text: "1"}}
	new.Steps[1].Results = []spectra.Output{{Text: "2", Digest: spectra.Digest{1}}}
	c := diff.Compare(old, new, diff.Options{})
	if len(c.Deviations) != 1 || c.Deviations[0].Node != nil {
		t.Fatalf("deviations %+v: want one that only the output shows", c.Deviations)
	}
	for _, x := range []struct {
		reason  string
		driven  []spectra.Symbol
		changes root.Changes
		want    spectra.Symbol
		change  spectra.Change
	}{
		{
			reason: "a changed function", driven: []spectra.Symbol{"m.F", "m.G"},
			changes: functions(modified("m.G", 20)),
			want:    "m.G", change: spectra.ChangeModified,
		},
		{
			reason: "one that did not change", driven: []spectra.Symbol{"m.F", "m.G"},
			want: "m.G", change: spectra.ChangeUnknown,
		},
		{
			reason: "one that an earlier step returned", driven: []spectra.Symbol{"m.F", ""},
			want: "m.F", change: spectra.ChangeUnknown,
		},
		{reason: "not known which", change: spectra.ChangeUnknown},
	} {
		found := root.Find([]*diff.Case{{Comparison: c, Driven: x.driven}}, x.changes)
		if len(found) != 1 || found[0].Cause.Symbol != x.want || found[0].Cause.Change != x.change {
			t.Errorf("%s: got %s, want %s %s", x.reason, render(found), x.want, x.change)
		}
	}
}

// TestHanded checks that a function without executions is the root of what it hands to others: a function that is
// entered in another state is not what changed.
func TestHanded(t *testing.T) {
	for _, x := range []struct {
		reason   string
		old, new string
		driven   []spectra.Symbol
		want     string
	}{
		{"an argument", "--\nm.F(a=1) ->", "--\nm.F(a=2) ->", []spectra.Symbol{"m.C", "m.F"}, "m.C"},
		{"of several the first", "--\n--\nm.F(a=1) ->", "--\n--\nm.F(a=2) ->",
			[]spectra.Symbol{"m.C", "m.D", "m.F"}, "m.C"},
		{"not known which", "--\nm.F(a=1) ->", "--\nm.F(a=2) ->", nil, "m.F"},
		{"a function that itself differs", "--\nm.F(a=1) -> ret0=1", "--\nm.F(a=1) -> ret0=2",
			[]spectra.Symbol{"m.C", "m.F"}, "m.F"},
	} {
		old, new := difftest.Spectrum(x.old), difftest.Spectrum(x.new)
		for i := range len(old.Steps) - 1 {
			old.Steps[i].Results = []spectra.Output{{Text: "1"}}
			new.Steps[i].Results = []spectra.Output{{Text: "2", Digest: spectra.Digest{1}}}
		}
		comparison := diff.Compare(old, new, diff.Options{})
		var got []string
		for _, found := range root.Find([]*diff.Case{{Comparison: comparison, Driven: x.driven}}, root.Changes{}) {
			got = append(got, string(found.Cause.Symbol))
			if found.Cause.Symbol == "m.C" && found.Example.Node != nil {
				t.Errorf("%s: an execution is marked as root", x.reason)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: got %q, want %q", x.reason, got, x.want)
		}
	}
}
