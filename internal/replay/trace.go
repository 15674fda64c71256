package replay

import (
	"errors"
	"hash/maphash"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A tracer digests an event stream so that the digests of two versions can be compared without decoding. Most sequences
// are recorded the same on both versions, and equal digests are enough to show that.
//
// Functions are digested by their common numbers. Executions of functions that only one version has are left out. Each
// goroutine is digested by itself, at the place of its start, so the order in which goroutines ran does not matter.
//
// Equal digests mean equal executions in equal order. Different digests may still belong to equal executions.
type tracer struct {
	r          wire.Reader
	points     int
	number     func(point uint32) (number uint32, common bool)
	goroutines map[uint64]*traced
	order      []*traced // in the order of their first events
	origins    map[uint64]*traced
	left       map[uint64]byte // by ticket: the state of a goroutine that has not ended
	current    *traced
	driver     *traced
	calls      int
	truncated  int // states
	budget     int // goroutines and tickets that are still allowed
}

// A traced is one goroutine of the stream.
type traced struct {
	hash   maphash.Hash
	open   []bool // for each open execution: its function is common
	events int    // events of common functions
	ticket uint64 // ticket of its start
	took   []taken
}

// A taken is a ticket of a goroutine, with the number of its events before.
type taken struct {
	ticket uint64
	after  int
}

// traceSeed is fixed for one process of the tool.
var traceSeed = maphash.MakeSeed()

// trace digests a stream and counts its contents. It leaves no digest if the stream is malformed, contains a truncated
// state, or exceeds what can be decoded.
func (p *Played) trace(stream []byte, points int, number func(uint32) (uint32, bool)) {
	t := &tracer{
		r: wire.NewReader(stream), points: points, number: number,
		goroutines: map[uint64]*traced{}, origins: map[uint64]*traced{}, left: map[uint64]byte{},
		budget: spectra.MaxNodes,
	}
	t.goroutine(0)
	whole := true
	for whole && t.r.Len() > 0 {
		whole = t.event() && t.r.Err() == nil && t.budget > 0
	}
	p.Calls, p.Truncated = t.calls, t.truncated
	if p.traced = whole && t.truncated == 0; p.traced {
		p.sum = t.sum()
	}
}

func (t *tracer) event() bool {
	switch kind := t.r.Byte(); kind {
	case wire.EventEnter:
		point := t.r.Number()
		if point >= t.points {
			return false
		}
		number, common := t.number(uint32(point))
		t.current.open = append(t.current.open, common)
		t.calls++
		return t.state(common, uint64(number)<<8|uint64(kind))
	case wire.EventExit:
		how := t.r.Byte()
		last := len(t.current.open) - 1
		if how > wire.ExitGoexit || last < 0 {
			return false
		}
		common := t.current.open[last]
		t.current.open = t.current.open[:last]
		return t.state(common, uint64(how)<<8|uint64(kind))
	case wire.EventGoroutine:
		t.goroutine(t.r.Uint())
		t.r.Uint() // its parent, used only without tickets
		t.current.ticket = t.r.Uint()
	case wire.EventGo:
		t.mark(t.r.Uint())
	case wire.EventStep:
		t.driver, t.current.open = t.current, nil
		t.current.word(uint64(t.r.Number())<<8 | uint64(kind))
	case wire.EventLeft:
		t.r.Uint()
		ticket := t.r.Uint()
		t.budget--
		t.left[ticket] = t.r.Byte() + 1
		t.r.Bytes() // the reason for waiting, in the words of the Go release
		t.r.Bytes()
	default:
		return false
	}
	return true
}

func (t *tracer) goroutine(id uint64) {
	if t.goroutines[id] == nil {
		t.budget--
		g := &traced{}
		g.hash.SetSeed(traceSeed)
		t.goroutines[id] = g
		t.order = append(t.order, g)
	}
	t.current = t.goroutines[id]
}

func (t *tracer) mark(ticket uint64) {
	if ticket == 0 {
		return
	}
	t.budget--
	t.current.took = append(t.current.took, taken{ticket, t.current.events})
	t.origins[ticket] = t.current
}

// state digests a state of a common function. A state that was recorded with values has no digest of its own, so its
// values are digested.
func (t *tracer) state(common bool, head uint64) bool {
	flags := t.r.Byte()
	digest := t.r.Take(16)
	if digest == nil || flags&^(wire.StateTruncated|wire.StateValues|wire.StateSite) != 0 {
		return false
	}
	if flags&wire.StateTruncated != 0 {
		t.truncated++
	}
	if flags&wire.StateValues != 0 {
		digest = t.r.Bytes()
	}
	if flags&wire.StateSite != 0 {
		t.r.Uint()
	}
	if common {
		t.current.events++
		t.current.word(head)
		_, _ = t.current.hash.Write(digest)
	}
	return true
}

func (g *traced) word(x uint64) {
	var b [8]byte
	_, _ = g.hash.Write(wire.AppendWord(b[:0], x))
}

// sum combines the digests of the goroutines: first the goroutine that runs the statements, last those without a
// recorded start, in the order of their digests.
func (t *tracer) sum() uint64 {
	kids := map[uint64][]*traced{}
	for _, g := range t.order {
		if t.origins[g.ticket] != nil && g != t.driver {
			kids[g.ticket] = append(kids[g.ticket], g)
		}
	}
	var all, stray []uint64
	for _, g := range t.order {
		switch {
		case g == t.driver:
			all = append(all, t.fold(g, kids, 0))
		case t.origins[g.ticket] == nil:
			stray = append(stray, t.fold(g, kids, 0))
		}
	}
	slices.Sort(stray)
	whole := traced{}
	whole.hash.SetSeed(traceSeed)
	for _, x := range append(all, stray...) {
		whole.word(x)
	}
	return whole.hash.Sum64()
}

// deepest limits the depth to which goroutines that start others are followed. Deeper ones are ignored.
const deepest = 1000

// fold returns the digest of a goroutine with all that it started. Each is digested at most once.
func (t *tracer) fold(g *traced, kids map[uint64][]*traced, depth int) uint64 {
	for _, took := range g.took {
		list, left := kids[took.ticket], t.left[took.ticket]
		delete(kids, took.ticket)
		if len(list) == 0 && left == 0 {
			continue
		}
		g.word(uint64(took.after)<<8 | uint64(left))
		for _, kid := range list {
			if depth < deepest {
				g.word(t.fold(kid, kids, depth+1))
			}
		}
	}
	return g.hash.Sum64()
}

// number returns the common number of a point.
func (s *session) number(point uint32) (uint32, bool) {
	if int(point) >= len(s.points) {
		return 0, false
	}
	n, ok := s.p.Compare.Numbers[s.points[point].Symbol]
	return n, ok
}

// lostZeros is the number of zeros appended to a recording that was cut. Unwritten memory is zero too, so cutting may
// have removed zeros of the last event. No event starts with a zero.
const lostZeros = 1 << 16

// Recorded returns the spectrum with its executions. It decodes them at every call, because trees take many times the
// memory. A recording that can't be decoded, because the target wrote into it, counts as a crash and has nothing to
// compare. A recording above the decoder's limits counts as cut.
func (p *Played) Recorded() *spectra.Spectrum {
	whole := *p.Spectrum
	if p.stream == nil {
		return &whole
	}
	stream := p.stream
	if p.cut {
		stream = append(slices.Clip(stream), make([]byte, lostZeros)...)
	}
	if p.naming.States == nil {
		p.naming.States = spectra.NewStates(p.naming.Global)
	}
	events, err := spectra.Decode(stream, p.naming)
	if errors.Is(err, spectra.ErrLarge) {
		whole.Truncated = true
		return &whole
	}
	if err != nil && !whole.Truncated && !p.cut {
		whole.End = spectra.End{Kind: wire.EndCrashed, Detail: "its recording can't be read: " + err.Error()}
		return &whole
	}
	whole.Steps, whole.Stray = slices.Clone(whole.Steps), slices.Clone(whole.Stray)
	events.Attach(&whole)
	return &whole
}

// Beside lets p share decoded states with another recording of the same version. No other goroutine may decode either
// of them.
func (p *Played) Beside(first *Played) {
	if first.naming.States != nil {
		p.naming.States = first.naming.States.Beside()
	}
}

// Events returns the recorded events of the sequence.
func (p *Played) Events() []byte { return p.stream }

// Points returns the points in the order of their numbers in the events.
func (p *Played) Points() (list []*spectra.Point) {
	for p.naming.Point != nil {
		point := p.naming.Point(uint32(len(list)))
		if point == nil {
			break
		}
		list = append(list, point)
	}
	return list
}

// Variables returns the package variables in the order of their numbers in the events.
func (p *Played) Variables() []string { return p.variables }

// SameTrace reports whether both recordings certainly have equal executions in equal order.
func (p *Played) SameTrace(other *Played) bool {
	return p.traced && other.traced && p.sum == other.sum
}
