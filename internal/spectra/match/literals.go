package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
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

// literals pairs function literals: first those with the same body, parameters and results, in the same file and in
// their order there, then elsewhere. The others are paired in order with those that have the same parameters and
// results, if both versions have as many of them.
func (m *pointMatcher) literals(olds, news []*spectra.Point) {
	olds, news = slices.Clone(olds), slices.Clone(news)
	pair := func(i, j int) {
		m.pair(olds[i], news[j])
		olds[i], news[j] = nil, nil
	}
	m.alike(olds, news, pair)
	for _, old := range olds {
		if old == nil {
			continue
		}
		before := indexesOf(olds, func(p *spectra.Point) bool { return p != nil && sameSignature(old, p) })
		after := indexesOf(news, func(p *spectra.Point) bool { return p != nil && m.sameSlots(old, p) })
		for k, at := range before {
			if len(before) == len(after) {
				pair(at, after[k])
			}
			olds[at] = nil // else the next ones might be as many as are left
		}
	}
}

// alike pairs literals that look alike. A package may have many of them, which only return an error or call one
// function, so a file is compared with itself first: what another file brings is not taken for what was there.
func (m *pointMatcher) alike(olds, news []*spectra.Point, pair func(i, j int)) {
	before := looks(olds, func(name string) string { return name })
	after := looks(news, m.Old)
	problem := align.Problem[look]{Weight: likeness, Compare: compareLooks}
	for _, file := range files(olds) {
		in := func(p *spectra.Point) bool { return p != nil && p.File == file }
		i, j := indexesOf(olds, in), indexesOf(news, in)
		for _, p := range problem.Align(chosen(before, i), chosen(after, j)) {
			pair(i[p.Old], j[p.New])
		}
	}
	for _, least := range []int{align.Full, 1} {
		for i := range olds {
			for j := range news {
				if olds[i] != nil && news[j] != nil && likeness(before[i], after[j]) >= least {
					pair(i, j)
				}
			}
		}
	}
}

// A look is what tells a literal from others: its parameters, results and body, and what it is a value of.
type look struct{ code, place string }

// looks returns the look of each literal. Old translates names to those of old.
func looks(points []*spectra.Point, old func(string) string) []look {
	list := make([]look, len(points))
	for i, p := range points {
		code := p.Body
		for _, s := range signature(p) {
			code += fmt.Sprint(" ", s.Kind, " ", old(s.Type))
		}
		list[i] = look{code, p.Place}
	}
	return list
}

// likeness is the weight of a pair of literals. Where one is may have another name in the other version.
func likeness(one, other look) int {
	switch {
	case one == other:
		return align.Full
	case one.code == other.code:
		return 1
	}
	return 0
}

func compareLooks(one, other look) int {
	return cmp.Or(strings.Compare(one.code, other.code), strings.Compare(one.place, other.place))
}

// files lists the files of the points, each once.
func files(points []*spectra.Point) []string {
	var list []string
	for _, p := range points {
		if !slices.Contains(list, p.File) {
			list = append(list, p.File)
		}
	}
	return list
}

func chosen(list []look, indexes []int) []look {
	var some []look
	for _, i := range indexes {
		some = append(some, list[i])
	}
	return some
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
