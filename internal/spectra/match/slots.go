package match

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A SlotPair is a slot that both versions of a function have.
type SlotPair struct {
	Old, New   int  // indexes of the slot
	OldPointer bool // old has a pointer to what new has
	NewPointer bool // the other way round
}

// Slots matches the slots of two versions of a function or function literal, given by its name in old. The
// pairs are in the order of old. Types in new may be under new's names.
//
// If the types are the same in the same order, the slots correspond in order. Otherwise slots with the same
// name and type correspond; of those that are left, slots of a type correspond in order if both versions have
// as many of them. Captured variables need the same name and type, because their order follows from the
// literal's body.
func (m *Match) Slots(function spectra.Symbol, old, new []spectra.SlotDecl) []SlotPair {
	s := &slotMatcher{old: old, new: m.slotsInOld(new), byName: m.reordered(string(function))}
	return s.match()
}

// slotsInOld returns slots of new with their types under old's names.
func (m *Match) slotsInOld(slots []spectra.SlotDecl) []spectra.SlotDecl {
	slots = slices.Clone(slots)
	for i := range slots {
		slots[i].Type = m.Old(slots[i].Type)
	}
	return slots
}

// reordered reports whether the names say that parameters of a function changed places. This is only believed
// of an unexported function whose body changed: callers of an exported one rely on the places.
func (r *reading) reordered(symbol string) bool {
	old, new := r.both(symbol)
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

// A slotMatcher matches the slots of two versions, whose types are under old's names.
type slotMatcher struct {
	old, new []spectra.SlotDecl
	byName   bool // names decide even if all types are the same
	pairs    []SlotPair
}

func (m *slotMatcher) match() []SlotPair {
	groups := [][]spectra.SlotKind{{spectra.Receiver, spectra.Parameter}, {spectra.Captured}, {spectra.Result}}
	for _, kinds := range groups {
		olds, news := placesOf(m.old, kinds), placesOf(m.new, kinds)
		same := len(olds) == len(news)
		for i := 0; same && i < len(olds); i++ {
			same = m.old[olds[i]].Type == m.new[news[i]].Type
		}
		switch {
		case kinds[0] == spectra.Captured:
			m.take(&olds, &news, func(old, new spectra.SlotDecl) bool {
				return old.Type == new.Type && old.Name == new.Name
			})
		case same && !m.byName:
			for i := range olds {
				m.pairs = append(m.pairs, SlotPair{Old: olds[i], New: news[i]})
			}
		default:
			m.take(&olds, &news, sameName)
			m.receivers(&olds, &news)
			m.rest(olds, news)
		}
	}
	slices.SortFunc(m.pairs, func(one, other SlotPair) int { return one.Old - other.Old })
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

// take pairs slots that fit, first with first, and removes them from the lists.
func (m *slotMatcher) take(olds, news *[]int, fits func(old, new spectra.SlotDecl) bool) {
	*olds = slices.DeleteFunc(*olds, func(i int) bool {
		k := slices.IndexFunc(*news, func(j int) bool { return fits(m.old[i], m.new[j]) })
		if k < 0 {
			return false
		}
		m.pairs = append(m.pairs, SlotPair{Old: i, New: (*news)[k]})
		*news = slices.Delete(*news, k, k+1)
		return true
	})
}

// receivers pairs a receiver with a pointer to the same type.
func (m *slotMatcher) receivers(olds, news *[]int) {
	if len(*olds) == 0 || len(*news) == 0 {
		return
	}
	i, j := (*olds)[0], (*news)[0]
	old, new := m.old[i], m.new[j]
	p := SlotPair{Old: i, New: j, OldPointer: old.Type == "*"+new.Type, NewPointer: new.Type == "*"+old.Type}
	if (old.Kind == spectra.Receiver || new.Kind == spectra.Receiver) && p.OldPointer != p.NewPointer {
		m.pairs = append(m.pairs, p)
		*olds, *news = (*olds)[1:], (*news)[1:]
	}
}

// rest pairs in order the slots that are left of each type, if both versions have the same number of them.
func (m *slotMatcher) rest(olds, news []int) {
	of := func(slots []spectra.SlotDecl, places []int, typ string) []int {
		return slices.DeleteFunc(slices.Clone(places), func(i int) bool { return slots[i].Type != typ })
	}
	done := map[string]bool{}
	for _, i := range olds {
		typ := m.old[i].Type
		before, after := of(m.old, olds, typ), of(m.new, news, typ)
		for k := 0; !done[typ] && len(before) == len(after) && k < len(before); k++ {
			m.pairs = append(m.pairs, SlotPair{Old: before[k], New: after[k]})
		}
		done[typ] = true
	}
}

// slotsOf lists the slots of a function with the names that its probes use.
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

// Strangers reports whether the two versions of a function, given by its name in old, have nothing but the
// name in common: the signatures differ, and the bodies are less than half alike.
func (m *Match) Strangers(function spectra.Symbol) bool {
	old, new := m.both(string(function))
	if old == nil || new == nil || old.sort == m.Old(new.sort) {
		return false
	}
	declared := func(f Rename) bool { return f.Old == function }
	return !slices.ContainsFunc(m.renames, declared) && m.likeness(old, new) < related
}

// signatureDetail describes how the signature of a function of both versions differs, under old's names.
func (m *Match) signatureDetail(function string) string {
	before, after := m.both(function)
	if before == nil || after == nil {
		return ""
	}
	old, new := before.slots, m.slotsInOld(after.slots)
	pairs := m.Slots(spectra.Symbol(function), before.slots, after.slots)
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
	if !slices.IsSortedFunc(pairs, func(one, other SlotPair) int { return one.New - other.New }) {
		parts = append(parts, "parameters in another order")
	}
	if one, other := results(old), results(new); one != other {
		parts = append(parts, "results "+one+" → "+other)
	}
	if len(parts) == 0 {
		parts = append(parts, before.sort+" → "+m.Old(after.sort))
	}
	if m.Strangers(spectra.Symbol(function)) {
		parts = append(parts, "another body, not compared")
	}
	return strings.Join(parts, "; ")
}

// unpaired returns the parameters and receivers that only one version has.
func unpaired(old, new []spectra.SlotDecl, pairs []SlotPair) (lost, gained []spectra.SlotDecl) {
	for i, slot := range old {
		if slot.Kind != spectra.Result && !slices.ContainsFunc(pairs, func(p SlotPair) bool { return p.Old == i }) {
			lost = append(lost, slot)
		}
	}
	for j, slot := range new {
		if slot.Kind != spectra.Result && !slices.ContainsFunc(pairs, func(p SlotPair) bool { return p.New == j }) {
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
