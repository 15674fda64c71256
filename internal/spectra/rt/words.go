package rt

import (
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// learn notes the types of the slots.
func (p *Point) learn(slots []memory.Interface) {
	if len(p.plan) >= len(slots) && p.size > 0 {
		return
	}
	p.plan = p.plan.Learn(slots)
	p.texts = p.plan.Texts()
	head := append(wire.AppendUint([]byte{wire.EventEnter}, uint64(p.id)), 0) // no flags
	p.head, p.size = 0, len(head)
	for i, b := range head {
		p.head |= uint64(b) << (8 * i)
	}
}

// quick reports whether the states of a point may be recorded without a walk. Most functions have only slots that are
// numbers, short texts or nil. The digests of a state.Plan are those that a walk has.
func (r *record) quick(p *Point) bool {
	return p.size != 0 && len(p.vars) == 0 && p.order == nil && !r.values
}

func (r *record) enterWords(p *Point, slots []memory.Interface) bool {
	if !r.quick(p) {
		return false
	}
	h, ok := r.words(p, slots)
	if ok {
		r.nodes -= int64(len(slots))
		r.put(p.head, p.size, h)
	}
	return ok
}

func (r *record) exitWords(p *Point, slots []memory.Interface) bool {
	if !r.quick(p) {
		return false
	}
	h, ok := r.words(p, slots)
	if ok {
		r.nodes -= int64(len(slots))
		r.put(wire.EventExit|wire.ExitReturn<<8, 3, h)
	}
	return ok
}

func (r *record) words(p *Point, slots []memory.Interface) (h digest.Hash, ok bool) {
	if p.texts {
		return r.texts(p, slots)
	}
	return p.plan.Digest(slots)
}

// texts does what Digest does, where texts may lie in memory that is gone.
func (r *record) texts(p *Point, slots []memory.Interface) (h digest.Hash, ok bool) {
	defer r.survive(faults(true))
	return p.plan.Digest(slots)
}

// put writes an event with a state: the n bytes that are in head, the digest.
func (r *record) put(head uint64, n int, h digest.Hash) {
	r.tally.States++
	from := len(r.buf)
	if !littleEndian || cap(r.buf)-from < 8+16 {
		r.buf = wire.AppendWord(wire.AppendWord(wire.AppendWord(r.buf, head)[:from+n], h.A), h.B)
		return
	}
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.buf)), from)
	*(*uint64)(p) = head
	*(*[2]uint64)(unsafe.Add(p, n)) = [2]uint64{h.A, h.B}
	r.buf = r.buf[:from+n+16]
}

// littleEndian reports whether words lie in memory as the format has them.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()
