package driver

import (
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
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

// TestHandedOver: an iterator yields the same each time, in pairs where it is one over pairs, until it is told to stop;
// a channel holds what was chosen.
func TestHandedOver(t *testing.T) {
	decode := func(kind byte, of reflect.Type, numbers ...int64) (any, *run) {
		var w wire.Writer
		w.Count(len(numbers))
		for _, n := range numbers {
			w.Byte(wire.ArgInt)
			w.Int(n)
		}
		p := &run{r: wire.NewReader(w)}
		v, err := p.composite(kind, of)
		if err != nil {
			t.Fatal(err)
		}
		return v.Interface(), p
	}
	each, p := decode(wire.ArgYields, reflect.TypeFor[iter.Seq[int]](), 3, 1, 4)
	for range 2 {
		if got := slices.Collect(each.(iter.Seq[int])); !slices.Equal(got, []int{3, 1, 4}) {
			t.Errorf("yields %v", got)
		}
	}
	for range each.(iter.Seq[int]) {
		break
	}
	if len(p.stubs) != 3 {
		t.Errorf("%d calls were noted, want 3", len(p.stubs))
	}
	pairs, _ := decode(wire.ArgYields, reflect.TypeFor[iter.Seq2[int8, int]](), 3, 1, 4, 1, 5)
	if got := maps.Collect(pairs.(iter.Seq2[int8, int])); !maps.Equal(got, map[int8]int{3: 1, 4: 1}) {
		t.Errorf("yields the pairs %v", got)
	}
	type around = func(string, func(int8, int) (int, error)) (error, bool, int)
	calls, p := decode(wire.ArgCalls, reflect.TypeFor[around](), 3, 4)
	sum := func(a int8, b int) (int, error) { return int(a) + b, io.EOF }
	if err, ok, n := calls.(around)("", sum); err != io.EOF || ok || n != 7 {
		t.Errorf("calls back: %v, %t, %d", err, ok, n)
	}
	if err, ok, n := calls.(around)("", nil); err != nil || ok || n != 0 || len(p.stubs) != 2 {
		t.Errorf("does not call nil back: %v, %t, %d, %d calls noted", err, ok, n, len(p.stubs))
	}
	channel, _ := decode(wire.ArgClosed, reflect.TypeFor[<-chan int](), 3, 1)
	var held []int
	for n := range channel.(<-chan int) {
		held = append(held, n)
	}
	if !slices.Equal(held, []int{3, 1}) {
		t.Errorf("the channel held %v", held)
	}
}
