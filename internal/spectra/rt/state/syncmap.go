package state

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

func hasFields(t reflect.Type, names ...string) bool {
	if t.Kind() != reflect.Struct || t.NumField() < len(names) {
		return false
	}
	for i, name := range names {
		if t.Field(i).Name != name {
			return false
		}
	}
	return true
}

// AtomicPointer returns the pointer type that an atomic.Pointer type stands for. It reports false where the
// release lays that type out in another way.
func AtomicPointer(t reflect.Type) (pointer reflect.Type, known bool) {
	first := t.Field(0).Type
	if first.Kind() != reflect.Array || first.Elem().Kind() != reflect.Pointer ||
		t.Size() != unsafe.Sizeof(uintptr(0)) {
		return nil, false
	}
	return first.Elem(), true
}

// A sync.Map is a hash trie map. These are the offsets of its fields, in bytes.
const (
	trieChildren = 24 // of an inner node: after its kind, state, lock and parent
	trieWidth    = 16
	trieOverflow = 8 // of an entry: after its kind
	trieKey      = 16
	trieElem     = 32
)

// An Entry is where the key and the element of a map's entry lie.
type Entry struct{ Key, Elem uintptr }

// SyncMap returns the entries of the sync.Map of type t at p, in the map's own order.
func SyncMap(t reflect.Type, p uintptr) []Entry {
	off, _ := trieRoot(t)
	return trieEntries(nil, p+off, 0)
}

// SyncMapIsKnown reports whether a sync.Map is laid out as SyncMap expects.
var SyncMapIsKnown = func() bool {
	t := reflect.TypeFor[sync.Map]()
	if _, ok := trieRoot(t); !ok {
		return false
	}
	var m sync.Map
	want := map[int]int{}
	for i := range 40 { // enough for inner nodes below the root
		m.Store(i, i<<8)
		want[i] = i << 8
	}
	off, _ := trieRoot(t)
	entries := trieEntries(nil, uintptr(unsafe.Pointer(&m))+off, 0)
	for _, e := range entries {
		key, isInt := (*(*any)(memory.At(e.Key))).(int)
		if elem, _ := (*(*any)(memory.At(e.Elem))).(int); !isInt || want[key] != elem {
			return false
		}
		delete(want, key)
	}
	return len(entries) == 40 && len(want) == 0
}()

// trieRoot returns the offset of the pointer to the root in a sync.Map, if all is where we know it to be.
func trieRoot(t reflect.Type) (uintptr, bool) {
	m, ok := t.FieldByName("m")
	if !ok || m.Type.Kind() != reflect.Struct {
		return 0, false
	}
	root, ok := m.Type.FieldByName("root")
	if !ok || root.Type.Kind() != reflect.Struct || root.Type.NumField() == 0 ||
		root.Type.Field(0).Type.Kind() != reflect.Array {
		return 0, false
	}
	inner := root.Type.Field(0).Type.Elem().Elem()
	if inner.Kind() != reflect.Struct {
		return 0, false
	}
	children, ok := inner.FieldByName("children")
	known := ok && children.Offset == trieChildren &&
		children.Type.Kind() == reflect.Array && children.Type.Len() == trieWidth
	return m.Offset + root.Offset, known
}

// maxTrie is more levels than a hash has bits for.
const maxTrie = 20

// trieEntries adds the entries below the inner node to which the pointer at p points.
func trieEntries(entries []Entry, p uintptr, depth int) []Entry {
	inner := *(*uintptr)(memory.At(p))
	if inner == 0 || depth > maxTrie {
		return entries
	}
	for i := range uintptr(trieWidth) {
		child := inner + trieChildren + i*8
		e := *(*uintptr)(memory.At(child))
		switch {
		case e == 0:
		case *(*bool)(memory.At(e)): // it is an entry
			for ; e != 0; e = *(*uintptr)(memory.At(e + trieOverflow)) {
				entries = append(entries, Entry{Key: e + trieKey, Elem: e + trieElem})
			}
		default:
			entries = trieEntries(entries, child, depth+1)
		}
	}
	return entries
}
