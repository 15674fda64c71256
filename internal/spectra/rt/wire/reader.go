package wire

import (
	"errors"
	"math"
	"strconv"
)

// Errors in bytes of any kind. Errors of a Reader wrap one of these, or what Fail was given.
var (
	ErrShort  = errors.New("data ends too early")
	ErrNumber = errors.New("number is too large")
	ErrBool   = errors.New("neither 0 nor 1 where one of them is expected")
	ErrMany   = errors.New("more than was asked for")
)

// An Error names the byte at which reading failed.
type Error struct {
	At  int
	Err error
}

func (e *Error) Error() string { return "at byte " + strconv.Itoa(e.At) + ": " + e.Err.Error() }

// Unwrap returns the error without its position.
func (e *Error) Unwrap() error { return e.Err }

// A Reader reads bytes from their start. After an error all that it returns is zero.
type Reader struct {
	data []byte
	at   int
	err  error
	// names holds the texts that Name returned, however often they occur. Parts share it.
	names map[string]string
}

// NewReader returns a reader of these bytes.
func NewReader(data []byte) Reader { return Reader{data: data} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Len returns how many bytes are left: none after an error.
func (r *Reader) Len() int { return len(r.data) - r.at }

// Fail has reading end here with an error, unless it ended with one before.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = &Error{r.at, err}
		r.data, r.at = nil, 0
	}
}

// short fails where bytes are missing.
func (r *Reader) short() { r.Fail(ErrShort) }

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.at >= len(r.data) {
		r.short()
		return 0
	}
	x := r.data[r.at]
	r.at++
	return x
}

// Bool reads what Writer.Bool wrote. Any other byte is an error.
func (r *Reader) Bool() bool {
	x := r.Byte()
	if x > 1 {
		r.at--
		r.Fail(ErrBool)
	}
	return x == 1
}

// Uint reads a number of variable length.
func (r *Reader) Uint() uint64 {
	if r.at < len(r.data) && r.data[r.at] < 0x80 {
		r.at++
		return uint64(r.data[r.at-1])
	}
	return r.long()
}

// long reads a number of more than one byte.
func (r *Reader) long() uint64 {
	x := uint64(0)
	for i, b := range r.data[r.at:] {
		if i == 9 && b > 1 {
			r.Fail(ErrNumber)
			return 0
		}
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.at += i + 1
			return x
		}
	}
	r.short()
	return 0
}

// Int reads a signed number of variable length.
func (r *Reader) Int() int64 {
	x := r.Uint()
	return int64(x>>1) ^ -int64(x&1)
}

// Number reads a number that must fit a positive int32: an id, a line, an index.
func (r *Reader) Number() int {
	from := r.at
	x := r.Uint()
	if x > math.MaxInt32 {
		r.at = from
		r.Fail(ErrNumber)
		return 0
	}
	return int(x)
}

// Count reads how many things follow, of at least one byte each.
func (r *Reader) Count() int {
	from := r.at
	n := r.Uint()
	if n > uint64(r.Len()) {
		r.at = from
		r.short()
		return 0
	}
	return int(n)
}

// Items reads a count and counts up to it from 0. It stops at an error, so a list never grows longer
// than there are bytes for.
func (r *Reader) Items() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		n := r.Count()
		for i := 0; i < n && r.err == nil && yield(i); i++ {
		}
	}
}

// ItemsUpTo is Items for a list of which it is known how long it may be. A longer one is an error.
func (r *Reader) ItemsUpTo(most int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		n := r.atMost(most)
		for i := 0; i < n && r.err == nil && yield(i); i++ {
		}
	}
}

// atMost reads a count that may not be larger than most.
func (r *Reader) atMost(most int) int {
	from := r.at
	n := r.Count()
	if n > most {
		r.at = from
		r.Fail(ErrMany)
		return 0
	}
	return n
}

// TextUpTo reads a text of which it is known how many bytes it may have. A longer one is an error.
func (r *Reader) TextUpTo(most int) string { return string(r.Take(uint64(r.atMost(most)))) }

// Take reads n bytes; nil if there are not so many. They are those of the data, not a copy.
func (r *Reader) Take(n uint64) []byte {
	if n > uint64(r.Len()) {
		r.short()
		return nil
	}
	from := r.at
	r.at += int(n)
	return r.data[from:r.at:r.at]
}

// Word reads eight bytes.
func (r *Reader) Word() uint64 {
	if b := r.Take(8); b != nil {
		return word(b)
	}
	return 0
}

// Float reads the eight bytes of a float64.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Word()) }

// Digest reads the sixteen bytes of a digest.
func (r *Reader) Digest() [2]uint64 {
	if b := r.Take(16); b != nil {
		return [2]uint64{word(b), word(b[8:])}
	}
	return [2]uint64{}
}

func word(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Bytes reads a length and so many bytes. They are those of the data, not a copy.
func (r *Reader) Bytes() []byte { return r.Take(r.Uint()) }

// Text reads a text.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Name reads a text of which there are few different ones, as names of types: equal ones share their
// memory.
func (r *Reader) Name() string {
	b := r.Bytes()
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	if r.names == nil {
		r.names = map[string]string{}
	}
	s := string(b)
	r.names[s] = s
	return s
}

// Share has r share the texts of names with other readers, one of which reads at a time.
func (r *Reader) Share(names map[string]string) { r.names = names }

// Part reads a length and returns a reader of so many bytes. It counts its bytes from 0, and its error
// is its own. Names are shared with it.
func (r *Reader) Part() Reader {
	if r.names == nil {
		r.names = map[string]string{}
	}
	return Reader{data: r.Bytes(), names: r.names}
}

// Rest returns the bytes that were not read yet. They are those of the input.
func (r *Reader) Rest() []byte { return r.data[r.at:] }

// Texts reads a list of texts.
func (r *Reader) Texts() (list []string) {
	for range r.Items() {
		list = append(list, r.Text())
	}
	return list
}

// Numbers reads a list of numbers.
func (r *Reader) Numbers() (list []uint64) {
	for range r.Items() {
		list = append(list, r.Uint())
	}
	return list
}
