package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/report"
)

// Tests are what running the module's tests gave; Drivers is nil if that was not done.
type Tests struct {
	Drivers *drivers.Drivers
	Runs    []Run
}

// A Run is what running some of the tests, or making calls, gave; what was not reached is nil.
type Run struct {
	Generated *search.Generated
	Played    *judge.Played
	Judged    *judge.Judged
	Warnings  []string // of proving
}

// reportTests says which tests were run: those of a shard.
func reportTests(r *report.Report, t Tests, of shard.Shard) {
	r.Warnings = append(r.Warnings, t.Drivers.Warnings...)
	r.Tests = &report.Tests{Found: len(search.Own(of, t.Drivers.Tests())), LeftOut: t.Drivers.LeftOut}
	for _, of := range t.Runs {
		g := of.Generated
		r.Warnings = append(append(r.Warnings, g.Warnings...), of.Warnings...)
		r.Tests.NotRun += g.NotRun
		r.Tests.Reaching += g.Reaching
		r.Tests.Variants += g.Stats.Sequences
		took(&r.Tests.Seconds, g)
		for _, e := range g.Early {
			before := func(o report.Early) bool { return o.Test == e.Test } // run by other players
			r.Tests.Early = append(slices.DeleteFunc(r.Tests.Early, before),
				report.Early{Test: e.Test, Why: earlyWords(e.Why), Lost: e.Lost})
		}
	}
}

// earlyWords says why a test ends early, with a panic in the words in which Go prints it.
func earlyWords(why string) string {
	if value, panics := strings.CutPrefix(why, "panics: "); panics {
		return "panics: " + panicWords(value)
	}
	return why
}

// took adds the time of a search.
func took(seconds *float64, g *search.Generated) {
	*seconds = report.Seconds(time.Duration(*seconds*float64(time.Second)) + g.Elapsed)
}

// reportNewTests says which tests were run that old does not have so.
func reportNewTests(r *report.Report, t Tests, of shard.Shard) {
	if r.Tests == nil {
		r.Tests = &report.Tests{}
	}
	r.Tests.New = len(search.Own(of, t.Drivers.Tests()))
	for _, of := range t.Runs {
		r.Tests.NotRun += of.Generated.NotRun
		took(&r.Tests.Seconds, of.Generated)
	}
}

// shownBy returns the test that a case runs, nil if it is none.
func (found Results) shownBy(c *diff.Case) *report.Test {
	t := found.Tests
	switch {
	case c != nil && c.NewTest:
		t = found.NewTests
	case c != nil && c.Command:
		t = found.Commands
	}
	if t.Drivers == nil || c == nil || len(c.Sequence.Statements) == 0 {
		return nil
	}
	st := c.Sequence.Statements[0]
	tests := t.Drivers.Tests()
	i := slices.IndexFunc(tests, func(of suite.Test) bool { return of.Name == st.Op })
	if i < 0 {
		return nil
	}
	shown := &report.Test{Name: tests[i].Expr, Package: tests[i].Tests()}
	if c.Command {
		shown.Name = command.Name(shown.Package)
		shown.Command = commandLine(shown.Name, command.Given(st))
		return shown
	}
	if part := suite.Part(st); part != "" {
		shown.Name += "/" + part
	}
	if holes := t.holes(&tests[i], st); len(st.Args) == 1 {
		for n := 0; n+1 < len(st.Args[0].Elems); n += 2 {
			if l, ok := literal(holes, st.Args[0].Elems[n], st.Args[0].Elems[n+1]); ok {
				shown.Other = append(shown.Other, l)
			}
		}
	}
	return shown
}

// reportUnjudged adds the tests that seem to differ and could not be judged in time, each once. Those of new are meant
// to differ, unless somebody asked for them.
func (found Results) reportUnjudged(to *report.Tests, j *judge.Judged) {
	if to == nil || !j.Tests || j.NewTests && !j.Asked {
		return
	}
	for _, s := range j.Suspects {
		v := j.Verdicts[s.Index]
		if v == nil || !v.Unjudged() {
			continue
		}
		test := found.shownBy(&diff.Case{Sequence: j.Sequences[s.Index].Sequence, NewTest: j.NewTests})
		if test == nil {
			continue
		}
		if name := test.Package + "." + test.Name; !slices.Contains(to.Unjudged, name) {
			to.Unjudged = append(to.Unjudged, name)
		}
	}
}

// unjudgedWarning names tests that could not be judged in time, and says what gives them more.
func unjudgedWarning(tests []string) string {
	n, text := len(tests), "1 test seems to differ"
	if n > 1 {
		text = fmt.Sprintf("%d tests seem to differ", n)
	}
	const most = 3
	text += ", and there was no time to tell this from noise: " + strings.Join(tests[:min(n, most)], ", ")
	if n > most {
		text += fmt.Sprintf(" and %d more", n-most)
	}
	return text + "; --timeout 10m leaves more, or --run with one of them"
}

// holes returns the holes of a test, with those for what comes from outside if it was varied.
func (t Tests) holes(of *suite.Test, call sequence.Statement) []*suite.Hole {
	for _, run := range t.Runs {
		for _, v := range run.Generated.Varied {
			if v.Name == of.Name && v.Sub == suite.Part(call) {
				return v.Holes
			}
		}
	}
	return of.Holes
}

// Paths of what a test shows: its result, and what it prints where it fails, of which the values below say more.
const (
	passed = "passed"
	prints = "prints"
	status = "exit status" // of a command
)

// shownEffect returns the effect that the example of a finding shows. The result of a test is that of no function of
// the module.
func shownEffect(f *diff.Finding) diff.Effect {
	e := f.Example.Effect
	c := f.Example.Case
	if c == nil || !c.Test || !e.Output {
		return e
	}
	switch {
	case e.Path == "ret0" && c.Command:
		e.Function, e.Path, e.Old, e.New = c.Driven[0], status, statusOf(e.Old), statusOf(e.New)
		return e
	case c.Command:
		return e
	}
	switch e.Path {
	case "ret0":
		e.Function, e.Path = c.Driven[0], passed
	case "stdout":
		e.Function, e.Path = c.Driven[0], prints
	}
	return e
}

// outputPath returns how the report calls an output of the example of a finding.
func outputPath(f *diff.Finding, path string) string {
	if c := f.Example.Case; c != nil && path == "ret0" {
		switch {
		case c.Command:
			return status
		case c.Test:
			return passed
		}
	}
	return path
}

// literal returns a literal of a test that has another value, by the number of its hole.
func literal(holes []*suite.Hole, number, v sequence.Value) (report.Literal, bool) {
	n, err := strconv.Atoi(number.Text)
	i := slices.IndexFunc(holes, func(h *suite.Hole) bool { return h.Number == n })
	if err != nil || i < 0 {
		return report.Literal{}, false
	}
	if holes[i].Choice != "" {
		return report.Literal{Place: holes[i].Place, Choice: holes[i].Choice}, true
	}
	usual, other := excerpts(holes[i].Usual, v)
	return report.Literal{Place: holes[i].Place, Usual: printed(usual), Value: printed(other)}, true
}

// Of texts that are longer than mostShown bytes, a report has the parts that differ, with so many bytes around them.
const (
	mostShown = 200
	around    = 20
)

// excerpts returns the parts of two texts that differ if the texts are long, with the dots of what is left out.
func excerpts(x, y sequence.Value) (of, other sequence.Value) {
	if x.Kind != sequence.String || y.Kind != sequence.String || max(len(x.Text), len(y.Text)) <= mostShown {
		return x, y
	}
	start, end := 0, 0
	least := min(len(x.Text), len(y.Text))
	for start < least && x.Text[start] == y.Text[start] {
		start++
	}
	for end < least-start && x.Text[len(x.Text)-1-end] == y.Text[len(y.Text)-1-end] {
		end++
	}
	start, end = max(0, start-around), max(0, end-around)
	for _, v := range []*sequence.Value{&x, &y} {
		part := v.Text[start : len(v.Text)-end]
		if len(part) > mostShown {
			part = part[:mostShown/2] + "…" + part[len(part)-mostShown/2:]
		}
		if start > 0 {
			part = "…" + part
		}
		if end > 0 {
			part += "…"
		}
		v.Text = part
	}
	return x, y
}

func printed(v sequence.Value) string {
	if v.Kind == sequence.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// drivers says whether calls of the module or its tests showed a finding, or both.
func (found Results) drivers(f *diff.Finding) (list []string) {
	for _, of := range found.Runs() {
		name := "api"
		switch {
		case of.Judged != nil && of.Judged.Commands:
			name = "command"
		case of.Judged != nil && of.Judged.Tests:
			name = "tests"
		}
		if of.Judged != nil && !slices.Contains(list, name) &&
			slices.ContainsFunc(of.Judged.Findings, func(by *diff.Finding) bool {
				return by.Blamed.Symbol == f.Blamed.Symbol || by.Cause.Symbol == f.Cause.Symbol
			}) {
			list = append(list, name)
		}
	}
	return list
}

// Runs returns what calls of the module gave, and what its tests did.
func (found Results) Runs() []Run {
	return slices.Concat([]Run{found.Calls}, found.Tests.Runs, []Run{found.Handed}, found.Commands.Runs,
		found.NewTests.Runs)
}
