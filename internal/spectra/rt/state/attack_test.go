package state

import (
	"math"
	"reflect"
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestAlive: what a walk was given stays alive until it has ended, though it holds numbers only.
func TestAlive(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	list := func() reflect.Value {
		var first *link
		for i := range 100_000 {
			first = &link{first, i}
		}
		p := reflect.New(reflect.TypeFor[any]())
		p.Elem().Set(reflect.ValueOf(first))
		return p
	}
	a, b, _ := shared.Value(list())
	for range 5 {
		if x, y, _ := shared.Value(list()); x != a || y != b {
			t.Fatal("a list differs from itself while memory is collected")
		}
		if x, y := shared.Values([]reflect.Value{list()}); x == 0 && y == 0 {
			t.Fatal("no digest")
		}
	}
}

// oddities are values at the limits of what there is.
var oddities = []struct {
	reason string
	make   func() any
}{
	{"interfaces inside of interfaces", func() any {
		var v any
		for range 100_000 {
			w := v
			v = &w
		}
		return v
	}},
	{"maps inside of maps", func() any {
		var v any
		for range 10_000 {
			v = map[string]any{"x": v}
		}
		return v
	}},
	{"maps as keys of maps", func() any {
		var v any = 1
		for range 1000 {
			m := map[any]int{v: 1}
			v = &m
		}
		return v
	}},
	{"a map that holds itself", func() any { m := map[any]any{}; m["x"], m[&m] = m, &m; return m }},
	{"many NaNs as keys", func() any {
		m := map[any]int{}
		for i := range 50 {
			m[math.NaN()], m[complex(math.NaN(), float64(i%3))], m[[1]float32{float32(math.NaN())}] = i, i, i
		}
		return m
	}},
	{"channels of channels", func() any {
		c, d := make(chan chan any, 2), make(chan any, 1)
		c <- d
		d <- c
		return c
	}},
	{"more elements than memory", func() any {
		return []any{[0]int{}, &[0]int{}, &[1 << 40]struct{}{}, make([]struct{}, math.MaxInt)}
	}},
	{"slices where an array ends", func() any {
		s := make([]int, 4)
		return [][]int{s[4:], s, s[2:], s[4:][:0], s[:0:0], {}, nil}
	}},
	{"windows on an array that holds them", func() any {
		s := make([]any, 1000)
		var list [][]any
		for i := range 900 {
			list = append(list, s[i:i+100])
		}
		s[0] = list
		return list
	}},
	{"pointers to all bytes, and then these", func() any {
		s := make([]byte, 20_000)
		var list []*byte
		for i := range s {
			list = append(list, &s[i])
		}
		return []any{list, s}
	}},
	{"memory that is not aligned", func() any {
		b := make([]byte, 64)
		p, s := (*int64)(unsafe.Pointer(&b[3])), unsafe.Slice((*int16)(unsafe.Pointer(&b[5])), 9)
		return []any{p, (*int32)(unsafe.Pointer(&b[1])), s, b, p}
	}},
	{"a bool that is neither", func() any { b := byte(7); return (*bool)(unsafe.Pointer(&b)) }},
	{"thousands of keys that look alike", func() any {
		m := map[*int]*int{}
		p := new(int)
		for range 3000 {
			m[new(int)] = p
		}
		return m
	}},
	{"large keys and elements", func() any {
		m := map[[200]byte][300]byte{}
		for i := range 50 {
			m[[200]byte{byte(i)}] = [300]byte{1}
		}
		return m
	}},
}

// TestOddities: whatever there is, a walk ends, and equal values are equal.
func TestOddities(t *testing.T) {
	for _, test := range oddities {
		first := hashed(test.make())
		if again := hashed(test.make()); first != again {
			t.Errorf("%s: differs from itself", test.reason)
		}
		once, _ := walked(test.make())
		if again, _ := walked(test.make()); string(once) != string(again) {
			t.Errorf("%s: the tokens differ", test.reason)
		}
	}
}
