package state

import (
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// visit numbers the node at p, or writes a reference to the place in a visited one that it is. It reports whether there
// was one. Identity is that of memory: two pointers to one variable differ from pointers to two equal ones. A pointer
// into a visited node (a field, an element) is a reference to that place in it. Nodes that overlap in another way, as
// slices of one array do, are recorded with how they lie. Capacity and memory beyond a slice's length don't count.
// Pointers to values without size, empty slices and strings have no identity.
func (w *Walker) visit(p uintptr, n *node, key uint64) (seen bool) {
	if w.marks.claim(p, n.slots, n.number) {
		return false
	}
	if id, ok := w.marks.known(p, n.number); ok {
		w.reference(id, key)
		return true
	}
	return w.meet(region{p: p, elem: n, count: 1}, key)
}

// visitSlice does the same with the elements of a slice.
func (w *Walker) visitSlice(s *memory.Slice, elem *node, key uint64) (seen bool) {
	r := region{p: s.Data, elem: elem, count: s.Len, slice: true}
	return !w.marks.claimSpan(&r) && w.meet(r, key)
}

// reference writes a reference to a node that was visited before.
func (w *Walker) reference(id uint32, key uint64) {
	w.mix(key, uint64(id)|wire.ValueRef<<40)
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueRef), uint64(id))
	}
}

// meet numbers a node whose memory may be that of others, or writes a reference to one that it is a part of.
func (w *Walker) meet(r region, key uint64) (seen bool) {
	if v := *w.marks.slot(r.p); v >= w.marks.low() && v&markKind != markShared {
		if e := w.marks.regionOf(r.p&^7, v); w.inside(&e, &r, key) {
			return true
		}
	}
	w.count += int((r.end() - r.p) >> 6)
	met := w.marks.overlapping(&r)
	w.count += len(met)
	for i := len(met) - 1; i >= 0; i-- {
		if w.inside(&met[i], &r, key) {
			return true
		}
	}
	for i := range met {
		w.overlap(&met[i], &r)
	}
	w.marks.add(r, met)
	return false
}

// inside writes a reference to a place in a visited node, if that is where r lies.
func (w *Walker) inside(e, r *region, key uint64) bool {
	if r.p < e.p || r.end() > e.end() {
		return false
	}
	t := trail{h: digest.Seed, text: w.values}
	if !t.find(e, r) {
		return false
	}
	if t.steps == 0 {
		w.reference(e.id, key)
		return true
	}
	w.mix(key, uint64(e.id)|wire.ValueInside<<40)
	w.mix(t.h.A, t.h.B)
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueInside), uint64(e.id))
		w.out = wire.AppendString(w.out, string(t.path))
	}
	return true
}

// overlap writes how a new node lies to a visited one, of which it is no part.
func (w *Walker) overlap(e, r *region) {
	from, to, kind := e, r, uint64(0)
	if r.p < e.p || r.p == e.p && r.end() > e.end() { // where a type starts is the version's affair
		from, to, kind = r, e, 1
	}
	t := trail{h: digest.Seed, text: w.values}
	t.descend(from, to)
	w.mix(kind, uint64(e.id)|wire.ValueOverlap<<40)
	w.mix(t.h.A, t.h.B)
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueOverlap), uint64(e.id))
		if kind == 1 {
			t.path = append([]byte("at "), t.path...)
		}
		w.out = wire.AppendString(w.out, string(t.path))
	}
}

// A trail leads from a node to a place in it, by names of fields and indexes: offsets differ
// between versions.
type trail struct {
	h     digest.Hash
	steps int
	text  bool
	path  []byte
}

// find leads to the place where r begins. It reports whether there is what r is: a value of its type or as many
// elements.
func (t *trail) find(from, r *region) bool {
	return t.walk(from, r, func(n *node, off uintptr, left int) bool {
		return n == r.elem && off == 0 && (left == 1 && r.count == 1 || r.slice && left >= r.count)
	})
}

// descend leads to the start of r, or as close to it as names and indexes go.
func (t *trail) descend(from, r *region) {
	t.walk(from, r, func(n *node, off uintptr, _ int) bool { return n == r.elem && off == 0 })
}

func (t *trail) walk(from, r *region, arrived func(n *node, off uintptr, left int) bool) bool {
	n, off, count, list := from.elem, r.p-from.p, from.count, from.slice
	for {
		if list {
			i := int(off / n.size)
			off -= uintptr(i) * n.size
			if r.slice && arrived(n, off, count-i) {
				t.elements(i, count, r.count)
				return true
			}
			t.index(i)
		}
		if (!r.slice || r.count == 1) && arrived(n, off, 1) {
			return true
		}
		switch n.op {
		case opArray:
			n, count, list = n.elem, n.len, true
		case opStruct:
			f := n.fieldAt(off)
			if f == nil {
				return false
			}
			t.field(f)
			n, off, list = f.node, off-f.off, false
		default:
			return false
		}
		if n.size == 0 {
			return false
		}
	}
}

// fieldAt returns the compared field that covers the offset.
func (n *node) fieldAt(off uintptr) *field {
	for i := range n.fields {
		if f := &n.fields[i]; f.off <= off && off < f.off+f.node.size {
			return f
		}
	}
	return nil
}

func (t *trail) index(i int) {
	t.steps++
	t.h = t.h.Pair(0, uint64(i))
	if t.text {
		t.path = append(strconv.AppendInt(append(t.path, '['), int64(i), 10), ']')
	}
}

// elements adds a step to some of the elements there are. All of them are the node itself.
func (t *trail) elements(first, of, count int) {
	if first == 0 && of == count && t.steps == 0 {
		return
	}
	t.steps++
	t.h = t.h.Pair(1, uint64(first)).Pair(1, uint64(count))
	if t.text {
		t.path = append(strconv.AppendInt(append(t.path, '['), int64(first), 10), ':')
		t.path = append(strconv.AppendInt(t.path, int64(first+count), 10), ']')
	}
}

func (t *trail) field(f *field) {
	t.steps++
	t.h = t.h.Pair(2, f.hash)
	if t.text {
		t.path = append(append(t.path, '.'), f.name...)
	}
}
