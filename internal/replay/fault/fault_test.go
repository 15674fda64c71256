package fault_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
)

func TestDo(t *testing.T) {
	var list []int
	for _, c := range []struct {
		reason string
		work   func() error
		want   string
	}{
		{"nothing fails", func() error { return nil }, ""},
		{"the package is to blame", func() error { return errors.New("no files") }, "reading package m/p: no files"},
		{"an error of ours", func() error { _ = list[3]; return nil },
			"reading package m/p: internal error while reading: runtime error: index out of range [3] with length 0; " +
				"please report it (-v shows where)"},
		{"work inside of other work knows best", func() error {
			fault.In("m/q", "writing", func() { panic("torn") })
			return nil
		}, "writing package m/q: internal error while writing: torn; please report it (-v shows where)"},
	} {
		got := ""
		if found := fault.Do("m/p", "reading", c.work); found != nil {
			got = found.Error()
			if found[0].Ours != (found[0].Trace != "") || found[0].Ours != strings.Contains(got, "please report it") {
				t.Errorf("%s: ours %v, trace %q", c.reason, found[0].Ours, found[0].Trace)
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestCatch: a panic of work that belongs to no package is not caught.
func TestCatch(t *testing.T) {
	defer func() {
		if v := recover(); v != "whole" {
			t.Errorf("the panic is %v now", v)
		}
	}()
	var err error
	defer fault.Catch(&err)
	panic("whole")
}
