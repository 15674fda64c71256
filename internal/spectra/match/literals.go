package match

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A pointMatcher collects pairs.
type pointMatcher struct {
	*Match
	list []pair
}

// inOld translates a symbol of new to old's.
func (m *pointMatcher) inOld(s spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(m.Old(string(s)))
}

// pair adds a pair.
func (m *pointMatcher) pair(old, new *spectra.Point) {
	p := pair{
		old: old.Symbol, new: new.Symbol, slots: m.Slots(old.Symbol, old.Slots, new.Slots),
		named: slices.Clone(old.Slots),
	}
	p.kept = len(p.slots) == len(old.Slots) && len(p.slots) == len(new.Slots)
	for i, s := range p.slots {
		p.kept = p.kept && s == SlotPair{Old: i, New: i}
		p.named[s.Old].Name, p.named[s.Old].Kind = new.Slots[s.New].Name, new.Slots[s.New].Kind
		if new.Slots[s.New].Kind == spectra.Result { // which paths call by its place
			place := slices.Index(placesOf(new.Slots, []spectra.SlotKind{spectra.Result}), s.New)
			p.named[s.Old].Name = spectra.ResultName(place)
		}
	}
	m.list = append(m.list, p)
}

// byDeclaration groups points by their declared function. A group begins with that function; its literals
// follow in the order of the source.
func byDeclaration(
	points []*spectra.Point, name func(spectra.Symbol) spectra.Symbol,
) map[spectra.Symbol][]*spectra.Point {
	groups := map[spectra.Symbol][]*spectra.Point{}
	for _, p := range points {
		declared := name(p.Symbol.Declared())
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

// literals pairs function literals: first those with the same body, parameters and results. The others are
// paired in order with those that have the same parameters and results, if both versions have as many of
// them.
func (m *pointMatcher) literals(olds, news []*spectra.Point) {
	olds, news = slices.Clone(olds), slices.Clone(news)
	pair := func(i, j int) {
		m.pair(olds[i], news[j])
		olds[i], news[j] = nil, nil
	}
	for i, old := range olds {
		j := slices.IndexFunc(news, func(new *spectra.Point) bool {
			return new != nil && old.Body == new.Body && m.sameSlots(old, new)
		})
		if j >= 0 {
			pair(i, j)
		}
	}
	for i, old := range olds {
		if old == nil {
			continue
		}
		before := indexesOf(olds, func(p *spectra.Point) bool { return p != nil && sameSignature(old, p) })
		after := indexesOf(news, func(p *spectra.Point) bool { return p != nil && m.sameSlots(old, p) })
		for k := range before {
			if len(before) == len(after) {
				pair(before[k], after[k])
			}
		}
		olds[i] = nil
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

// sameSignature reports whether two literals of old have the same parameters and results.
func sameSignature(one, other *spectra.Point) bool {
	return slices.EqualFunc(signature(one), signature(other), func(s, t spectra.SlotDecl) bool {
		return s.Kind == t.Kind && s.Type == t.Type
	})
}

// sameSlots reports whether a literal of old and one of new have the same parameters and results.
func (m *pointMatcher) sameSlots(old, new *spectra.Point) bool {
	return slices.EqualFunc(signature(old), signature(new), func(one, other spectra.SlotDecl) bool {
		return one.Kind == other.Kind && one.Type == m.Old(other.Type)
	})
}

// signature lists a point's slots without the captured ones.
func signature(p *spectra.Point) []spectra.SlotDecl {
	return slices.DeleteFunc(slices.Clone(p.Slots), func(s spectra.SlotDecl) bool { return s.Kind == spectra.Captured })
}
