package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
)

// A written is one thing that a Writer writes and a Reader reads.
type written struct {
	name  string
	write func(*Writer)
	same  func(*Reader) bool // reads it, and reports whether it is what was written
}

// of describes a value that can be compared.
func of[T comparable](name string, x T, write func(*Writer, T), read func(*Reader) T) written {
	return written{name, func(w *Writer) { write(w, x) }, func(r *Reader) bool { return read(r) == x }}
}

func samples() []written {
	list := []written{
		of("byte", 0xfe, (*Writer).Byte, (*Reader).Byte),
		of("true", true, (*Writer).Bool, (*Reader).Bool),
		of("false", false, (*Writer).Bool, (*Reader).Bool),
		of("word", 0x0123456789abcdef, (*Writer).Word, (*Reader).Word),
		of("float", -1.5, (*Writer).Float, (*Reader).Float),
		of("infinity", math.Inf(1), (*Writer).Float, (*Reader).Float),
		of("digest", [2]uint64{1, math.MaxUint64}, (*Writer).Digest, (*Reader).Digest),
		of("text", "söme\x00text", (*Writer).Text, (*Reader).Text),
		of("long text", strings.Repeat("x", 300), (*Writer).Text, (*Reader).Text),
		of("no text", "", (*Writer).Text, (*Reader).Text),
		of("name", "m.T", (*Writer).Text, (*Reader).Name),
		of("the name again", "m.T", (*Writer).Text, (*Reader).Name),
		of("number", math.MaxInt32, func(w *Writer, n int) { w.Uint(uint64(n)) }, (*Reader).Number),
	}
	for _, x := range []uint64{0, 1, 127, 128, 1 << 14, 1<<35 - 1, 1 << 63, math.MaxUint64} {
		list = append(list, of("uint", x, (*Writer).Uint, (*Reader).Uint))
	}
	for _, x := range []int64{0, -1, 1, 63, 64, -64, -65, math.MaxInt64, math.MinInt64} {
		list = append(list, of("int", x, (*Writer).Int, (*Reader).Int))
	}
	return append(list,
		written{"bytes", func(w *Writer) { w.Bytes([]byte{1, 2}) }, func(r *Reader) bool {
			return string(r.Bytes()) == "\x01\x02"
		}},
		written{"texts", func(w *Writer) { w.Texts([]string{"a", "", "b"}) }, func(r *Reader) bool {
			list := r.Texts()
			return len(list) == 3 && strings.Join(list, ",") == "a,,b"
		}},
		written{"numbers", func(w *Writer) { w.Numbers([]uint64{7, 1 << 40}) }, func(r *Reader) bool {
			list := r.Numbers()
			return len(list) == 2 && list[0] == 7 && list[1] == 1<<40
		}},
		written{"part", func(w *Writer) { w.Bytes([]byte{5, 1, 'x'}) }, func(r *Reader) bool {
			part := r.Part()
			return part.Uint() == 5 && part.Name() == "x" && part.Len() == 0 && part.Err() == nil
		}},
	)
}

// TestRoundTrip writes everything one after the other; wherever the bytes end, reading them fails there.
func TestRoundTrip(t *testing.T) {
	var w Writer
	ends := []int{}
	for _, s := range samples() {
		s.write(&w)
		ends = append(ends, len(w))
	}
	r := NewReader(w)
	for i, s := range samples() {
		if !s.same(&r) || r.Err() != nil || r.Len() != len(w)-ends[i] {
			t.Fatalf("%s: not what was written, or %d bytes left instead of %d, error %v",
				s.name, r.Len(), len(w)-ends[i], r.Err())
		}
	}
	for size := range len(w) {
		r, whole := NewReader(w[:size]), 0
		for i, s := range samples() {
			s.same(&r)
			if r.Err() == nil {
				whole = ends[i]
			}
		}
		failure, ok := errors.AsType[*Error](r.Err())
		if !ok || !errors.Is(failure, ErrShort) || failure.At < whole || failure.At > size {
			t.Fatalf("%d of %d bytes: error %v, want one between byte %d and there", size, len(w), r.Err(), whole)
		}
	}
}

// TestNumbers holds the two kinds of numbers against the standard library's, which archives were written with.
func TestNumbers(t *testing.T) {
	for shift := range 64 {
		for _, x := range []uint64{1 << shift, 1<<shift - 1, ^uint64(0) >> shift} {
			if got, want := AppendUint(nil, x), binary.AppendUvarint(nil, x); !bytes.Equal(got, want) {
				t.Errorf("%d is written as % x, want % x", x, got, want)
			}
			if got, want := AppendInt(nil, int64(x)), binary.AppendVarint(nil, int64(x)); !bytes.Equal(got, want) {
				t.Errorf("%d is written as % x, want % x", int64(x), got, want)
			}
			if got, want := AppendWord(nil, x), binary.LittleEndian.AppendUint64(nil, x); !bytes.Equal(got, want) {
				t.Errorf("the word %d is written as % x, want % x", x, got, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	const nines = "\xff\xff\xff\xff\xff\xff\xff\xff\xff" // the first nine bytes of a number of ten
	dislike := errors.New("unknown")
	for _, test := range []struct {
		reason string
		data   string
		read   func(*Reader)
		want   error
		at     int
	}{
		{"nothing", "", func(r *Reader) { r.Byte() }, ErrShort, 0},
		{"a text that is longer than the data", "\x01\x05abc", func(r *Reader) { r.Byte(); r.Text() }, ErrShort, 2},
		{"a number without an end", "\x80\x80", func(r *Reader) { r.Uint() }, ErrShort, 0},
		{"a number of more than 64 bits", nines + "\x02", func(r *Reader) { r.Uint() }, ErrNumber, 0},
		{"a number of eleven bytes", nines + "\x80\x00", func(r *Reader) { r.Uint() }, ErrNumber, 0},
		{"an index of more than 31 bits", "\x80\x80\x80\x80\x08", func(r *Reader) { r.Number() }, ErrNumber, 0},
		{"more things than there are bytes", "\x03ab", func(r *Reader) { r.Count() }, ErrShort, 0},
		{"a length near the largest number", nines + "\x01", func(r *Reader) { r.Text() }, ErrShort, 10},
		{"neither true nor false", "\x01\x02", func(r *Reader) { r.Bool(); r.Bool() }, ErrBool, 1},
		{"what the caller does not like", "\x09", func(r *Reader) { r.Byte(); r.Fail(dislike) }, dislike, 1},
	} {
		r := NewReader([]byte(test.data))
		test.read(&r)
		failure, ok := errors.AsType[*Error](r.Err())
		if !ok || !errors.Is(failure, test.want) || failure.At != test.at {
			t.Errorf("%s: error %v, want %v at byte %d", test.reason, r.Err(), test.want, test.at)
		}
		if r.Byte() != 0 || r.Text() != "" || r.Len() != 0 || r.Err() != error(failure) {
			t.Errorf("%s: after the error something is read, or it is another one: %v", test.reason, r.Err())
		}
	}
}

// TestItems: a list ends with the first item that can't be read.
func TestItems(t *testing.T) {
	r := NewReader([]byte("\x04\x01a\x09b"))
	if list := r.Texts(); len(list) != 2 || list[0] != "a" || list[1] != "" {
		t.Errorf("read %q, want the first text and the one that is cut off", list)
	}
	r, count := NewReader([]byte("\x03abc")), 0
	for i := range r.Items() {
		if i != count {
			t.Errorf("item %d has number %d", count, i)
		}
		if count++; count == 2 {
			break
		}
	}
	if count != 2 || r.Len() != 3 {
		t.Errorf("%d items, %d bytes left, want 2 and 3", count, r.Len())
	}
}

// TestAllocations: nothing that reads or appends into room that is there may allocate.
func TestAllocations(t *testing.T) {
	room := make([]byte, 0, 64)
	data := AppendString(AppendInt(AppendUint(nil, 1<<40), -7), "some text")
	if n := testing.AllocsPerRun(100, func() {
		room = AppendString(AppendWord(AppendInt(AppendUint(room[:0], 1<<40), -7), 5), "some text")
		r := NewReader(data)
		_, _, _ = r.Uint(), r.Int(), r.Bytes()
		r.Byte()
	}); n > 1 { // the error of the last one
		t.Errorf("%v allocations, want 1", n)
	}
}

func sum(b []byte) (a, c uint64) {
	for _, x := range b {
		a, c = a+uint64(x), c*31+uint64(x)
	}
	return a, c
}

func TestFrame(t *testing.T) {
	const key = 0xfeed
	frame := NewFrame()
	frame.Text("body")
	frame.Seal(FrameRun, key, sum)
	head := ReadHead((*[FrameHead]byte)(frame))
	body := frame[FrameHead:]
	if head.Kind != FrameRun || head.Length != len("body")+1 || !head.Fits(body, key, sum) {
		t.Errorf("head %+v does not fit what it was made for", head)
	}
	changed := bytes.Clone(body)
	changed[2]++
	for _, test := range []struct {
		reason string
		body   []byte
		key    uint64
	}{
		{"another key", body, key + 1},
		{"another body", changed, key},
		{"a body that is cut off", body[:len(body)-1], key},
	} {
		if head.Fits(test.body, test.key, sum) {
			t.Errorf("%s fits", test.reason)
		}
	}
	if got, want := string(frame[:5]), "R\x05\x00\x00\x00"; got != want {
		t.Errorf("the head starts with %q, want %q", got, want)
	}
}

// FuzzReader reads any bytes in any order: what is read is never more than there is, and nothing is read
// after an error.
func FuzzReader(f *testing.F) {
	var w Writer
	for _, s := range samples() {
		s.write(&w)
	}
	f.Add([]byte("abcdefghijklmno"), []byte(w))
	f.Add([]byte("ccccc"), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("kkmm"), []byte("\x05\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, calls, data []byte) {
		r := NewReader(data)
		for _, call := range calls {
			left, failed := r.Len(), r.Err()
			size, zero := readAny(&r, call)
			if r.Len() > left || r.Err() == nil && size > left-r.Len() {
				t.Fatalf("call %q: %d bytes were left, then %d, and %d were read", call, left, r.Len(), size)
			}
			if failed != nil && (!zero || r.Err() != failed || r.Len() != 0) {
				t.Fatalf("call %q after the error %v: something was read, or the error is %v", call, failed, r.Err())
			}
			if failure, ok := errors.AsType[*Error](r.Err()); r.Err() != nil && (!ok || failure.At > len(data)) {
				t.Fatalf("error %v in %d bytes", r.Err(), len(data))
			}
		}
	})
}

// readAny reads what call stands for. It returns how many bytes what was read must have had at least, and
// whether it is zero.
func readAny(r *Reader, call byte) (size int, zero bool) {
	number := func(x uint64) (int, bool) { return 1, x == 0 }
	text := func(s string) (int, bool) { return len(s) + 1, s == "" }
	switch call % 13 {
	case 0:
		return number(uint64(r.Byte()))
	case 1:
		return 1, !r.Bool()
	case 2:
		return number(r.Uint())
	case 3:
		return number(uint64(r.Int()))
	case 4:
		return number(uint64(r.Number()))
	case 5:
		return number(uint64(r.Count()))
	case 6:
		x := r.Word()
		return 8, x == 0
	case 7:
		d := r.Digest()
		return 16, d == [2]uint64{}
	case 8:
		return text(r.Text())
	case 9:
		return text(r.Name())
	case 10:
		list := r.Texts()
		return len(list) + 1, len(list) == 0
	case 11:
		list := r.Numbers()
		return len(list) + 1, len(list) == 0
	default:
		part := r.Part()
		return part.Len() + 1, part.Len() == 0 && part.Err() == nil
	}
}
