package pipeline

// This file defines suspects: which of them look alike, and which are worth judging.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/root"
)

// A suspect is a sequence that deviates among others in one process.
type suspect struct {
	index    int      // in the kept sequences
	roots    []string // what its deviations seem to come from, sorted
	exposure diff.Exposure
	noisy    bool // all that deviates in it also differs between two runs of one version
}

// newSuspect names what the deviations of a sequence seem to come from.
func newSuspect(index int, c *diff.Comparison, causes root.Changes) suspect {
	s := suspect{index: index, exposure: c.Exposure}
	for _, found := range root.Find([]root.Case{{Sequence: index, Comparison: c}}, causes) {
		s.roots = append(s.roots, string(found.Function))
	}
	slices.Sort(s.roots)
	s.roots = slices.Compact(s.roots)
	return s
}

// A likeness is what suspects that share a verdict have in common: the roots, whether an output shows it, and
// whether it is mere noise.
type likeness struct {
	roots         string
	output, noisy bool
}

func (s suspect) likeness() likeness {
	return likeness{strings.Join(s.roots, " "), s.exposure.Output, s.noisy}
}

func (l likeness) String() string { return fmt.Sprintf("%s %v, noisy %v", l.roots, l.output, l.noisy) }

// withBrought adds those sequences of the sample in which only the new version is unstable.
func withBrought(suspects, brought []suspect) []suspect {
	for _, s := range brought {
		if !slices.ContainsFunc(suspects, func(other suspect) bool { return other.index == s.index }) {
			suspects = append(suspects, s)
		}
	}
	return suspects
}

// Of suspects that look alike, so many are judged; the others share the verdict. All in all not
// more than judgedSuspects are.
const (
	judgedAlike    = 6
	judgedSuspects = 60

	judgedByChance = 20 // where chance decides every run, and judging takes many
)

// A suspect that took more steps than heavySteps takes much memory for its trees: it is judged
// where there is no other, and only once.
const (
	heavySteps = 50_000
	heavy      = 1 << 20
)

// choose picks the suspects to judge: of each kind the first few, the shortest first; those that
// are not mere noise before the others.
func choose(suspects []suspect, sequences []kept) []suspect {
	var chosen []suspect
	for _, noisy := range []bool{false, true} {
		alike := map[likeness][]suspect{}
		var order []likeness
		for _, s := range suspects {
			if s.noisy != noisy {
				continue
			}
			if alike[s.likeness()] == nil {
				order = append(order, s.likeness())
			}
			alike[s.likeness()] = append(alike[s.likeness()], s)
		}
		for round := range judgedAlike {
			for _, like := range order {
				list := alike[like]
				if round >= len(list) || len(chosen) == judgedSuspects {
					continue
				}
				if s := shortest(list, round, sequences); round == 0 || length(s, sequences) < heavy {
					chosen = append(chosen, s)
				}
			}
		}
	}
	return chosen
}

// shortest moves the n-th shortest suspect to place n and returns it.
func shortest(list []suspect, n int, sequences []kept) suspect {
	best := n
	for i := n; i < len(list); i++ {
		if length(list[i], sequences) < length(list[best], sequences) {
			best = i
		}
	}
	list[n], list[best] = list[best], list[n]
	return list[n]
}

// length orders suspects by what it takes to judge and to read them.
func length(s suspect, sequences []kept) int {
	k := sequences[s.index]
	if k.steps <= heavySteps {
		return len(k.sequence.Statements)
	}
	return heavy + int(k.steps)
}
