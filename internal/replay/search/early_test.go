package search

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func TestEarlyEnd(t *testing.T) {
	ended := func(kind wire.End, detail string) *spectra.Spectrum {
		return &spectra.Spectrum{End: spectra.End{Kind: kind, Detail: detail}}
	}
	step := func(step spectra.StepOutcome, stdout string) *spectra.Spectrum {
		return &spectra.Spectrum{Stdout: stdout, Steps: []spectra.StepOutcome{step}}
	}
	passed := func(text string) spectra.StepOutcome {
		return spectra.StepOutcome{Results: []spectra.Output{{Text: text}}}
	}
	for _, test := range []struct {
		reason string
		played replay.Played
		want   Early
	}{
		{"a test that passes", replay.Played{Spectrum: step(passed("true"), "")}, Early{}},
		{
			"its first complaint tells why it fails",
			replay.Played{Spectrum: step(passed("false"), "--- FAIL: TestX\n  x_test.go:3: a  \n  x_test.go:4: b\n")},
			Early{Why: "fails: a", rank: rankFailed},
		},
		{
			"an assertion of testify tells more than what was logged before",
			replay.Played{Spectrum: step(passed("false"), "--- FAIL: TestX\n    x_test.go:3: a\n    x_test.go:4: \n"+
				"        \tError Trace:\t/x_test.go:4\n        \tError:      \tNot equal: \n"+
				"        \t            \texpected: 1\n        \t            \tactual  : 2\n"+
				"        \tTest:       \tTestX\n")},
			Early{Why: "fails: Not equal: expected: 1 actual : 2", rank: rankFailed},
		},
		{
			"a test may fail without a word",
			replay.Played{Spectrum: step(passed("false"), "")}, Early{Why: "fails", rank: rankFailed},
		},
		{
			"long complaints are cut, and stay text",
			replay.Played{Spectrum: step(passed("false"), "  x_test.go:1: "+strings.Repeat("ä", 100))},
			Early{Why: "fails: " + strings.Repeat("ä", 80) + "…", rank: rankFailed},
		},
		{
			"a panic ends a test", replay.Played{Spectrum: step(spectra.StepOutcome{Panic: "string: x"}, "")},
			Early{Why: "panics: x", rank: rankEnded},
		},
		{
			"nothing of a test that was lost is compared",
			replay.Played{Clock: replay.Waiting, Spectrum: ended(wire.EndDone, "")},
			Early{
				Why: "waits for something outside of its process for more than " +
					replay.DefaultLimits().Idle.String(),
				Lost: true, rank: rankLost,
			},
		},
		{
			"TestMain ends the process after the tests as a rule",
			replay.Played{Spectrum: ended(wire.EndExited, "exit status 0")}, Early{},
		},
		{
			"and tells by its status that a test failed",
			replay.Played{Spectrum: ended(wire.EndExited, "exit status 1")}, Early{Why: "fails", rank: rankFailed},
		},
		{
			"a test may end the process",
			replay.Played{Spectrum: ended(wire.EndExited, "exit status 0"+wire.InTest)},
			Early{Why: "ends its process with exit status 0", rank: rankEnded},
		},
		{
			"or TestMain may before",
			replay.Played{Spectrum: ended(wire.EndExited, "exit status 0"+wire.BeforeTest)},
			Early{Why: "does not begin: TestMain ends the process with exit status 0", Lost: true, rank: rankLost},
		},
	} {
		if got := earlyEnd(&test.played, replay.DefaultLimits()); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.reason, got, test.want)
		}
	}
}

// noting returns a run that notes how tests end.
func noting(of *drivers.Drivers) *testRun {
	return &testRun{Input: Input{Drivers: of}, players: replay.PlayersBy(spectra.Pair[replay.Player]{}, nil)}
}

// TestFurther: a test that is played once more on old, because others told the versions apart, has not got further.
func TestFurther(t *testing.T) {
	fails := func(why string) *replay.Played {
		step := spectra.StepOutcome{Panic: why}
		return &replay.Played{Spectrum: &spectra.Spectrum{Steps: []spectra.StepOutcome{step}}}
	}
	q := call(t, 1)
	first, second := noting(&drivers.Drivers{}), noting(&drivers.Drivers{})
	second.failed = []*testRun{first}
	for _, s := range []spectra.Side{spectra.Old, spectra.New, spectra.Old} {
		first.unfitAsItIs(s, q, fails("no file 1"))
	}
	for _, s := range spectra.Sides() {
		second.unfitAsItIs(s, q, fails("no file 2"))
	}
	if second.further(q.String()) {
		t.Error("a test that ends as before has got further")
	}
	third := noting(&drivers.Drivers{})
	third.failed = []*testRun{first}
	third.unfitAsItIs(spectra.Old, q, fails("no file 3"))
	third.unfitAsItIs(spectra.New, q, fails("no folder"))
	if !third.further(q.String()) {
		t.Error("a test that ends otherwise on new has not got further")
	}
}

// TestLinesApart: what a command line needs says nothing of other lines of the command; subtests are run with their
// test.
func TestLinesApart(t *testing.T) {
	text := func(s string) []sequence.Value { return []sequence.Value{{Kind: sequence.String, Text: s}} }
	op := &api.Operation{Name: "m/cmd.main"}
	outside := &replay.Played{Spectrum: &spectra.Spectrum{Outside: true}}
	for _, test := range []struct {
		reason string
		of     *drivers.Drivers
		tests  [2]suite.Test
		both   bool
	}{
		{"lines", &drivers.Drivers{Commands: make([]command.Command, 1)}, [2]suite.Test{
			{Operation: op, Line: "cmd serve", Always: text("serve")}, {Operation: op, Line: "cmd", Always: text("")},
		}, false},
		{"subtests", &drivers.Drivers{}, [2]suite.Test{{Operation: op, Sub: "a"}, {Operation: op}}, true},
	} {
		r := noting(test.of)
		r.unfitAsItIs(spectra.Old, single(test.tests[0].Call()), outside)
		if !r.polls[named(test.tests[0])] || r.polls[named(test.tests[1])] != test.both {
			t.Errorf("%s: %v is noted", test.reason, r.polls)
		}
	}
}
