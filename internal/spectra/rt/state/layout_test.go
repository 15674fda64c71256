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
