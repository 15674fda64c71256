package selection

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// The cost of recording is counted in visited nodes of states. A recorded execution, an execution in a recording that
// was compared in full, and a step of the program count as so many nodes. So the result does not depend on the machine.
// Up to recordedLeast nodes of both versions together, all sequences are recorded. After that, recording ends when
// enoughAlike sequences in a row showed no new deviation, and in any case at recordedMost nodes.
const (
	recordedLeast = 30_000_000
	recordedMost  = 2 * recordedLeast
	enoughAlike   = 200

	executionNodes = 30
	comparedNodes  = 60
)

// ChunkSize is the number of sequences that one process of each version plays. Their cost may reach ChunkNodes; a later
// chunk plays the rest. Chunks are played in waves. Sequences lost in one wave are known to the next, so the result
// does not depend on which worker is faster. The first wave has FirstWave chunks, each other one up to twice as many as
// the one before.
const (
	ChunkSize  = 100
	smallChunk = 20
	ChunkNodes = 10_000_000
	FirstWave  = 2
)

// HeavySteps is the number of steps from which a sequence counts as heavy in time and memory.
const HeavySteps = 50_000

// Cost returns the cost of recording a sequence on one version, in nodes.
func Cost(p *replay.Played) int64 { return p.Nodes + executionNodes*int64(p.Calls) + p.Steps }

// Compared returns the cost of comparing a recording in full, in nodes.
func Compared(p *replay.Played) int64 { return comparedNodes * int64(p.Calls) }

// Order prioritizes the sequences to record. Those in first come before all others; they must be recorded. Then it
// takes one sequence of each class in turn. Within a class, sequences with new code or a new end come first, then short
// ones; heavy ones come last. Sequences that do not end come after all others. Those in left are left out.
func Order(sequences []Sequence, left, first map[int]bool) []int {
	classes := map[uint64][]int{}
	var names []uint64
	var list, rest []int
	for i, q := range sequences {
		switch {
		case left[i]:
		case first[i]:
			list = append(list, i)
		default:
			if classes[q.Class] == nil {
				names = append(names, q.Class)
			}
			classes[q.Class] = append(classes[q.Class], i)
			rest = append(rest, i)
		}
	}
	places := make([]int, len(sequences)) // of a sequence within its class
	for _, name := range names {
		slices.SortStableFunc(classes[name], func(i, j int) int {
			x, y := sequences[i], sequences[j]
			return cmp.Or(cmp.Compare(x.rank(), y.rank()), cmp.Compare(x.Steps, y.Steps))
		})
		for place, i := range classes[name] {
			places[i] = place
		}
	}
	slices.SortStableFunc(rest, func(i, j int) int {
		if sequences[i].Hung != sequences[j].Hung {
			return cmp.Compare(sequences[i].rank(), sequences[j].rank())
		}
		return cmp.Compare(places[i], places[j])
	})
	return append(list, rest...)
}

// rank is lowest for sequences that showed something new, higher for heavy ones, highest for those that do not end.
func (q Sequence) rank() int {
	rank := 0
	if q.Steps > HeavySteps {
		rank += 2
	}
	if q.Hung {
		rank += 4
	}
	if !q.Novel {
		rank++
	}
	return rank
}

// A Ledger holds the cost and the yield of recording so far.
type Ledger struct {
	Whole  bool // everything is recorded
	nodes  int64
	chunks int64
	alike  int // number of sequences in a row that showed nothing new
}

// Enough reports whether recording may end.
func (l *Ledger) Enough() bool {
	return !l.Whole && (l.nodes >= recordedMost || l.nodes >= recordedLeast && l.alike >= enoughAlike)
}

// Add adds a chunk of sequences: its cost, and whether it showed a new kind of deviation.
func (l *Ledger) Add(nodes int64, sequences int, news bool) {
	l.nodes += nodes
	l.chunks++
	l.alike += sequences
	if news {
		l.alike = 0
	}
}

// Resume continues recording after an unexpected deviation.
func (l *Ledger) Resume() { l.alike = 0 }

// String describes cost and yield in words.
func (l *Ledger) String() string {
	return fmt.Sprintf("%d nodes, nothing new in the last %d", l.nodes, l.alike)
}

// Chunks divides sequences into what one process plays, no more than a chunk has. A few may take very different times,
// so they are divided further.
func Chunks(list []int) [][]int {
	size := ChunkSize
	if len(list) <= ChunkSize {
		size = smallChunk
	}
	return slices.Collect(slices.Chunk(list, size))
}

// Wave takes the sequences of the next wave from a queue. It returns them in parts, one for each process. It splits a
// part in two unless it is small.
func (l *Ledger) Wave(queue []int, parts int) (wave [][]int, rest []int) {
	if l.chunks > 0 && !l.Whole {
		usual := max(l.nodes/l.chunks, 1)
		parts = min(parts, max(FirstWave, int((recordedLeast-l.nodes)/usual)))
	}
	size := ChunkSize
	if len(queue) > smallChunk && len(queue) <= ChunkSize {
		size = (len(queue) + 1) / 2
	}
	for len(wave) < parts && len(queue) > 0 {
		n := min(size, len(queue))
		wave, queue = append(wave, queue[:n]), queue[n:]
	}
	return wave, queue
}
