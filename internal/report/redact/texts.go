package redact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// texts goes through the texts of a report that hold values.
type texts struct{ *pass }

// each returns a list whose elements were changed. The one that was handed over stays as it is.
func each[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// report returns a report with other texts.
func (t texts) report(of *report.Report) *report.Report {
	r := *of
	t.prose(&r.Settings.Exec)
	r.Roots = each(r.Roots, t.root)
	r.Deviations = each(r.Deviations, func(d *report.Deviation) {
		t.pair(d.Path, &d.Old, &d.New)
		t.one(&d.Path)
		t.sequence(&d.Sequence)
	})
	r.Contracts = each(r.Contracts, func(c *report.Contract) {
		t.prose(&c.Detail)
		t.sequence(&c.Sequence)
	})
	r.Warnings = each(r.Warnings, t.prose)
	r.Tests = t.tests(r.Tests)
	r.Commits = t.commits(r.Commits)
	r.Modules = each(r.Modules, func(m *report.Module) {
		t.prose(&m.Failed)
		m.Tests = t.tests(m.Tests)
	})
	return &r
}

func (t texts) commits(of *report.Commits) *report.Commits {
	if of == nil {
		return nil
	}
	commits := *of
	commits.List = each(commits.List, func(c *report.Commit) { t.prose(&c.Subject) })
	commits.Untestable = each(commits.Untestable, func(u *report.Untestable) { t.prose(&u.Reason) })
	commits.Unasked = each(commits.Unasked, func(u *report.Unasked) { t.prose(&u.Reason) })
	return &commits
}

func (t texts) tests(of *report.Tests) *report.Tests {
	if of == nil {
		return nil
	}
	tests := *of
	tests.LeftOut = each(tests.LeftOut, t.prose)
	tests.Early = each(tests.Early, func(e *report.Early) { t.prose(&e.Why) })
	return &tests
}

func (t texts) root(root *report.Root) {
	t.prose(&root.Summary)
	t.prose(&root.Why)
	t.prose(&root.NoReproducer)
	root.Diff = t.text(root.Diff, source, plain)
	root.Proof = t.proof(root.Proof)
	root.Places = each(root.Places, func(p *report.Place) { p.Proof = t.proof(p.Proof) })
	root.Values = each(root.Values, func(d *report.Difference) {
		t.pair(d.Path, &d.Old, &d.New)
		t.one(&d.Path)
	})
	root.Introduced = each(root.Introduced, func(in *report.Introduction) {
		t.pair(cmp.Or(in.Path, pathOf(root)), &in.Before, &in.After)
		t.one(&in.Path)
	})
	root.Tree = each(root.Tree, func(l *report.TreeLine) { t.prose(&l.Text) })
	root.Chain, root.Calls = t.chain(root.Chain), t.calls(root.Calls)
	root.Intended, _ = t.test(root.Intended)
	played := root.Sequence
	t.sequence(&root.Sequence)
	test, changed := t.test(root.Test)
	root.Test = test
	root.Redacted = root.Redacted || changed || root.Sequence != played
}

// pathOf returns the path of what a root shows first, which is what commits are told apart by.
func pathOf(root *report.Root) string {
	if len(root.Values) == 0 {
		return ""
	}
	return root.Values[0].Path
}

func (t texts) proof(of *report.Proof) *report.Proof {
	if of == nil {
		return nil
	}
	proof := *of
	t.prose(&proof.Reason)
	return &proof
}

func (t texts) chain(of *report.Chain) *report.Chain {
	if of == nil {
		return nil
	}
	chain := *of
	chain.Links = each(chain.Links, func(l *report.Link) {
		t.pair(l.Path, &l.Old, &l.New)
		t.one(&l.Path)
	})
	return &chain
}

func (t texts) calls(of *report.Calls) *report.Calls {
	if of == nil {
		return nil
	}
	calls := *of
	calls.Nodes = each(calls.Nodes, func(c *report.Call) { c.Entry, c.Exit = t.state(c.Entry), t.state(c.Exit) })
	return &calls
}

func (t texts) state(of *report.CallState) *report.CallState {
	if of == nil {
		return nil
	}
	state := *of
	for _, list := range []*[]report.CallValue{&state.Values, &state.Differ, &state.Shared} {
		*list = each(*list, func(v *report.CallValue) {
			t.pair(v.Path, &v.Old, &v.New)
			t.one(&v.Path)
		})
	}
	return &state
}

// test returns a test with other texts, and whether some are others.
func (t texts) test(of *report.Test) (*report.Test, bool) {
	if of == nil {
		return nil, false
	}
	test := *of
	test.Other = each(test.Other, func(l *report.Literal) {
		_, name, _ := strings.Cut(l.Place, " ")
		of := t.outside(name)
		l.Usual, l.Value = t.text(l.Usual, values, of), t.text(l.Value, values, of)
		l.Choice = t.text(l.Choice, source, of)
	})
	changed := !slices.Equal(test.Other, of.Other)
	if of.Command == nil {
		return &test, changed
	}
	command := *of.Command
	command.Args = t.args(command.Args)
	t.one(&command.Line)
	t.one(&command.Input)
	command.Files = each(command.Files, func(f *report.CommandFile) { t.one(&f.Content) })
	test.Command = &command
	return &test, changed || command.Line != of.Command.Line || command.Input != of.Command.Input ||
		!slices.Equal(command.Args, of.Command.Args) || !slices.Equal(command.Files, of.Command.Files)
}

// args replaces in a list of arguments what stands behind a flag, too.
func (t texts) args(list []string) []string {
	list = slices.Clone(list)
	for i, arg := range list {
		if i > 0 && strings.HasPrefix(list[i-1], "-") && !strings.HasPrefix(arg, "-") {
			if instead, replaced := t.named(arg, t.outside(list[i-1])); replaced {
				list[i] = instead
				continue
			}
		}
		t.one(&list[i])
	}
	return list
}

// pair replaces secrets in the two values at a path.
func (t texts) pair(path string, old, new *string) {
	how := values
	if isOutput(path) {
		how = data
	}
	of := t.path(path)
	*old, *new = t.text(*old, how, of), t.text(*new, how, of)
}

// isOutput reports whether a value is a text that a program wrote, as it is.
func isOutput(path string) bool {
	return path == "stdout" || path == "stderr" || strings.HasPrefix(path, "file ")
}

// one replaces secrets in what a program reads or writes, and in paths, whose keys may look like secrets.
func (t texts) one(text *string) { *text = t.text(*text, data, plain) }

func (t texts) sequence(text *string) { *text = t.text(*text, values, plain) }

// prose replaces secrets in a sentence. Of values behind the path of a secret it says no more than those.
func (t texts) prose(text *string) {
	of := plain
	for _, word := range strings.Fields(*text) {
		if strings.ContainsAny(word, ".[") && !strings.ContainsAny(word[:1], "\"&") && t.path(word) == secret {
			of = secret
		}
	}
	*text = t.text(*text, data, of)
}
