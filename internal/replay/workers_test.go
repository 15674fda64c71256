package replay

import (
	"testing"
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
