package replay

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLimit: what is left of a limit, and when a part of it is over.
func TestLimit(t *testing.T) {
	w := &Workers{}
	if left, over := w.Left(time.Minute), w.Part(4); left != time.Minute || over() {
		t.Errorf("without a limit %v is left, a part is over: %t", left, over())
	}
	w.Limit(time.Hour)
	if left, over := w.Left(time.Minute), w.Part(4); left != time.Minute || over() {
		t.Errorf("of an hour %v is left of a minute, a quarter is over: %t", left, over())
	}
	if left := w.Left(2 * time.Hour); left > time.Hour {
		t.Errorf("%v is left of an hour", left)
	}
	whole := w.Part(1)
	w.Limit(-time.Second)
	if left, over := w.Left(time.Minute), w.Part(4); left != 0 || !over() || !whole() {
		t.Errorf("behind the end %v is left, a quarter is over: %t, the whole: %t", left, over(), whole())
	}
}

// TestReserve: what is reserved is there afterwards, and never more than half of what is left.
func TestReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Workers{}
		w.Reserve(time.Hour)()
		if w.Over() {
			t.Error("what has no limit is over")
		}
		w.Limit(time.Minute)
		back := w.Reserve(20 * time.Second)
		if left := w.Left(time.Hour); left != 40*time.Second {
			t.Errorf("%v are left", left)
		}
		time.Sleep(41 * time.Second)
		if !w.Over() {
			t.Error("it is not over")
		}
		w.Reserve(time.Hour)()
		back()
		if left := w.Left(time.Hour); left != 19*time.Second {
			t.Errorf("%v are left afterwards", left)
		}
		w.Reserve(time.Hour)
		if left := w.Left(time.Hour); left != 9500*time.Millisecond {
			t.Errorf("%v are left of the half", left)
		}
	})
}
