package pipeline

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// findings returns the roots of what was judged and of what differs before any call, the worst first. A package
// variable is one root, wherever it shows, and one decision is one finding.
func (b *built) findings(j *tried) []group.Finding {
	var list []group.Finding
	for i, e := range j.Roots {
		if j.proofs == nil {
			list = append(list, b.root(j.Judged, e))
			continue
		}
		f := b.root(j.Judged, j.proofs[i].Cause(e, j.Causes))
		summary.Proof(&f.Root, j.proofs[i])
		list = group.Join(list, f)
	}
	for _, v := range b.initial.Differing {
		first := b.initialRoot(v)
		if b.beyond != nil && b.beyond(spectra.Symbol(first.Root.Function)) {
			continue
		}
		i := slices.IndexFunc(list, func(f group.Finding) bool {
			return f.Root.Function == first.Root.Function && f.Root.Change == first.Root.Change
		})
		if i < 0 {
			list = append(list, first)
			continue
		}
		one := &list[i]
		one.Deviations = append(one.Deviations, first.Deviations...)
		one.Root.Values = append(one.Root.Values, first.Own)
		one.Own = first.Own
		if report.CompareHarm(first.Root, one.Root) < 0 {
			one.Root.Tier, one.Root.Reach = first.Root.Tier, first.Root.Reach
		}
		one.Root.Position = cmp.Or(one.Root.Position, first.Root.Position)
	}
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// potential returns what differs only where functions are called from inside their packages.
func (b *built) potential(j *judge.Judged) []group.Finding {
	var list []group.Finding
	for _, e := range j.Roots {
		f := b.root(j, e)
		f.Root.Tier, f.Root.Confidence, f.Root.Reach = spectra.TierPotential, spectra.Likely, spectra.Masked
		f.Root.Summary += "; no exported call was found that does this"
		for i := range f.Deviations {
			f.Deviations[i].Tier, f.Deviations[i].Reach = spectra.TierPotential, spectra.Masked
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// root returns a root as the report shows it, and the deviations that it explains.
func (b *built) root(j *judge.Judged, e judge.Example) group.Finding {
	found := e.Found
	out := report.Root{
		Tree: summary.Tree(e), Chain: summary.Chain(e), Call: summary.Call(e),
		Function: string(e.Root.Function), Change: e.Root.Change,
		Confidence: found.Confidence, Reach: summary.Visibility(found.Effect),
		Tier:    found.Effect.Tier,
		Summary: e.Root.Summary, Why: e.Root.Why,
		Sequences: max(found.Sequences, summary.Suspects(j.Suspects, found.Function)),
		Sequence:  e.Sequence.String(), Position: summary.Position(e.Root.Position),
	}
	outputs := e.Outputs()
	if whole := found.Effect.Output && found.Effect.Function == ""; !whole {
		outputs = slices.DeleteFunc(outputs, func(o diff.OutputDifference) bool { return o.Step < 0 })
	}
	for _, o := range outputs[:min(len(outputs), summary.ListedValues)] {
		out.Values = append(out.Values, report.Difference{Path: o.Path, Old: o.Old, New: o.New, Output: true})
	}
	var own []report.Difference
	if n := e.Root.Example.Node; n != nil && n.Deviation != nil {
		for _, d := range summary.Differences(n.Deviation) {
			own = append(own, report.Difference{
				Function: string(n.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			})
		}
	}
	out.Summary += b.seenThrough(own)
	out.Values = append(out.Values, own...)
	f := group.Finding{Root: out, Deviations: summary.Deviations(j, found), Reverse: found.Effect.Reverse}
	if len(own) > 0 {
		f.Own = own[0]
	}
	f.Root.Basis, f.Shape = b.basis(e.Root.Function)
	f.Block = string(b.sides.New.program.Counted(e.Root.Function))
	return f
}

// basis identifies the edit of a function by its bodies in both versions, and returns the shape of the new one.
func (b *built) basis(function spectra.Symbol) (basis, shape string) {
	var parts []string
	for _, p := range b.versions.New.packages.Points() {
		if p.Symbol == function {
			parts, shape = append(parts, p.Body), p.Shape
		}
	}
	for _, p := range b.versions.Old.packages.Points() {
		if p.Symbol == b.oldName(function) {
			parts = append(parts, p.Body)
		}
	}
	return strings.Join(parts, " "), shape
}

// initialRoot returns the root of a package variable that differs before any call.
func (b *built) initialRoot(v judge.DifferingVariable) group.Finding {
	name := b.newName(v.Name)
	d := report.Deviation{
		Kind: spectra.KindContainer, Function: name, Path: name, Reach: spectra.Masked, Tier: spectra.TierLatent,
	}
	if differences := diff.States(v.States.Old, v.States.New); len(differences) > 0 {
		d.Path, d.Old, d.New = string(differences[0].Path), differences[0].Old, differences[0].New
	}
	if short := spectra.Symbol(name); token.IsExported(short.Short()) && !b.borrowed(short.Package()) {
		d.Reach, d.Tier = spectra.Visible, spectra.TierValue
	}
	own := report.Difference{Function: name, Path: d.Path, Old: d.Old, New: d.New}
	out := report.Root{
		Function: name, Change: spectra.ChangeVariable, Confidence: spectra.Likely, Reach: d.Reach, Tier: d.Tier,
		Summary: fmt.Sprintf("%s has another value after initialisation", spectra.Symbol(name).Short()),
		Values:  []report.Difference{own},
	}
	i := slices.IndexFunc(b.changes.Declarations, func(c source.Change) bool { return string(c.Symbol) == name })
	if i >= 0 {
		out.Position = summary.Position(changedDeclaration(b.changes.Declarations[i]).Position)
	}
	return group.Finding{Root: out, Deviations: []report.Deviation{d}, Own: own}
}
