package state

import (
	"reflect"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// A MapIter walks over a map, in the map's order. It is used again and again, so that it allocates nothing.
type MapIter struct {
	iter reflect.MapIter
	over reflect.Value   // the map
	held []reflect.Value // copies
}

// Reset begins a walk over the map v. The zero reflect.Value makes the iterator forget its map.
func (m *MapIter) Reset(v reflect.Value) {
	m.over = v
	m.iter.Reset(v)
}

// Next goes on to an entry. It reports whether there is one.
func (m *MapIter) Next() bool { return m.iter.Next() }

// Entry returns where the entry's key and element lie: in the map's own memory or, where the release doesn't
// show it, in copies.
func (m *MapIter) Entry() (key, elem uintptr) {
	if iteratorShowsMemory {
		words := (*[5]uintptr)(unsafe.Pointer(&m.iter))
		return words[3], words[4]
	}
	return m.copies()
}

// copies returns where copies of the entry's key and element lie.
func (m *MapIter) copies() (key, elem uintptr) {
	k, e := reflect.New(m.over.Type().Key()), reflect.New(m.over.Type().Elem())
	k.Elem().SetIterKey(&m.iter)
	e.Elem().SetIterValue(&m.iter)
	m.held = append(m.held, k, e)
	return k.Pointer(), e.Pointer()
}

// iteratorShowsMemory reports whether a reflect.MapIter starts with a reflect.Value (3 words) followed by
// pointers to the current key and element, which is so in the Go releases we know.
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
	return *(*uint64)(memory.At(words[3])) == 0x5eed && *(*uint64)(memory.At(words[4])) == 0xfeed
}()
