// Package explain lays out a finding so that somebody can step through it, and prints it so.
//
// In: a report, the rank of a finding, and what knows the lines of functions. Out: a Story: the sentence, where the
// cause lies, the changed lines, the call tree of both versions with its states, and the steps from the root to its
// effect; or, written as text, all of that in order.
//
// The same report and lines have the same Story and the same bytes. No text of a Story holds a line break or another
// control character, whatever the report holds. What the report does not hold is absent. The package reads no file,
// never starts anything, and decides nothing: order and ranks are those of the report.
package explain

import (
	"cmp"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Story is a finding as it is stepped through.
type Story struct {
	Rank, Of int
	Name     string // of the cause, without the path of the module
	Sentence string // what deviates
	Accepted string // why, by whom and when; "": nobody accepted it
	Facts    []Fact
	Change   []string // lines of hunks as git prints them, tabs as spaces
	Shown    []string // what shows it: statements, or a test or command
	Values   []Value  // what differs, where there are no Calls
	Steps    []Step
	Calls    []Call
	Left     int // executions that are not among Calls

	report *report.Report
	words  *text.Wording
}

// A Fact is one thing to know, with its name.
type Fact struct{ Name, Text string }

// A Step is a station on the way from the root to its effect.
type Step struct {
	Title    string
	Function string // as in the report; "": what the whole run shows
	Place    string // file and lines, if they are known
	At       *report.Position
	Value    *Value // what differs there; nil: the report does not say
	Call     int    // the execution among Calls; none: it is not among them
}

const none = -1

// New lays out the finding of a rank, which the report must have.
func New(r *report.Report, rank int) *Story {
	root := &r.Roots[rank-1]
	s := &Story{Rank: rank, Of: len(r.Roots), report: r, words: text.NewWording(r)}
	s.Name = s.words.Short(root.Function)
	s.Sentence = cmp.Or(s.words.Effect(root), s.Name+" deviates")
	s.Accepted = because(root.Accepted)
	s.facts(root)
	s.Change = lines(root.Diff)
	s.shown(root)
	s.calls(root.Calls)
	if len(s.Calls) == 0 {
		for _, v := range s.words.Differing(root) {
			s.Values = append(s.Values, *s.both(s.words.Label(root, v), v.Old, v.New))
		}
	}
	s.steps(root)
	return s
}

// because says why a finding was accepted, by whom and when.
func because(a *report.Acceptance) string {
	if a == nil {
		return ""
	}
	var by []string
	for _, part := range []string{a.Author, a.Date} {
		if part != "" {
			by = append(by, text.Clean(part))
		}
	}
	out := cmp.Or(text.Clean(a.Reason), "no reason is given")
	if len(by) > 0 {
		out += " (" + strings.Join(by, ", ") + ")"
	}
	return out
}

// facts says where the cause lies, of what kind it is, and what is known about it.
func (s *Story) facts(root *report.Root) {
	add := func(name, value string) {
		if value != "" {
			s.Facts = append(s.Facts, Fact{name, value})
		}
	}
	if s.Accepted != "" {
		add("accepted", s.Accepted)
	}
	add("where", text.Position(root.Position))
	kinds := []string{string(root.Change), string(root.Confidence), string(root.Tier), string(root.Reach)}
	if root.Sequences > 0 {
		kinds = append(kinds, "seen in "+text.Plural(root.Sequences, "sequence"))
	}
	add("kind", text.Clean(joined(kinds, ", ")))
	for i, reason := range s.words.Reasons(root) {
		name := "why"
		if i > 0 {
			name = ""
		}
		add(name, reason)
	}
	for i, line := range s.words.Since(root) {
		name := "since"
		if i > 0 {
			name = "then"
		}
		add(name, line)
	}
	for i, p := range root.Places {
		name := "also in"
		if i > 0 {
			name = ""
		}
		add(name, joined([]string{s.words.Short(p.Function), text.Position(p.Position)}, "  "))
	}
	add("fingerprint", text.Clean(root.Fingerprint))
	if name, value, found := strings.Cut(s.words.Reproducer(root), ": "); found {
		add(name, value)
	}
}

// joined puts texts together, empty ones left out.
func joined(parts []string, between string) string {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, between)
}

// shown says what shows the finding.
func (s *Story) shown(root *report.Root) {
	if s.Shown = s.words.Shown(root); s.Shown == nil {
		s.Shown = s.words.Calls(s.words.SequenceText(root))
	}
}

// lines returns the lines of a text, printable, with spaces for tabs.
func lines(of string) (list []string) {
	for line := range strings.Lines(of) {
		list = append(list, sourceLine(strings.TrimRight(line, "\r\n")))
	}
	return list
}

const tab = "    "

// line1 returns a line of source as it is printed.
func sourceLine(of string) string { return text.Clean(strings.ReplaceAll(of, "\t", tab)) }

// steps are the stations of the chain; a finding without one has a step, its root.
func (s *Story) steps(root *report.Root) {
	at := s.rootCall()
	links := text.Links(root.Chain)
	if len(links) == 0 {
		step := Step{Title: s.Name, Function: root.Function, At: root.Position, Call: at}
		if values := s.words.Differing(root); len(values) > 0 {
			v := values[0]
			step.Title = s.Name + " (" + s.words.Label(root, v) + ")"
			step.Value = s.both(v.Path, v.Old, v.New)
		}
		step.Place = text.Position(step.At)
		s.Steps = []Step{step}
	}
	for i, l := range links {
		at = s.callOf(l, at, i == 0)
		step := Step{
			Title: cmp.Or(s.words.Station(l), s.Name), Function: l.Function, At: l.Position,
			Place: text.Position(l.Position), Call: at,
		}
		if l.Old != l.New {
			step.Value = s.both(l.Path, l.Old, l.New)
		}
		s.Steps = append(s.Steps, step)
	}
	for i := range s.Steps {
		if at := s.Steps[i].Call; at != none && s.Calls[at].Step == 0 {
			s.Calls[at].Step = i + 1
		}
	}
	if c := root.Chain; c != nil && c.Swallowed != "" {
		by := "by " + s.words.Short(c.Swallowed) + ", which ends alike in both versions"
		s.Facts = append(s.Facts, Fact{"swallowed", by})
	}
}

// rootCall returns the execution in which the deviation begins.
func (s *Story) rootCall() int {
	for i := range s.Calls {
		if s.Calls[i].Root {
			return i
		}
	}
	return none
}

// callOf returns the execution of a link, as seen from the one before: itself, a caller, the next one, any that
// deviates.
func (s *Story) callOf(l report.Link, from int, first bool) int {
	is := func(i int) bool { return s.Calls[i].Function == l.Function && s.Calls[i].Deviates }
	if l.Function == "" {
		return none
	}
	if from != none && s.Calls[from].Function == l.Function && (first || l.Output) {
		return from
	}
	if from != none && !l.Called {
		for depth, i := s.Calls[from].Depth, from-1; i >= 0; i-- {
			if s.Calls[i].Depth < depth {
				if depth = s.Calls[i].Depth; is(i) {
					return i
				}
			}
		}
	}
	for i := from + 1; i < len(s.Calls); i++ {
		if is(i) {
			return i
		}
	}
	for i := range s.Calls {
		if is(i) {
			return i
		}
	}
	return none
}

// OldName returns what a function of new is called in old.
func (s *Story) OldName(function string) string {
	for _, c := range s.report.Structural {
		if c.Change == spectra.ChangeRenamed && strings.HasPrefix(c.Detail, "now "+function+",") {
			return c.Function
		}
	}
	return function
}
