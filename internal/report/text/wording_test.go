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
