package memory

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestTypes: a type's descriptor leads back to the type, and an interface that holds a value has it.
func TestTypes(t *testing.T) {
	for _, v := range []any{1, "text", []int{1}, struct{ x, y int }{1, 2}, &struct{}{}} {
		typ := reflect.TypeOf(v)
		if got := TypeAt(Descriptor(typ)); got != typ {
			t.Errorf("the descriptor of %v is that of %v", typ, got)
		}
		if got := (*Interface)(unsafe.Pointer(&v)).Type; got != Descriptor(typ) {
			t.Errorf("an interface that holds %v has the descriptor of %v", typ, TypeAt(got))
		}
	}
}

// TestPages: memory from the system, or from where there is none, is as long as was asked for and all zero.
func TestPages(t *testing.T) {
	const size = 1<<16 + 8
	for _, p := range []unsafe.Pointer{Pages(size), fromHeap(size)} {
		words := unsafe.Slice((*uint64)(p), size/8)
		for i := range words {
			if words[i] != 0 {
				t.Fatalf("word %d is %d", i, words[i])
			}
			words[i] = ^uint64(0)
		}
	}
}
