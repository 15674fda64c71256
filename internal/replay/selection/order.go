package selection

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// What was visited while recording is counted in nodes of states. A recorded execution, one in a recording that had to
// be compared in full, and a step of the program add about as much as they cost. Up to recordedLeast nodes, of both
// versions together, all sequences are recorded. From there on it ends when enoughAlike sequences in a row showed no
// other deviation than was known, and at recordedMost in any case. So it does not depend on the machine.
const (
	recordedLeast = 30_000_000
	recordedMost  = 2 * recordedLeast
	enoughAlike   = 200

	executionNodes = 30
	comparedNodes  = 60
)

// ChunkSize is how many sequences one process of each version plays. They may cost ChunkNodes; what is left then, a
// later chunk plays. Chunks are played in waves, and what was lost in one is known to the next: so it does not depend
// on which worker is faster. The first wave has FirstWave chunks, each other one up to twice as many as that before.
const (
	ChunkSize  = 100
	smallChunk = 20
	ChunkNodes = 10_000_000
	FirstWave  = 2
)

// HeavySteps is from how many steps on a sequence needs much time and memory.
const HeavySteps = 50_000

// Cost returns what recording a sequence on one version took, in nodes.
func Cost(p *replay.Played) int64 { return p.Nodes + executionNodes*int64(p.Calls) + p.Steps }

// Compared returns what comparing a recording in full takes, in nodes.
func Compared(p *replay.Played) int64 { return comparedNodes * int64(p.Calls) }

// Order returns the sequences to record, those first that can tell most: one of each class after the other, and of
// each class first what reached new code or ended in another way, then the short ones; heavy ones come last, and behind
// all what does not end. The first ones are those that have to be recorded.
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
	places := make([]int, len(sequences)) // of a sequence in its class
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

// rank puts what does not end behind all others, before it what is heavy, and what told something new before what did
// not.
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

// A Ledger says what recording has cost and told.
type Ledger struct {
	Whole  bool // everything is recorded
	nodes  int64
	chunks int64
	alike  int // so many sequences in a row showed nothing new
}

// Enough reports whether the other sequences need not be recorded.
func (l *Ledger) Enough() bool {
	return !l.Whole && (l.nodes >= recordedMost || l.nodes >= recordedLeast && l.alike >= enoughAlike)
}

// Add adds what a chunk of sequences cost, and whether they showed deviations of a new kind.
func (l *Ledger) Add(nodes int64, sequences int, news bool) {
	l.nodes += nodes
	l.chunks++
	l.alike += sequences
	if news {
		l.alike = 0
	}
}

// Resume has recording go on after a surprise.
func (l *Ledger) Resume() { l.alike = 0 }

// String says what recording has cost and told.
func (l *Ledger) String() string {
	return fmt.Sprintf("%d nodes, nothing new in the last %d", l.nodes, l.alike)
}

// Wave takes the sequences of the next wave from a queue, in parts that one process of each version plays. What would
// be one part is two, unless it is small.
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
