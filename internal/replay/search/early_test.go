package search

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
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
