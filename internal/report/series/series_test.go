package series_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// root is a root of m.F, of tier value, with an edit and a value.
func root(change func(*report.Root)) report.Root {
	r := report.Root{
		Function: "m.F", Change: spectra.ChangeModified, Tier: spectra.TierValue, Reach: spectra.Visible,
		Diff:     "@@ -3,3 +3,3 @@\n func F() int {\n-\treturn a\n+\treturn b\n }\n",
		Values:   []report.Difference{{Function: "m.F", Path: "ret0", Old: "1", New: "2", Output: true}},
		Sequence: "v0 := m.F()",
	}
	if change != nil {
		change(&r)
	}
	return r
}

// back is root with the two versions exchanged.
func back(change func(*report.Root)) report.Root {
	return root(func(r *report.Root) {
		r.Diff = "@@ -9,3 +9,3 @@\n func F() int { // moved\n-\treturn b\n+\treturn a\n }\n"
		r.Values[0].Old, r.Values[0].New = r.Values[0].New, r.Values[0].Old
		if change != nil {
			change(r)
		}
	})
}

// pair is the pair of a report with some roots; the newer version is named by a number.
func pair(t *testing.T, number int, roots ...report.Root) series.Pair {
	t.Helper()
	name := func(n int) report.Revision { return report.Revision{Revision: "v" + string(rune('0'+n))} }
	r := &report.Report{Old: name(number), New: name(number + 1)}
	for _, root := range roots {
		r.Add(root)
	}
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return series.Compared(r, r)
}

// TestTakesBack: the rule by which one root takes back another, one condition after the other.
func TestTakesBack(t *testing.T) {
	noDiff := func(r *report.Root) { r.Diff = "" }
	noValues := func(r *report.Root) { r.Values = nil }
	for _, c := range []struct {
		reason         string
		earlier, later report.Root
		want           bool
	}{
		{"edit and value both go back", root(nil), back(nil), true},
		{"the edit alone is known", root(noValues), back(noValues), true},
		{"the value alone is known", root(noDiff), back(noDiff), true},
		{"the same change twice", root(nil), root(nil), false},
		{"another function", root(nil), back(func(r *report.Root) { r.Function = "m.G" }), false},
		{"a literal that got another number", root(func(r *report.Root) { r.Function = "m.F.func1" }),
			back(func(r *report.Root) { r.Function = "m.F.func2" }), true},
		{"another kind of effect", root(nil), back(func(r *report.Root) { r.Tier = spectra.TierCrash }), false},
		{"seen by callers once", root(nil), back(func(r *report.Root) { r.Reach = spectra.Masked }), false},
		{"other lines, other value", root(nil), back(func(r *report.Root) {
			r.Diff = strings.Replace(r.Diff, "return a", "return c", 1)
			r.Values[0].New = "3"
		}), false},
		{"other lines, but the value goes back", root(nil), back(func(r *report.Root) {
			r.Diff = strings.Replace(r.Diff, "return a", "return 1", 1)
		}), true},
		{"the value goes back, shown by other calls", root(noDiff), back(func(r *report.Root) {
			r.Diff, r.Sequence = "", "v0 := m.G()"
		}), false},
		{"the value goes back, by calls that are not known", root(func(r *report.Root) { r.Diff, r.Sequence = "", "" }),
			back(func(r *report.Root) { r.Diff, r.Sequence = "", "" }), false},
		{"one value goes back, another one does not", root(func(r *report.Root) {
			r.Diff, r.Values = "", append(r.Values, report.Difference{Path: "stdout", Old: "x", New: "y"})
		}), back(func(r *report.Root) {
			r.Diff, r.Values = "", append(r.Values, report.Difference{Path: "stdout", Old: "y", New: "z"})
		}), false},
		{"one of two executions goes back", root(func(r *report.Root) {
			r.Diff = ""
			r.Values = append(r.Values, report.Difference{Function: "m.F", Path: "ret0", Old: "5", New: "6"})
		}), back(noDiff), false},
		{"a value that only one of them has", root(func(r *report.Root) {
			r.Diff, r.Values = "", append(r.Values, report.Difference{Path: "stdout", Old: "x", New: "y"})
		}), back(noDiff), true},
		{"another place of the value", root(noDiff), back(func(r *report.Root) {
			r.Diff, r.Values[0].Path = "", "ret1"
		}), false},
		{"values that are cut", root(func(r *report.Root) { r.Diff, r.Values[0].Old = "", "1…" }),
			back(func(r *report.Root) { r.Diff, r.Values[0].New = "", "1…" }), false},
		{"a diff that may be cut", root(func(r *report.Root) {
			r.Values, r.Diff = nil, r.Diff+strings.Repeat(" \n", 40)
		}), back(noValues), false},
		{"nothing is known of either", root(func(r *report.Root) { r.Values, r.Diff = nil, "" }),
			back(func(r *report.Root) { r.Values, r.Diff = nil, "" }), false},
		{"only added, only removed", root(func(r *report.Root) { r.Values, r.Diff = nil, "@@ -3 +3,2 @@\n a\n+b\n" }),
			back(func(r *report.Root) { r.Values, r.Diff = nil, "@@ -3,2 +3 @@\n a\n-b\n" }), true},
		{"the same test, with another value in it", root(func(r *report.Root) {
			r.Diff = ""
			r.Test = &report.Test{Name: "TestF", Other: []report.Literal{{Place: "f_test.go:3", Value: "1"}}}
		}), back(func(r *report.Root) {
			r.Diff = ""
			r.Test = &report.Test{Name: "TestF", Other: []report.Literal{{Place: "f_test.go:3", Value: "2"}}}
		}), false},
	} {
		s := series.Make(report.Tool{}, nil, []series.Pair{pair(t, 1, c.earlier), pair(t, 2, c.later)}, false)
		came, went := s.Pairs[0].Roots[0], s.Pairs[1].Roots[0]
		if (came.BackIn != nil) != c.want || (went.AsBefore != nil) != c.want {
			t.Errorf("%s: marks %v and %v, want them: %t", c.reason, came.BackIn, went.AsBefore, c.want)
		}
		if came.AsBefore != nil || went.BackIn != nil {
			t.Errorf("%s: marked against time: %v, %v", c.reason, came.AsBefore, went.BackIn)
		}
	}
}

// TestMarks: which roots of several pairs belong together.
func TestMarks(t *testing.T) {
	other := func(r *report.Root) { r.Function = "m.G" }
	for _, c := range []struct {
		reason string
		pairs  [][]report.Root
		want   string // of each marked root: pair.rank>version.rank for back in, < for as before
	}{
		{"nothing in between", [][]report.Root{{root(nil)}, {back(nil)}}, "1.1>v3.1 2.1<v2.1"},
		{"a pair without roots in between", [][]report.Root{{root(nil)}, {}, {back(nil)}}, "1.1>v4.1 3.1<v2.1"},
		{"the nearest one", [][]report.Root{{root(nil)}, {back(nil)}, {}, {back(nil)}}, "1.1>v3.1 2.1<v2.1"},
		{"there and back again", [][]report.Root{{root(nil)}, {back(nil)}, {root(nil)}},
			"1.1>v3.1 2.1>v4.1 2.1<v2.1 3.1<v3.1"},
		{"each takes back its own", [][]report.Root{{root(nil), root(other)}, {back(other), back(nil)}},
			"1.1>v3.2 1.2>v3.1 2.1<v2.2 2.2<v2.1"},
		{"one takes back one", [][]report.Root{{root(nil)}, {root(nil)}, {back(nil)}}, "1.1>v4.1 3.1<v2.1"},
		{"both in one pair", [][]report.Root{{root(nil), back(nil)}}, ""},
	} {
		var pairs []series.Pair
		for i, roots := range c.pairs {
			pairs = append(pairs, pair(t, i+1, roots...))
		}
		s := series.Make(report.Tool{}, nil, pairs, false)
		if got := marks(s); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

func marks(s *series.Series) string {
	var list []string
	for i, p := range s.Pairs {
		for _, r := range p.Roots {
			at := string(rune('1'+i)) + "." + string(rune('0'+r.Rank))
			if mark := r.BackIn; mark != nil {
				list = append(list, at+">"+mark.Revision+"."+string(rune('0'+mark.Rank)))
			}
			if mark := r.AsBefore; mark != nil {
				list = append(list, at+"<"+mark.Revision+"."+string(rune('0'+mark.Rank)))
			}
		}
	}
	return strings.Join(list, " ")
}

// TestCompared: a pair says of its report what stands in it, and roots that somebody accepted are not counted.
func TestCompared(t *testing.T) {
	full := reporttest.Full(t)
	full.Stages = []report.Stage{{Name: "load", Seconds: 1.24}, {Name: "build", Seconds: 2.1}}
	known := map[string]report.Acceptance{full.Roots[1].Fingerprint: {Reason: "wanted"}}
	if err := full.Accept(known, nil); err != nil {
		t.Fatal(err)
	}
	p := series.Compared(full, full)
	if p.Verdict != report.Deviates || p.Exit != 1 || p.Module != "example.com/shop/v2" || p.Seconds != 3.3 {
		t.Errorf("got %+v", p)
	}
	if p.Changed != 1 || p.Ran != 1 || p.Open() != len(full.Roots)-1 || len(p.Roots) != len(full.Roots) {
		t.Errorf("%d changed, %d ran, %d open, %d roots", p.Changed, p.Ran, p.Open(), len(p.Roots))
	}
	if !p.Roots[1].Accepted || p.Roots[0].Accepted {
		t.Error("another root is accepted")
	}
	for i, r := range p.Roots {
		of := full.Roots[i]
		if r.Rank != of.Rank || r.Function != of.Function || r.Summary != of.Summary ||
			r.Fingerprint != of.Fingerprint {
			t.Errorf("root %d: %+v", i+1, r)
		}
	}
}

// TestShownDecidesNothing: what is replaced in the report that others read is in no pair, and changes no mark.
func TestShownDecidesNothing(t *testing.T) {
	var pairs []series.Pair
	for i, of := range []report.Root{root(nil), back(nil)} {
		of.Diff = ""
		r, shown := new(report.Report), new(report.Report)
		r.Add(of)
		of.Values, of.Summary = []report.Difference{{Path: "ret0", Old: "‹a›", New: "‹b›"}}, "token"
		shown.Add(of)
		pairs = append(pairs, series.Compared(r, shown))
		if got := pairs[i].Roots[0].Summary; got != "token" {
			t.Errorf("the summary is %q", got)
		}
	}
	if s := series.Make(report.Tool{}, nil, pairs, false); s.Pairs[0].Roots[0].BackIn == nil {
		t.Error("the values that nobody may read do not decide")
	}
}

// TestExit: the status of all pairs.
func TestExit(t *testing.T) {
	same, deviates := series.Pair{Verdict: report.Same}, series.Pair{Verdict: report.Deviates, Exit: 1}
	harmless := series.Pair{Verdict: report.Deviates}
	failed := series.Failed(report.Revision{}, report.Revision{}, "does not compile")
	for _, c := range []struct {
		reason  string
		pairs   []series.Pair
		partial bool
		want    int
	}{
		{"nothing deviates", []series.Pair{same, same}, false, 0},
		{"one fails", []series.Pair{same, deviates, same}, false, 1},
		{"one deviates, and --fail-on does not name it", []series.Pair{same, harmless}, false, 0},
		{"one was not compared", []series.Pair{failed, same}, false, 0},
		{"one was not compared, another one fails", []series.Pair{deviates, failed}, false, 1},
		{"none was compared", []series.Pair{failed, failed}, false, 2},
		{"interrupted", []series.Pair{deviates, failed}, true, 2},
		{"no pairs", nil, false, 2},
	} {
		if got := series.Make(report.Tool{}, nil, c.pairs, c.partial).Exit; got != c.want {
			t.Errorf("%s: exit %d, want %d", c.reason, got, c.want)
		}
	}
}

// TestSameAgain: the same pairs make the same series.
func TestSameAgain(t *testing.T) {
	made := func() *series.Series {
		pairs := []series.Pair{pair(t, 1, root(nil)), pair(t, 2, back(nil))}
		return series.Make(report.Tool{Version: "v1"}, nil, pairs, false)
	}
	if one, other := made(), made(); !reflect.DeepEqual(one, other) {
		t.Errorf("got %+v and %+v", one, other)
	}
}
