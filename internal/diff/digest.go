package diff

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// digest returns the digest of a state without its masked parts. It reports false where there is none: the
// state is truncated, or parts are masked and no values were recorded.
func digest(m *noise.Mask, function spectra.Symbol, at noise.State, s spectra.State) (spectra.Digest, bool) {
	masked := m.Under(function, at)
	if _, all := masked[""]; all {
		return spectra.Digest{}, true
	}
	switch {
	case s.Truncated:
		return spectra.Digest{}, false
	case len(masked) == 0:
		return s.Digest, true
	case !s.Recorded():
		return spectra.Digest{}, false
	}
	d := newDigester(s.Slots(), masked)
	d.walk()
	sum := sha256.Sum256(d.text)
	return spectra.Digest{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}, true
}

// A digester writes a state as bytes, without what is masked.
type digester struct {
	*masker
	state  []spectra.Slot
	text   []byte
	at     map[int32]*place // nil until a reference is met
	path   []byte           // of the reference that was written last
	hidden int              // number of values that the mask hides
}

func newDigester(slots []spectra.Slot, masked map[spectra.Path]string) *digester {
	return &digester{masker: newMasker(masked), state: slots}
}

func (d *digester) walk() {
	for _, s := range d.state {
		d.value(d.slot(s.Name), s.Value)
	}
}

func (d *digester) string(s string) {
	d.number(uint64(len(s)))
	d.text = append(d.text, s...)
}

func (d *digester) number(n uint64) { d.text = binary.AppendUvarint(d.text, n) }

func (d *digester) value(at *place, v *spectra.Value) {
	if v == nil {
		return
	}
	if d.hides(at) {
		d.hidden += leaves(v)
		return
	}
	d.number(uint64(v.Kind))
	d.string(v.Type)
	d.string(v.Text)
	d.number(v.Bits)
	d.number(v.Rare().Imag)
	d.number(uint64(len(v.Items)))
	if v.Kind == wire.ValueRef || v.Kind == wire.ValueInside {
		d.reference(v.ID)
	}
	for _, s := range v.Rare().Shares {
		d.reference(s.ID)
		d.string(s.Path)
	}
	for i, item := range v.Items {
		d.string(item.Name)
		d.value(at, item.Key)
		d.value(d.item(at, v, i), item.Value)
	}
}

// reference writes a reference as the path of the node. The node's number won't do: it changes when something
// masked comes and goes.
func (d *digester) reference(id int32) {
	if d.at == nil {
		d.at = d.places(d.state)
	}
	if target := d.at[id]; !d.within(target) {
		d.path = target.appendPath(d.path[:0])
		d.number(uint64(len(d.path)))
		d.text = append(d.text, d.path...)
	}
}

// leaves returns the number of values without parts in v.
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

// Weigh counts the values of a recorded run and how many of them the mask hides.
func Weigh(s *spectra.Spectrum, mask *noise.Mask) (values, masked int) {
	for e := range s.Executions {
		for _, at := range []noise.State{noise.Entry, noise.Exit} {
			slots, paths := stateOf(e, at).Slots(), mask.Under(e.Symbol, at)
			all := 0
			for _, s := range slots {
				all += leaves(s.Value)
			}
			values += all
			if _, whole := paths[""]; whole {
				masked += all
			} else if len(paths) > 0 {
				d := newDigester(slots, paths)
				d.walk()
				masked += d.hidden
			}
		}
	}
	return values, masked
}
