package align

// Equal pairs equal elements such that as few as possible are left over. Among alignments that are
// equally good it prefers removals before insertions, so exchanging old and new may lead to another
// alignment.
//
// A stretch that takes more than limit insertions and removals is divided at elements that occur once on
// both sides. If there are none, its elements stay unpaired.
func Equal[T comparable](old, new []T, limit int) []Pair {
	numbers := map[T]int{}
	e := edits{limit: limit, old: numbered(old, numbers), new: numbered(new, numbers)}
	e.match = func(i, j int) bool { return e.old[i] == e.new[j] }
	e.walk(box{0, len(old), 0, len(new)})
	return e.pairs
}

// Exact pairs equal elements such that as few as possible are left over. Time and memory grow with the
// product of the lengths. Among alignments that are equally good it returns the one whose pairs come
// earliest in new.
func Exact[T comparable](old, new []T) []Pair {
	equal := func(x, y T) int {
		if x == y {
			return Full
		}
		return 0
	}
	a := aligner[T]{Problem: Problem[T]{Weight: equal}, old: new, new: old}
	a.table(0, len(new), 0, len(old))
	for i, pair := range a.pairs {
		a.pairs[i] = Pair{Old: pair.New, New: pair.Old}
	}
	return a.pairs
}

// numbered replaces elements by numbers, equal ones by equal numbers. The result is never nil.
func numbered[T comparable](elements []T, numbers map[T]int) []int {
	list := make([]int, len(elements))
	for i, element := range elements {
		n, ok := numbers[element]
		if !ok {
			n = len(numbers)
			numbers[element] = n
		}
		list[i] = n
	}
	return list
}

// A Gap is a run of elements without partners, between two pairs or at an end. The elements
// old[Old.From:Old.To] stand in the place of new[New.From:New.To]. One of the two may be empty.
type Gap struct{ Old, New Run }

// A Run is a range of indexes; To is not part of it.
type Run struct{ From, To int }

// Gaps returns the gaps between ascending pairs of sequences with the given lengths, in order.
func Gaps(pairs []Pair, old, new int) []Gap {
	var gaps []Gap
	at := Pair{}
	add := func(end Pair) {
		if end.Old > at.Old || end.New > at.New {
			gaps = append(gaps, Gap{Run{at.Old, end.Old}, Run{at.New, end.New}})
		}
		at = Pair{end.Old + 1, end.New + 1}
	}
	for _, pair := range pairs {
		add(pair)
	}
	add(Pair{old, new})
	return gaps
}
