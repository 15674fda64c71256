package state

import (
	"slices"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// A mark is the number of a node (upper half), and which part of it the eight bytes are (lower half). See the kinds of
// marks for what the lower half has. Marks lie in a shadow: tables that have a place for every eight bytes of the
// address space, of which only the parts in use exist. So finding a node takes no search. Marks are never cleared,
// because those of earlier walks have lower numbers.
type mark = uint64

const (
	markPointer = 0 << 30 // + number of the type: the start of what a pointer points to
	markSpan    = 1 << 30 // + index into spans: a slice's memory
	markInside  = 2 << 30 // + distance from the start, in eight bytes
	markShared  = 3 << 30 // + index into shares: nodes that cover only some of the bytes
	markKind    = 3 << 30
	markRest    = 1<<30 - 1
)

const (
	chunkBits  = 20 // of the address space, that one part of the shadow covers
	chunkSlots = 1 << chunkBits / 8
	nearby     = 1 << 12 // parts that are found at once
)

type chunk [chunkSlots]mark

// A region is the memory of one node.
type region struct {
	id    uint32
	slice bool
	p     uintptr
	elem  *node
	count int
}

func (r *region) end() uintptr { return r.p + uintptr(r.count)*r.elem.size }

// A share is one of the regions that cover a part of the same eight bytes.
type share struct {
	region
	next int32 // index + 1 of another
}

type marks struct {
	base uint32 // no mark above it is of an earlier walk
	ids  uint32 // nodes of this walk so far
	most mark   // of a list, see follow
	at   uintptr
	here *chunk // the part of the shadow that covers addresses with these upper bits
	near [nearby]struct {
		at    uintptr
		chunk *chunk
	}
	chunks map[uintptr]*chunk
	spans  []region // slices of this walk
	shares []share
	hidden []region // those of whose marks some were overwritten
	met    []region
}

// reset begins a walk.
func (m *marks) reset() {
	m.base += m.ids
	m.ids = 0
	m.spans, m.shares, m.hidden = m.spans[:0], m.shares[:0], m.hidden[:0]
	switch {
	case m.chunks == nil:
		m.chunks = map[uintptr]*chunk{}
		m.move(0)
	case m.base > 1<<31:
		m.clear()
	}
}

// clear forgets all marks, once in two thousand million nodes.
func (m *marks) clear() {
	for _, c := range m.chunks {
		clear(c[:])
	}
	m.base = 0
}

// low returns the lowest mark of this walk.
func (m *marks) low() mark { return mark(m.base+1) << 32 }

// move makes the part of the shadow that covers these addresses the current one.
//
//go:noinline
func (m *marks) move(at uintptr) {
	e := &m.near[at%nearby]
	if e.chunk == nil || e.at != at {
		c := m.chunks[at]
		if c == nil {
			c = (*chunk)(memory.Pages(unsafe.Sizeof(chunk{})))
			m.chunks[at] = c
		}
		e.at, e.chunk = at, c
	}
	m.at, m.here = at, e.chunk
}

// slot returns the mark of the eight bytes at p.
func (m *marks) slot(p uintptr) *mark {
	if at := p >> chunkBits; at != m.at {
		m.move(at)
	}
	return &m.here[p>>3%chunkSlots]
}

// claim marks the memory of a new node, if it is whole slots and none has a mark of this walk.
func (m *marks) claim(p, slots uintptr, tag mark) bool {
	if p&7 != 0 {
		return false
	}
	if at := p >> chunkBits; at != m.at {
		m.move(at)
	}
	i := p >> 3 % chunkSlots
	if i+slots > chunkSlots {
		return false
	}
	part := m.here[i : i+slots]
	if !unmarked(part, m.low()) {
		return false
	}
	m.ids++
	id := mark(m.base+m.ids) << 32
	if len(part) > 0 {
		part[0] = id | tag
		for j := 1; j < len(part); j++ {
			part[j] = id | markInside | mark(j)
		}
	}
	return true
}

// unmarked reports whether none of the marks is of this walk.
func unmarked(part []mark, low mark) bool {
	for _, v := range part {
		if v >= low {
			return false
		}
	}
	return true
}

// claimSpan marks the memory of a slice that is new, if no slot of it has a mark of this walk.
func (m *marks) claimSpan(r *region) bool {
	end := r.end()
	if r.p>>chunkBits != (end-1)>>chunkBits {
		return false
	}
	if at := r.p >> chunkBits; at != m.at {
		m.move(at)
	}
	i := r.p >> 3 % chunkSlots
	part := m.here[i : i+(end+7)>>3-r.p>>3]
	if !unmarked(part, m.low()) {
		return false
	}
	m.ids++
	r.id = m.ids
	id := mark(m.base+m.ids) << 32
	tag := id | markSpan | mark(len(m.spans))
	m.spans = append(m.spans, *r)
	if last := len(part) - 1; end&7 != 0 {
		part[last] = m.share(0, 0, *r) | id
		part = part[:last]
	}
	if len(part) > 0 && r.p&7 != 0 {
		part[0] = m.share(0, 0, *r) | id
		part = part[1:]
	}
	fill(part, tag)
	return true
}

// fill sets all of the marks to one, by copies that double.
func fill(part []mark, v mark) {
	if len(part) == 0 {
		return
	}
	part[0] = v
	for n := 1; n < len(part); n *= 2 {
		copy(part[n:], part[:n])
	}
}

// known reports whether exactly that node was visited, and returns its number.
func (m *marks) known(p uintptr, tag mark) (id uint32, ok bool) {
	v := *m.slot(p)
	return uint32(v>>32) - m.base, p&7 == 0 && v >= m.low() && v&(1<<32-1) == tag
}

// overlapping returns the visited nodes that own bytes of r, in the order of their numbers. Of several that cover
// a byte, the last one visited owns it, so what is found doesn't depend on how memory is cut into slots. The next
// call takes the memory of the result again.
func (m *marks) overlapping(r *region) []region {
	m.met = m.met[:0]
	low := m.low()
	for p := r.p &^ 7; p < r.end(); p += 8 {
		switch v := *m.slot(p); {
		case v < low:
		case v&markKind == markShared:
			for b := max(p, r.p); b < min(p+8, r.end()); b++ {
				m.meet(m.owner(b, v))
			}
		default:
			m.meet(m.regionOf(p, v))
		}
	}
	slices.SortFunc(m.met, func(one, other region) int { return int(one.id) - int(other.id) })
	m.met = slices.CompactFunc(m.met, func(one, other region) bool { return one.id == other.id })
	return m.met
}

// owner returns the last of the regions that share a slot which covers that byte. Its number is 0 if there is none.
func (m *marks) owner(b uintptr, v mark) (owner region) {
	for i := int32(v & markRest); i > 0; i = m.shares[i-1].next {
		if s := &m.shares[i-1].region; s.p <= b && b < s.end() && s.id > owner.id {
			owner = *s
		}
	}
	return owner
}

// meet notes a region, unless it is the one noted last.
func (m *marks) meet(r region) {
	if r.id == 0 || len(m.met) > 0 && m.met[len(m.met)-1].id == r.id {
		return
	}
	m.met = append(m.met, r)
}

// regionOf returns the region that a mark, which is not shared, belongs to.
func (m *marks) regionOf(p uintptr, v mark) region {
	id := uint32(v>>32) - m.base
	if v&markKind == markInside {
		p -= uintptr(v&markRest) * 8
		first := *m.slot(p)
		if first&markKind == markShared {
			for i := int32(first & markRest); i > 0; i = m.shares[i-1].next {
				if m.shares[i-1].id == id {
					return m.shares[i-1].region
				}
			}
		}
		v = first
	}
	if uint32(v>>32)-m.base != id || v&markKind == markInside || v&markKind == markShared {
		for i := len(m.hidden) - 1; i >= 0; i-- {
			if m.hidden[i].id == id {
				return m.hidden[i]
			}
		}
	}
	if v&markKind == markSpan {
		return m.spans[v&markRest]
	}
	return region{id: id, p: p, elem: numbered[v&markRest], count: 1}
}

// add marks the memory of a new node whatever marks it has.
func (m *marks) add(r region, hides []region) {
	m.hidden = append(m.hidden, hides...)
	m.ids++
	r.id = m.ids
	id := mark(m.base+m.ids) << 32
	tag := mark(markPointer | r.elem.number)
	if r.slice {
		tag = markSpan | mark(len(m.spans))
		m.spans = append(m.spans, r)
	}
	first := r.p &^ 7
	for p := first; p < r.end(); p += 8 {
		s := m.slot(p)
		switch {
		case p < r.p || p+8 > r.end():
			*s = m.share(p, *s, r) | id
		case p == first || r.slice:
			*s = id | tag
		default:
			*s = id | markInside | mark(p-first)/8
		}
	}
}

// share adds a region to those that cover a part of the eight bytes at p.
func (m *marks) share(p uintptr, v mark, r region) mark {
	next := int32(0)
	switch {
	case v < m.low():
	case v&markKind == markShared:
		next = int32(v & markRest)
	default:
		m.shares = append(m.shares, share{m.regionOf(p, v), 0})
		next = int32(len(m.shares))
	}
	m.shares = append(m.shares, share{r, next})
	return markShared | mark(len(m.shares))
}
