package judge

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// newSuspect returns the suspect for a sequence with its comparison.
func (s *Subject) newSuspect(index int, c *diff.Comparison) Suspect {
	found := Suspect{Index: index, Exposure: c.Exposure}
	for _, r := range s.find(s.Sequences[index].Sequence, index, c) {
		of := SuspectedRoot{Function: string(r.Blamed.Symbol), Tier: r.Effect.Tier}
		if !slices.Contains(found.Roots, of) {
			found.Roots = append(found.Roots, of)
		}
	}
	return found
}

// find returns the findings of one sequence; the number is that of its case.
func (s *Subject) find(q sequence.Sequence, number int, c *diff.Comparison) []*diff.Finding {
	return root.Find([]*diff.Case{s.newCase(q, number, c)}, s.Causes)
}

func (s *Subject) newCase(q sequence.Sequence, number int, c *diff.Comparison) *diff.Case {
	of := &diff.Case{
		Number: number, Sequence: q, Comparison: c, Test: s.Tests, NewTest: s.NewTests, Command: s.Commands,
	}
	for _, statement := range q.Statements {
		of.Driven = append(of.Driven, s.Operations[statement.Op])
	}
	return of
}

// listedDeviations is how many deviations of one finding are kept.
const listedDeviations = 20

// perSort returns one deviation of each sort, the first ones.
func perSort(all []diff.Occurrence) (list []diff.Occurrence) {
	type sort struct {
		function spectra.Symbol
		kind     spectra.Kind
		state    noise.State
	}
	seen := map[sort]bool{}
	for _, o := range all {
		d := o.Case.Comparison.Deviations[o.Index]
		sort := sort{d.Function, d.Kind, d.State}
		if !seen[sort] && len(list) < listedDeviations {
			seen[sort] = true
			list = append(list, o)
		}
	}
	return list
}

// suspected counts the suspects that look as the confirmed ones of a finding did.
func suspected(suspects []Suspect, function spectra.Symbol) int {
	n := 0
	for _, s := range suspects {
		if !s.Noisy && slices.Contains(s.Functions(), string(function)) {
			n++
		}
	}
	return n
}

// judgedByChance is how many suspects are judged at most if chance decides every run: then judging takes many runs.
const judgedByChance = 20
