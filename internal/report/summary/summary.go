// Package summary writes what a run found into a report: what was compared and how much of it ran, and each finding
// with its sentence, reason, call tree, chain and values.
//
// In: the Results of the stages, those that were not reached left out. Out: the parts of a report.Report; a report.Root
// for each finding, with its deviations. Lists are cut to what people read. The package is pure.
package summary

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Limits of the lists in a report about one finding.
const (
	listedValues = 12
	treeLines    = 40
)

// Root returns a finding as a report shows it, and the deviations that it explains.
func Root(f *diff.Finding) (report.Root, []report.Deviation) {
	out := report.Root{
		Function: string(f.Cause.Symbol), Change: f.Cause.Change, Position: Position(f.Cause.Position),
		Confidence: confidence(f), Proof: proof(f), Tier: f.Tier(), Reach: f.Reach(),
		Summary: Sentence(f), Why: Why(f), Sequences: f.Sequences, Values: Values(f), Basis: f.Identity.Bodies,
		Reproducer: f.Test.Path, NoReproducer: f.Test.Reason,
	}
	if c := f.Example.Case; c != nil {
		out.Sequence, out.Tree, out.Chain = c.Sequence.String(), tree(f), chain(f)
	}
	for _, p := range f.Places {
		out.Places = append(out.Places, report.Place{
			Function: string(p.Cause.Symbol), Position: Position(p.Cause.Position),
			Confidence: confidence(p), Proof: proof(p),
		})
	}
	return out, deviations(f)
}

// Alone returns a report with one finding and nothing else, without its calls.
func (found *Results) Alone(f *diff.Finding) *report.Report {
	alone := new(report.Report)
	root, deviations := Root(f)
	found.locate(&root, f.Cause, found.places())
	alone.Add(root, deviations...)
	return alone
}

// untried returns the proof of a root that could be proven and was not tried; nil: nothing was to be proven.
func untried(root *report.Root) *report.Proof {
	if root.Confidence == spectra.Confirmed || root.Tier == spectra.TierCalls || root.Tier == spectra.TierPotential {
		return nil
	}
	return &report.Proof{Reason: "there was no time to try"}
}

func confidence(f *diff.Finding) spectra.Confidence {
	if f.Confirmed() {
		return spectra.Confirmed
	}
	return spectra.Likely
}

// proof describes the results of the trials of a finding. Where no value differs there is nothing to prove.
func proof(f *diff.Finding) *report.Proof {
	p := f.Proof
	if p == nil || f.Tier() == spectra.TierCalls {
		return nil
	}
	out := &report.Proof{
		Sufficient: p.Sufficient, Necessary: p.Necessary, Trials: p.Trials, Amid: p.Amid, Reason: p.Reason,
	}
	if out.Reason != "" && f.Proven != nil {
		out.Reason += "; another effect of it is proven: " + Sentence(f.Proven)
	}
	for _, other := range f.With() {
		out.With = append(out.With, string(other))
	}
	for _, other := range p.Also {
		out.Also = append(out.Also, string(other))
	}
	return out
}

// Values lists the values that differ: first those that a caller sees, then those where the deviation begins.
func Values(f *diff.Finding) (list []report.Difference) {
	outputs, panics := shownOutputs(f)
	for _, o := range outputs[:min(len(outputs), listedValues)] {
		of := report.Difference{Path: outputPath(f, o.Path), Old: o.Old, New: o.New, Output: true}
		list = append(list, spoken(of))
	}
	shown := f.Example.Shown()
	for _, d := range shown[:min(len(shown), listedValues)] {
		if panics && d.Path == "panic" {
			continue
		}
		of := report.Difference{
			Function: string(f.Example.Node.Function), Path: string(d.Path), Old: d.Old, New: d.New,
		}
		list = append(list, spoken(of))
	}
	if i := f.Initial; i != nil {
		list = append(list, report.Difference{
			Function: string(f.Cause.Symbol), Path: string(i.Path), Old: i.Old, New: i.New,
		})
	}
	return list
}

// shownOutputs returns the outputs of the example that say something, and whether one of them is a panic: that there
// are no results then follows.
func shownOutputs(f *diff.Finding) (outputs []diff.OutputDifference, panics bool) {
	outputs = slices.Clone(f.Example.Outputs)
	if whole := f.Effect.Output && f.Effect.Function == ""; !whole {
		outputs = slices.DeleteFunc(outputs, func(o diff.OutputDifference) bool { return o.Step < 0 })
	}
	panics = slices.ContainsFunc(outputs, func(o diff.OutputDifference) bool { return o.Path == "panic" })
	return slices.DeleteFunc(outputs, func(o diff.OutputDifference) bool {
		return panics && strings.HasPrefix(o.Path, "ret") && (o.Old == diff.None || o.New == diff.None)
	}), panics
}

// spoken returns a difference whose panics are in the words in which Go prints them.
func spoken(d report.Difference) report.Difference {
	if d.Path == "panic" {
		d.Old, d.New = asGoPrints(d.Old), asGoPrints(d.New)
	}
	return d
}

// tree returns the lines of the example's call tree.
func tree(f *diff.Finding) (list []report.TreeLine) {
	is := func(n *diff.Node) bool { return n == f.Example.Node }
	for _, l := range f.Example.Case.Comparison.Lines(is, treeLines) {
		text := l.Text
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		list = append(list, report.TreeLine{Depth: l.Depth, Text: text, Mark: string(l.Mark), Root: l.Root})
	}
	return list
}

// chain returns the way of the example's deviation to its effect. It begins with the cause.
func chain(f *diff.Finding) *report.Chain {
	way := root.ChainOf(f.Example.Case.Comparison, f.Example.Node, f.Example.Effect)
	if len(way.Links) == 0 {
		return nil
	}
	out := &report.Chain{Swallowed: string(way.Swallowed)}
	if way.Links[0].Function != f.Cause.Symbol {
		out.Links = append(out.Links, report.Link{Function: string(f.Cause.Symbol)})
	}
	for _, l := range way.Links {
		path := l.Path
		if l.Output {
			path = outputPath(f, path)
		}
		out.Links = append(out.Links, report.Link{
			Function: string(l.Function), Path: path, Old: l.Old, New: l.New, Called: l.Called, Output: l.Output,
		})
	}
	return out
}

// deviations lists the deviations that a finding and its further places explain.
func deviations(f *diff.Finding) (list []report.Deviation) {
	for _, o := range f.Deviations {
		d, effect := o.Deviation()
		out := report.Deviation{
			Kind: d.Kind, Function: string(d.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			Tier: effect.Tier, Reach: effect.Reach(),
		}
		if o.Case != nil {
			out.Sequence = o.Case.Sequence.String()
		}
		if f.Potential {
			out.Tier, out.Reach = spectra.TierPotential, spectra.Masked
		}
		list = append(list, out)
	}
	for _, p := range f.Places {
		list = append(list, deviations(p)...)
	}
	return list
}

// Position returns a place as the report has it; nil if it is not known.
func Position(at diff.Position) *report.Position {
	if at.File == "" {
		return nil
	}
	return &report.Position{Side: at.Side, File: at.File, Line: at.Line, EndLine: at.EndLine}
}
