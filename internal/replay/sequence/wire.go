package sequence

import (
	"crypto/sha256"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// AppendWire appends the wire form of a sequence that Check accepts. Package wire describes the form. A float is the
// bits of a float64; a complex number is two floats.
func AppendWire(dst []byte, s Sequence) []byte {
	w := wire.Writer(dst)
	w.Count(len(s.Statements))
	for i := range s.Statements {
		st := &s.Statements[i]
		switch st.Kind {
		case CallValue:
			w.Byte(wire.StatementValue)
			writeValues(&w, st.Args)
		case Set:
			w.Byte(wire.StatementSet)
			w.Text(st.Op)
			writeValue(&w, argument(st, 0))
			writeValue(&w, argument(st, 1))
		case Let:
			w.Byte(wire.StatementLet)
			w.Text(st.Op)
			writeValue(&w, argument(st, 0))
		default:
			w.Byte(wire.StatementCall)
			w.Text(st.Op)
			writeValues(&w, st.Args)
		}
	}
	return w
}

// A Key identifies a sequence by its effects. Types that are only for display do not count.
type Key [16]byte

// Key returns the sequence's key.
func (s Sequence) Key() Key {
	key, _ := s.AppendKey(nil)
	return key
}

// AppendKey is Key with a given buffer, which it returns for further use.
func (s Sequence) AppendKey(buffer []byte) (Key, []byte) {
	buffer = AppendWire(buffer[:0], s)
	sum := sha256.Sum256(buffer)
	return Key(sum[:16]), buffer
}

func writeValues(w *wire.Writer, values []Value) {
	w.Count(len(values))
	writeEach(w, values)
}

// writeEach writes values without their number, because the reader knows it.
func writeEach(w *wire.Writer, values []Value) {
	for i := range values {
		writeValue(w, &values[i])
	}
}

func writeValue(w *wire.Writer, v *Value) {
	switch v.Kind {
	case Ref:
		w.Byte(wire.ArgRef)
		w.Uint(uint64(v.Statement))
		w.Uint(uint64(v.Result))
	case Nil:
		w.Byte(wire.ArgNil)
	case Zero:
		w.Byte(wire.ArgZero)
	case String:
		w.Byte(wire.ArgString)
		w.Text(v.Text)
	case Typed:
		w.Byte(wire.ArgTyped)
		w.Text(v.Type)
		writeEach(w, v.Elems)
	case Address:
		w.Byte(wire.ArgAddress)
		writeEach(w, v.Elems)
	case Struct:
		w.Byte(wire.ArgStruct)
		w.Count(len(v.Fields))
		for i := range v.Fields {
			w.Text(v.Fields[i].Name)
			writeValue(w, &v.Fields[i].Value)
		}
	case List, Stub, Varying, Closed, Yields, Calls:
		w.Byte(listKinds[v.Kind])
		writeValues(w, v.Elems)
	case Map:
		w.Byte(wire.ArgMap)
		w.Count(len(v.Elems) / 2)
		writeEach(w, v.Elems)
	default:
		writeNumber(w, v)
	}
}

// listKinds maps the kinds of values with nothing but elements to their bytes.
var listKinds = map[ValueKind]byte{
	List: wire.ArgList, Stub: wire.ArgStub, Varying: wire.ArgVarying, Closed: wire.ArgClosed, Yields: wire.ArgYields,
	Calls: wire.ArgCalls,
}

// writeNumber ignores errors, because Check finds them. It writes a number out of range as the nearest one.
func writeNumber(w *wire.Writer, v *Value) {
	switch v.Kind {
	case Bool:
		w.Byte(wire.ArgBool)
		w.Bool(v.Text == "true")
	case Int:
		n, _ := strconv.ParseInt(v.Text, 10, 64)
		w.Byte(wire.ArgInt)
		w.Int(n)
	case Uint:
		n, _ := strconv.ParseUint(v.Text, 10, 64)
		w.Byte(wire.ArgUint)
		w.Uint(n)
	case Float:
		f, _ := strconv.ParseFloat(v.Text, 64)
		w.Byte(wire.ArgFloat)
		w.Float(f)
	case Complex:
		c, _ := strconv.ParseComplex(v.Text, 128)
		w.Byte(wire.ArgComplex)
		w.Float(real(c))
		w.Float(imag(c))
	default:
		n, _ := strconv.ParseUint(v.Text, 10, 24)
		w.Byte(wire.ArgChan)
		w.Uint(n)
	}
}
