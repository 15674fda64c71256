package state

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// walked returns the tokens of a state that holds v.
func walked(v any) (tokens []byte, truncated bool) {
	p := reflect.New(reflect.TypeOf(&v).Elem())
	p.Elem().Set(reflect.ValueOf(v))
	w := &Walker{}
	w.Reset(true)
	w.slot(0, compile(p.Type().Elem()), p.Pointer())
	runtime.KeepAlive(p.UnsafePointer())
	return w.out, w.truncated
}

// TestBudgets: what has no room is one token in place of the value, so the tokens stay whole.
func TestBudgets(t *testing.T) {
	configure(50, names.Config{})
	defer configure(0, names.Config{})
	large := map[int]int{}
	c := make(chan int, 100)
	for i := range 100 {
		large[i] = i
		c <- i
	}
	for _, test := range []struct {
		reason string
		value  any
	}{
		{"a map", large},
		{"a slice", make([]int, 100)},
		{"an array", [100]int{}},
		{"a slice whose memory is digested at once", make([]byte, 64*100)},
		{"a text", strings.Repeat("x", 64*100)},
	} {
		tokens, truncated := walked(test.value)
		want := wire.AppendString([]byte{0, wire.ValueInterface}, names.Type(reflect.TypeOf(test.value)))
		if want = append(want, wire.ValueTruncated); !truncated || !bytes.Equal(tokens, want) {
			t.Errorf("%s: tokens %q (truncated %v), want %q", test.reason, tokens, truncated, want)
		}
	}
}

// TestValuesAreBounded: a state with endless text must not take the memory of the machine.
func TestValuesAreBounded(t *testing.T) {
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strings.Repeat("x", 100_000)
	}
	tokens, truncated := walked(texts)
	if limit := maxValues + maxValues/4 + 1<<16; !truncated || len(tokens) > limit {
		t.Errorf("100 MB of text: %d bytes of tokens, truncated %v; want at most %d and a mark",
			len(tokens), truncated, limit)
	}
	if tokens, truncated = walked(texts[:10]); truncated || len(tokens) < 1_000_000 {
		t.Errorf("1 MB of text: %d bytes of tokens, truncated %v; want all", len(tokens), truncated)
	}
}

type wide struct{ Kept, Left int }

type narrow struct{ Kept int }

// TestProjectionInSlices: elements that are plain memory in one version are projected as well.
func TestProjectionInSlices(t *testing.T) {
	of := func(v any) digest.Hash {
		p := reflect.New(reflect.TypeOf(v))
		p.Elem().Set(reflect.ValueOf(v))
		a, b, _ := shared.Value(p)
		return digest.Hash{A: a, B: b}
	}
	wider, kept := names.Type(reflect.TypeFor[wide]()), names.Type(reflect.TypeFor[narrow]())
	for _, test := range []struct {
		reason   string
		old, new any
	}{
		{"slice", []narrow{{1}, {2}}, []wide{{1, 5}, {2, 6}}},
		{"array", [2]narrow{{1}, {2}}, [2]wide{{1, 5}, {2, 6}}},
		{"struct", narrow{1}, wide{1, 5}},
		{"elements of a map", map[int]narrow{1: {2}}, map[int]wide{1: {2, 5}}},
	} {
		configure(0, names.Config{Renames: map[string]string{wider: kept}, Skips: map[string][]string{kept: {"Left"}}})
		if of(test.old) != of(test.new) {
			t.Errorf("%s: a field that only one version has makes a difference", test.reason)
		}
		configure(0, names.Config{})
		if of(test.old) == of(test.new) {
			t.Errorf("%s: a field that is compared makes no difference", test.reason)
		}
	}
}

func caught(f func()) (err any) {
	defer func() { err = recover() }()
	f()
	return nil
}

// TestRuntimeErrors: what the runtime panics with is data.
func TestRuntimeErrors(t *testing.T) {
	list, index := []int{1, 2, 3}, 7
	var value any = "text"
	var pointer *wide
	var missing map[int]int
	failures := []struct {
		reason string
		f      func()
	}{
		{"index 7", func() { _ = list[index] }},
		{"index 8", func() { _ = list[index+1] }},
		{"slice 7", func() { _ = list[index:] }},
		{"assertion to int", func() { _ = value.(int) }},
		{"assertion to bool", func() { _ = value.(bool) }},
		{"assertion to an interface", func() { _ = value.(fmt.Stringer) }},
		{"division", func() { _ = index / (index - 7) }},
		{"nil pointer", func() { pointer.Left = 1 }},
		{"nil map", func() { missing[1] = 1 }},
		{"panic with nil", func() { panic(nil) }},
		{"negative length", func() { _ = make([]int, index-8) }},
	}
	for i, old := range failures {
		if first, again := hashed(caught(old.f)), hashed(caught(old.f)); first != again {
			t.Errorf("%s differs from itself", old.reason)
		}
		for _, new := range failures[i+1:] {
			if hashed(caught(old.f)) == hashed(caught(new.f)) {
				t.Errorf("%s and %s have the same digest", old.reason, new.reason)
			}
		}
	}
	if tokens, _ := walked(caught(failures[3].f)); !bytes.Contains(tokens, []byte("type int")) {
		t.Errorf("an assertion's error does not show the type: %q", tokens)
	}
}

type inner struct{ A, B int }

type outer struct {
	In    inner
	First *int
	Whole *inner
	Parts [][]int
}

// aliased makes values that point into each other, the n-th time at other addresses.
func aliased() *outer {
	o := &outer{In: inner{1, 2}}
	o.First, o.Whole = &o.In.A, &o.In
	memory := []int{1, 2, 3, 4}
	o.Parts = [][]int{memory[:2], memory[:4], memory[1:3], memory[:0], memory[4:]}
	return o
}

// self is a slice that contains itself, in several lengths.
type self []self

// TestInteriorPointers: pointers into values and slices that overlap end, and depend on nothing
// but the values.
func TestInteriorPointers(t *testing.T) {
	if first, again := hashed(aliased()), hashed(aliased()); first != again {
		t.Error("equal values that point into each other differ")
	}
	apart := aliased()
	apart.First = one(1)
	if hashed(*apart.Whole) != hashed(inner{1, 2}) || hashed(apart) == hashed(&outer{}) {
		t.Error("what is behind interior pointers does not count")
	}
	loop := func() self {
		s := make(self, 4)
		for i := range s {
			s[i] = s[:i+1]
		}
		return s
	}
	if first, again := hashed(loop()), hashed(loop()); first != again {
		t.Error("slices that contain themselves differ")
	}
}

// A member knows the set that it is in, as contexts know their children.
type member struct {
	set  map[*member]map[any]*member
	name string
}

// TestKeysThatReachTheirMap: ordering keys must not walk the map once for every way through it.
func TestKeysThatReachTheirMap(t *testing.T) {
	family := func(reversed bool) *member {
		parent := &member{set: map[*member]map[any]*member{}, name: "parent"}
		for i := range 40 {
			if reversed {
				i = 39 - i
			}
			child := &member{parent.set, fmt.Sprint("child ", i)}
			parent.set[child] = map[any]*member{i: child, parent: parent}
		}
		return parent
	}
	p := family(false)
	if hashed(p) != hashed(family(true)) {
		t.Error("equal sets of members differ")
	}
	_, _, nodes := shared.Value(reflect.ValueOf(&p))
	if nodes > 1_000_000 {
		t.Errorf("%d nodes were walked for 40 members", nodes)
	}
	for child := range p.set {
		child.name += "x"
		break
	}
	if hashed(p) == hashed(family(true)) {
		t.Error("the name of a member makes no difference")
	}
}
