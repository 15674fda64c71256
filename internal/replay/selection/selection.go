// Package selection decides which sequences are recorded: in which order, until enough were, and which of them several
// times; and which of those that seem to deviate are judged.
//
// In: sequences with what is known of them from generating, what recording some took, and what seems to deviate in
// them. Out: their indexes, or some of the suspects. The same
// input leads to the same choice: nothing is measured by a clock. Nothing is played here, nothing is changed.
package selection

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Sequence is a sequence that both versions play.
type Sequence struct {
	sequence.Sequence
	Novel   bool   // it reached new code or a new kind of outcome
	Changed bool   // it ran changed code of the old version, or may run changed code
	Class   uint64 // the same for sequences that are likely to tell the same
	Ran     uint64 // the same for sequences that run the same of what changed
	Reaches bool   // it was seen to run code of the old version that the change may touch
	Steps   int64  // on the old version
	Waited  bool   // a clock ended it, or it was blocked where only a clock tells
	Hung    bool   // a clock ended it
	Panics  bool   // a call of it panics on the old version

	// Outcomes is what playing it showed when it was made, without results. Nil: not known.
	Outcomes   spectra.Pair[*replay.Played]
	Difference string // as Difference returns it, if both are known
}

// Class returns the same number for sequences that run the same of what changed, which are sorted numbers of blocks,
// call the same last, and end in the same way.
func Class(ran []uint32, last string, end wire.End, panicked bool) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, ran, last, end, panicked)
	return h.Sum64()
}

// Shortest returns of the sequences that end and run changed code, and the same of it, each shortest, in their order.
func Shortest(sequences []Sequence) (list []sequence.Sequence) {
	best := map[uint64]int{}
	for i, q := range sequences {
		first, ok := best[q.Ran]
		if q.Changed && !q.Hung && (!ok || len(q.Statements) < len(sequences[first].Statements)) {
			best[q.Ran] = i
		}
	}
	for _, i := range slices.Sorted(maps.Values(best)) {
		list = append(list, sequences[i].Sequence)
	}
	return list
}

// Of the sequences that can't deviate one in proofOneOf is recorded, and at least proofLeast.
const (
	proofOneOf = 50
	proofLeast = 20
)

// Proof chooses from the sequences that can't deviate those that are recorded, at equal distances, and none that is
// heavy if there are others.
func Proof(sequences []Sequence, equal []int) map[int]bool {
	light := slices.DeleteFunc(slices.Clone(equal), func(i int) bool { return sequences[i].Steps > HeavySteps })
	if len(light) > 0 {
		equal = light
	}
	chosen := map[int]bool{}
	for _, i := range spread(equal, max(proofLeast, len(equal)/proofOneOf)) {
		chosen[i] = true
	}
	return chosen
}

// spread returns so many of a list at equal distances, all if it has no more.
func spread(list []int, count int) []int {
	count = min(count, len(list))
	chosen := make([]int, count)
	for n := range chosen {
		chosen[n] = list[n*len(list)/count]
	}
	return chosen
}

// The sample has sampledLeast sequences, and one in sampledOneOf of all, as far as recording them took no more than one
// node in sampledCostOf of what all took: they are recorded ten times again, with values. So calibrating takes at most
// about a quarter of recording. As much as sampledNodes they may always take.
const (
	sampledLeast  = 16
	sampledOneOf  = 80
	sampledCostOf = 40
	sampledNodes  = 500_000
)

// Sample returns the indexes of the sequences that are recorded several times. One half is chosen at equal distances
// from those that reached new code or another kind of outcome, the other half from all that were recorded.
func Sample(sequences []Sequence, costs map[int]int64) []int {
	total := int64(0)
	var novel, all []int
	for _, i := range slices.Sorted(maps.Keys(costs)) {
		total += costs[i]
		if sequences[i].Waited {
			continue
		}
		all = append(all, i)
		if sequences[i].Novel {
			novel = append(novel, i)
		}
	}
	want := sampledLeast + len(all)/sampledOneOf
	left := max(total/sampledCostOf, sampledNodes)
	chosen := map[int]bool{}
	for _, from := range [][]int{novel, all} {
		for _, i := range spread(from, want/2) {
			if costs[i] <= left && !chosen[i] {
				chosen[i] = true
				left -= costs[i]
			}
		}
	}
	return slices.Sorted(maps.Keys(chosen))
}
