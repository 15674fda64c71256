package match

import (
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A pair is a recorded function that both versions have.
type pair struct {
	old, new spectra.Symbol
	slots    []SlotPair // in the order of old

	kept  bool               // slots has all slots of both versions, in the same order
	named []spectra.SlotDecl // old's slots with the names and kinds that they have in new
}

// PointPairs lists the recorded functions that both versions have. It never changes after MatchPoints returned it.
type PointPairs struct {
	match *Match
	list  []pair // sorted by old's symbols
}

// MatchPoints pairs the points of two versions: the recorded functions, function literals included, and the slots of
// their states that both versions have. Declared functions are paired by name. Function literals are paired within the
// function that declares them, first by body, file and what they are a value of, then by parameters and results; they
// have to be in the order of the source. A point has at most one counterpart. The points are not changed, and the same
// points make the same pairs, whatever the order of the functions.
func MatchPoints(m *Match, old, new []*spectra.Point) *PointPairs {
	pairing := &pointMatcher{Match: m}
	before := byDeclaration(old, func(s spectra.Symbol) spectra.Symbol { return s })
	after := byDeclaration(new, pairing.inOld)
	for _, declared := range slices.Sorted(maps.Keys(before)) {
		olds, news := before[declared], after[declared]
		if len(news) == 0 || m.Strangers(declared) {
			continue
		}
		if olds[0].Symbol == declared && pairing.inOld(news[0].Symbol) == declared {
			pairing.pair(olds[0], news[0])
			olds, news = olds[1:], news[1:]
		}
		pairing.literals(olds, news)
	}
	slices.SortStableFunc(pairing.list, func(p, q pair) int { return strings.Compare(string(p.old), string(q.old)) })
	// All functions init of a package have one symbol.
	list := slices.CompactFunc(pairing.list, func(p, q pair) bool { return p.old == q.old && p.new == q.new })
	return &PointPairs{m, list}
}

// Olds maps the functions of new to those of old.
func (p *PointPairs) Olds() map[spectra.Symbol]spectra.Symbol {
	olds := map[spectra.Symbol]spectra.Symbol{}
	for _, f := range p.list {
		olds[f.new] = f.old
	}
	return olds
}

// Numbers returns a number for each function, from 0. Both versions of a function have the same number.
func (p *PointPairs) Numbers() spectra.Pair[map[spectra.Symbol]uint32] {
	numbers := bySymbol[uint32]()
	for i, f := range p.list {
		numbers.Old[f.old], numbers.New[f.new] = uint32(i), uint32(i)
	}
	return numbers
}

// Slots returns the slots to compare, for the functions whose slots are not the same in both versions. Both
// lists of a function have the same length, and slots with the same index in them correspond.
func (p *PointPairs) Slots() spectra.Pair[map[spectra.Symbol][]spectra.ComparedSlot] {
	compared := bySymbol[[]spectra.ComparedSlot]()
	for _, f := range p.list {
		if f.kept {
			continue
		}
		olds, news := []spectra.ComparedSlot{}, []spectra.ComparedSlot{} // empty, not nil: no list means all slots
		for _, s := range f.slots {
			olds = append(olds, spectra.ComparedSlot{Index: s.Old, Pointee: s.OldPointer})
			news = append(news, spectra.ComparedSlot{Index: s.New, Pointee: s.NewPointer})
		}
		compared.Old[f.old], compared.New[f.new] = olds, news
	}
	return compared
}

// Named returns points of old with the names that their slots have in new, so that a path means the same in
// both versions.
func (p *PointPairs) Named(old []spectra.Point) []spectra.Point {
	named := slices.Clone(old)
	for i := range named {
		at, found := slices.BinarySearchFunc(p.list, named[i].Symbol, func(f pair, symbol spectra.Symbol) int {
			return strings.Compare(string(f.old), string(symbol))
		})
		if found {
			named[i].Slots = slices.Clone(p.list[at].named)
		}
	}
	return named
}

// Touched returns the package variables that either version of a function may touch, as sorted indexes into
// the variables that both versions have. Functions without any are left out, and so are variables that are
// constant in both versions. The arguments are what the functions of each version touch and which variables
// are constant there, under that version's names.
func (p *PointPairs) Touched(
	touches spectra.Pair[map[spectra.Symbol][]string], constant spectra.Pair[map[string]bool],
) spectra.Pair[map[spectra.Symbol][]int] {
	index := map[string]int{}
	for i, name := range p.match.Variables() {
		if !constant.Old[name] || !constant.New[p.match.New(name)] {
			index[name] = i
		}
	}
	touched := bySymbol[[]int]()
	for _, f := range p.list {
		var list []int
		add := func(name string) {
			if i, ok := index[name]; ok {
				list = append(list, i)
			}
		}
		for _, name := range touches.Old[f.old] {
			add(name)
		}
		for _, name := range touches.New[f.new] {
			add(p.match.Old(name))
		}
		slices.Sort(list)
		if list = slices.Compact(list); len(list) > 0 {
			touched.Old[f.old], touched.New[f.new] = list, slices.Clone(list)
		}
	}
	return touched
}

// bySymbol returns an empty map for each version.
func bySymbol[T any]() spectra.Pair[map[spectra.Symbol]T] {
	return spectra.MakePair(func(spectra.Side) map[spectra.Symbol]T { return map[spectra.Symbol]T{} })
}
