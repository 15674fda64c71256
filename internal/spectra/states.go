package spectra

import (
	"bytes"
	"hash/maphash"
	"math"
	"sync"
	"weak"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A State is everything that was reachable at an entry or exit. As trees, the values of states take many times the
// memory of the recording, most states of a run occur several times, and few are looked at. So each is held once, as it
// was recorded, and becomes a tree when it is asked for.
type State struct {
	Digest    Digest
	Truncated bool // the walk ended at its budget: the state counts as neither equal to another nor different from it
	values    *values
}

// Recorded reports whether values were recorded.
func (s State) Recorded() bool { return s.values != nil }

// Slots returns the values of the state, none unless they were recorded. They must not be changed.
func (s State) Slots() []Slot {
	if s.values == nil {
		return nil
	}
	return s.values.slots()
}

// WithSlots returns the state with other values; nil: without values.
func (s State) WithSlots(slots []Slot) State {
	s.values = nil
	if slots != nil {
		s.values = &values{made: slots}
		for _, slot := range slots {
			s.values.nodes += slot.Value.nodes()
		}
	}
	return s
}

// values are the values of a state, as they were recorded.
type values struct {
	raw   []byte
	nodes int
	point *Point
	in    *States

	made  []Slot // not nil: these, and no raw ones
	cache weak.Pointer[[]Slot]
}

func (v *values) slots() []Slot {
	if v.made != nil {
		return v.made
	}
	v.in.lock.Lock()
	defer v.in.lock.Unlock()
	if cached := v.cache.Value(); cached != nil {
		return *cached
	}
	r, all := wire.NewReader(v.raw), Budget(math.MaxInt)
	r.Share(v.in.names)
	slots, _ := readSlots(&r, &all, v.in.slotName(v.point)) // a damaged state has those that are whole
	if slots == nil {
		slots = []Slot{}
	}
	v.cache = weak.Make(&slots)
	return slots
}

// States holds the values of states of decoded streams: equal ones are held once. The points of these streams are the
// same. Only one stream is decoded with it at a time.
type States struct {
	seen map[stateKey]*values
	base *States

	lock   sync.Mutex // of what follows, and of the trees of all values
	names  map[string]string
	global func(index int) string
}

type stateKey struct {
	point *Point
	sum   uint64
}

var stateSeed = maphash.MakeSeed()

// NewStates returns States for streams in which package variables are named by a function; nil: by their number.
func NewStates(global func(index int) string) *States {
	return &States{seen: map[stateKey]*values{}, names: map[string]string{}, global: global}
}

// Beside returns States for another stream, which share what s holds and add nothing to it.
func (s *States) Beside() *States {
	beside := NewStates(s.global)
	beside.base = s
	return beside
}

// find returns the values of a state that is held, nil if it is not, and the key under which to add it then.
func (s *States) find(p *Point, raw []byte) (*values, stateKey) {
	key := stateKey{p, maphash.Bytes(stateSeed, raw)}
	for ; s != nil; s = s.base {
		if found, ok := s.seen[key]; ok && bytes.Equal(found.raw, raw) {
			return found, key
		}
	}
	return nil, key
}

func (s *States) slotName(p *Point) func(slot int) string {
	return func(slot int) string { return slotName(p, slot, s.global) }
}
