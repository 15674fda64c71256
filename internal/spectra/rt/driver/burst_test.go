package driver

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
)

// synctestThing has a name that the runtime's complaints about bubbles have in them.
type synctestThing struct{}

// panics has f panic, and returns the value, what burst says of it and which package raised it.
func panics(f func()) (value any, failed bool, by string) {
	defer func() {
		value = recover()
		failed, by = burst(value), raiser()
	}()
	f()
	return nil, false, ""
}

func TestBurst(t *testing.T) {
	plain, _, _ := panics(func() { close(chan int(nil)) })
	complaint := reflect.New(reflect.TypeOf(plain)).Elem()
	complaint.SetString("send on synctest channel from outside bubble")
	const ours = "github.com/spectradiff/spectradiff/internal/spectra/rt/driver"
	for _, test := range []struct {
		f      func()
		want   bool
		by     string
		reason string
	}{
		{func() { panic(complaint.Interface()) }, true, ours, "the runtime's complaint, raised once more"},
		{func() { close(chan int(nil)) }, false, "runtime", "it complains about something else"},
		{func() { time.NewTicker(0) }, false, "time", "code of the library complains about something else"},
		{func() { panic("send on synctest channel from outside bubble") }, false, ours, "a text of the target"},
		{func() { panic(word("synctest")) }, false, ours, "a text of a type of the target"},
		{func() { panic(fmt.Errorf("job: %w", errors.New("synctest"))) }, false, ours, "an error of the target"},
		{
			func() { _ = any(synctestThing{}).(fmt.Stringer) }, false, "runtime",
			"an error that names a type of the target",
		},
		{sync.OnceFunc(func() { panic("synctest") }), false, ours, "a text that went through the library"},
		{runtime.Goexit, false, "", "no panic, but the end of the goroutine"},
	} {
		var failed bool
		var by string
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, failed, by = panics(test.f)
		}()
		<-ended
		if failed != test.want || by != test.by {
			t.Errorf("%s: %v, raised by %q; want %v, %q", test.reason, failed, by, test.want, test.by)
		}
	}
}

// A word is a text of another type than string.
type word string
