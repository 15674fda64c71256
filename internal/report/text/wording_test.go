package text

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// TestCommand: a command that is copied into a shell runs nothing else.
func TestCommand(t *testing.T) {
	for _, c := range []struct{ reason, revision, want string }{
		{"a tag", "v1.2.0", "spectradiff compare v1.2.0 HEAD~3"},
		{"a remote branch", "origin/main", "spectradiff compare origin/main HEAD~3"},
		{"a commit before another", "HEAD^2", "spectradiff compare HEAD^2 HEAD~3"},
		{"a branch that git allows", "$(id)", "spectradiff compare '$(id)' HEAD~3"},
		{"one with a quote", "a';id", `spectradiff compare 'a'\'';id' HEAD~3`},
		{"a home folder", "~root", "spectradiff compare '~root' HEAD~3"},
		{"no name", "", "spectradiff compare '' HEAD~3"},
	} {
		r := &report.Report{Old: report.Revision{Revision: c.revision}, New: report.Revision{Revision: "HEAD~3"}}
		r.Settings.Seed = 1
		if got := NewWording(r).Command(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestCommandSettings: the command is the one that made the report.
func TestCommandSettings(t *testing.T) {
	r := &report.Report{Old: report.Revision{Revision: "a"}, New: report.Revision{Revision: "b"}}
	r.Settings = report.Settings{
		Seed: 1, Drive: []string{"api", "tests"}, BudgetSeconds: 90, Redundancy: "whole-state",
	}
	want := "spectradiff compare --drive api,tests --budget 90s --redundancy whole-state a b"
	if got := NewWording(r).Command(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Settings = report.Settings{Seed: 1, Drive: []string{"api", "tests", "command"}}
	r.Settings.BudgetSeconds, r.Settings.BudgetAuto = 60, true
	if got := NewWording(r).Command(); got != "spectradiff compare a b" {
		t.Errorf("got %q for the usual settings", got)
	}
}

// TestCommandPackages: packages that were named come last, and the heading names the folder of the module.
func TestCommandPackages(t *testing.T) {
	r := &report.Report{Old: report.Revision{Revision: "a"}, New: report.Revision{Commit: report.Worktree}}
	r.Settings = report.Settings{Seed: 1, Packages: []string{"./parse/...", "$(id)"}}
	if got, want := NewWording(r).Command(), "spectradiff compare a ./parse/... '$(id)'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Subject.Folder, r.Verdict, r.Subject.Unchanged = "lib", report.Same, "the two versions have the same files"
	var out strings.Builder
	if err := Write(&out, r, Options{}); err != nil || !strings.Contains(out.String(), "\ngo on, in lib\n") {
		t.Errorf("error %v, text:\n%s", err, &out)
	}
}

// TestNotRun: where nothing was run, the first line says why.
func TestNotRun(t *testing.T) {
	for _, c := range []struct {
		subject  report.Subject
		warnings []string
		want     string
	}{
		{report.Subject{OnlyAdds: true}, nil, "nothing was run, the change only adds code that nothing of old uses"},
		{report.Subject{Unchanged: "the two versions have the same files"}, []string{"w"},
			"nothing was run, the two versions have the same files"},
		{report.Subject{}, []string{"w"}, "nothing was run, the warnings say why"},
		{report.Subject{}, nil, "nothing that changed can be run"},
	} {
		r := &report.Report{Old: report.Revision{Revision: "a"}, New: report.Revision{Revision: "b"}}
		r.Subject, r.Warnings, r.Verdict = c.subject, c.warnings, report.Same
		if got, want := NewWording(r).Verdict(), "no deviations between a and b: "+c.want; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestFurther: what is proposed helps against what kept the run from telling more.
func TestFurther(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		reason string
		change func(*report.Report)
		want   string // the flag; "": nothing is proposed
	}{
		{"a module that does not compile", func(r *report.Report) { r.Verdict = report.Incomplete }, ""},
		{"what was lost", func(r *report.Report) {
			r.Verdict, r.Replay.Incomplete = report.Incomplete, 9
		}, "--budget 120s"},
		{"an interrupted run", func(r *report.Report) {
			r.Verdict, r.Partial = report.Incomplete, &report.Partial{Reason: report.Interrupted}
		}, "a b"},
		{"a run that had no time", func(r *report.Report) {
			r.Verdict, r.Partial = report.Incomplete, &report.Partial{Reason: report.TimedOut}
		}, "--timeout 0"},
		{"a change that ran in part", func(r *report.Report) { r.Generation.ChangedStatementCoverage = &half },
			"--budget 120s"},
		{"a run by number", func(r *report.Report) {
			r.Generation.ChangedStatementCoverage, r.Settings.Sequences = &half, 100
		}, "--sequences 400"},
		{"equal versions", func(r *report.Report) { r.Replay.Sequences, r.Subject.Unchanged = 0, "same" }, "--all"},
		{"all of it ran", func(*report.Report) {}, ""},
	} {
		r := &report.Report{Old: report.Revision{Revision: "a"}, New: report.Revision{Revision: "b"}}
		r.Settings, r.Replay.Sequences = report.Settings{Seed: 1, BudgetSeconds: 30, BudgetAuto: true}, 10
		c.change(r)
		got := newPrinter(r, Options{}).further()
		if c.want == "" && len(got) > 0 ||
			c.want != "" && (len(got) != 1 || strings.Count(got[0][0], "--sequences") > 1 ||
				!strings.Contains(got[0][0], c.want)) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestLinesAreWhole: a line break in a name begins no line.
func TestLinesAreWhole(t *testing.T) {
	const name = "m.F\nm.G"
	r := &report.Report{Modules: []report.Module{{Folder: name}}, Structural: []report.Structural{{Function: name}}}
	r.Subject.Unreached = []string{name}
	w := NewWording(r)
	if got := w.Unreached(); len(got) != 2 || got[1] != `  m.F\nm.G` {
		t.Errorf("not reached: %q", got)
	}
	if got := w.Modules(); len(got) != 1 || got[0][0] != `m.F\nm.G` {
		t.Errorf("a module of which nothing is known: %q", got)
	}
	var out strings.Builder
	if err := Write(&out, r, Options{}); err != nil || strings.Contains(out.String(), "\nm.G") {
		t.Errorf("error %v, text:\n%s", err, &out)
	}
}
