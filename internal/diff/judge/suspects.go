package judge

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Suspect is a sequence that deviates when it is played among others in one process.
type Suspect struct {
	Index    int // of the sequence
	Roots    []SuspectedRoot
	Exposure diff.Exposure
	Noisy    bool // everything that deviates in it also differs between two runs of one version
}

// A SuspectedRoot is a function in which deviations seem to begin, with the worst tier of their effects.
type SuspectedRoot struct {
	Function string
	Tier     spectra.Tier
}

// A kind groups suspects that share a verdict. It has a function in which something begins to deviate, what comes of
// it, whether an output shows it, and whether it is mere noise. A suspect is of one kind for each of its roots.
type kind struct {
	SuspectedRoot
	output, noisy bool
}

// kinds returns the kinds of a suspect, at least one.
func (s Suspect) kinds() []kind {
	if len(s.Roots) == 0 {
		return []kind{{SuspectedRoot{}, s.Exposure.Output, s.Noisy}}
	}
	var list []kind
	for _, r := range s.Roots {
		list = append(list, kind{r, s.Exposure.Output, s.Noisy})
	}
	return list
}

// Functions returns the functions in which the deviations of a suspect seem to begin.
func (s Suspect) Functions() (list []string) {
	for _, r := range s.Roots {
		list = append(list, r.Function)
	}
	return list
}

// String describes a suspect for the log.
func (s Suspect) String() string {
	return fmt.Sprintf("%v, output %v, noisy %v", s.Roots, s.Exposure.Output, s.Noisy)
}

// ShowsOutput reports whether an output seems to deviate.
func (p *Played) ShowsOutput() bool {
	return slices.ContainsFunc(p.Suspects, func(s Suspect) bool { return s.Exposure.Output && !s.Noisy })
}

// Kinds are the kinds of some suspects.
//
// A suspect that is of a kind shares the verdict on others of it.
type Kinds map[kind]bool

// Add adds the kinds of a suspect.
func (k Kinds) Add(s Suspect) {
	for _, of := range s.kinds() {
		k[of] = true
	}
}

// Has reports whether a suspect is of one of the kinds.
func (k Kinds) Has(s Suspect) bool {
	return slices.ContainsFunc(s.kinds(), func(of kind) bool { return k[of] })
}

// HasAll reports whether all kinds of a suspect are among them.
func (k Kinds) HasAll(s Suspect) bool {
	return !slices.ContainsFunc(s.kinds(), func(of kind) bool { return !k[of] })
}

// Of a kind judgedAlike suspects are judged, but of those that seem to be mere noise, which take many runs, only
// judgedNoisy, and two of those in which no value differs. Where chance decides every run, each takes many, and two of
// any kind are judged. The others share the verdict. One of a kind is judged of at most judgedKinds; more than one only
// of the first judgedSuspects in all, and until recording those that are judged took judgedNodes nodes.
const (
	judgedAlike    = 4
	judgedNoisy    = 3
	judgedTwo      = 2
	judgedNodes    = 8_000_000
	judgedSuspects = 40
	judgedKinds    = 400
)

// HeavyNodes is from how many nodes of a recording on a suspect is heavy: it is judged only if there is no other of its
// kind, and only once.
const HeavyNodes = 2_000_000

// ToJudge returns the suspects to judge: the first few of each kind, beginning with those that are quickly judged and
// read. Those that are mere noise come last. The costs are those of recording them, in nodes. Patched is as in Subject.
func ToJudge(suspects []Suspect, sequences []selection.Sequence, costs map[int]int64, patched bool) []Suspect {
	c := choosing{sequences: sequences, costs: costs, taken: map[int]bool{}, count: map[kind]int{}}
	for _, noisy := range []bool{false, true} {
		of, order := map[kind][]Suspect{}, []kind(nil)
		for _, s := range quickFirst(suspects, sequences, costs) {
			for _, k := range s.kinds() {
				if s.Noisy != noisy {
					continue
				}
				if of[k] == nil {
					order = append(order, k)
				}
				of[k] = append(of[k], s)
			}
		}
		rounds := judgedAlike
		if noisy {
			rounds = judgedNoisy
		}
		for round := range rounds {
			for _, k := range order {
				if round < judgedTwo || patched && k.Tier != spectra.TierCalls {
					c.take(k, of[k], round)
				}
			}
		}
	}
	return c.chosen
}

// quickFirst sorts suspects by the effort of judging them, which is the same within a factor of four, and then by that
// of reading them.
func quickFirst(suspects []Suspect, sequences []selection.Sequence, costs map[int]int64) []Suspect {
	list := slices.Clone(suspects)
	effort := func(s Suspect) int { return bits.Len64(uint64(costs[s.Index]+sequences[s.Index].Steps)/100_000) / 2 }
	slices.SortStableFunc(list, func(x, y Suspect) int {
		return cmp.Or(cmp.Compare(effort(x), effort(y)),
			cmp.Compare(len(sequences[x.Index].Statements), len(sequences[y.Index].Statements)))
	})
	return list
}

// A choosing holds the suspects that were chosen so far.
type choosing struct {
	sequences []selection.Sequence
	costs     map[int]int64
	chosen    []Suspect
	taken     map[int]bool
	count     map[kind]int // of those that were chosen
	spent     int64        // what recording them took
}

// take chooses the first suspect of a list that was not chosen, if fewer of its kind were than there were rounds.
func (c *choosing) take(k kind, list []Suspect, round int) {
	if c.count[k] > round || len(c.chosen) >= judgedKinds ||
		round > 0 && (len(c.chosen) >= judgedSuspects || c.spent > judgedNodes) {
		return
	}
	for _, s := range list {
		if c.taken[s.Index] || round > 0 && heavy(s, c.sequences, c.costs) {
			continue
		}
		c.chosen, c.taken[s.Index] = append(c.chosen, s), true
		c.spent += c.costs[s.Index]
		for _, of := range s.kinds() {
			c.count[of]++
		}
		return
	}
}

func heavy(s Suspect, sequences []selection.Sequence, costs map[int]int64) bool {
	return costs[s.Index] > HeavyNodes || sequences[s.Index].Steps > selection.HeavySteps
}

// Again returns further suspects of the kinds of which all that were judged were refuted. What deviates beside others,
// which left something behind in their process, may not do so alone; what calls more may leave it behind itself. So
// they are those with the most statements.
func Again(suspects, judged []Suspect, confirmed Kinds, sequences []selection.Sequence, costs map[int]int64) []Suspect {
	list := slices.Clone(suspects)
	slices.SortStableFunc(list, func(x, y Suspect) int {
		return cmp.Compare(len(sequences[y.Index].Statements), len(sequences[x.Index].Statements))
	})
	taken, count := map[int]bool{}, map[kind]int{}
	for _, s := range judged {
		taken[s.Index] = true
	}
	var chosen []Suspect
	for _, s := range list {
		wanted := slices.ContainsFunc(s.kinds(), func(of kind) bool {
			return !confirmed[of] && count[of] < judgedAlike
		})
		if s.Noisy || !wanted || taken[s.Index] || heavy(s, sequences, costs) || len(chosen) == judgedSuspects {
			continue
		}
		chosen = append(chosen, s)
		for _, k := range s.kinds() {
			count[k]++
		}
	}
	return chosen
}

// WithSuspects adds suspects of other sequences.
func WithSuspects(suspects, others []Suspect) []Suspect {
	for _, s := range others {
		if !slices.ContainsFunc(suspects, func(other Suspect) bool { return other.Index == s.Index }) {
			suspects = append(suspects, s)
		}
	}
	return suspects
}
