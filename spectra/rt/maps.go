package rt

// This file walks maps: their entries in the order of their keys, whatever order the map has.

import (
	"reflect"
	"sort"
	"unsafe"
)

// mapWalker keeps what walks of maps need again and again.
type mapWalker struct {
	iter    reflect.MapIter
	free    int // entries in use
	entries []mapEntry
	sub     *walker // digests keys that have no order of their own
	held    []reflect.Value
}

// A mapEntry is one entry of a map on its way to be sorted.
type mapEntry struct {
	key, elem uintptr
	text      string // the key, when it is a string
	a, b      uint64 // the key, or its digest
	c         uint64 // half the digest of the element: orders keys of equal content
}

func (w *walker) mapping(n *node, p uintptr) {
	m := *(*uintptr)(at(p))
	if m == 0 {
		w.token(ValueNil)
		return
	}
	if w.visit(m, n, 1) {
		return
	}
	v := reflect.NewAt(n.typ, at(p)).Elem()
	length := v.Len()
	w.h.word(uint64(length) | ValueMap<<40)
	if w.values {
		w.out = appendUvarint(append(w.out, ValueMap), uint64(w.ids))
		w.out = appendUvarint(w.out, uint64(length))
	}
	if w.count+length > w.budget {
		w.truncated = true
		w.out = w.out[:len(w.out)-1]
		w.token(ValueTruncated)
		return
	}
	entries := w.gather(n, v)
	for i := len(entries) - 1; i >= 0; i-- { // the stack is last in, first out
		w.push(n.elem, entries[i].elem, 1)
		w.push(n.key, entries[i].key, 1)
	}
}

// gather returns the entries in the order of their keys.
func (w *walker) gather(n *node, v reflect.Value) []mapEntry {
	m := &w.maps
	entries := m.entries[:0]
	m.iter.Reset(v)
	for m.iter.Next() {
		key, elem := w.entry(n)
		entries = append(entries, w.order(n, key, elem))
	}
	m.iter.Reset(reflect.Value{})
	m.entries = entries
	sort.Sort(byKey(entries))
	return entries
}

// entry returns where the iterator's key and element lie in the map's own memory.
func (w *walker) entry(n *node) (key, elem uintptr) {
	if iteratorShowsMemory {
		at := (*[5]uintptr)(unsafe.Pointer(&w.maps.iter))
		return at[3], at[4]
	}
	k, e := reflect.New(n.key.typ), reflect.New(n.elem.typ)
	k.Elem().SetIterKey(&w.maps.iter)
	e.Elem().SetIterValue(&w.maps.iter)
	w.maps.held = append(w.maps.held, k, e)
	return k.Pointer(), e.Pointer()
}

// iteratorShowsMemory says that a reflect.MapIter starts with a reflect.Value (3 words) followed
// by pointers to the current key and element, which is so in the Go releases we know.
var iteratorShowsMemory = func() bool {
	if unsafe.Sizeof(reflect.MapIter{}) < 5*unsafe.Sizeof(uintptr(0)) {
		return false
	}
	probe := map[uint64]uint64{0x5eed: 0xfeed}
	var iter reflect.MapIter
	iter.Reset(reflect.ValueOf(probe))
	if !iter.Next() {
		return false
	}
	words := (*[5]uintptr)(unsafe.Pointer(&iter))
	low := uintptr(4096)
	if words[3] < low || words[4] < low || words[4] != words[3]+8 {
		return false
	}
	return *(*uint64)(at(words[3])) == 0x5eed && *(*uint64)(at(words[4])) == 0xfeed
}()

// order prepares an entry for sorting.
func (w *walker) order(n *node, key, elem uintptr) mapEntry {
	e := mapEntry{key: key, elem: elem}
	switch n.key.op {
	case opString:
		e.text = *(*string)(at(key))
	case opInt:
		e.a = uint64(loadInt(key, n.key.size)) + 1<<63
	case opUint, opBool:
		e.a = loadUint(key, n.key.size)
	default:
		s := w.submap()
		s.walk(n.key, key)
		e.a, e.b = s.h.a, s.h.b
		w.count += s.count
		if !unique(n.key) {
			s = w.submap()
			s.walk(n.elem, elem)
			e.c = s.h.a
			w.count += s.count
		}
		w.truncated = w.truncated || s.truncated
	}
	return e
}

// unique says whether two different keys of the type always have different content.
func unique(n *node) bool { return n.flat || n.op == opFloat || n.op == opComplex }

// submap returns a walker for the digest of a key on its own.
func (w *walker) submap() *walker {
	if w.maps.sub == nil {
		w.maps.sub = &walker{}
	}
	s := w.maps.sub
	s.reset(false)
	s.budget = w.budget - w.count
	return s
}

type byKey []mapEntry

func (e byKey) Len() int      { return len(e) }
func (e byKey) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e byKey) Less(i, j int) bool {
	x, y := &e[i], &e[j]
	switch {
	case x.text != y.text:
		return x.text < y.text
	case x.a != y.a:
		return x.a < y.a
	case x.b != y.b:
		return x.b < y.b
	}
	return x.c < y.c
}
