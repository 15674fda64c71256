package root

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// TestOwners: on random trees the finding of each deviation is the one that looking at all findings gives.
func TestOwners(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		at := &times{enter: map[*diff.Node]int{}, leave: map[*diff.Node]int{}}
		var nodes []*diff.Node
		grow(random, at, &nodes, &diff.Node{}, 4)
		list := make([]*clue, 1+random.IntN(20))
		var deviations []*diff.Deviation
		for i := range list {
			d := &diff.Deviation{Node: nodes[random.IntN(len(nodes))]}
			r := &region{heuristic: 1 + random.IntN(2), in: nodes[random.IntN(len(nodes))], deviation: d}
			if random.IntN(2) == 0 {
				r.at = nodes[random.IntN(len(nodes))]
			}
			list[i], deviations = &clue{region: r}, append(deviations, d)
		}
		for _, n := range nodes {
			deviations = append(deviations, &diff.Deviation{Node: n})
		}
		deviations = append(deviations, &diff.Deviation{})
		owners := newOwners(list, at)
		for i, d := range deviations {
			if got, want := owners.of(d), sought(d, list, at); got != want {
				t.Fatalf("deviation %d of %d findings has another one than all of them give", i, len(list))
			}
		}
	}
}

// grow adds nodes below n with their times.
func grow(random *rand.Rand, at *times, nodes *[]*diff.Node, n *diff.Node, depth int) {
	if random.IntN(2) == 0 {
		n.Class = diff.Container
	}
	*nodes = append(*nodes, n)
	at.now++
	at.enter[n] = at.now
	for range random.IntN(4) {
		if depth > 0 {
			child := &diff.Node{Parent: n}
			n.Children = append(n.Children, child)
			grow(random, at, nodes, child, depth-1)
		}
	}
	at.now++
	at.leave[n] = at.now
}

// sought looks at all findings for that of a deviation.
func sought(d *diff.Deviation, list []*clue, t *times) *clue {
	if d.Node == nil {
		return list[len(list)-1]
	}
	var inside, last *clue
	for _, f := range list {
		if f.deviation == d || f.at == d.Node {
			return f
		}
		switch at := t.of(f.region); {
		case t.enter[d.Node] <= at && at <= t.leave[d.Node]:
			if inside == nil {
				inside = f
			}
		case at < t.enter[d.Node] && (last == nil || t.of(last.region) < at):
			last = f
		}
	}
	if d.Node.Class != diff.Container {
		return cmp.Or(last, inside, list[0])
	}
	return cmp.Or(inside, last, list[0])
}
