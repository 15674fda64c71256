// Package junit writes a report as JUnit XML, which build machines read.
//
// In: a finished report. Out: one suite with a case for each root, in the order of rank, and one for the comparison if
// no root speaks for it; with several modules, one for each that does not deviate. The same report leads to the same
// bytes. There is a failure if and only if deviations, or that the change was not reached, lead to exit status 1, and
// an error if and only if the run has status 2: a build is as red as the tool says. What was not reached and does not
// fail is skipped. Texts are printable, and cut where they are long.
package junit

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/finding"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

type (
	suites struct {
		XMLName xml.Name `xml:"testsuites"`
		counts
		Suites []suite
	}

	suite struct {
		XMLName xml.Name `xml:"testsuite"`
		Name    string   `xml:"name,attr"`
		counts
		Properties []property `xml:"properties>property"`
		Cases      []testcase
		Out        string `xml:"system-out,omitempty"`
	}

	counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}

	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}

	testcase struct {
		XMLName xml.Name `xml:"testcase"`
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		File    string   `xml:"file,attr,omitempty"`
		Line    int      `xml:"line,attr,omitempty"`
		Failure *outcome `xml:"failure"`
		Error   *outcome `xml:"error"`
		Skipped *outcome `xml:"skipped"`
		Out     string   `xml:"system-out,omitempty"`
	}

	outcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Body    string `xml:",chardata"`
	}
)

// A writer makes the cases of a report.
type writer struct {
	report  *report.Report
	phrases *text.Phrases
	named   map[string]int // how often a case has a name
}

// Write prints a report.
func Write(w io.Writer, r *report.Report) error {
	r = r.FromRepository()
	of := &writer{r, text.NewPhrases(r), map[string]int{}}
	out := bufio.NewWriter(w)
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	err := encoder.Encode(of.suites())
	if err == nil {
		out.WriteString("\n")
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

func (w *writer) suites() suites {
	one := suite{Name: finding.Tool, Properties: w.properties(), Out: w.warnings()}
	for i := range w.report.Roots {
		one.Cases = append(one.Cases, w.root(&w.report.Roots[i]))
	}
	if c := w.comparison(); c != nil {
		one.Cases = append(one.Cases, *c)
	}
	for i := range w.report.Modules {
		if m := &w.report.Modules[i]; m.Verdict != report.Deviates {
			one.Cases = append(one.Cases, w.module(m))
		}
	}
	for _, c := range one.Cases {
		one.count(c)
	}
	return suites{counts: one.counts, Suites: []suite{one}}
}

func (c *counts) count(of testcase) {
	c.Tests++
	switch {
	case of.Failure != nil:
		c.Failures++
	case of.Error != nil:
		c.Errors++
	case of.Skipped != nil:
		c.Skipped++
	}
}

func (w *writer) properties() (list []property) {
	r := w.report
	for _, of := range []property{
		{"version", r.Tool.Version}, {"module", r.Subject.Module},
		{"old revision", r.Old.Revision}, {"old commit", r.Old.Commit},
		{"new revision", r.New.Revision}, {"new commit", r.New.Commit}, {"verdict", string(r.Verdict)},
	} {
		if of.Value != "" {
			list = append(list, property{of.Name, w.phrases.Line(of.Value)})
		}
	}
	return list
}

func (w *writer) warnings() string {
	lines := make([]string, len(w.report.Warnings))
	for i, warning := range w.report.Warnings {
		lines[i] = w.phrases.Line(warning)
	}
	return strings.Join(lines, "\n")
}

func (w *writer) root(root *report.Root) testcase {
	symbol := spectra.Symbol(root.Function)
	c := w.testcase(symbol.Short(), symbol.Package())
	if file, line, _ := finding.Place(root.Position); !finding.Old(root.Position) {
		c.File, c.Line = w.phrases.Line(file), line
	}
	said, details := w.phrases.Summary(root), w.phrases.Details(root)
	if w.report.Fails(root) {
		c.Failure = &outcome{said, w.phrases.Line(string(root.Tier)), details}
	} else {
		c.Out = strings.TrimSpace(said + "\n" + details)
	}
	return c
}

// comparison returns the case of the comparison as a whole, or nil if the roots say all.
func (w *writer) comparison() *testcase {
	r, said, ended := w.report, w.phrases.Verdict(), w.phrases.Ended()
	if r.Verdict == report.Deviates && r.Exit != 2 {
		return nil
	}
	c := w.testcase("comparison", r.Subject.Module)
	kind := w.phrases.Line(string(r.Verdict))
	switch {
	case r.Exit == 2 && r.Verdict == report.Deviates:
		c.Error = &outcome{ended, "partial", said}
	case r.Exit == 2:
		c.Error = &outcome{said, kind, ended}
	case r.Exit == 1:
		c.Failure = &outcome{said, kind, ended}
	case r.Verdict == report.NotReached:
		c.Skipped = &outcome{Message: said, Body: ended}
	default:
		c.Out = strings.TrimSpace(said + "\n" + ended)
	}
	return &c
}

// module returns the case of a module that does not deviate. The case of the comparison says whether that is an error.
func (w *writer) module(m *report.Module) testcase {
	c := w.testcase("module "+m.Folder, w.report.Subject.Module)
	if m.Verdict != report.Same {
		c.Skipped = &outcome{Message: w.phrases.Module(m)}
	}
	return c
}

// testcase returns a case with a name that no other one has: build machines take equal ones for repetitions.
func (w *writer) testcase(name, class string) testcase {
	class = cmp.Or(class, w.report.Subject.Module, finding.Tool)
	c := testcase{Name: w.phrases.Line(name), Class: w.phrases.Line(class)}
	key := c.Class + "\x00" + c.Name
	if w.named[key]++; w.named[key] > 1 {
		c.Name += fmt.Sprintf(" #%d", w.named[key])
	}
	return c
}
