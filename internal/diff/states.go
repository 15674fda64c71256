package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// States lists the differences between two states that were recorded with values, topmost first.
func States(old, new spectra.State) []Difference {
	return differences(old.Slots(), new.Slots(), nil, func(s string) string { return s })
}

// A View has two states side by side.
type View struct {
	Slots       []Beside     // receiver, parameters, results, package variables
	Differences []Difference // topmost first
	Shared      []Beside     // places that refer to another one, or share memory with it
}

// A Beside is a place in two states, as texts; None where a state does not have it.
type Beside struct {
	Path     spectra.Path
	Old, New string
	Varies   bool // a part of it is masked, so that the texts say nothing
}

// ViewOf returns the view of two states, one of which may be the zero State. What is masked is no difference. Texts are
// cut to a number of runes; there are at most so many shared places.
func ViewOf(old, new spectra.State, masked map[spectra.Path]string, runes, shared int) View {
	v := View{}
	m := newMasker(masked)
	for _, p := range pairSlots(old.Slots(), new.Slots()) {
		v.Slots = append(v.Slots, Beside{
			Path: spectra.Path(p.name), Varies: m.slot(p.name).live,
			Old: shortText(p.old, runes), New: shortText(p.new, runes),
		})
	}
	if old.Recorded() && new.Recorded() {
		v.Differences = differences(old.Slots(), new.Slots(), masked, func(s string) string { return s })
	}
	v.Shared = besides(references(old.Slots(), m, shared), references(new.Slots(), m, shared), shared)
	return v
}

func shortText(v *spectra.Value, runes int) string {
	if v == nil {
		return None
	}
	return v.Short(runes)
}

// A reference is a place, and what it refers to.
type reference struct {
	path spectra.Path
	to   string
}

// references lists the places of a state that are the same as another one, or share memory with it, in the order of the
// state. What is masked is left out.
func references(slots []spectra.Slot, m *masker, most int) (list []reference) {
	at := m.places(slots)
	w := &walker{masker: m}
	var visit func(p *place, v *spectra.Value)
	visit = func(p *place, v *spectra.Value) {
		if v == nil || len(list) >= most || m.hides(p) {
			return
		}
		switch {
		case v.Kind == wire.ValueRef, v.Kind == wire.ValueInside:
			if to := at[v.ID]; to != nil && !m.within(to) {
				list = append(list, reference{p.path(), w.text(v, &at)})
			}
			return
		case len(v.Rare().Shares) > 0:
			list = append(list, reference{"memory(" + p.path() + ")", shared(v, at)})
		}
		for i, item := range v.Items {
			visit(m.item(p, v, i), item.Value)
		}
	}
	for _, s := range slots {
		visit(m.slot(s.Name), s.Value)
	}
	return list
}

// besides puts the references of two states side by side: first those that differ.
func besides(old, new []reference, most int) (list []Beside) {
	at := map[spectra.Path]int{}
	for _, r := range old {
		at[r.path] = len(list)
		list = append(list, Beside{Path: r.path, Old: r.to, New: None})
	}
	for _, r := range new {
		if i, ok := at[r.path]; ok {
			list[i].New = r.to
		} else {
			list = append(list, Beside{Path: r.path, Old: None, New: r.to})
		}
	}
	slices.SortStableFunc(list, func(x, y Beside) int {
		return cmp.Or(cmp.Compare(truth(x.Old == x.New), truth(y.Old == y.New)),
			strings.Compare(string(x.Path), string(y.Path)))
	})
	return list[:min(len(list), most)]
}
