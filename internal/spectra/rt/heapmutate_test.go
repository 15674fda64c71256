package rt

import (
	"reflect"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// mutate changes one location, which may be one that no root reaches.
func (h *heap) mutate() {
	var all []reflect.Value
	for _, v := range h.vars {
		all = locations(all, v.value)
	}
	if len(all) == 0 {
		return
	}
	for range 20 {
		v := all[h.below(len(all))]
		if h.below(2) == 0 || changes(v.Kind()) { // most locations are scalars
			h.change(v)
			return
		}
	}
}

func changes(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Slice || k == reflect.Map || k == reflect.Chan || k == reflect.Interface
}

// locations appends the locations in v.
func locations(list []reflect.Value, v reflect.Value) []reflect.Value {
	if names.Opaque(names.Type(v.Type())) {
		return list
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			list = locations(list, open(v.Field(i)))
		}
		return list
	case reflect.Array:
		for i := range v.Len() {
			list = locations(list, v.Index(i))
		}
		return list
	}
	return append(list, v)
}

func (h *heap) change(v reflect.Value) {
	h.left = max(h.left, 3)
	switch v.Kind() {
	case reflect.Pointer:
		h.changePointer(v)
	case reflect.Slice:
		h.changeSlice(v)
	case reflect.Map:
		h.changeMap(v)
	case reflect.Chan:
		h.changeChan(v)
	default:
		h.fill(v)
	}
}

// changePointer redirects a pointer, often to a copy of what it points to, or to what another
// pointer of the type points to.
func (h *heap) changePointer(v reflect.Value) {
	if v.IsNil() || h.often(4) {
		h.fill(v)
		return
	}
	x := h.variable(v.Type().Elem(), true)
	shallow(x, v.Elem())
	v.Set(x.Addr().Convert(v.Type()))
}

// shallow copies a value bit by bit, but for what is opaque.
func shallow(dst, src reflect.Value) {
	if src.Kind() == reflect.Struct {
		for i := range src.NumField() {
			if !names.Opaque(names.Type(src.Type())) {
				shallow(open(dst.Field(i)), open(src.Field(i)))
			}
		}
		return
	}
	dst.Set(src)
}

func (h *heap) changeSlice(v reflect.Value) {
	n := v.Len()
	switch {
	case v.IsNil() || h.often(2):
		h.fill(v)
	case n == 0:
		v.SetZero()
	case h.interior && h.often(4):
		v.Set(h.part(v))
	case h.interior && h.often(4) && v.Cap() > n:
		v.SetLen(n + 1)
	default: // a copy of the elements
		a := reflect.New(reflect.ArrayOf(n, v.Type().Elem())).Elem()
		h.vars = append(h.vars, variable{a, true, h.interior})
		for i := range n {
			shallow(a.Index(i), v.Index(i))
		}
		v.Set(a.Slice(0, n).Convert(v.Type()))
	}
}

func (h *heap) changeMap(v reflect.Value) {
	list := []entry{}
	if !v.IsNil() {
		list = entriesOf(v)
	}
	switch {
	case v.IsNil() || h.often(2):
		h.fill(v)
	case len(list) > 0 && h.often(3):
		v.SetMapIndex(list[h.below(len(list))].key, reflect.Value{})
	case len(list) > 0 && h.often(4):
		e := list[h.below(len(list))]
		elem := reflect.New(e.elem.Type()).Elem()
		elem.Set(e.elem)
		if in := locations(nil, elem); len(in) > 0 {
			h.change(in[h.below(len(in))])
		}
		v.SetMapIndex(e.key, elem)
	case h.often(4):
		m := reflect.MakeMap(v.Type())
		h.maps = append(h.maps, m)
		for _, e := range list {
			m.SetMapIndex(e.key, e.elem)
		}
		v.Set(m)
	default:
		h.addEntry(v)
	}
}

func (h *heap) changeChan(v reflect.Value) {
	switch {
	case v.IsNil() || h.often(3):
		h.fill(v)
	case v.Len() > 0 && h.often(5):
		v.Recv()
		buffers[v.Pointer()] = buffers[v.Pointer()][1:]
	default:
		x := reflect.New(v.Type().Elem()).Elem()
		h.fill(x)
		send(v, x)
	}
}
