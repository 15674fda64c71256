package driver

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// synctestThing has a name that the runtime's complaints about bubbles have in them.
type synctestThing struct{}

// caught returns what f panics with.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestBurst(t *testing.T) {
	closed := caught(func() { close(chan int(nil)) })
	complaint := reflect.New(reflect.TypeOf(closed)).Elem()
	complaint.SetString("send on synctest channel from outside bubble")
	conversion := caught(func() { _ = any(synctestThing{}).(fmt.Stringer) })
	for _, test := range []struct {
		value  any
		want   bool
		reason string
	}{
		{complaint.Interface(), true, "the runtime complains about the bubble"},
		{closed, false, "it complains about something else"},
		{"send on synctest channel from outside bubble", false, "a text of the target"},
		{errors.New("synctest failed"), false, "an error of the target"},
		{fmt.Errorf("job: %w", errors.New("synctest")), false, "a wrapped error of the target"},
		{conversion, false, "an error of the runtime that names a type of the target"},
		{synctestThing{}, false, "a value of the target"},
		{nil, false, "no panic, but the end of the goroutine"},
	} {
		if got := burst(test.value); got != test.want {
			t.Errorf("%s: %v, want %v", test.reason, got, test.want)
		}
	}
}
