package judge

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// newSuspect returns the suspect for a sequence with its comparison.
func (s *Subject) newSuspect(index int, c *diff.Comparison) Suspect {
	found := Suspect{Index: index, Exposure: c.Exposure}
	for _, r := range s.find(s.Sequences[index].Sequence, index, c) {
		of := SuspectedRoot{Function: string(r.Function), Tier: r.Effect.Tier}
		if !slices.Contains(found.Roots, of) {
			found.Roots = append(found.Roots, of)
		}
	}
	return found
}

// find returns the roots of what deviates in one sequence; number is what their references call it.
func (s *Subject) find(q sequence.Sequence, number int, c *diff.Comparison) []*root.Root {
	return root.Find([]root.Case{s.rootCase(q, number, c)}, s.Causes)
}

func (s *Subject) rootCase(q sequence.Sequence, number int, c *diff.Comparison) root.Case {
	of := root.Case{Sequence: number, Comparison: c}
	for _, statement := range q.Statements {
		of.Driven = append(of.Driven, s.Operations[statement.Op])
	}
	return of
}

// judgedByChance is how many suspects are judged at most if chance decides every run: then judging takes many runs.
const judgedByChance = 20
