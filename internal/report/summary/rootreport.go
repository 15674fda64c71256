// Package rootreport says of a root what reports show: its tree, its chain, its values, its deviations, its proof.
//
// In: examples and judged sequences, what trials showed. Out: parts of a report.Root. What is judged says everything;
// lists are cut after what people read. The package is pure.
package summary

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Limits of what a report lists of one root.
const (
	listedDeviations = 20
	ListedValues     = 12
	treeLines        = 40
)

// Proof says what the trials of a root showed.
func Proof(r *report.Root, p proof.Proof) {
	if r.Tier == spectra.TierCalls {
		return // of these there is nothing to prove
	}
	with := slices.DeleteFunc(slices.Concat(p.With, p.Unit), func(s spectra.Symbol) bool {
		return string(s) == r.Function
	})
	if len(p.Instead) > 1 {
		with = p.Instead[1:]
	}
	r.Proof = &report.Proof{Sufficient: p.Sufficient, Necessary: p.Necessary, Trials: p.Trials, Reason: p.Reason}
	for _, other := range with {
		r.Proof.With = append(r.Proof.With, string(other))
	}
	if p.Confirmed() {
		r.Confidence = spectra.Confirmed
	}
}

// Tree returns the lines of the example's tree.
func Tree(e judge.Example) (list []report.TreeLine) {
	for _, l := range e.Comparison.Lines(func(n *diff.Node) bool { return n == e.Root.Example.Node }, treeLines) {
		text := l.Text
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		list = append(list, report.TreeLine{Depth: l.Depth, Text: text, Mark: string(l.Mark), Root: l.Root})
	}
	return list
}

// Visibility says whether a caller sees an effect.
func Visibility(e diff.Effect) spectra.Reach {
	if e.Visible {
		return spectra.Visible
	}
	return spectra.Masked
}

// Position returns a place as the report has it; nil if it is not known.
func Position(at root.Position) *report.Position {
	if at.File == "" {
		return nil
	}
	return &report.Position{Side: at.Side, File: at.File, Line: at.Line, EndLine: at.EndLine}
}

// Lines returns positions in one version.
func Lines(side spectra.Side, list []spectra.Lines) (positions []report.Position) {
	for _, l := range list {
		positions = append(positions, report.Position{Side: side, File: l.File, Line: l.Line, EndLine: l.EndLine})
	}
	return positions
}

// Suspects counts the suspects that look as the confirmed ones of a root did.
func Suspects(suspects []judge.Suspect, function spectra.Symbol) int {
	n := 0
	for _, s := range suspects {
		if !s.Noisy && slices.Contains(s.Functions(), string(function)) {
			n++
		}
	}
	return n
}

// Differences lists what a root shows of its own deviation: of a panic only that.
func Differences(d *diff.Deviation) []diff.Difference {
	list := d.Differences
	if d.Kind == spectra.KindPanic {
		list = slices.DeleteFunc(slices.Clone(list), func(d diff.Difference) bool {
			return !strings.HasPrefix(string(d.Path), "panic")
		})
	}
	return list[:min(len(list), ListedValues)]
}

// Deviations lists one deviation of each sort that a root explains.
func Deviations(j *judge.Judged, found *root.Root) []report.Deviation {
	var list []report.Deviation
	type sort struct {
		function spectra.Symbol
		kind     spectra.Kind
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
			Kind: d.Kind, Function: string(d.Function), Path: string(d.Path), Old: d.Old, New: d.New,
			Sequence: j.Sequences[ref.Sequence].String(), Reach: Visibility(effect), Tier: effect.Tier,
		})
	}
	return list
}

// Call returns the execution in which a root's deviation begins as a call of it, in text form, where only values inside
// of the driven calls differ; "" if it has no such form.
func Call(e judge.Example) string {
	n := e.Root.Example.Node
	if e.Found.Effect.Tier != spectra.TierInternal || n == nil || n.Old == nil || n.New == nil {
		return ""
	}
	q, err := sequence.OfExecution(n.Old)
	if err != nil {
		return ""
	}
	return q.String()
}

// Chain returns the way of a root's deviation to what is noticed of it. It begins with the root.
func Chain(e judge.Example) *report.Chain {
	way := root.ChainOf(e.Comparison, e.Root.Example.Node, e.Found.Effect)
	if len(way.Links) == 0 {
		return nil
	}
	out := &report.Chain{Swallowed: string(way.Swallowed)}
	if way.Links[0].Function != e.Root.Function {
		out.Links = append(out.Links, report.Link{Function: string(e.Root.Function)})
	}
	for _, l := range way.Links {
		out.Links = append(out.Links, report.Link{
			Function: string(l.Function), Path: l.Path, Old: l.Old, New: l.New, Called: l.Called, Output: l.Output,
		})
	}
	return out
}
