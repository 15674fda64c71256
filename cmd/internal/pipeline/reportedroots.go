package pipeline

// This file makes the report's roots.

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/decision"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/cmd/internal/proof"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/diff/source"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Limits of what a report lists of one root.
const (
	listedDeviations = 20
	listedValues     = 12
	treeLines        = 40
)

// findings returns the roots of what was judged and of what differs before any call, the worst first. A package
// variable is one root, wherever it shows, and one decision is one finding.
func (b *built) findings(j *tried) []decision.Finding {
	var list []decision.Finding
	for i, e := range j.Roots {
		if j.proofs == nil {
			list = append(list, b.root(j.Judged, e))
			continue
		}
		f := b.root(j.Judged, j.proofs[i].Cause(e, j.Causes))
		reportProof(&f.Root, j.proofs[i])
		list = decision.Join(list, f)
	}
	for _, v := range b.initial.differing {
		initial := b.initialRoot(v)
		i := slices.IndexFunc(list, func(f decision.Finding) bool {
			return f.Root.Function == initial.Root.Function && f.Root.Change == initial.Root.Change
		})
		if i < 0 {
			list = append(list, initial)
			continue
		}
		one := &list[i]
		one.Deviations = append(one.Deviations, initial.Deviations...)
		one.Root.Values = append(one.Root.Values, initial.Own)
		one.Own = initial.Own
		if report.CompareHarm(initial.Root, one.Root) < 0 {
			one.Root.Tier, one.Root.Reach = initial.Root.Tier, initial.Root.Reach
		}
		one.Root.Position = cmp.Or(one.Root.Position, initial.Root.Position)
	}
	slices.SortStableFunc(list, decision.Compare)
	return decision.Fold(list)
}

// root returns a root as the report shows it, and the deviations that it explains.
func (b *built) root(j *judge.Judged, e judge.Example) decision.Finding {
	found := e.Found
	out := report.Root{
		Tree:     treeOf(e),
		Function: string(e.Root.Function), Change: report.Change(e.Root.Change),
		Confidence: report.Confidence(found.Confidence), Reach: visibility(found.Effect),
		Tier:    report.Tier(found.Effect.Tier),
		Summary: e.Root.Summary, Sequences: max(found.Sequences, suspectsOf(j.Suspects, found.Function)),
		Sequence: e.Sequence.String(), Basis: b.basis(e.Root.Function), Position: position(e.Root.Position),
	}
	outputs := e.Outputs()
	if whole := found.Effect.Output && found.Effect.Function == ""; !whole {
		outputs = slices.DeleteFunc(outputs, func(o diff.OutputDifference) bool { return o.Step < 0 })
	}
	for _, o := range outputs[:min(len(outputs), listedValues)] {
		out.Values = append(out.Values, report.Difference{Path: o.Path, Old: o.Old, New: o.New, Output: true})
	}
	var own []report.Difference
	if n := e.Root.Example.Node; n != nil && n.Deviation != nil {
		for _, d := range differences(n.Deviation) {
			own = append(own, report.Difference{
				Function: string(n.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			})
		}
	}
	out.Summary += b.seenThrough(own)
	out.Values = append(out.Values, own...)
	f := decision.Finding{Root: out, Deviations: deviationsOf(j, found), Reverse: found.Effect.Reverse}
	if len(own) > 0 {
		f.Own = own[0]
	}
	return f
}

// reportProof says what the trials of a root showed.
func reportProof(r *report.Root, p proof.Proof) {
	if r.Tier == report.TierCalls {
		return // of these there is nothing to prove
	}
	with := p.With
	if len(p.Instead) > 1 {
		with = p.Instead[1:]
	}
	r.Proof = &report.Proof{Sufficient: p.Sufficient, Necessary: p.Necessary, Trials: p.Trials, Reason: p.Reason}
	for _, other := range with {
		r.Proof.With = append(r.Proof.With, string(other))
	}
	if p.Confirmed() {
		r.Confidence = report.Confirmed
	}
}

// treeOf returns the lines of the example's tree.
func treeOf(e judge.Example) (list []report.TreeLine) {
	for _, l := range e.Comparison.Lines(func(n *diff.Node) bool { return n == e.Root.Example.Node }, treeLines) {
		text := l.Text
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		list = append(list, report.TreeLine{Depth: l.Depth, Text: text, Mark: string(l.Mark), Root: l.Root})
	}
	return list
}

// visibility says whether a caller sees an effect.
func visibility(e diff.Effect) report.Reach {
	if e.Visible {
		return report.Visible
	}
	return report.Masked
}

// position returns a place as the report has it; nil if it is not known.
func position(at root.Position) *report.Position {
	if at.File == "" {
		return nil
	}
	return &report.Position{Side: report.Side(at.Side), File: at.File, Line: at.Line, EndLine: at.EndLine}
}

// suspectsOf counts the suspects that look as the confirmed ones of a root did.
func suspectsOf(suspects []choice.Suspect, function spectra.Symbol) int {
	n := 0
	for _, s := range suspects {
		if !s.Noisy && slices.Contains(s.Roots, string(function)) {
			n++
		}
	}
	return n
}

// differences lists what a root shows of its own deviation: of a panic only that.
func differences(d *diff.Deviation) []diff.Difference {
	list := d.Differences
	if d.Kind == diff.KindPanic {
		list = slices.DeleteFunc(slices.Clone(list), func(d diff.Difference) bool {
			return !strings.HasPrefix(string(d.Path), "panic")
		})
	}
	return list[:min(len(list), listedValues)]
}

// deviationsOf lists one deviation of each sort that a root explains.
func deviationsOf(j *judge.Judged, found *root.Root) []report.Deviation {
	var list []report.Deviation
	type sort struct {
		function spectra.Symbol
		kind     diff.Kind
		state    noise.State
	}
	seen := map[sort]bool{}
	for _, ref := range found.Deviations {
		v := j.Verdicts[ref.Sequence]
		d := v.Comparison.Deviations[ref.Deviation]
		sort := sort{d.Function, d.Kind, d.State}
		if seen[sort] || len(list) == listedDeviations {
			continue
		}
		seen[sort] = true
		effect := v.Comparison.Effect(d)
		list = append(list, report.Deviation{
			Kind: report.Kind(d.Kind), Function: string(d.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			Sequence: j.Sequences[ref.Sequence].String(), Reach: visibility(effect), Tier: report.Tier(effect.Tier),
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
func (b *built) initialRoot(v differing) decision.Finding {
	name := b.newName(v.name)
	d := report.Deviation{
		Kind: report.Container, Function: name, Path: name, Reach: report.Masked, Tier: report.TierLatent,
	}
	if differences := diff.States(v.old, v.new); len(differences) > 0 {
		d.Path, d.Old, d.New = string(differences[0].Path), differences[0].Old, differences[0].New
	}
	if token.IsExported(spectra.Symbol(name).Short()) {
		d.Reach, d.Tier = report.Visible, report.TierValue
	}
	own := report.Difference{Function: name, Path: d.Path, Old: d.Old, New: d.New}
	out := report.Root{
		Function: name, Change: report.Variable, Confidence: report.Likely, Reach: d.Reach, Tier: d.Tier,
		Summary: fmt.Sprintf("%s has another value after initialisation", spectra.Symbol(name).Short()),
		Values:  []report.Difference{own},
	}
	i := slices.IndexFunc(b.changes.Declarations, func(c source.Change) bool { return string(c.Symbol) == name })
	if i >= 0 {
		out.Position = position(changedDeclaration(b.changes.Declarations[i]).Position)
	}
	return decision.Finding{Root: out, Deviations: []report.Deviation{d}, Own: own}
}
