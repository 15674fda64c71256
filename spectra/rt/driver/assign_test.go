package driver

import (
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// settable stands for a package variable of the target.
var settable = []int{7}

// TestRestore: what a sequence sets is put back, whatever it panicked with meanwhile, and however often it was set.
func TestRestore(t *testing.T) {
	before := &settable[0]
	var w wire.Writer
	for _, n := range []int64{1, 2} {
		w.Count(1)
		w.Byte(wire.ArgList)
		w.Count(1)
		w.Byte(wire.ArgInt)
		w.Int(n)
	}
	p := &run{r: wire.NewReader(w)}
	for _, want := range []int{1, 2} {
		c, err := p.prepareAssign(reflect.ValueOf(&settable).Elem())
		if err != nil {
			t.Fatal(err)
		}
		if _, s := p.call(c); s.panicked || settable[0] != want {
			t.Errorf("it is %v, want [%d]", settable, want)
		}
	}
	p.call(call{run: func() []reflect.Value { panic("in the target") }})
	if p.restore(); &settable[0] != before || *before != 7 {
		t.Errorf("afterwards it is %v", settable)
	}
}

// TestVarying: the calls of a function return one after the other what was chosen, the last choice for ever.
func TestVarying(t *testing.T) {
	var w wire.Writer
	w.Count(2)
	for _, n := range []int64{5, 6} {
		w.Byte(wire.ArgStub)
		w.Count(1)
		w.Byte(wire.ArgInt)
		w.Int(n)
	}
	p := &run{r: wire.NewReader(w)}
	f, err := p.varying(reflect.TypeFor[func(string) int]())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{5, 6, 6} {
		if got := f.Interface().(func(string) int)("x"); got != want {
			t.Errorf("call %d returns %d, want %d", i, got, want)
		}
	}
	if len(p.stubs) != 3 {
		t.Errorf("%d calls were noted", len(p.stubs))
	}
}
