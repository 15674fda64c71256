package rt

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// copying is a copy under construction.
type copying struct {
	from, to *heap
	bases    []base
	maps     map[uintptr]reflect.Value
	chans    map[uintptr]reflect.Value
}

// base is where a variable went.
type base struct {
	old, size uintptr
	at        reflect.Value
}

// clone copies a heap. Arrays get room before and behind, maps another history.
func (h *heap) clone() *heap {
	c := &copying{from: h, maps: map[uintptr]reflect.Value{}, chans: map[uintptr]reflect.Value{}}
	c.to = &heap{choices: h.choices, left: h.left, interior: h.interior, byRef: h.byRef,
		places: map[reflect.Type][]reflect.Value{}, arrays: map[reflect.Type][]reflect.Value{}}
	c.to.vars = make([]variable, len(h.vars))
	for _, i := range h.rng.Perm(len(h.vars)) {
		c.allocate(i)
	}
	for _, m := range h.maps {
		c.maps[m.Pointer()] = reflect.MakeMapWithSize(m.Type(), h.rng.IntN(40))
		c.to.maps = append(c.to.maps, c.maps[m.Pointer()])
	}
	for _, ch := range h.chans {
		c.chans[ch.Pointer()] = c.to.channel(ch.Type(), ch.Cap())
	}
	for i, v := range h.vars {
		c.value(c.to.vars[i].value, v.value)
		if v.shown {
			c.to.offer(c.to.vars[i].value, h.interior)
		}
	}
	c.contents()
	return c.to
}

func (c *copying) allocate(i int) {
	v := c.from.vars[i]
	t := v.value.Type()
	var x reflect.Value
	if v.array {
		before, behind := c.from.rng.IntN(3), c.from.rng.IntN(3)
		a := reflect.New(reflect.ArrayOf(before+t.Len()+behind, t.Elem())).Elem()
		part := a.Slice(before, before+t.Len()+behind)
		if part.Cap() > 0 {
			x = part.Slice(0, t.Len()).Convert(reflect.PointerTo(t)).Elem()
		}
	}
	if !x.IsValid() {
		x = reflect.New(t).Elem()
	}
	c.to.vars[i] = variable{x, v.array, v.shown}
	if t.Size() > 0 {
		c.bases = append(c.bases, base{v.value.UnsafeAddr(), t.Size(), x})
	}
}

// contents fills maps and channels, now that everything has its place.
func (c *copying) contents() {
	for _, m := range c.from.maps {
		list := entriesOf(m)
		to := c.maps[m.Pointer()]
		for _, i := range c.from.rng.Perm(len(list)) {
			key, elem := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
			c.value(key, list[i].key)
			c.value(elem, list[i].elem)
			to.SetMapIndex(key, elem)
		}
	}
	for _, ch := range c.from.chans {
		for _, x := range buffers[ch.Pointer()] {
			y := reflect.New(x.Type()).Elem()
			c.value(y, x)
			send(c.chans[ch.Pointer()], y)
		}
	}
}

// moved is the address that stands for p in the copy.
func (c *copying) moved(p uintptr) (at reflect.Value, off uintptr) {
	for _, b := range c.bases {
		if b.old <= p && p < b.old+b.size {
			return b.at, p - b.old
		}
	}
	return reflect.Value{}, 0
}

// value makes dst the copy of src.
func (c *copying) value(dst, src reflect.Value) {
	switch src.Kind() {
	case reflect.Struct:
		for i := range src.NumField() {
			if names.Opaque(names.Type(src.Type())) {
				return
			}
			c.value(open(dst.Field(i)), src.Field(i))
		}
	case reflect.Array:
		for i := range src.Len() {
			c.value(dst.Index(i), src.Index(i))
		}
	case reflect.Pointer:
		c.pointer(dst, src)
	case reflect.Slice:
		c.slice(dst, src)
	case reflect.Map, reflect.Chan:
		if !src.IsNil() {
			table := c.maps
			if src.Kind() == reflect.Chan {
				table = c.chans
			}
			dst.Set(table[src.Pointer()])
		}
	case reflect.Interface:
		if !src.IsNil() {
			x := reflect.New(src.Elem().Type()).Elem()
			c.value(x, src.Elem())
			dst.Set(x)
		}
	default:
		copyScalar(dst, src)
	}
}

func (c *copying) pointer(dst, src reflect.Value) {
	switch t := src.Type().Elem(); {
	case src.IsNil():
	case t.Size() == 0:
		dst.Set(reflect.New(t).Convert(dst.Type()))
	default:
		at, off := c.moved(src.Pointer())
		dst.Set(reflect.NewAt(t, unsafe.Add(at.Addr().UnsafePointer(), off)).Convert(dst.Type()))
	}
}

func (c *copying) slice(dst, src reflect.Value) {
	t := src.Type().Elem()
	switch n := src.Len(); {
	case src.IsNil():
	case n == 0 || t.Size() == 0:
		dst.Set(reflect.MakeSlice(src.Type(), n, n+c.from.rng.IntN(3)))
	default:
		x, off := c.moved(src.Pointer())
		room := int((x.Type().Size()-off)/t.Size()) - n
		first := reflect.NewAt(t, unsafe.Add(x.Addr().UnsafePointer(), off))
		capacity := n + c.from.rng.IntN(room+1)
		all := reflect.NewAt(reflect.ArrayOf(capacity, t), first.UnsafePointer()).Elem()
		dst.Set(all.Slice3(0, n, capacity).Convert(dst.Type()))
	}
}

func copyScalar(dst, src reflect.Value) {
	switch src.Kind() {
	case reflect.Bool:
		dst.SetBool(src.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		dst.SetInt(src.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		dst.SetUint(src.Uint())
	case reflect.Float32, reflect.Float64:
		dst.SetFloat(src.Float())
	case reflect.Complex64, reflect.Complex128:
		dst.SetComplex(src.Complex())
	case reflect.String:
		dst.SetString(strings.Clone(src.String()))
	case reflect.Func:
		for _, f := range hFuncs {
			if f != nil && !src.IsNil() && reflect.ValueOf(f).Pointer() == src.Pointer() {
				dst.Set(reflect.ValueOf(f))
			}
		}
	}
}
