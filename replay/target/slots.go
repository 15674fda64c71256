package target

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file matches what two versions of a function take and give.

// A Pair is a slot that both versions of a function have, by its place in each.
type Pair struct {
	Old, New   int
	OldPointer bool // old has a pointer to what new has
	NewPointer bool // the other way round
}

// Pairs matches the slots of two versions of a function, in the order of old. The same types in
// the same order are the same slots; else those with the same name and type, then those of a type
// that both have as often of what is left. Captured variables go by name alone: which of them a
// literal uses is a matter of its body.
func (s *Surface) Pairs(function spectra.Symbol, old, new []spectra.SlotDecl) []Pair {
	m := &slotMatcher{old: old, new: slices.Clone(new), byName: s.renamer.reordered(string(function))}
	for i := range m.new {
		m.new[i].Type = s.Names.Old(m.new[i].Type)
	}
	return m.match()
}

// reordered reports whether the parameters of a function, by its old name, have new places although
// the types say nothing of it. Of an exported one the places are what callers rely on.
func (r *renamer) reordered(symbol string) bool {
	old, new := r.byName[0][symbol], r.byName[1][symbol]
	if old == nil || new == nil || token.IsExported(old.short()) || token.IsExported(new.short()) || r.same(symbol) {
		return false
	}
	one, other := named(old.slots), named(new.slots)
	if slices.Equal(one, other) {
		return false
	}
	slices.Sort(one)
	slices.Sort(other)
	return slices.Equal(one, other)
}

// named lists the names of parameters.
func named(slots []spectra.SlotDecl) []string {
	var names []string
	for _, slot := range slots {
		if slot.Kind == spectra.Parameter {
			names = append(names, slot.Name)
		}
	}
	return names
}

// A slotMatcher matches the slots of two versions; types are by old's names.
type slotMatcher struct {
	old, new []spectra.SlotDecl
	byName   bool
	pairs    []Pair
}

func (m *slotMatcher) match() []Pair {
	for _, kinds := range [][]spectra.SlotKind{{spectra.Receiver, spectra.Parameter}, {spectra.Captured}, {spectra.Result}} {
		olds, news := placesOf(m.old, kinds), placesOf(m.new, kinds)
		same := len(olds) == len(news)
		for i := 0; same && i < len(olds); i++ {
			same = m.old[olds[i]].Type == m.new[news[i]].Type
		}
		switch {
		case kinds[0] == spectra.Captured:
			m.take(&olds, &news, func(old, new spectra.SlotDecl) bool { return old.Type == new.Type && old.Name == new.Name })
		case same && !m.byName:
			for i := range olds {
				m.pairs = append(m.pairs, Pair{Old: olds[i], New: news[i]})
			}
		default:
			m.take(&olds, &news, sameName)
			m.receivers(&olds, &news)
			m.rest(olds, news)
		}
	}
	slices.SortFunc(m.pairs, func(one, other Pair) int { return one.Old - other.Old })
	return m.pairs
}

// placesOf lists the slots of some kinds.
func placesOf(slots []spectra.SlotDecl, kinds []spectra.SlotKind) []int {
	var places []int
	for i, slot := range slots {
		if slices.Contains(kinds, slot.Kind) {
			places = append(places, i)
		}
	}
	return places
}

func sameName(old, new spectra.SlotDecl) bool {
	return old.Type == new.Type && old.Name == new.Name && !madeUp(old)
}

// madeUp reports whether a slot has no name in the source.
func madeUp(slot spectra.SlotDecl) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(slot.Name, "arg"), "ret")
	return digits != slot.Name && strings.Trim(digits, "0123456789") == ""
}

// take pairs the first slots that fit and removes them from the lists.
func (m *slotMatcher) take(olds, news *[]int, fits func(old, new spectra.SlotDecl) bool) {
	*olds = slices.DeleteFunc(*olds, func(i int) bool {
		k := slices.IndexFunc(*news, func(j int) bool { return fits(m.old[i], m.new[j]) })
		if k < 0 {
			return false
		}
		m.pairs = append(m.pairs, Pair{Old: i, New: (*news)[k]})
		*news = slices.Delete(*news, k, k+1)
		return true
	})
}

// receivers pairs a receiver with a pointer to the same.
func (m *slotMatcher) receivers(olds, news *[]int) {
	if len(*olds) == 0 || len(*news) == 0 {
		return
	}
	i, j := (*olds)[0], (*news)[0]
	old, new := m.old[i], m.new[j]
	p := Pair{Old: i, New: j, OldPointer: old.Type == "*"+new.Type, NewPointer: new.Type == "*"+old.Type}
	if (old.Kind == spectra.Receiver || new.Kind == spectra.Receiver) && p.OldPointer != p.NewPointer {
		m.pairs = append(m.pairs, p)
		*olds, *news = (*olds)[1:], (*news)[1:]
	}
}

// rest pairs what is left, in order, of each type that is left as often in both.
func (m *slotMatcher) rest(olds, news []int) {
	of := func(slots []spectra.SlotDecl, places []int, typ string) []int {
		return slices.DeleteFunc(slices.Clone(places), func(i int) bool { return slots[i].Type != typ })
	}
	done := map[string]bool{}
	for _, i := range olds {
		typ := m.old[i].Type
		before, after := of(m.old, olds, typ), of(m.new, news, typ)
		for k := 0; !done[typ] && len(before) == len(after) && k < len(before); k++ {
			m.pairs = append(m.pairs, Pair{Old: before[k], New: after[k]})
		}
		done[typ] = true
	}
}

// slotsOf lists the slots of a function as its probes hand them over.
func slotsOf(sig *types.Signature) []spectra.SlotDecl {
	var slots []spectra.SlotDecl
	add := func(kind spectra.SlotKind, v *types.Var, made string) {
		name := v.Name()
		if name == "" || name == "_" {
			name = made
		}
		slots = append(slots, spectra.SlotDecl{Kind: kind, Name: name, Type: symbol.Type(v.Type())})
	}
	if sig.Recv() != nil {
		add(spectra.Receiver, sig.Recv(), "recv")
	}
	for i := range sig.Params().Len() {
		add(spectra.Parameter, sig.Params().At(i), fmt.Sprint("arg", i))
	}
	for i := range sig.Results().Len() {
		add(spectra.Result, sig.Results().At(i), fmt.Sprint("ret", i))
	}
	return slots
}

// Strangers reports whether a function of both versions, by its old name, has nothing but the name in
// common: another signature, and a body that was not made from the other one.
func (s *Surface) Strangers(function spectra.Symbol) bool {
	r := s.renamer
	old, new := r.byName[0][string(function)], r.byName[1][string(function)]
	if old == nil || new == nil || old.sort == s.Names.Old(new.sort) {
		return false
	}
	declared := func(f Rename) bool { return f.Old == function }
	return !slices.ContainsFunc(s.Renames, declared) && dice(old.bag(r.spell(0, old)), new.bag(r.spell(1, new))) < related
}

// reshaped says how the signature of a function that both versions have differs, by old's names.
func (s *Surface) reshaped(function string) string {
	before, after := s.renamer.byName[0][function], s.renamer.byName[1][function]
	if before == nil || after == nil {
		return ""
	}
	old, new := before.slots, slices.Clone(after.slots)
	for i := range new {
		new[i].Type = s.Names.Old(new[i].Type)
	}
	pairs := s.Pairs(spectra.Symbol(function), before.slots, after.slots)
	var parts []string
	lost, gained := unpaired(old, new, pairs)
	for _, list := range []struct {
		what  string
		slots []spectra.SlotDecl
	}{{"lost", lost}, {"gained", gained}} {
		if len(list.slots) > 0 {
			parts = append(parts, list.what+" "+slotTexts(list.slots))
		}
	}
	for _, p := range pairs {
		if p.OldPointer || p.NewPointer {
			parts = append(parts, "receiver "+old[p.Old].Type+" → "+new[p.New].Type)
		}
	}
	if !slices.IsSortedFunc(pairs, func(one, other Pair) int { return one.New - other.New }) {
		parts = append(parts, "parameters in another order")
	}
	if one, other := results(old), results(new); one != other {
		parts = append(parts, "results "+one+" → "+other)
	}
	if len(parts) == 0 {
		parts = append(parts, before.sort+" → "+s.Names.Old(after.sort))
	}
	if s.Strangers(spectra.Symbol(function)) {
		parts = append(parts, "another body, not compared")
	}
	return strings.Join(parts, "; ")
}

// unpaired lists the parameters, receivers included, that one version has alone.
func unpaired(old, new []spectra.SlotDecl, pairs []Pair) (lost, gained []spectra.SlotDecl) {
	for i, slot := range old {
		if slot.Kind != spectra.Result && !slices.ContainsFunc(pairs, func(p Pair) bool { return p.Old == i }) {
			lost = append(lost, slot)
		}
	}
	for j, slot := range new {
		if slot.Kind != spectra.Result && !slices.ContainsFunc(pairs, func(p Pair) bool { return p.New == j }) {
			gained = append(gained, slot)
		}
	}
	return lost, gained
}

func slotTexts(slots []spectra.SlotDecl) string {
	var texts []string
	for _, slot := range slots {
		text := slot.Name + " " + slot.Type
		if madeUp(slot) {
			text = slot.Type
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// results writes the types of the results.
func results(slots []spectra.SlotDecl) string {
	var texts []string
	for _, slot := range slots {
		if slot.Kind == spectra.Result {
			texts = append(texts, slot.Type)
		}
	}
	return "(" + strings.Join(texts, ", ") + ")"
}
