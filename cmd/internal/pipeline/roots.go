package pipeline

// This file finds the roots of the confirmed deviations and puts them into the report.

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Limits of what a report lists of one root.
const (
	listedDeviations = 20
	listedValues     = 12
	treeLines        = 40
)

func (r *run) roots(ctx context.Context) error {
	verdicts := map[int]*verdict{}
	var cases []root.Case
	for i := range r.verdicts {
		if v := &r.verdicts[i]; v.confirmed() {
			verdicts[v.suspect.index] = v
			cases = append(cases, root.Case{Sequence: v.suspect.index, Comparison: v.comparison})
		}
	}
	all := root.Find(cases, r.causes)
	examples := make([]example, len(all))
	err := r.each(ctx, len(all), "", func(ctx context.Context, worker, i int) (err error) {
		visible := reach(all[i], verdicts) == report.Visible
		examples[i], err = r.example(ctx, worker, all[i], visible, verdicts[all[i].Example.Sequence])
		return err
	})
	if err != nil {
		return err
	}
	for i, found := range all {
		r.add(found, examples[i], verdicts)
	}
	r.addInitial()
	return nil
}

// rootChanges tells package root what changed.
func (r *run) rootChanges() root.Changes {
	var changes root.Changes
	names := map[spectra.Symbol]bool{}
	for _, c := range r.changes.Declarations {
		if c.Test || c.Other || c.Vendor {
			continue
		}
		switch c.Kind {
		case version.Function:
			if f, ok := r.withoutRename(r.changedFunction(c), c); ok {
				changes.Functions = append(changes.Functions, f)
			}
		case version.Variable, version.Constant, version.Type:
			if r.onlyRenamed(c) {
				continue
			}
			names[c.Symbol] = true
			changes.Declarations = append(changes.Declarations, changedDeclaration(c))
		}
	}
	newUsers, oldUsers := target.Users(r.new.target, names), target.Users(r.old.target, r.oldNames(names))
	for i := range changes.Declarations {
		d := &changes.Declarations[i]
		d.Users = newUsers[d.Name]
		for _, user := range oldUsers[r.oldName(d.Name)] {
			d.Users = append(d.Users, spectra.Symbol(r.newName(string(user))))
		}
	}
	var paths []string
	for _, m := range r.changes.Modules {
		paths = append(paths, m.Path)
	}
	callers := target.Callers(r.new.target, paths)
	for _, m := range r.changes.Modules {
		changes.Modules = append(changes.Modules, root.Module{Path: m.Path, Old: m.Old, New: m.New, Users: callers[m.Path]})
	}
	return changes
}

func (r *run) oldNames(names map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	old := map[spectra.Symbol]bool{}
	for name := range names {
		old[r.oldName(name)] = true
	}
	return old
}

// changedFunction gives a changed function with the changed lines inside it.
func (r *run) changedFunction(c version.Change) root.Function {
	f := root.Function{
		Symbol: c.Symbol, Change: root.Change(c.What),
		Old: root.Lines(c.Old), New: root.Lines(c.New),
	}
	file := cmp.Or(c.New.File, c.Old.File)
	for _, h := range r.changes.Hunks(file) {
		inNew := c.New.Line > 0 && overlaps(h.New, c.New)
		inOld := c.Old.Line > 0 && c.Old.File == file && overlaps(h.Old, c.Old)
		if inNew || inOld {
			f.Hunks = append(f.Hunks, root.Hunk{Old: lines(h.Old, c.Old.File), New: lines(h.New, c.New.File)})
		}
	}
	return f
}

func overlaps(l version.Lines, s version.Span) bool {
	return l.Start <= s.EndLine && l.Start+max(l.Count, 1)-1 >= s.Line
}

func lines(l version.Lines, file string) root.Lines {
	if l.Count == 0 {
		return root.Lines{}
	}
	return root.Lines{File: file, Line: l.Start, EndLine: l.Start + l.Count - 1}
}

func changedDeclaration(c version.Change) root.Declaration {
	d := root.Declaration{Name: c.Symbol, Change: root.ChangeVariable}
	if c.Kind == version.Type {
		d.Change = root.ChangeType
	}
	d.Position = root.Position{Side: "new", File: c.New.File, Line: c.New.Line, EndLine: c.New.EndLine}
	if c.What == version.Removed {
		d.Position = root.Position{Side: "old", File: c.Old.File, Line: c.Old.Line, EndLine: c.Old.EndLine}
	}
	return d
}

// add puts a root with its deviations into the report.
func (r *run) add(found *root.Root, e example, verdicts map[int]*verdict) {
	out := report.Root{
		Function: string(found.Function), Change: report.Change(found.Change),
		Confidence: report.Confidence(found.Confidence), Reach: reach(found, verdicts),
		Summary: e.root.Summary, Sequences: max(found.Sequences, r.suspectsOf(found.Function)),
		Sequence: e.sequence.String(), Basis: r.basis(found.Function),
	}
	if at := e.root.Position; at.File != "" {
		out.Position = &report.Position{Side: report.Side(at.Side), File: at.File, Line: at.Line, EndLine: at.EndLine}
	}
	if n := e.root.Example.Node; n != nil && n.Deviation != nil {
		for _, d := range differences(n.Deviation) {
			out.Values = append(out.Values, report.Difference{Function: string(n.Function), Path: string(d.Path), Old: d.Old, New: d.New})
		}
	}
	out.Summary += r.seenThrough(out.Values)
	outputs := e.outputs()
	for _, o := range outputs[:min(len(outputs), listedValues)] {
		out.Values = append(out.Values, report.Difference{Path: o.Path, Old: o.Old, New: o.New, Output: true})
	}
	for _, l := range e.comparison.Lines(func(n *diff.Node) bool { return n == e.root.Example.Node }, treeLines) {
		text := l.Text
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		out.Tree = append(out.Tree, report.TreeLine{Depth: l.Depth, Text: text, Mark: string(l.Mark), Root: l.Root})
	}
	r.report.Add(out, r.deviations(found, verdicts)...)
}

// suspectsOf counts the suspects that look as the confirmed ones of a root did.
func (r *run) suspectsOf(function spectra.Symbol) int {
	n := 0
	for _, s := range r.suspects {
		if !s.noisy && slices.Contains(s.roots, string(function)) {
			n++
		}
	}
	return n
}

// reach says whether an output shows a root: one of a step in which something deviates because of
// it, or one of the whole sequence.
func reach(found *root.Root, verdicts map[int]*verdict) report.Reach {
	for _, ref := range found.Deviations {
		c := verdicts[ref.Sequence].comparison
		if shows(c, c.Deviations[ref.Deviation]) {
			return report.Visible
		}
	}
	return report.Masked
}

// shows says whether an output shows a deviation.
func shows(c *diff.Comparison, d *diff.Deviation) bool {
	step := -1
	for n := d.Node; n != nil && n.Parent != nil; n = n.Parent {
		step = n.Step
	}
	return slices.ContainsFunc(c.Outputs, func(o diff.OutputDifference) bool { return o.Step < 0 || o.Step == step })
}

// differences lists what a root shows of its own deviation: of a panic only that.
func differences(d *diff.Deviation) []diff.Difference {
	list := d.Differences
	if d.Kind == diff.KindPanic {
		list = slices.DeleteFunc(slices.Clone(list), func(d diff.Difference) bool { return !strings.HasPrefix(string(d.Path), "panic") })
	}
	return list[:min(len(list), listedValues)]
}

// deviations lists one deviation of each sort that a root explains.
func (r *run) deviations(found *root.Root, verdicts map[int]*verdict) []report.Deviation {
	var list []report.Deviation
	seen := map[string]bool{}
	for _, ref := range found.Deviations {
		v := verdicts[ref.Sequence]
		d := v.comparison.Deviations[ref.Deviation]
		sort := fmt.Sprint(d.Function, d.Kind, d.State)
		if seen[sort] || len(list) == listedDeviations {
			continue
		}
		seen[sort] = true
		reach := report.Masked
		if shows(v.comparison, d) {
			reach = report.Visible
		}
		list = append(list, report.Deviation{
			Kind: report.Kind(d.Kind), Function: string(d.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			Sequence: r.kept[ref.Sequence].sequence.String(), Reach: reach,
		})
	}
	return list
}

// basis identifies the edit of a function: its bodies in both versions.
func (r *run) basis(function spectra.Symbol) string {
	var parts []string
	for _, p := range r.new.points() {
		if p.Symbol == function {
			parts = append(parts, p.Body)
		}
	}
	for _, p := range r.old.points() {
		if p.Symbol == r.oldName(function) {
			parts = append(parts, p.Body)
		}
	}
	return strings.Join(parts, " ")
}

// addInitial reports the package variables that differ before any call.
func (r *run) addInitial() {
	for _, v := range r.initial {
		name := r.newName(v.name)
		d := report.Deviation{Kind: report.Container, Function: name, Path: name, Reach: report.Masked}
		if differences := diff.States(v.old, v.new); len(differences) > 0 {
			d.Path, d.Old, d.New = string(differences[0].Path), differences[0].Old, differences[0].New
		}
		if token.IsExported(spectra.Symbol(name).Short()) {
			d.Reach = report.Visible
		}
		out := report.Root{
			Function: name, Change: report.Variable, Confidence: report.Likely, Reach: d.Reach,
			Summary: fmt.Sprintf("%s has another value after initialisation", spectra.Symbol(name).Short()),
			Values:  []report.Difference{{Function: name, Path: d.Path, Old: d.Old, New: d.New}},
		}
		i := slices.IndexFunc(r.changes.Declarations, func(c version.Change) bool { return string(c.Symbol) == name })
		if i >= 0 {
			at := changedDeclaration(r.changes.Declarations[i]).Position
			out.Position = &report.Position{Side: report.Side(at.Side), File: at.File, Line: at.Line, EndLine: at.EndLine}
		}
		r.report.Add(out, d)
	}
}
