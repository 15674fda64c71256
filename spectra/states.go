package spectra

import (
	"bytes"
	"hash/maphash"
)

// States holds the states of decoded streams, so that equal ones are decoded once and share their values. The points of
// these streams are the same, and their bytes are not changed. It is for one goroutine at a time.
type States struct {
	seen map[stateKey]decoded
	base *States
}

type stateKey struct {
	point *Point
	sum   uint64
}

type decoded struct {
	raw   []byte
	slots []Slot
}

var stateSeed = maphash.MakeSeed()

// Beside returns States for another stream, which share what s holds and add nothing to it.
func (s *States) Beside() *States { return &States{base: s} }

// find returns the slots of a state that was decoded, nil if none was, and the key under which to add it then.
func (s *States) find(p *Point, raw []byte) ([]Slot, stateKey) {
	key := stateKey{p, maphash.Bytes(stateSeed, raw)}
	for ; s != nil; s = s.base {
		if found, ok := s.seen[key]; ok && bytes.Equal(found.raw, raw) {
			return found.slots, key
		}
	}
	return nil, key
}

func (s *States) add(key stateKey, raw []byte, slots []Slot) {
	if s.seen == nil {
		s.seen = map[stateKey]decoded{}
	}
	s.seen[key] = decoded{raw, slots}
}
