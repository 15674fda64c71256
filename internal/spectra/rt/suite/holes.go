package suite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// Holes are the literals of the tests of a package that may have other values.
type Holes struct {
	other map[int]interface{} // by number; what is not there has its usual value
	again []computed
	reset []func() // what gives variables the values that they had
}

// A computed is a package variable whose value has holes.
type computed struct {
	first, last int // numbers of its holes
	compute     func()
}

// Again registers how a package variable gets the value that its declaration has, with the holes from first to last.
func (h *Holes) Again(first, last int, compute func()) {
	h.again = append(h.again, computed{first, last, compute})
}

// hole returns the value of a hole, usually v. The tests call it through functions without type parameters, which
// versions before Go 1.18 don't have.
func hole[T any](h *Holes, number int, v T) T {
	if len(h.other) == 0 {
		return v
	}
	switch x := h.other[number].(type) {
	case nil:
		return v
	case T:
		return x
	default:
		return reflect.ValueOf(x).Convert(reflect.TypeFor[T]()).Interface().(T)
	}
}

// Bool returns the value of a hole, usually v.
func Bool(h *Holes, number int, v bool) bool { return hole(h, number, v) }

// String returns the value of a hole, usually v.
func String(h *Holes, number int, v string) string { return hole(h, number, v) }

// Int returns the value of a hole, usually v.
func Int(h *Holes, number int, v int) int { return hole(h, number, v) }

// Int8 returns the value of a hole, usually v.
func Int8(h *Holes, number int, v int8) int8 { return hole(h, number, v) }

// Int16 returns the value of a hole, usually v.
func Int16(h *Holes, number int, v int16) int16 { return hole(h, number, v) }

// Int32 returns the value of a hole, usually v.
func Int32(h *Holes, number int, v int32) int32 { return hole(h, number, v) }

// Int64 returns the value of a hole, usually v.
func Int64(h *Holes, number int, v int64) int64 { return hole(h, number, v) }

// Uint returns the value of a hole, usually v.
func Uint(h *Holes, number int, v uint) uint { return hole(h, number, v) }

// Uint8 returns the value of a hole, usually v.
func Uint8(h *Holes, number int, v uint8) uint8 { return hole(h, number, v) }

// Uint16 returns the value of a hole, usually v.
func Uint16(h *Holes, number int, v uint16) uint16 { return hole(h, number, v) }

// Uint32 returns the value of a hole, usually v.
func Uint32(h *Holes, number int, v uint32) uint32 { return hole(h, number, v) }

// Uint64 returns the value of a hole, usually v.
func Uint64(h *Holes, number int, v uint64) uint64 { return hole(h, number, v) }

// Uintptr returns the value of a hole, usually v.
func Uintptr(h *Holes, number int, v uintptr) uintptr { return hole(h, number, v) }

// Float32 returns the value of a hole, usually v.
func Float32(h *Holes, number int, v float32) float32 { return hole(h, number, v) }

// Float64 returns the value of a hole, usually v.
func Float64(h *Holes, number int, v float64) float64 { return hole(h, number, v) }

// Text returns the value of a hole, usually a computed text.
func Text(h *Holes, number int, v string) string {
	if lists() {
		text(number, v)
	}
	return hole(h, number, v)
}

// Number returns the value of a hole, usually a computed number; one above the largest int64 is that many below zero.
func Number(h *Holes, number int, v int64) int64 {
	if lists() {
		text(number, strconv.FormatInt(v, 10))
	}
	return hole(h, number, v)
}

// Bytes returns the value of a hole, usually computed bytes.
func Bytes(h *Holes, number int, v []byte) []byte {
	if lists() {
		text(number, string(v))
	}
	if other, ok := h.other[number].(string); ok {
		return []byte(other)
	}
	return v
}

// Reader returns a reader of the value of a hole, usually of what is left in v. Of readers whose content can't be known
// there are no other values.
func Reader(h *Holes, number int, v io.Reader) io.Reader {
	var left string
	other, ok := h.other[number].(string)
	switch of := v.(type) {
	case *bytes.Buffer:
		if ok {
			return bytes.NewBufferString(other)
		}
		left = of.String()
	case *bytes.Reader:
		if ok {
			return bytes.NewReader([]byte(other))
		}
		left = rest(of, of.Len(), of.Size())
	case *strings.Reader:
		if ok {
			return strings.NewReader(other)
		}
		left = rest(of, of.Len(), of.Size())
	default:
		return v
	}
	if lists() {
		text(number, left)
	}
	return v
}

// rest returns the last bytes of what a reader reads.
func rest(of io.ReaderAt, length int, size int64) string {
	left := make([]byte, length)
	n, _ := of.ReadAt(left, size-int64(length))
	return string(left[:n])
}

// Header returns the name and the value of the header that a request gets, and no name usually. As a text they are the
// name, a colon and the value; a name alone has a value, too.
func Header(h *Holes, number int) (name, value string) {
	name, value, both := strings.Cut(hole(h, number, ""), ":")
	if !both {
		value = "x"
	}
	return name, strings.TrimSpace(value)
}

// Any reports whether one of some holes has another value.
func Any(h *Holes, first, last int) bool {
	for number := range h.other {
		if first <= number && number <= last {
			return true
		}
	}
	return false
}

// Error returns the usual error, or another one: one that nobody knows, or one of others, whose holes come behind that.
func Error(h *Holes, number int, usual error, others ...error) error {
	if hole(h, number, false) {
		return errInjected
	}
	for i, other := range others {
		if hole(h, number+1+i, false) {
			return other
		}
	}
	return usual
}

// Wrapped returns an error that wraps another one.
func Wrapped(err error) error { return errors.Join(err) }

var errInjected = errors.New("injected error")

// Preset gives a variable another value, until the function that Fill returned is called: what the test has put off
// comes before.
func Preset[T any](h *Holes, of *T, value T) {
	before := *of
	h.reset = append(h.reset, func() { *of = before })
	*of = value
}

// Cancelled returns a context that is cancelled, with the values of another one; nil: without values.
func Cancelled(of context.Context) context.Context {
	if of == nil {
		of = context.Background()
	}
	ctx, cancel := context.WithCancel(of)
	cancel()
	return ctx
}

// Reversed returns a slice with the elements of another in the reverse order.
func Reversed[S ~[]E, E any](of S) S {
	var other S
	for i := len(of) - 1; i >= 0; i-- {
		other = append(other, of[i])
	}
	return other
}

// Repeating returns a slice that repeats its last element.
func Repeating[S ~[]E, E any](of S) S {
	if len(of) == 0 {
		return of
	}
	return append(of[:len(of):len(of)], of[len(of)-1])
}

// Headed returns a slice with an empty element before the others: one that points to an empty value where elements are
// pointers.
func Headed[S ~[]E, E any](of S) S {
	var empty E
	if t := reflect.TypeOf(empty); t != nil && t.Kind() == reflect.Pointer {
		empty = reflect.New(t.Elem()).Convert(t).Interface().(E)
	}
	return append(S{empty}, of...)
}

// Empty returns the zero value.
func Empty[T any](T) (empty T) { return empty }

// More returns a list of texts, usually as it is, or with one more in the end.
func More[S ~[]E, E ~string](h *Holes, number int, of S) S {
	if text := hole(h, number, ""); text != "" {
		return append(of[:len(of):len(of)], E(text))
	}
	return of
}

// Entry returns a map, usually as it is, or a copy with one more entry, "key" or "key: value".
func Entry[M ~map[K]V, K ~string, V any](h *Holes, number int, of M) M {
	text := hole(h, number, "")
	if text == "" {
		return of
	}
	other := M{}
	for k, v := range of {
		other[k] = v
	}
	key, value, _ := strings.Cut(text, ": ")
	var v V
	enter(reflect.ValueOf(&v).Elem(), value)
	other[K(key)] = v
	return other
}

// enter sets the value of an entry to what a text says, or to something that is not empty.
func enter(v reflect.Value, text string) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		n = 1
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(text != "false")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		enter(v.Index(0), text)
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return
		}
		switch {
		case err == nil:
			v.Set(reflect.ValueOf(int(n)))
		case text == "" || text == "true" || text == "false":
			v.Set(reflect.ValueOf(text != "false"))
		default:
			v.Set(reflect.ValueOf(text))
		}
	}
}

// With returns options of a call, usually as they are, or with some of these more, whose holes are numbered from first.
func With[S ~[]E, E any](h *Holes, first int, of S, more ...func() E) S {
	for i, option := range more {
		if hole(h, first+i, false) {
			of = append(of[:len(of):len(of)], option())
		}
	}
	return of
}

// Fill gives holes other values, until the function that it returns is called.
func (h *Holes) Fill(other map[int]interface{}) (restore func()) {
	if len(other) == 0 {
		return func() {}
	}
	h.other = other
	var changed []computed
	for _, c := range h.again {
		if Any(h, c.first, c.last) {
			changed = append(changed, c)
			c.compute()
		}
	}
	return func() {
		for len(h.reset) > 0 {
			last := len(h.reset) - 1
			h.reset[last]()
			h.reset = h.reset[:last]
		}
		h.other = nil
		for _, c := range changed {
			c.compute()
		}
	}
}

// Held returns a value, of which something may be set first.
func Held[T any](value T, set func(interface{})) T {
	set(value)
	return value
}
