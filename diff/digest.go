package diff

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt"
)

// This file defines the digest of a state whose masked parts are left out.

// digest returns what a state is compared by; false: nothing can be said of it.
func (m *Mask) digest(function spectra.Symbol, at State, s spectra.State) (spectra.Digest, bool) {
	masked := m.under(function, at)
	if _, all := masked[""]; all {
		return spectra.Digest{}, true
	}
	switch {
	case s.Truncated:
		return spectra.Digest{}, false
	case len(masked) == 0:
		return s.Digest, true
	case s.Slots == nil:
		return spectra.Digest{}, false
	}
	d := newDigester(s.Slots, masked)
	d.slots(s.Slots)
	sum := d.Sum(nil)
	return spectra.Digest{binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])}, true
}

type digester struct {
	hash.Hash
	masked         map[spectra.Path]string
	at             map[int]place
	values, hidden int
}

func newDigester(slots []spectra.Slot, masked map[spectra.Path]string) *digester {
	return &digester{Hash: sha256.New(), masked: masked, at: index(slots)}
}

func (d *digester) slots(slots []spectra.Slot) {
	for _, s := range slots {
		path := spectra.Path(s.Name)
		d.value(place{path: path, general: path}, s.Value)
	}
}

func (d *digester) string(s string) {
	d.number(uint64(len(s)))
	d.Write([]byte(s))
}

func (d *digester) number(n uint64) { d.Write(binary.LittleEndian.AppendUint64(nil, n)) }

func (d *digester) value(at place, v *spectra.Value) {
	if v == nil {
		return
	}
	if _, ok := d.masked[at.general]; ok {
		d.hidden += leaves(v)
		return
	}
	if len(v.Items) == 0 {
		d.values++
	}
	d.number(uint64(v.Kind))
	d.string(v.Type)
	d.string(v.Text)
	d.number(v.Bits)
	d.number(v.Imag)
	d.number(uint64(len(v.Items)))
	if v.Kind == rt.ValueRef {
		d.reference(v.ID)
	}
	for i, item := range v.Items {
		d.string(item.Name)
		d.value(at, item.Key)
		d.value(at.item(v, i), item.Value)
	}
}

// reference tells nodes apart by where they are: numbers move when something masked comes and
// goes.
func (d *digester) reference(id int) {
	target := d.at[id]
	if _, ok := d.masked[target.general]; !ok {
		d.string(string(target.path))
	}
}

func leaves(v *spectra.Value) int {
	if v == nil {
		return 0
	}
	if len(v.Items) == 0 {
		return 1
	}
	n := 0
	for _, item := range v.Items {
		n += leaves(item.Value)
	}
	return n
}
