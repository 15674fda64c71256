package judge

// This file decides which suspects look alike, and which are judged.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// A Suspect is a sequence that deviates when it is played among others in one process.
type Suspect struct {
	Index    int      // of the sequence
	Roots    []string // functions in which its deviations seem to begin, sorted
	Exposure diff.Exposure
	Noisy    bool // everything that deviates in it also differs between two runs of one version
}

// newSuspect returns the suspect for a sequence with its comparison.
func (s *Subject) newSuspect(index int, c *diff.Comparison) Suspect {
	found := Suspect{Index: index, Exposure: c.Exposure}
	for _, r := range s.find(s.Sequences[index].Sequence, index, c) {
		found.Roots = append(found.Roots, string(r.Function))
	}
	slices.Sort(found.Roots)
	found.Roots = slices.Compact(found.Roots)
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

// A Likeness is what suspects have in common that share a verdict: the roots, whether an output shows
// them, and whether they are mere noise.
type Likeness struct {
	roots         string
	output, noisy bool
}

// Likeness returns what the suspect has in common with others that share its verdict.
func (s Suspect) Likeness() Likeness {
	return Likeness{strings.Join(s.Roots, " "), s.Exposure.Output, s.Noisy}
}

// String returns the likeness for the log.
func (l Likeness) String() string { return fmt.Sprintf("%s %v, noisy %v", l.roots, l.output, l.noisy) }

// withBrought adds the sequences of the sample that are suspects because something in them is unstable
// only in the new version.
func withBrought(suspects, brought []Suspect) []Suspect {
	for _, s := range brought {
		if !slices.ContainsFunc(suspects, func(other Suspect) bool { return other.Index == s.Index }) {
			suspects = append(suspects, s)
		}
	}
	return suspects
}

// judgedAlike is how many suspects that look alike are judged, judgedNoisy how many of those that seem to be mere
// noise: these take many runs. The others share the verdict. At most judgedSuspects are judged in all, and
// more than one of a kind only until recording those that are judged took judgedNodes nodes.
const (
	judgedAlike    = 6
	judgedNoisy    = 3
	judgedNodes    = 20_000_000
	judgedSuspects = 60

	judgedByChance = 20 // instead of judgedSuspects, if chance decides every run and judging takes many runs
)

// A suspect that is heavy is judged only if there is no other that looks like it, and only once. Its length is above
// this.
const heavy = 1 << 20

// choose returns the suspects to judge: the first few of each kind, beginning with the shortest. Those
// that are mere noise come last.
func choose(suspects []Suspect, sequences []choice.Sequence, costs map[int]int64) []Suspect {
	var chosen []Suspect
	spent := int64(0)
	for _, noisy := range []bool{false, true} {
		alike := map[Likeness][]Suspect{}
		var order []Likeness
		for _, s := range suspects {
			if s.Noisy != noisy {
				continue
			}
			if alike[s.Likeness()] == nil {
				order = append(order, s.Likeness())
			}
			alike[s.Likeness()] = append(alike[s.Likeness()], s)
		}
		rounds := judgedAlike
		if noisy {
			rounds = judgedNoisy
		}
		for round := range rounds {
			for _, like := range order {
				list := alike[like]
				if round >= len(list) || len(chosen) == judgedSuspects || round > 0 && spent > judgedNodes {
					continue
				}
				if s := shortest(list, round, sequences); round == 0 || length(s, sequences) < heavy {
					chosen, spent = append(chosen, s), spent+costs[s.Index]
				}
			}
		}
	}
	return chosen
}

// shortest moves the n-th shortest suspect to place n and returns it.
func shortest(list []Suspect, n int, sequences []choice.Sequence) Suspect {
	best := n
	for i := n; i < len(list); i++ {
		if length(list[i], sequences) < length(list[best], sequences) {
			best = i
		}
	}
	list[n], list[best] = list[best], list[n]
	return list[n]
}

// length orders suspects by the effort of judging and reading them.
func length(s Suspect, sequences []choice.Sequence) int {
	k := sequences[s.Index]
	if k.Steps <= choice.HeavySteps {
		return len(k.Statements)
	}
	return heavy + int(k.Steps)
}
