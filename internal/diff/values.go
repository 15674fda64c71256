package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Difference is a part of a state that differs.
type Difference struct {
	Path     spectra.Path
	Old, New string // Go-like text, cut where it is very long; "(none)" = there is nothing

	general spectra.Path // Path as a mask has it, with [*] for every index and key
	depth   int          // steps below the slot

	variable bool // in a package variable
}

const (
	textWidth = 2000 // of a difference's values; reports cut further
	most      = 1000 // differences kept of one pair of states
)

// None is the text where one version has no value.
const None = "(none)"

// differences compares two states. The topmost differences come first.
func differences(old, new []spectra.Slot, masked map[spectra.Path]string, function func(string) string) []Difference {
	w := &walker{masker: newMasker(masked), function: function, old: old, new: new}
	for _, p := range pairSlots(old, new) {
		before := len(w.found)
		w.compare(w.slot(p.name), p.old, p.new)
		for i := range w.found[before:] {
			w.found[before+i].variable = strings.Contains(p.name, ".")
		}
	}
	slices.SortStableFunc(w.found, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(truth(x.variable), truth(y.variable)), cmp.Compare(x.depth, y.depth))
	})
	return w.found
}

type slotPair struct {
	name     string
	old, new *spectra.Value
}

// pairSlots pairs slots by name, and what is left (renamed parameters) in order.
func pairSlots(old, new []spectra.Slot) []slotPair {
	oldOf := map[string]int{}
	for i, s := range old {
		oldOf[s.Name] = i
	}
	used := make([]bool, len(old))
	for _, s := range new {
		if i, ok := oldOf[s.Name]; ok {
			used[i] = true
		}
	}
	var pairs []slotPair
	left := 0
	for _, s := range new {
		p := slotPair{name: s.Name, new: s.Value}
		if i, ok := oldOf[s.Name]; ok {
			p.old = old[i].Value
		} else {
			for left < len(old) && used[left] {
				left++
			}
			if left < len(old) {
				p.old = old[left].Value
				used[left] = true
			}
		}
		pairs = append(pairs, p)
	}
	for i, s := range old {
		if !used[i] {
			pairs = append(pairs, slotPair{name: s.Name, old: s.Value})
		}
	}
	return pairs
}

type walker struct {
	*masker
	function     func(string) string // the new name of a function of the old version
	old, new     []spectra.Slot
	oldAt, newAt map[int32]*place // nil until a reference is met
	found        []Difference
}

// targets returns the places that two references refer to.
func (w *walker) targets(old, new *spectra.Value) (*place, *place) {
	w.findPlaces()
	return w.oldAt[old.ID], w.newAt[new.ID]
}

func (w *walker) findPlaces() {
	if w.oldAt == nil {
		w.oldAt, w.newAt = w.masker.places(w.old), w.masker.places(w.new)
	}
}

// shares compares which other nodes two nodes share memory with.
func (w *walker) shares(at *place, old, new *spectra.Value) {
	if len(old.Rare().Shares)+len(new.Rare().Shares) == 0 {
		return
	}
	w.findPlaces()
	if o, n := shared(old, w.oldAt), shared(new, w.newAt); o != n {
		w.differ(at, "memory("+at.path()+")", o, n)
	}
}

func (w *walker) differ(at *place, path spectra.Path, old, new string) {
	if len(w.found) < most {
		general := at.generalPath()
		w.found = append(w.found, Difference{Path: path, Old: old, New: new, general: general, depth: at.depth})
	}
}

func (w *walker) compare(at *place, old, new *spectra.Value) {
	switch {
	case w.hides(at), kind(old) == wire.ValueTruncated, kind(new) == wire.ValueTruncated:
	case old == nil || new == nil || old.Kind != new.Kind || !w.sameType(old, new):
		w.different(at, old, new)
	case old.Kind == wire.ValueInside && old.Text != new.Text:
		w.different(at, old, new)
	case old.Kind == wire.ValueRef, old.Kind == wire.ValueInside:
		if o, n := w.targets(old, new); o.path() != n.path() && !w.within(o) && !w.within(n) {
			w.different(at, old, new)
		}
	default:
		w.parts(at, old, new)
	}
}

func kind(v *spectra.Value) spectra.ValueKind {
	if v == nil {
		return 0
	}
	return v.Kind
}

func (w *walker) sameType(old, new *spectra.Value) bool {
	return old.Type == new.Type || old.Kind == wire.ValueFunc && w.function(old.Type) == new.Type
}

func (w *walker) parts(at *place, old, new *spectra.Value) {
	if old.Bits != new.Bits || old.Rare().Imag != new.Rare().Imag || old.Text != new.Text {
		w.different(at, old, new)
		return
	}
	w.shares(at, old, new)
	switch old.Kind {
	case wire.ValueStruct:
		w.fields(at, old, new)
	case wire.ValueMap:
		w.entries(at, old, new)
	default:
		w.elements(at, old, new)
	}
}

// fields compares the fields that both versions have.
func (w *walker) fields(at *place, old, new *spectra.Value) {
	oldOf := make(map[string]*spectra.Value, len(old.Items))
	for _, f := range old.Items {
		oldOf[f.Name] = f.Value
	}
	for i, f := range new.Items {
		if o, ok := oldOf[f.Name]; ok {
			w.compare(w.item(at, new, i), o, f.Value)
		}
	}
}

func (w *walker) entries(at *place, old, new *spectra.Value) {
	oldOf := make(map[string][]int, len(old.Items)) // pointers as keys may read the same
	for i, e := range old.Items {
		key := e.Key.String()
		oldOf[key] = append(oldOf[key], i)
	}
	used := make([]bool, len(old.Items))
	for i, e := range new.Items {
		var o *spectra.Value
		key := e.Key.String()
		if list := oldOf[key]; len(list) > 0 {
			o, used[list[0]] = old.Items[list[0]].Value, true
			oldOf[key] = list[1:]
		}
		w.compare(w.item(at, new, i), o, e.Value)
	}
	for i, e := range old.Items {
		if !used[i] {
			w.compare(w.item(at, old, i), e.Value, nil)
		}
	}
}

func (w *walker) elements(at *place, old, new *spectra.Value) {
	if len(old.Items) != len(new.Items) {
		w.differ(at, "len("+at.path()+")", length(old), length(new))
	}
	for i := range max(len(old.Items), len(new.Items)) {
		switch {
		case i >= len(new.Items):
			w.compare(w.item(at, old, i), old.Items[i].Value, nil)
		case i >= len(old.Items):
			w.compare(w.item(at, new, i), nil, new.Items[i].Value)
		default:
			w.compare(w.item(at, new, i), old.Items[i].Value, new.Items[i].Value)
		}
	}
}
