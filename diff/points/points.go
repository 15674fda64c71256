// Package points says which recorded functions of two versions are the same, and what of their states
// is compared: what both have.
//
// In: what a match says of declared functions and their slots, and the points of both versions. Out: a
// Pairs. It is complete when it is returned; nothing changes it afterwards, and it changes no point. A
// point has at most one counterpart. The same input gives the same pairs, whatever the order of
// functions; that of a function's literals counts. Nothing is run or read.
package points

import (
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/spectra"
)

// A pair is a recorded function that both versions have.
type pair struct {
	old, new spectra.Symbol
	slots    []match.SlotPair // in the order of old

	kept  bool               // whether these are all slots of both, in their order
	named []spectra.SlotDecl // old's slots by the names and kinds that new has for them
}

// Pairs says which functions are the same.
type Pairs struct {
	match *match.Match
	list  []pair // sorted by old's symbols
}

// Match pairs the points of two versions: those of declared functions by name, those of literals
// within their declaring function, first by body, then by parameters and results.
func Match(m *match.Match, old, new []*spectra.Point) *Pairs {
	pairing := &matcher{Match: m}
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
	return &Pairs{m, list}
}

// Olds maps the functions of new to those of old.
func (p *Pairs) Olds() map[spectra.Symbol]spectra.Symbol {
	olds := map[spectra.Symbol]spectra.Symbol{}
	for _, f := range p.list {
		olds[f.new] = f.old
	}
	return olds
}

// Numbers numbers the functions, from 0: both versions of one have the same number.
func (p *Pairs) Numbers() spectra.Pair[map[spectra.Symbol]uint32] {
	numbers := bySymbol[uint32]()
	for i, f := range p.list {
		numbers.Old[f.old], numbers.New[f.new] = uint32(i), uint32(i)
	}
	return numbers
}

// A Slot is a slot of a function's states that is compared.
type Slot struct {
	Index   int
	Pointee bool // it is a pointer, and what it points to stands for it
}

// Slots returns what is compared of the functions of which that is not all slots in their order. Both
// lists of a function have the same length; the slots at the same place are the same.
func (p *Pairs) Slots() spectra.Pair[map[spectra.Symbol][]Slot] {
	compared := bySymbol[[]Slot]()
	for _, f := range p.list {
		if f.kept {
			continue
		}
		olds, news := []Slot{}, []Slot{} // none is not all
		for _, s := range f.slots {
			olds, news = append(olds, Slot{s.Old, s.OldPointer}), append(news, Slot{s.New, s.NewPointer})
		}
		compared.Old[f.old], compared.New[f.new] = olds, news
	}
	return compared
}

// Named returns points of old whose slots have the names that new has for them, so that a path means
// the same in both versions.
func (p *Pairs) Named(old []spectra.Point) []spectra.Point {
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

// Touched returns, for the functions that have any, which variables either version of them may touch,
// as sorted indexes into the variables that both versions have. It is given what the functions of each
// version touch and which variables are constant there, all by that version's names. A variable that is
// constant in both versions is left out.
func (p *Pairs) Touched(
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
