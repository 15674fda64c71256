package search

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestLikelyByKinds: a test that is named like the change runs with the players that it needs before others run with
// any. Those that nothing speaks for are left, as are those of the changed package where each has a process.
func TestLikelyByKinds(t *testing.T) {
	test := func(name string) suite.Test { return suite.Test{Operation: &api.Operation{Name: name}} }
	ranks := [][]suite.Test{{test("named"), test("served")}, {test("beside"), test("fails")}, {test("other")}}
	usual := replay.PlayersBy(spectra.Pair[replay.Player]{}, nil)
	in := Input{Drivers: &drivers.Drivers{}}
	first := in.inBubbles(usual, func(i int, _ suite.Test) bool { return i == 0 })
	copies := in.inBubbles(usual.Writing(), func(i int, t suite.Test) bool { return first[i].fails[named(t)] })
	with := &testRun{Input: in, mayStartGo: true, takes: func(suite.Test) bool { return true }}
	kinds := slices.Concat(first, copies, []*testRun{with})
	var ran []string
	run := func(r *testRun, tests []suite.Test) error {
		r.tests = append(r.tests, tests...)
		for _, one := range tests {
			names := []string{"repeat", "poll", "plain", "copy", "copy, poll", "", "go"}
			ran = append(ran, names[slices.Index(kinds, r)]+" "+one.Name)
			switch {
			case one.Name == "served" && r == first[0]:
				r.polls = noted(r.polls, one.Name)
			case one.Name == "served" && r == first[1], one.Name == "fails":
				r.fails = noted(r.fails, one.Name)
			}
		}
		return nil
	}
	if err := likelyByKinds(ranks, kinds, run); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"repeat named", "repeat served", "poll served", "copy, poll served", "repeat beside", "repeat fails",
	}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
	for i, want := range []string{"other", "", "", "fails"} {
		var left []string
		for _, one := range kinds[i].left(slices.Concat(ranks...)) {
			left = append(left, one.Name)
		}
		if of := slices.DeleteFunc([]string{want}, func(s string) bool { return s == "" }); !slices.Equal(left, of) {
			t.Errorf("%d: %q are left, want %q", i, left, of)
		}
	}
}

// TestNotRun: a test ran if it came to its end, or to where it ends early, or all of its subtests did, with players of
// any kind. Without a lack of time none counts.
func TestNotRun(t *testing.T) {
	test := func(name, sub string) suite.Test { return suite.Test{Operation: &api.Operation{Name: name}, Sub: sub} }
	call := func(t suite.Test) string { return single(t.Call()).String() }
	ran, left, served := test("m.TestRan", ""), test("m.TestLeft", ""), test("m.TestServed", "")
	lost, cut, divided := test("m.TestLost", ""), test("m.TestCut", ""), test("m.TestDivided", "")
	first := &testRun{
		early: map[string]Early{
			call(ran): {}, call(lost): {Why: "waits", Lost: true}, call(cut): {Why: "runs long", cut: true},
			call(test(cut.Name, "a")): {}, call(test(divided.Name, "a")): {},
		},
		parts: []suite.Test{test(ran.Name, "a"), test(cut.Name, "a"), test(cut.Name, "b"), test(divided.Name, "a")},
	}
	second := &testRun{
		early: map[string]Early{call(served): {}, call(test(divided.Name, "b")): {}},
		parts: []suite.Test{test(divided.Name, "b")},
	}
	all := []suite.Test{ran, left, served, lost, cut, divided}
	kinds := []*testRun{first, second}
	if n := notRun(kinds, all); n != 0 {
		t.Errorf("%d were not run although there was time", n)
	}
	second.late = true
	for _, one := range all {
		want := 0
		if one.Name == left.Name || one.Name == cut.Name { // of which a subtest did not run
			want = 1
		}
		if n := notRun(kinds, []suite.Test{one}); n != want {
			t.Errorf("%s: %d, want %d", one.Name, n, want)
		}
	}
}
