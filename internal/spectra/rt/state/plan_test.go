package state

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// hide returns slots as a probe has them.
func hide(slots []any) []memory.Interface {
	return unsafe.Slice((*memory.Interface)(unsafe.Pointer(unsafe.SliceData(slots))), len(slots))
}

// TestPlan: what is digested without a walk has the digest that a walk has for it.
func TestPlan(t *testing.T) {
	number, small, flag, ratio, text, long := 7, int8(-3), true, float32(0.1), "text", string(make([]byte, 70))
	var missing error
	var list []int
	failed, pointer := errors.New("failed"), &number
	for _, test := range []struct {
		reason string
		slots  []any
		quick  bool
	}{
		{"numbers", []any{&number, &small, &flag, &ratio}, true},
		{"texts of several lengths", []any{&text, &long, new(string)}, true},
		{"nil", []any{&missing, &list, new(*int), new(map[int]int), new(chan int), new(func())}, true},
		{"nothing", nil, true},
		{"an error", []any{&number, &failed}, false},
		{"a pointer", []any{&pointer}, false},
	} {
		plan, slots := Plan{}, hide(test.slots)
		if _, ok := plan.Digest(slots); ok && len(slots) > 0 {
			t.Errorf("%s: known before it was met", test.reason)
		}
		plan = plan.Learn(slots)
		got, ok := plan.Digest(slots)
		if ok != test.quick {
			t.Errorf("%s: without a walk: %v, want %v", test.reason, ok, test.quick)
		}
		w := &Walker{}
		w.Reset(false)
		w.Slots(nil, slots)
		if ok && got != w.h {
			t.Errorf("%s: digest %x, a walk gives %x", test.reason, got, w.h)
		}
	}
	plan := Plan{}.Learn(hide([]any{&number}))
	other := "another instance"
	if _, ok := plan.Digest(hide([]any{&other})); ok {
		t.Error("the slots of another instance of a generic function are taken for those met before")
	}
}
