package state

import (
	"reflect"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// Flags of a reflect.Value.
const (
	reflectIndirect    = 1 << 7
	reflectAddressable = 1 << 8
	reflectMethod      = 1 << 9
	reflectMethodShift = 10 // to the method's number
)

// ReflectedIsKnown reports whether a reflect.Value is a type, a pointer and flags as we know them.
var ReflectedIsKnown = func() bool {
	if !hasFields(reflect.TypeFor[reflect.Value](), "typ_", "ptr", "flag") {
		return false
	}
	n, p := new(int), new(*int)
	for _, v := range []struct {
		value reflect.Value
		flags uintptr
	}{
		{reflect.ValueOf(*n), reflectIndirect},
		{reflect.ValueOf(n), 0},
		{reflect.ValueOf(n).Elem(), reflectIndirect | reflectAddressable},
		{reflect.ValueOf(p).Elem(), reflectIndirect | reflectAddressable},
		{reflect.ValueOf(reflect.ValueOf(n)).Method(0), reflectIndirect | reflectMethod},
	} {
		words := (*[3]uintptr)(unsafe.Pointer(&v.value))
		const all = reflectIndirect | reflectAddressable | reflectMethod
		typed := words[0] == memory.Descriptor(v.value.Type())
		if words[2]&all != v.flags || v.flags&reflectMethod == 0 && !typed {
			return false
		}
	}
	return true
}()

// A Reflected is the value that a reflect.Value stands for.
type Reflected struct {
	Type     uintptr // address of the type's descriptor; 0 for the zero reflect.Value
	Value    uintptr // address of the value
	Variable bool    // it is a variable: changing it is seen elsewhere
	IsMethod bool    // it is the method of the value with the number Method
	Method   int
}

// ReflectedAt reads the reflect.Value at p.
func ReflectedAt(p uintptr) Reflected {
	words := (*[3]uintptr)(memory.At(p))
	flags := words[2]
	r := Reflected{Type: words[0], Value: p + unsafe.Sizeof(uintptr(0))}
	if flags&reflectIndirect != 0 {
		r.Value, r.Variable = words[1], flags&reflectAddressable != 0
	}
	if flags&reflectMethod != 0 {
		r.IsMethod, r.Method = true, int(flags>>reflectMethodShift)
	}
	return r
}

// Parts of a time.Time: whether it has a reading of the monotonic clock, then with a shorter count
// of seconds, and what its counts begin at.
const (
	timeMonotonic = 1 << 63
	wallSeconds   = 59453308800 // from year 1 to 1885
	unixSeconds   = 62135596800 // from year 1 to 1970
)

// TimeIsKnown reports whether a time.Time, whose type t is, is laid out as Time expects.
func TimeIsKnown(t reflect.Type) bool { return hasFields(t, "wall", "ext", "loc") }

// Time reads the time.Time at p: the instant since 1970, and the name of its location. How an instant is kept
// depends on where it comes from, with or without a reading of the monotonic clock.
func Time(p uintptr) (seconds, nanoseconds int64, location string) {
	wall, ext := *(*uint64)(memory.At(p)), *(*int64)(memory.At(p + 8))
	seconds, nanoseconds = ext, int64(wall&(1<<30-1))
	if wall&timeMonotonic != 0 {
		seconds = wallSeconds + int64(wall<<1>>31)
	}
	seconds -= unixSeconds
	location = "UTC"
	if at := *(*uintptr)(memory.At(p + 16)); at != 0 {
		if location = *(*string)(memory.At(at)); location == "" {
			location = "Local" // it is loaded when it is needed first
		}
	}
	return seconds, nanoseconds, location
}

// A window says which part of a buffer's memory is its content.
type window struct {
	buffer, from, to string   // fields; "" = from its start, to its end
	others           []string // fields that are compared as they are
}

var windows = map[string]window{
	"bytes.Buffer": {"buf", "off", "", []string{"lastRead"}},
	"bufio.Reader": {"buf", "r", "w", []string{"rd", "err", "lastByte", "lastRuneSize"}},
	"bufio.Writer": {"buf", "", "n", []string{"wr", "err"}},
}

// A Buffer is how to find the content of a buffer of one type.
type Buffer struct {
	Others []string // fields that are compared as they are

	window  window
	offsets [3]uintptr // of its fields
}

// BufferOf returns how to find the content of buffers of type t. It reports false where t is no buffer;
// the result is nil where t is one that the release lays out in another way.
func BufferOf(t reflect.Type) (b *Buffer, ok bool) {
	known, ok := windows[t.PkgPath()+"."+t.Name()]
	if !ok {
		return nil, false
	}
	b = &Buffer{Others: known.others, window: known}
	for i, name := range []string{known.buffer, known.from, known.to} {
		if name == "" {
			continue
		}
		f, ok := t.FieldByName(name)
		if !ok || i == 0 && f.Type != reflect.TypeFor[[]byte]() || i > 0 && f.Type.Kind() != reflect.Int {
			return nil, true
		}
		b.offsets[i] = f.Offset
	}
	return b, true
}

// Content returns the text that the buffer at p still holds. The text lies in the buffer's own memory.
func (b *Buffer) Content(p uintptr) string {
	buffer := (*memory.Slice)(memory.At(p + b.offsets[0]))
	from, to := 0, buffer.Len
	if b.window.from != "" {
		from = *(*int)(memory.At(p + b.offsets[1]))
	}
	if b.window.to != "" {
		to = *(*int)(memory.At(p + b.offsets[2]))
	}
	if from < 0 || to > buffer.Len || from >= to { // nothing, or another goroutine is changing it
		return ""
	}
	return unsafe.String((*byte)(memory.At(buffer.Data+uintptr(from))), to-from)
}

// A Channel is a channel's content and status. Its buffer is a ring: the oldest element has index Next, and the first
// index comes after the last one.
type Channel struct {
	Capacity int
	Length   int
	Closed   bool
	Known    int     // how many elements can be looked at: all, or none
	Next     int     // index of the oldest of them
	Buffer   uintptr // address of the ring
}
