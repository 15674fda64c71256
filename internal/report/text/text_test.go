package text_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name   string
		make   func(*testing.T) *report.Report
		reason string
	}{
		{"deviating", deviating, "every section at once"},
		{"detailed", deviating, "all about the run, as it is asked for"},
		{"hostile", hostile,
			"names wider than the terminal, control characters, wide runes, an absent value, the working tree"},
		{"same", same, "silence says what it rests on"},
		{"unchanged", unchanged, "the same commit twice"},
		{"not-compared", notCompared, "code changed, but nothing could be played"},
		{"not-reached", notReached, "little of the change ran: why, and what helps"},
		{"partial", partial, "the run was interrupted"},
		{"missing", lacking, "one of three shards is missing"},
		{"incomplete", incomplete, "nothing deviates, and sequences that may run changed code were lost"},
		{"many", many, "roots beyond the first ten get a line each"},
		{"accepted", partlyAccepted, "accepted roots have a line each, behind the others, and keep their ranks"},
		{"commits", commits, "the commits that brought in roots, in the blocks and in a section of their own"},
		{"commits-detailed", commits, "what could not be asked, too"},
		{"all-accepted", allAccepted, "nothing is left but what somebody accepted"},
	} {
		for _, width := range []int{60, 80, 120} {
			t.Run(fmt.Sprintf("%s-%d", test.name, width), func(t *testing.T) {
				options := text.Options{Width: width, Detail: strings.HasSuffix(test.name, "detailed")}
				reporttest.Golden(t, fmt.Sprintf("%s.%d.txt", test.name, width), test.reason, *update,
					print(t, test.make(t), options))
			})
		}
	}
}

// TestBisected: the commits alone are shown, with all that is known of them.
func TestBisected(t *testing.T) {
	unknown := commits(t)
	unknown.Commits = nil
	const odd = "x\x1b[2J\r\n::error::\u202e##[y]`|<b>-->"
	hostileCommand := reporttest.Hostile(t, odd, 3, false)
	hostileCommand.Settings.Exec = odd
	for i := range hostileCommand.Roots {
		hostileCommand.Roots[i].Values = []report.Difference{{Path: "stdout", New: odd}}
	}
	ended := commits(t)
	ended.Partial = &report.Partial{Reason: report.Interrupted, Stage: "commits", Undone: []string{"commits"}}
	ended.Commits.Untestable = nil
	for _, test := range []struct {
		name   string
		report *report.Report
		reason string
	}{
		{"bisected-ended", ended, "the run ended before one of several commits was found"},
		{"bisected", commits(t), "every kind of commit, and a root of which none was asked"},
		{"bisected-hostile", reporttest.Hostile(t, odd, 3, false),
			"nothing breaks out of its line"},
		{"bisected-exec", byCommand(t), "a command told commits apart: the proof, the change and what it prints"},
		{"bisected-exec-hostile", hostileCommand, "nothing breaks out of its line"},
		{"bisected-same", same(t), "nothing deviates, and it says on what that rests"},
		{"bisected-unknown", unknown, "nobody asked"},
	} {
		var out bytes.Buffer
		if err := text.Bisected(&out, test.report, text.Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		reporttest.Golden(t, test.name+".80.txt", test.reason, *update, out.Bytes())
	}
	if err := text.Bisected(reporttest.Closed{}, commits(t), text.Options{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}

// byCommand is a report of a command that told commits apart, with a change that was proven and one that was not.
func byCommand(t *testing.T) *report.Report {
	hash := strings.Repeat("4f2a9c1e8b", 4)
	introduced := []report.Introduction{{Commit: hash, Before: "passes", After: "fails with exit status 2"}}
	r := &report.Report{
		Old:      report.Revision{Revision: "old", Commit: strings.Repeat("1", 40)},
		New:      report.Revision{Revision: "new", Commit: strings.Repeat("2", 40)},
		Settings: report.Settings{Exec: "go test ./..."},
		Subject:  report.Subject{Module: "example.com/m"},
		Commits: &report.Commits{
			Count: 12, Distinct: 11, Asked: 5,
			List: []report.Commit{
				{Hash: hash, Subject: "count by halves", Author: "Ada", Date: "2026-01-06T12:00:00Z"},
			},
		},
	}
	of := report.Root{
		Function: "example.com/m.limit", Change: spectra.ChangeModified, Confidence: spectra.Confirmed,
		Position: &report.Position{Side: spectra.New, File: "m.go", Line: 3, EndLine: 5},
		Tier:     spectra.TierError, Reach: spectra.Visible,
		Summary: "with this change the command fails with exit status 2",
		Proof:   &report.Proof{Sufficient: true, Necessary: true, Trials: 5, With: []string{"example.com/m.half"}},
		Values: []report.Difference{
			{Path: "end", Old: "passes", New: "fails with exit status 2", Output: true},
			{Path: "stdout", New: strings.Repeat("--- FAIL: TestLimit\n", 10), Output: true},
		},
		Diff: "@@ -4 +4 @@\n-\treturn n\n+\treturn 2 * half(n)\n", Introduced: introduced,
	}
	r.Add(of)
	of.Function, of.Confidence, of.Diff, of.Values = "example.com/m.other", spectra.Likely, "", of.Values[:1]
	of.Proof = &report.Proof{Sufficient: true, Trials: 5, Reason: "the commit without it ends in the same way"}
	of.Why = "whether fewer changes are enough was not found in 40 trials"
	r.Add(of)
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return r
}

func commits(t *testing.T) *report.Report { return reporttest.Commits(t) }

func print(t *testing.T, r *report.Report, options text.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := text.Write(&out, r, options); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestColorAddsNothing checks that a coloured report without its escape sequences equals a plain one
// without its carets.
func TestColorAddsNothing(t *testing.T) {
	escapes := regexp.MustCompile("\x1b\\[[0-9]+m|\x1b\\[m")
	carets := regexp.MustCompile(`(?m)^ *\^[\^ ]*\n`)
	for _, r := range []*report.Report{deviating(t), hostile(t), many(t), partlyAccepted(t), commits(t)} {
		colored := print(t, r, text.Options{Width: 80, Color: true})
		if !bytes.Contains(colored, []byte("\x1b[")) {
			t.Error("no colours where they were asked for")
		}
		plain := print(t, r, text.Options{Width: 80})
		got, want := escapes.ReplaceAllString(string(colored), ""), carets.ReplaceAllString(string(plain), "")
		if got != want {
			t.Errorf("coloured text says something else\ncoloured:\n%s\nplain:\n%s", got, want)
		}
	}
}

// TestNothingEscapes checks that recorded values never reach the terminal as control sequences.
func TestNothingEscapes(t *testing.T) {
	worst := reporttest.Hostile(t, "a\x1b[2J\r\u202e\n", 1, true)
	for _, r := range []*report.Report{hostile(t), partlyAccepted(t), worst} {
		plain := print(t, r, text.Options{Width: 80})
		if i := bytes.IndexFunc(plain, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' }); i >= 0 {
			t.Errorf("control character %q at byte %d of:\n%s", plain[i], i, plain)
		}
	}
}

// TestProseFits checks that only lines with an identifier, a command or a position may be too long.
func TestProseFits(t *testing.T) {
	for _, r := range []*report.Report{deviating(t), same(t), notCompared(t)} {
		for line := range strings.Lines(string(print(t, r, text.Options{Width: 60}))) {
			if len([]rune(line)) > 61 && !strings.Contains(line, "spectradiff ") &&
				!strings.Contains(line, "cart.go:") && !strings.Contains(line, "price.go:") {
				t.Errorf("line of %d characters at width 60: %s", len([]rune(line)), line)
			}
		}
	}
}

func TestWriteError(t *testing.T) {
	file, err := os.Open(os.DevNull) // open for reading only, so every write fails
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := text.Write(file, same(t), text.Options{}); err == nil {
		t.Error("no error from a writer that fails")
	}
}

// TestFirstLine: other calls alone deviate only where they are asked for.
func TestFirstLine(t *testing.T) {
	for _, c := range []struct {
		reason string
		tier   spectra.Tier
		failOn report.FailOn
		want   string
	}{
		{"a value", spectra.TierValue, report.FailAny, "v1.2.0 and v1.3.0 deviate: 1 root, "},
		{"calls", spectra.TierCalls, report.FailAny, "no deviations between v1.2.0 and v1.3.0: no value "},
		{"calls that fail", "calls", report.FailOn("calls"), "v1.2.0 and v1.3.0 make other calls; "},
	} {
		r := base()
		r.Add(report.Root{Function: "m.F", Change: spectra.ChangeModified, Tier: c.tier})
		if err := r.Finish(c.failOn); err != nil {
			t.Fatal(err)
		}
		if got := string(print(t, r, text.Options{Width: 120})); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, strings.SplitN(got, "\n", 2)[0], c.want)
		}
	}
}

// TestTestsNotRun: that time was over before all tests had run is said beside what was compared, and among the facts.
func TestTestsNotRun(t *testing.T) {
	for n, want := range map[int][2]string{
		0: {}, 1: {"; 1 test was not run in time", "; 1 not run in time"},
		569: {"; 569 tests were not run in time", "; 569 not run in time"},
	} {
		r := same(t)
		r.Tests = &report.Tests{Found: 611, Reaching: 42, NotRun: n}
		got := string(print(t, r, text.Options{Width: 1000, Detail: true}))
		for _, said := range want {
			if !strings.Contains(got, said) || n == 0 && strings.Contains(got, "in time") {
				t.Errorf("%d: no %q in\n%s", n, said, got)
			}
		}
	}
}

// TestQuietBetween: roots that need odd calls come behind those that call other functions, and are told as roots.
func TestQuietBetween(t *testing.T) {
	r := base()
	r.Add(report.Root{Function: "m.F", Change: spectra.ChangeModified, Tier: spectra.TierCalls})
	r.Add(report.Root{Function: "m.G", Change: spectra.ChangeModified, Tier: spectra.TierCrash, OnNil: true})
	got := string(print(t, finished(t, r), text.Options{Width: 120}))
	calls := strings.Index(got, "other functions are called")
	if !strings.HasPrefix(got, "v1.2.0 and v1.3.0 deviate: 1 root, ") || strings.Contains(got[calls:], "m.G") {
		t.Errorf("got %s", got)
	}
}

// TestAcceptedFirstLine: what was accepted is no news, but is not hidden either.
func TestAcceptedFirstLine(t *testing.T) {
	for _, c := range []struct {
		reason string
		tiers  []spectra.Tier
		accept []int
		change func(*report.Report)
		want   string
	}{
		{"one of two", []spectra.Tier{"value", "latent"}, []int{1}, nil,
			"v1.2.0 and v1.3.0 deviate: 1 root, masked: no output shows it; 1 accepted\n"},
		{"both", []spectra.Tier{"value", "latent"}, []int{1, 2}, nil,
			"v1.2.0 and v1.3.0 deviate: 2 findings, all accepted\n"},
		{"beside calls", []spectra.Tier{"value", "calls"}, []int{1}, nil,
			"v1.2.0 and v1.3.0 deviate: 1 finding, all accepted; others show in calls alone, or from inside the " +
				"packages\n"},
		{"calls", []spectra.Tier{"calls"}, []int{1}, nil, "no deviations between v1.2.0 and v1.3.0: no value differs"},
		{"too little ran", []spectra.Tier{"value"}, []int{1}, func(r *report.Report) {
			r.Generation.ComparableStatementCoverage = report.Share(1, 10)
		},
			"most of the change between v1.2.0 and v1.3.0 was not reached: 10% of its statements ran; " +
				"1 finding is accepted\n"},
		{"much was lost", []spectra.Tier{"value"}, []int{1}, func(r *report.Report) { r.Replay.Incomplete = 1200 },
			"no deviations found between v1.2.0 and v1.3.0, but incomplete: 1,200 sequences that may run changed " +
				"code were not compared; 1 finding is accepted\n"},
	} {
		r := base()
		if c.change != nil {
			c.change(r)
		}
		for _, tier := range c.tiers {
			r.Add(report.Root{Function: "m." + string(tier), Change: spectra.ChangeModified, Tier: tier})
		}
		accept(t, finished(t, r), c.accept...)
		if got := string(print(t, r, text.Options{Width: 200})); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, strings.SplitN(got, "\n", 2)[0], c.want)
		}
	}
}

// TestRoot: a root alone is printed as in the report, also one that was accepted.
func TestRoot(t *testing.T) {
	r := deviating(t)
	whole := string(print(t, r, text.Options{Width: 80}))
	accept(t, r, 1)
	for rank := range len(r.Roots) {
		var out strings.Builder
		if err := text.Root(&out, r, rank+1, text.Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		one, _, _ := strings.Cut(out.String(), "shortest sequence")
		if !strings.Contains(whole, one) || len(one) < 100 {
			t.Errorf("root %d is not printed as in the report:\n%s", rank+1, one)
		}
	}
}
