package replay

// This file compares recordings without decoding them: most sequences give the same on both
// versions, and to know that the digest of the event stream is enough.

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt"
)

// tracer digests an event stream so that two versions agree: functions by the numbers both know
// them by, goroutines by their first appearance. Executions of functions that only one version has
// are left out. Equal traces mean equal executions in equal order; unequal ones mean nothing yet.
type tracer struct {
	r          reader
	number     func(point uint32) (number uint32, common bool)
	hash       maphash.Hash
	goroutines map[uint64]*traced
	current    *traced
	calls      int
}

// traced is a goroutine and which of its open executions are of common functions.
type traced struct {
	id   uint64
	open []bool
}

// traceSeed is the same for all traces of one run of the tool.
var traceSeed = maphash.MakeSeed()

// trace returns the digest of a stream, and false when it is malformed or a state in it was
// truncated.
func trace(stream []byte, number func(uint32) (uint32, bool)) (sum uint64, calls int, ok bool) {
	t := &tracer{r: reader{b: stream}, number: number, goroutines: map[uint64]*traced{}}
	t.hash.SetSeed(traceSeed)
	t.goroutine(0)
	for len(t.r.b) > 0 && t.r.err == nil {
		if !t.event() {
			return 0, t.calls, false
		}
	}
	return t.hash.Sum64(), t.calls, t.r.err == nil
}

func (t *tracer) event() bool {
	switch kind := t.r.byte(); kind {
	case rt.EventEnter:
		number, common := t.number(uint32(t.r.uint()))
		t.current.open = append(t.current.open, common)
		t.calls++
		return t.state(common, uint64(number)<<8|uint64(kind))
	case rt.EventExit:
		how := t.r.byte()
		common := true
		if n := len(t.current.open); n > 0 {
			common = t.current.open[n-1]
			t.current.open = t.current.open[:n-1]
		}
		return t.state(common, uint64(how)<<8|uint64(kind))
	case rt.EventGoroutine:
		t.goroutine(t.r.uint())
		t.r.uint() // the parent: known by where the goroutine first appears
		t.word(t.current.id<<8 | uint64(kind))
	case rt.EventGo:
		t.word(uint64(kind))
	case rt.EventStep:
		t.word(t.r.uint()<<8 | uint64(kind))
	default:
		return false
	}
	return true
}

func (t *tracer) goroutine(id uint64) {
	if t.goroutines[id] == nil {
		t.goroutines[id] = &traced{id: uint64(len(t.goroutines))}
	}
	t.current = t.goroutines[id]
}

// state digests a state of a common function. States with values are not for traces.
func (t *tracer) state(common bool, head uint64) bool {
	flags := t.r.byte()
	digest := t.r.take(16)
	if digest == nil || flags != 0 {
		return false
	}
	if common {
		t.word(head)
		_, _ = t.hash.Write(digest)
	}
	return true
}

func (t *tracer) word(x uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	_, _ = t.hash.Write(b[:])
}

// number gives a point's common number.
func (s *session) number(point uint32) (uint32, bool) {
	if int(point) >= len(s.points) {
		return 0, false
	}
	n, ok := s.p.Compare.Numbers[s.points[point].Symbol]
	return n, ok
}

// Recorded decodes the executions of the sequence into its spectrum, once.
func (p *Played) Recorded() (*spectra.Spectrum, error) {
	if p.stream == nil {
		return p.Spectrum, nil
	}
	events, err := spectra.Decode(p.stream, p.naming)
	if err != nil && !p.Spectrum.Truncated {
		return nil, err
	}
	p.stream = nil
	p.Calls = events.Executions
	events.Attach(p.Spectrum)
	return p.Spectrum, nil
}

// SameTrace says that both recordings certainly have the same executions in the same order.
func (p *Played) SameTrace(other *Played) bool {
	return p.traced && other.traced && p.trace == other.trace
}
