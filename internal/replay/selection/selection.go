// Package selection does test prioritization and selection: it decides the order in which sequences are recorded, the
// point at which enough were recorded, and the samples that are recorded again.
//
// Input: sequences with their outcomes from generation, and the cost and yield of recording so far. Output: indexes of
// sequences. Package judge selects among the suspects.
//
// The same input leads to the same selection: costs are counted, never timed. Nothing is played, and nothing is
// changed.
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

// A Sequence is a sequence that both versions play, with all that is known of it.
type Sequence struct {
	sequence.Sequence
	Novel   bool   // it reached new code or a new kind of outcome
	Changed bool   // it ran changed code of the old version, or may run changed code
	Class   uint64 // equal for sequences that probably show the same deviations
	Ran     uint64 // equal for sequences that run the same part of the change
	Reaches bool   // it was seen to run code of the old version that the change may touch
	Steps   int64  // on the old version
	Waited  bool   // a clock ended it, or it was blocked outside of a bubble
	Hung    bool   // a clock ended it
	Panics  bool   // a call of it panics on the old version

	// Outcomes are its outcomes on both versions, without results; nil: not known.
	Outcomes   spectra.Pair[*replay.Played]
	Difference string // as function Difference returns it, if both outcomes are known
}

// Class returns equal numbers for sequences that run the same part of the change, call the same operation last, and end
// in the same way. Ran holds the changed blocks that ran, sorted.
func Class(ran []uint32, last string, end wire.End, panicked bool) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, ran, last, end, panicked)
	return h.Sum64()
}

// Shortest returns the shortest sequence for each part of the change, of those that end, in their order.
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

// One in proofOneOf of the sequences that can't deviate is recorded, and at least proofLeast.
const (
	proofOneOf = 50
	proofLeast = 20
)

// Proof selects the sequences to record among those that can't deviate, as evidence that they indeed don't. It takes
// them at equal distances, and no heavy ones if there are others.
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

// spread returns count elements of a list at equal distances, or all if it has no more.
func spread(list []int, count int) []int {
	count = min(count, len(list))
	chosen := make([]int, count)
	for n := range chosen {
		chosen[n] = list[n*len(list)/count]
	}
	return chosen
}

// The sample has sampledLeast sequences and one in sampledOneOf of all. Its cost is at most one node in sampledCostOf
// of the cost of all, or sampledNodes if that is more. Each is recorded ten times again, with values. So calibrating
// takes at most about a quarter of the time of recording.
const (
	sampledLeast  = 16
	sampledOneOf  = 80
	sampledCostOf = 40
	sampledNodes  = 500_000
)

// Sample returns the indexes of the sequences that are recorded several times. It takes one half from those that
// reached new code or a new kind of outcome, the other half from all recorded ones, each at equal distances.
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
