package root

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// owners finds the clue of a sequence to which a deviation belongs. There may be a hundred thousand of both, so the
// clues are indexed by the deviation or node that they were made for, and by time.
type owners struct {
	times       *times
	list        []*clue
	byDeviation map[*diff.Deviation]int // the first one in the list
	byNode      map[*diff.Node]int      // likewise
	order       []int                   // places in the list, by the time at which a clue shows first
	least       [][]int                 // least[k][i] is the first place among the 2^k of order from i on
}

func newOwners(list []*clue, t *times) *owners {
	o := &owners{times: t, list: list, byDeviation: map[*diff.Deviation]int{}, byNode: map[*diff.Node]int{}}
	for i, f := range slices.Backward(list) {
		o.byDeviation[f.deviation], o.byNode[f.at] = i, i
		o.order = append(o.order, i)
	}
	slices.SortFunc(o.order, func(i, j int) int { return cmp.Or(cmp.Compare(o.at(i), o.at(j)), cmp.Compare(i, j)) })
	o.least = [][]int{o.order}
	for size := 2; size <= len(list); size *= 2 {
		half := o.least[len(o.least)-1]
		row := make([]int, len(list)-size+1)
		for i := range row {
			row[i] = min(half[i], half[i+size/2])
		}
		o.least = append(o.least, row)
	}
	return o
}

// at returns when a clue of the list shows first.
func (o *owners) at(place int) int { return o.times.of(o.list[place].region) }

// of returns the clue that explains d: the one that was made for it, else one inside its execution or the last one
// before it.
func (o *owners) of(d *diff.Deviation) *clue {
	if d.Node == nil {
		return o.list[len(o.list)-1]
	}
	first, made := o.byDeviation[d]
	if place, ok := o.byNode[d.Node]; ok && (!made || place < first) {
		first, made = place, true
	}
	if made {
		return o.list[first]
	}
	from, to := o.after(o.times.enter[d.Node]), o.after(o.times.leave[d.Node]+1)
	inside, last := o.first(from, to), o.last(from)
	if d.Node.Class != diff.Container {
		return cmp.Or(last, inside, o.list[0]) // it deviated before anything inside it could
	}
	return cmp.Or(inside, last, o.list[0])
}

// after returns how many clues in order show before a time.
func (o *owners) after(time int) int {
	return sort.Search(len(o.order), func(i int) bool { return o.at(o.order[i]) >= time })
}

// first returns of some clues in order that which stands first in the list, nil of none.
func (o *owners) first(from, to int) *clue {
	if from >= to {
		return nil
	}
	k := bits.Len(uint(to-from)) - 1
	return o.list[min(o.least[k][from], o.least[k][to-1<<k])]
}

// last returns the latest clue of the first ones in order, and of several at once that which stands first in the
// list; nil of none.
func (o *owners) last(n int) *clue {
	if n == 0 {
		return nil
	}
	return o.list[o.order[o.after(o.at(o.order[n-1]))]]
}
