package pipeline

// This file decides which functions of the two versions are the same.

import (
	"slices"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/spectra"
)

// A functionMatcher pairs the functions of two versions.
type functionMatcher struct {
	common  *match.Match
	matched map[spectra.Symbol]spectra.Symbol // new → old
}

// matchFunctions pairs the functions that both versions have: declared ones by name, literals within
// their declaring function.
func (p *plan) matchFunctions(versions spectra.Pair[instrumented]) map[spectra.Symbol]spectra.Symbol {
	m := functionMatcher{p.common, map[spectra.Symbol]spectra.Symbol{}}
	before, after := byDeclaration(versions.Old.points(), nil), byDeclaration(versions.New.points(), p.oldName)
	for declared, olds := range before {
		news := after[declared]
		if len(news) == 0 || p.common.Strangers(declared) {
			continue
		}
		if olds[0].Symbol == declared && p.oldName(news[0].Symbol) == declared {
			m.matched[news[0].Symbol] = declared
			olds, news = olds[1:], news[1:]
		}
		m.matchLiterals(olds, news)
	}
	return m.matched
}

// byDeclaration groups points by their declared function, that one first, then its literals in the
// order of the source.
func byDeclaration(points []*spectra.Point, rename func(spectra.Symbol) spectra.Symbol) map[spectra.Symbol][]*spectra.Point {
	groups := map[spectra.Symbol][]*spectra.Point{}
	for _, p := range points {
		declared := p.Symbol.Declared()
		if rename != nil {
			declared = rename(declared)
		}
		groups[declared] = append(groups[declared], p)
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(one, other *spectra.Point) int {
			switch literal := one.Symbol != one.Symbol.Declared(); {
			case literal == (other.Symbol != other.Symbol.Declared()):
				return 0
			case literal:
				return 1
			}
			return -1
		})
	}
	return groups
}

// matchLiterals pairs literals: those with the same body first, then, in their order, the rest of
// those that have the same parameters and results, if none of these came or went.
func (m *functionMatcher) matchLiterals(olds, news []*spectra.Point) {
	olds, news = slices.Clone(olds), slices.Clone(news)
	pair := func(i, j int) {
		m.matched[news[j].Symbol] = olds[i].Symbol
		olds[i], news[j] = nil, nil
	}
	for i, old := range olds {
		j := slices.IndexFunc(news, func(new *spectra.Point) bool { return new != nil && old.Body == new.Body && m.sameSlots(old, new) })
		if j >= 0 {
			pair(i, j)
		}
	}
	for i, old := range olds {
		if old == nil {
			continue
		}
		alike := func(p *spectra.Point) bool { return p != nil && m.sameSlots(old, p) }
		before, after := indexesOf(olds, likeOld(old)), indexesOf(news, alike)
		for k := range before {
			if len(before) == len(after) {
				pair(before[k], after[k])
			}
		}
		olds[i] = nil
	}
}

// likeOld finds points of old with the same parameters and results.
func likeOld(old *spectra.Point) func(*spectra.Point) bool {
	return func(p *spectra.Point) bool {
		return p != nil && slices.EqualFunc(signature(old), signature(p), func(one, other spectra.SlotDecl) bool {
			return one.Kind == other.Kind && one.Type == other.Type
		})
	}
}

func indexesOf(points []*spectra.Point, fits func(*spectra.Point) bool) []int {
	var found []int
	for i, p := range points {
		if fits(p) {
			found = append(found, i)
		}
	}
	return found
}

// sameSlots reports whether two literals have the same parameters and results.
func (m *functionMatcher) sameSlots(old, new *spectra.Point) bool {
	return slices.EqualFunc(signature(old), signature(new), func(one, other spectra.SlotDecl) bool {
		return one.Kind == other.Kind && one.Type == m.common.Old(other.Type)
	})
}

// signature lists a point's slots without the captured ones.
func signature(p *spectra.Point) []spectra.SlotDecl {
	var slots []spectra.SlotDecl
	for _, s := range p.Slots {
		if s.Kind != spectra.Captured {
			slots = append(slots, s)
		}
	}
	return slots
}
