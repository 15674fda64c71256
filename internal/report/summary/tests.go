package summary

import (
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/report"
)

// Tests are what running the module's tests gave; those that were not reached are nil.
type Tests struct {
	Drivers   *drivers.Drivers
	Generated *search.Generated
	Played    *judge.Played
	Judged    *judge.Judged
	Warnings  []string // of proving
}

// reportTests says which tests were run.
func reportTests(r *report.Report, t Tests) {
	r.Warnings = append(r.Warnings, t.Drivers.Warnings...)
	r.Tests = &report.Tests{Found: len(t.Drivers.Tests()), LeftOut: t.Drivers.LeftOut}
	if g := t.Generated; g != nil {
		r.Warnings = append(r.Warnings, g.Warnings...)
		r.Tests.Reaching, r.Tests.Seconds = g.Reaching, report.Seconds(g.Elapsed)
		r.Tests.Variants = g.Stats.Sequences
	}
}

// shownBy returns the test that is the example of a finding, nil if it is none.
func (t Tests) shownBy(f *diff.Finding) *report.Test {
	c := f.Example.Case
	if t.Drivers == nil || c == nil || len(c.Sequence.Statements) == 0 {
		return nil
	}
	st := c.Sequence.Statements[0]
	tests := t.Drivers.Tests()
	i := slices.IndexFunc(tests, func(of suite.Test) bool { return of.Name == st.Op })
	if i < 0 {
		return nil
	}
	shown := &report.Test{Name: tests[i].Expr, Package: tests[i].Symbol.Package()}
	if len(st.Args) == 1 {
		for n := 0; n+1 < len(st.Args[0].Elems); n += 2 {
			if l, ok := literal(tests[i].Holes, st.Args[0].Elems[n], st.Args[0].Elems[n+1]); ok {
				shown.Other = append(shown.Other, l)
			}
		}
	}
	return shown
}

// literal returns a literal of a test that has another value, by the number of its hole.
func literal(holes []suite.Hole, number, v sequence.Value) (report.Literal, bool) {
	n, err := strconv.Atoi(number.Text)
	i := slices.IndexFunc(holes, func(h suite.Hole) bool { return h.Number == n })
	if err != nil || i < 0 {
		return report.Literal{}, false
	}
	return report.Literal{Place: holes[i].Place, Usual: printed(holes[i].Usual), Value: printed(v)}, true
}

func printed(v sequence.Value) string {
	if v.Kind == sequence.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// drivers says whether calls of the module or its tests showed a finding, or both.
func (found Results) drivers(f *diff.Finding) (list []string) {
	for _, of := range []struct {
		name   string
		judged *judge.Judged
	}{{"api", found.Judged}, {"tests", found.Tests.Judged}} {
		if of.judged != nil && slices.ContainsFunc(of.judged.Findings, func(by *diff.Finding) bool {
			return by.Blamed.Symbol == f.Blamed.Symbol || by.Cause.Symbol == f.Cause.Symbol
		}) {
			list = append(list, of.name)
		}
	}
	return list
}
