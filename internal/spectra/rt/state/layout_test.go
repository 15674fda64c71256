package state

import (
	"bytes"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// TestKnown: the release at hand lays everything out as this package expects.
func TestKnown(t *testing.T) {
	if !SyncMapIsKnown || !ReflectedIsKnown || !TimeIsKnown(reflect.TypeFor[time.Time]()) {
		t.Errorf("sync.Map known: %v, reflect.Value known: %v, time.Time known: %v",
			SyncMapIsKnown, ReflectedIsKnown, TimeIsKnown(reflect.TypeFor[time.Time]()))
	}
	if !iteratorShowsMemory {
		t.Error("this Go release's map iterator has another layout: walks of maps will allocate")
	}
}

// TestUnknown: what is laid out in another way is not read.
func TestUnknown(t *testing.T) {
	if _, known := AtomicPointer(reflect.TypeFor[struct{ p unsafe.Pointer }]()); known {
		t.Error("a struct of a bare pointer is taken for an atomic.Pointer")
	}
	if TimeIsKnown(reflect.TypeFor[struct{ seconds int64 }]()) {
		t.Error("a struct of seconds is taken for a time.Time")
	}
	if _, ok := BufferOf(reflect.TypeFor[bytes.Reader]()); ok {
		t.Error("a bytes.Reader is taken for a buffer")
	}
}

// TestCopies: where the release doesn't show a map's memory, an entry is a copy of it.
func TestCopies(t *testing.T) {
	var m MapIter
	m.Reset(reflect.ValueOf(map[string]int{"a": 7}))
	if !m.Next() {
		t.Fatal("a map of one entry has none")
	}
	for _, entry := range []func() (uintptr, uintptr){m.Entry, m.copies} {
		key, elem := entry()
		if got := *(*string)(memory.At(key)); got != "a" {
			t.Errorf("the key is %q", got)
		}
		if got := *(*int)(memory.At(elem)); got != 7 {
			t.Errorf("the element is %d", got)
		}
	}
	if m.Next() {
		t.Error("a map of one entry has another")
	}
}

type (
	Empty  struct{}
	server struct {
		Empty
		n *int
	}
	guarded struct {
		_ [0]func()
		n *int
	}
	behind struct {
		n *int
		_ Empty
	}
	wrapped struct{ guarded [1]guarded }
	plain   struct {
		Empty
		n int
	}
)

// TestDirect: where an interface has its value is the release's affair, a field without size beside the pointer or not.
func TestDirect(t *testing.T) {
	for _, test := range []struct {
		reason string
		holder func(n *int) any
	}{
		{"an embedded struct without fields before the pointer", func(n *int) any { return server{n: n} }},
		{"an array without elements before the pointer", func(n *int) any { return guarded{n: n} }},
		{"a field without size behind the pointer, for which there is room", func(n *int) any { return behind{n: n} }},
		{"such a struct in an array in a struct", func(n *int) any { return wrapped{[1]guarded{{n: n}}} }},
		{"a number, which is no pointer", func(n *int) any { return plain{n: *n} }},
		{"only the pointer", func(n *int) any { return struct{ n *int }{n} }},
	} {
		one, again, other := test.holder(one(7)), test.holder(one(7)), test.holder(one(8))
		if hashed(one) != hashed(again) {
			t.Errorf("%s: equal values differ in an interface", test.reason)
		}
		if hashed(one) == hashed(other) {
			t.Errorf("%s: other values are the same in an interface", test.reason)
		}
	}
	if one, again := hashed(Empty{}), hashed(Empty{}); one != again {
		t.Error("nothing differs from nothing")
	}
}
