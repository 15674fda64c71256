package rt

import (
	"errors"
	"testing"
)

// TestWords: what is recorded without a walk has the digest that a walk gives.
func TestWords(t *testing.T) {
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
		p, r := &Point{}, &record{tally: new(Tally), nodes: 1 << 20}
		slots := hide(test.slots)
		if _, ok := r.words(p, slots); ok {
			t.Errorf("%s: known before it was met", test.reason)
		}
		p.learn(slots)
		got, ok := r.words(p, slots)
		if ok != test.quick {
			t.Errorf("%s: without a walk: %v, want %v", test.reason, ok, test.quick)
		}
		w := &walker{}
		w.reset(false)
		w.slots(p, slots)
		if ok && got != w.h {
			t.Errorf("%s: digest %x, a walk gives %x", test.reason, got, w.h)
		}
	}
	p := &Point{}
	p.learn(hide([]any{&number}))
	other := "another instance"
	if _, ok := (&record{tally: new(Tally)}).words(p, hide([]any{&other})); ok {
		t.Error("the slots of another instance of a generic function are taken for those met before")
	}
}
