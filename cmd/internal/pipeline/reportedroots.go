package pipeline

// This file makes the report's roots.

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
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

// root returns a root as the report shows it, and the deviations that it explains.
func (j *judged) root(e example) (report.Root, []report.Deviation) {
	found := e.found
	out := report.Root{
		Function: string(found.Function), Change: report.Change(found.Change),
		Confidence: report.Confidence(found.Confidence), Reach: report.Masked,
		Summary: e.root.Summary, Sequences: max(found.Sequences, suspectsOf(j.suspects, found.Function)),
		Sequence: e.sequence.String(), Basis: j.basis(found.Function), Position: position(e.root.Position),
	}
	if visible(found, j.verdicts) {
		out.Reach = report.Visible
	}
	if n := e.root.Example.Node; n != nil && n.Deviation != nil {
		for _, d := range differences(n.Deviation) {
			out.Values = append(out.Values, report.Difference{
				Function: string(n.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			})
		}
	}
	out.Summary += j.seenThrough(out.Values)
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
	return out, j.deviations(found)
}

// position returns a place as the report has it; nil if it is not known.
func position(at root.Position) *report.Position {
	if at.File == "" {
		return nil
	}
	return &report.Position{Side: report.Side(at.Side), File: at.File, Line: at.Line, EndLine: at.EndLine}
}

// suspectsOf counts the suspects that look as the confirmed ones of a root did.
func suspectsOf(suspects []suspect, function spectra.Symbol) int {
	n := 0
	for _, s := range suspects {
		if !s.noisy && slices.Contains(s.roots, string(function)) {
			n++
		}
	}
	return n
}

// visible reports whether an output shows a root: one of a step in which something deviates because of
// it, or one of the whole sequence.
func visible(found *root.Root, verdicts map[int]*verdict) bool {
	return slices.ContainsFunc(found.Deviations, func(ref root.Ref) bool {
		c := verdicts[ref.Sequence].comparison
		return shows(c, c.Deviations[ref.Deviation])
	})
}

// shows reports whether an output shows a deviation.
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
func (j *judged) deviations(found *root.Root) []report.Deviation {
	var list []report.Deviation
	type sort struct {
		function spectra.Symbol
		kind     diff.Kind
		state    noise.State
	}
	seen := map[sort]bool{}
	for _, ref := range found.Deviations {
		v := j.verdicts[ref.Sequence]
		d := v.comparison.Deviations[ref.Deviation]
		sort := sort{d.Function, d.Kind, d.State}
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
			Sequence: j.kept[ref.Sequence].sequence.String(), Reach: reach,
		})
	}
	return list
}

// basis identifies the edit of a function: its bodies in both versions.
func (b *built) basis(function spectra.Symbol) string {
	var parts []string
	for _, p := range b.versions.New.points() {
		if p.Symbol == function {
			parts = append(parts, p.Body)
		}
	}
	for _, p := range b.versions.Old.points() {
		if p.Symbol == b.oldName(function) {
			parts = append(parts, p.Body)
		}
	}
	return strings.Join(parts, " ")
}

// initialRoot returns the root of a package variable that differs before any call.
func (b *built) initialRoot(v differing) (report.Root, report.Deviation) {
	name := b.newName(v.name)
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
	i := slices.IndexFunc(b.changes.Declarations, func(c version.Change) bool { return string(c.Symbol) == name })
	if i >= 0 {
		out.Position = position(changedDeclaration(b.changes.Declarations[i]).Position)
	}
	return out, d
}
