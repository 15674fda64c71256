package rt

import (
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

type oldIn struct {
	X, Y int8
}

type newIn struct {
	pad  string
	Y, X int8
}

type oldLayout struct {
	First  int8
	Second int64
	in     oldIn
	list   [3]oldIn
	next   *oldLayout
}

type newLayout struct {
	next   *newLayout
	list   [3]newIn
	gained int64
	in     newIn
	Second int64
	First  int8
}

func configureLayouts(t *testing.T) {
	Configure(Config{Config: names.Config{
		Renames: map[string]string{
			names.Type(reflect.TypeFor[oldLayout]()): "heap.Layout",
			names.Type(reflect.TypeFor[newLayout]()): "heap.Layout",
			names.Type(reflect.TypeFor[oldIn]()):     "heap.In",
			names.Type(reflect.TypeFor[newIn]()):     "heap.In",
		},
		Skips: map[string][]string{"heap.Layout": {"gained"}, "heap.In": {"pad"}},
	}})
	t.Cleanup(func() { Configure(Config{}) })
}

// TestLayouts: fields that were reordered or added move no place, wherever pointers lead.
func TestLayouts(t *testing.T) {
	configureLayouts(t)
	makeOld := func() *oldLayout {
		return &oldLayout{First: 1, Second: 1, in: oldIn{1, 1}, list: [3]oldIn{{1, 1}, {1, 1}, {1, 1}}}
	}
	makeNew := func() *newLayout {
		in := newIn{"new", 1, 1}
		return &newLayout{First: 1, Second: 1, gained: 2, in: in, list: [3]newIn{in, in, in}}
	}
	tests := []struct {
		reason string
		old    func(*oldLayout) any
		new    func(*newLayout) any
		same   bool
	}{
		{"no pointers inside", func(v *oldLayout) any { return v }, func(v *newLayout) any { return v }, true},
		{
			"the old's first field after the whole",
			func(v *oldLayout) any { return []any{v, &v.First} },
			func(v *newLayout) any { return []any{v, &v.First} },
			true,
		},
		{
			"the old's first field before the whole",
			func(v *oldLayout) any { return []any{&v.First, v} },
			func(v *newLayout) any { return []any{&v.First, v} },
			true,
		},
		{
			"a field of a field",
			func(v *oldLayout) any { return []any{v, &v.in.Y} },
			func(v *newLayout) any { return []any{v, &v.in.Y} },
			true,
		},
		{
			"a field of a field first",
			func(v *oldLayout) any { return []any{&v.in.Y, &v.in, v} },
			func(v *newLayout) any { return []any{&v.in.Y, &v.in, v} },
			true,
		},
		{
			"another field with that content",
			func(v *oldLayout) any { return []any{v, &v.in.X} },
			func(v *newLayout) any { return []any{v, &v.in.Y} },
			false,
		},
		{
			"another field first",
			func(v *oldLayout) any { return []any{&v.in.X, v} },
			func(v *newLayout) any { return []any{&v.in.Y, v} },
			false,
		},
		{
			"the next element",
			func(v *oldLayout) any { return []any{v, &v.list[1]} },
			func(v *newLayout) any { return []any{v, &v.list[1]} },
			true,
		},
		{
			"another element",
			func(v *oldLayout) any { return []any{v, &v.list[1]} },
			func(v *newLayout) any { return []any{v, &v.list[2]} },
			false,
		},
		{
			"slices that overlap",
			func(v *oldLayout) any { return [][]oldIn{v.list[:2], v.list[1:]} },
			func(v *newLayout) any { return [][]newIn{v.list[:2], v.list[1:]} },
			true,
		},
		{
			"slices that overlap, the later part first",
			func(v *oldLayout) any { return [][]oldIn{v.list[1:], v.list[:2], v.list[:]} },
			func(v *newLayout) any { return [][]newIn{v.list[1:], v.list[:2], v.list[:]} },
			true,
		},
		{
			"slices that overlap elsewhere",
			func(v *oldLayout) any { return [][]oldIn{v.list[:2], v.list[1:]} },
			func(v *newLayout) any { return [][]newIn{v.list[:2], v.list[:2]} },
			false,
		},
		{
			"slices that don't overlap",
			func(v *oldLayout) any { return [][]oldIn{v.list[:1], v.list[1:2]} },
			func(v *newLayout) any { return [][]newIn{v.list[:1], v.list[2:]} },
			true,
		},
		{
			"an array and a slice of it",
			func(v *oldLayout) any { return []any{v.list[1:], v} },
			func(v *newLayout) any { return []any{v.list[1:], v} },
			true,
		},
		{
			"a field of an element first",
			func(v *oldLayout) any { return []any{&v.list[1].X, v.list[1:], v.list[:2], v} },
			func(v *newLayout) any { return []any{&v.list[1].X, v.list[1:], v.list[:2], v} },
			true,
		},
		{
			"one element or a slice of one",
			func(v *oldLayout) any { return []any{v.list[1:2], &v.list[1]} },
			func(v *newLayout) any { return []any{v.list[1:2], &v.list[1]} },
			true,
		},
		{
			"a slice of one or its copy",
			func(v *oldLayout) any { return []any{v.list[1:2], &v.list[1]} },
			func(v *newLayout) any { return []any{v.list[1:2], &v.list[2]} },
			false,
		},
		{
			"itself",
			func(v *oldLayout) any { v.next = v; return v },
			func(v *newLayout) any { v.next = v; return v },
			true,
		},
		{
			"what only one version has",
			func(v *oldLayout) any { return []any{v, one64(2)} },
			func(v *newLayout) any { return []any{v, one64(2)} },
			true,
		},
	}
	for _, test := range tests {
		old, new := reflect.ValueOf(test.old(makeOld())), reflect.ValueOf(test.new(makeNew()))
		if got := content128(old) == content128(new); got != test.same {
			t.Errorf("%s: equal digests: %v, want %v", test.reason, got, test.same)
		}
	}
}

func one64(n int64) *int64 { return &n }

// content128 is the digest of a value, but for the type that an interface around it would show.
func content128(v reflect.Value) [2]uint64 {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	a, b, _ := DigestOf(p)
	return [2]uint64{a, b}
}
