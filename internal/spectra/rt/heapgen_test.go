package rt

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// choices are the decisions of a generator: bytes as far as there are any, then random ones.
type choices struct {
	data []byte
	rng  *rand.Rand
}

func newChoices(data []byte) *choices {
	seed := uint64(len(data))
	for _, b := range data {
		seed = seed*0x100000001b3 ^ uint64(b)
	}
	return &choices{data, rand.New(rand.NewPCG(seed, 1))}
}

func (c *choices) below(n int) int {
	if len(c.data) > 0 && n <= 256 {
		b := c.data[0]
		c.data = c.data[1:]
		return int(b) % n
	}
	return c.rng.IntN(n)
}

// often is true n times out of 10.
func (c *choices) often(n int) bool { return c.below(10) < n }

// A variable is memory of a heap: one value, or the array behind slices.
type variable struct {
	value reflect.Value // addressable
	array bool
	shown bool // pointers may point to it
}

// A heap owns all variables, maps and channels that its values can reach.
type heap struct {
	*choices
	left     int // variables that may still be made
	vars     []variable
	maps     []reflect.Value
	chans    []reflect.Value
	places   map[reflect.Type][]reflect.Value // locations that can be pointed to, by type
	arrays   map[reflect.Type][]reflect.Value // arrays that can be sliced, by element
	interior bool                             // pointers into the middle of values, slices that overlap
	byRef    bool                             // maps with keys that have no order
}

// newHeap makes a heap whose roots have those types; globals can be pointed to.
func newHeap(c *choices, size int, interior, globals, byRef bool, roots ...reflect.Type) *heap {
	h := &heap{choices: c, left: size, interior: interior, byRef: byRef,
		places: map[reflect.Type][]reflect.Value{}, arrays: map[reflect.Type][]reflect.Value{}}
	for _, t := range roots {
		h.variable(t, globals)
	}
	for i := range roots {
		h.fill(h.vars[i].value)
	}
	return h
}

// roots are pointers to the first n variables.
func (h *heap) roots(n int) (list []reflect.Value) {
	for _, v := range h.vars[:n] {
		list = append(list, v.value.Addr())
	}
	return list
}

// variable makes a variable, whose content is still to come.
func (h *heap) variable(t reflect.Type, shown bool) reflect.Value {
	v := reflect.New(t).Elem()
	h.vars = append(h.vars, variable{v, false, shown})
	if shown {
		h.offer(v, h.interior)
	}
	return v
}

// offer lets later pointers point to v, or into it.
func (h *heap) offer(v reflect.Value, parts bool) {
	h.places[v.Type()] = append(h.places[v.Type()], v)
	if !parts {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" && !names.Opaque(names.Type(v.Type())) {
				h.offer(open(v.Field(i)), true)
			}
		}
	case reflect.Array:
		h.arrays[v.Type().Elem()] = append(h.arrays[v.Type().Elem()], v)
		for i := range v.Len() {
			h.offer(v.Index(i), true)
		}
	}
}

// fill puts random content into a location.
func (h *heap) fill(v reflect.Value) {
	if names.Opaque(names.Type(v.Type())) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			h.fill(open(v.Field(i)))
		}
	case reflect.Array:
		for i := range v.Len() {
			h.fill(v.Index(i))
		}
	case reflect.Pointer:
		h.fillPointer(v)
	case reflect.Slice:
		h.fillSlice(v)
	case reflect.Map:
		h.fillMap(v)
	case reflect.Chan:
		h.fillChan(v)
	case reflect.Interface:
		h.fillInterface(v, hDynamic)
	case reflect.Func:
		if f := reflect.ValueOf(hFuncs[h.below(len(hFuncs))]); f.Type() == v.Type() {
			v.Set(f)
		}
	default:
		h.fillScalar(v)
	}
}

func (h *heap) fillScalar(v reflect.Value) {
	n := h.below(4)
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(n%2 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, 127}[n])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, 255}[n])
	case reflect.Uintptr:
		v.SetUint(uint64(h.rng.Uint32()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), 1.5, math.NaN()}[n])
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex([]complex128{0, 1, 1i, complex(0, math.NaN())}[n])
	case reflect.String:
		v.SetString(strings.Clone([]string{"", "x", "y", "longer than two words"}[n]))
	case reflect.UnsafePointer:
		v.Set(reflect.ValueOf(reflect.New(reflect.TypeFor[int]()).UnsafePointer()))
	}
}

func (h *heap) fillPointer(v reflect.Value) {
	t := v.Type().Elem()
	known := h.places[t]
	switch {
	case len(known) > 0 && h.often(5):
		v.Set(known[h.below(len(known))].Addr().Convert(v.Type()))
	case h.left > 0 && h.often(8):
		h.left--
		x := h.variable(t, true)
		v.Set(x.Addr().Convert(v.Type()))
		h.fill(x)
	default:
		v.SetZero()
	}
}

func (h *heap) fillSlice(v reflect.Value) {
	t := v.Type().Elem()
	known := h.arrays[t]
	switch {
	case len(known) > 0 && h.often(5):
		v.Set(h.part(known[h.below(len(known))]).Convert(v.Type()))
	case h.left > 0 && h.often(7):
		h.left--
		v.Set(h.part(h.array(t, h.below(5))).Convert(v.Type()))
	case h.often(5):
		v.Set(reflect.MakeSlice(v.Type(), 0, h.below(3)))
	default:
		v.SetZero()
	}
}

// array makes an array for slices to lie in.
func (h *heap) array(elem reflect.Type, n int) reflect.Value {
	a := reflect.New(reflect.ArrayOf(n, elem)).Elem()
	h.vars = append(h.vars, variable{a, true, h.interior})
	if h.interior {
		h.offer(a, true)
	}
	for i := range n {
		h.fill(a.Index(i))
	}
	return a
}

// part slices an array: some of it, or all where slices must not overlap.
func (h *heap) part(a reflect.Value) reflect.Value {
	n := a.Len()
	if !h.interior {
		return a.Slice(0, n)
	}
	first := h.below(n + 1)
	last := first + h.below(n-first+1)
	return a.Slice3(first, last, last+h.below(n-last+1))
}

func (h *heap) fillMap(v reflect.Value) {
	for _, m := range h.maps {
		if m.Type() == v.Type() && h.often(4) {
			v.Set(m)
			return
		}
	}
	if h.left <= 0 || h.often(3) || !h.byRef && !hasOrder(v.Type().Key()) {
		v.SetZero()
		return
	}
	h.left--
	m := reflect.MakeMap(v.Type())
	h.maps = append(h.maps, m)
	v.Set(m)
	for range h.below(5) {
		h.addEntry(m)
	}
}

func (h *heap) addEntry(m reflect.Value) {
	key, elem := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
	if key.Kind() == reflect.Interface {
		h.fillInterface(key, hKeyDynamic)
	} else {
		h.fill(key)
	}
	h.fill(elem)
	m.SetMapIndex(key, elem)
}

// hasOrder reports whether keys can be sorted by their content.
func hasOrder(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Chan:
		return false
	case reflect.Array:
		return hasOrder(t.Elem())
	}
	return true
}

func (h *heap) fillChan(v reflect.Value) {
	for _, c := range h.chans {
		if c.Type() == v.Type() && h.often(4) {
			v.Set(c)
			return
		}
	}
	if h.left <= 0 || h.often(3) {
		v.SetZero()
		return
	}
	h.left--
	c := h.channel(v.Type(), h.below(4))
	v.Set(c)
	for range h.below(c.Cap() + 1) {
		x := reflect.New(v.Type().Elem()).Elem()
		h.fill(x)
		send(c, x)
	}
}

func (h *heap) channel(t reflect.Type, capacity int) reflect.Value {
	c := reflect.MakeChan(t, capacity)
	h.chans = append(h.chans, c)
	return c
}

// send also keeps what the channel holds where the reference finds it.
func send(c, x reflect.Value) {
	if c.TrySend(x) {
		buffers[c.Pointer()] = append(buffers[c.Pointer()], x)
	}
}

func (h *heap) fillInterface(v reflect.Value, dynamic []reflect.Type) {
	if v.NumMethod() > 0 {
		dynamic = hStringers
	}
	if v.Type() == reflect.TypeFor[error]() {
		err := reflect.ValueOf(errors.New([]string{"bad", "worse"}[h.below(2)]))
		h.vars = append(h.vars, variable{err.Elem(), false, false})
		v.Set(err)
		return
	}
	if h.often(2) {
		v.SetZero()
		return
	}
	x := reflect.New(dynamic[h.below(len(dynamic))]).Elem()
	h.fill(x)
	v.Set(x)
}
