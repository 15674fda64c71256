package driver

import (
	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// coverage numbers the counters of all packages in the order of registration.
type coverage struct {
	known   [][]uint8 // counters reported before, by package
	watched []counter
	before  bool // a watched counter was hit before the sequence began: by an initialiser, or an earlier sequence
}

type counter struct {
	id uint64
	at *uint8
}

func (c *coverage) start(watched []uint64) {
	if c.known == nil {
		for _, p := range rt.Packages {
			c.known = append(c.known, make([]uint8, len(p.Counters)))
		}
	}
	c.watched, c.before = nil, false
	base := uint64(0)
	for _, p := range rt.Packages {
		for _, id := range watched {
			if id >= base && id < base+uint64(len(p.Counters)) {
				c.watched = append(c.watched, counter{id, &p.Counters[id-base]})
			}
		}
		base += uint64(len(p.Counters))
	}
}

// ran returns the counters that were hit since they were forgotten last, if ever.
func (c *coverage) ran() (hit []uint64) {
	base := uint64(0)
	for _, p := range rt.Packages {
		for i, n := range p.Counters {
			if n != 0 {
				hit = append(hit, base+uint64(i))
			}
		}
		base += uint64(len(p.Counters))
	}
	return hit
}

// begin forgets the hits of watched counters.
func (c *coverage) begin() {
	for _, w := range c.watched {
		c.before = c.before || *w.at != 0
		*w.at = 0
	}
}

func (c *coverage) encode(e *wire.Writer) {
	var fresh []uint64
	base := uint64(0)
	for i, p := range rt.Packages {
		if i < len(c.known) {
			fresh = appendFresh(fresh, p.Counters, c.known[i], base)
		}
		base += uint64(len(p.Counters))
	}
	for _, w := range c.watched {
		if *w.at != 0 {
			fresh = append(fresh, w.id)
		}
	}
	e.Numbers(fresh)
	e.Bool(c.before)
}

func appendFresh(fresh []uint64, counters, known []uint8, base uint64) []uint64 {
	for i, hit := range counters {
		if hit != 0 && known[i] == 0 {
			known[i] = 1
			fresh = append(fresh, base+uint64(i))
		}
	}
	return fresh
}
