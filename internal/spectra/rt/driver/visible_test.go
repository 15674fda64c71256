package driver

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestQuoted: long texts are told apart by all of them, though what is displayed is the same, and short ones are
// displayed as Go writes them.
func TestQuoted(t *testing.T) {
	long := strings.Repeat("\x00é", shownText)
	values := []any{
		long, long + "a", long + "b", long[:len(long)-1], []byte(long), errors.New(long),
		errors.New(long + "a"), long[:shownText], strings.Repeat("\x00é", shownText-1) + "\\xé",
	}
	seen, shown := map[[2]uint64]int{}, show(reflect.ValueOf(long)).text
	for i, x := range values {
		v := show(reflect.ValueOf(x))
		if first, ok := seen[[2]uint64{v.a, v.b}]; ok && (i != 4 || first != 0) { // bytes are shown as text
			t.Errorf("values %d and %d look alike", first, i)
		}
		seen[[2]uint64{v.a, v.b}] = i
		if _, ok := x.(string); ok && v.text != shown {
			t.Errorf("value %d is displayed as %s, want %s", i, v.text, shown)
		}
	}
	if got := show(reflect.ValueOf("a\"\n")).text; got != `"a\"\n"` {
		t.Errorf("a short text is displayed as %s", got)
	}
}
