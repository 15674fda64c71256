//go:build unix

package rt

import (
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// gone returns memory that is not there any more.
func gone(t *testing.T) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, 1<<16, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		err = syscall.Mprotect(b, syscall.PROT_NONE) // unmapped, others could have it again
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

// TestMemoryThatIsGone: a state with memory that is not there is marked as truncated; the function is left as it would
// be without that, and later states are whole.
func TestMemoryThatIsGone(t *testing.T) {
	type node struct {
		text string
		next *node
	}
	b := gone(t)
	list, text := (*node)(unsafe.Pointer(&b[0])), unsafe.String(&b[0], 5)
	points := make([]Point, 1)
	Register(Package{Path: "gone", Points: points})
	for _, test := range []struct {
		reason string
		slot   any
		panics any
	}{
		{"bytes", &b, nil},
		{"bytes, and the function panics", &b, "failure"},
		{"a short text, which is read without a walk", &text, nil},
		{"behind a pointer", &list, nil},
		{"elements of a map", &map[string]*node{"a": {text: text}, "b": list}, nil},
		{"keys of a map", &map[any]int{node{text: "a"}: 1, &list: 2}, nil},
	} {
		for _, values := range []bool{false, true} {
			points[0].plan, points[0].size = nil, 0
			tally := recorded(values, func() {
				within := "some text"
				for range 2 { // the second time, the types of the slots are known
					called(&points[0], &within, nil)
					if left := called(&points[0], test.slot, test.panics); left != test.panics {
						t.Errorf("%s: left with %v", test.reason, left)
					}
				}
			})
			if tally.States != 8 || tally.Truncated != 4 {
				t.Errorf("%s, values %v: %+v", test.reason, values, tally)
			}
		}
	}
	if debug.SetPanicOnFault(false) {
		t.Error("the goroutine panics where it should end the process")
	}
}

// recorded counts the states of a recording.
func recorded(values bool, run func()) (tally Tally) {
	const limit = 1 << 16
	defer Count(recorder.tally)
	Count(&tally)
	Begin(make([]byte, limit+1<<12), limit, values, 1<<40)
	Mark(0)
	run()
	End()
	return tally
}

// called calls an instrumented function with one slot, which may panic. It returns with what.
func called(p *Point, slot, panics any) (left any) {
	defer func() { left = recover() }()
	f := Enter(p, slot)
	defer f.Exit(slot)
	if panics != nil {
		panic(panics)
	}
	return nil
}
