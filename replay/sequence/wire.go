package sequence

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

// This file defines the writer of the wire form. Package rt says what the bytes mean.

// AppendWire appends the wire form of a sequence that Check accepts. Floats are the bits of a
// float64, little endian; a complex number is two of them.
func AppendWire(dst []byte, s Sequence) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.Statements)))
	for i := range s.Statements {
		st := &s.Statements[i]
		switch st.Kind {
		case CallValue:
			dst = appendWireValues(append(dst, rt.StatementValue), st.Args)
		case Set:
			dst = appendWireString(append(dst, rt.StatementSet), st.Op)
			dst = appendWire(appendWire(dst, argument(st, 0)), argument(st, 1))
		case Let:
			dst = appendWireString(append(dst, rt.StatementLet), st.Op)
			dst = appendWire(dst, argument(st, 0))
		default:
			dst = appendWireString(append(dst, rt.StatementCall), st.Op)
			dst = appendWireValues(dst, st.Args)
		}
	}
	return dst
}

// A Key identifies a sequence: equal keys, equal effects. Types that are only for display don't
// count.
type Key [16]byte

// Key returns the sequence's identity.
func (s Sequence) Key() Key {
	key, _ := s.AppendKey(nil)
	return key
}

// AppendKey is Key with a buffer to use again.
func (s Sequence) AppendKey(buffer []byte) (Key, []byte) {
	buffer = AppendWire(buffer[:0], s)
	sum := sha256.Sum256(buffer)
	return Key(sum[:16]), buffer
}

func appendWireString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendWireValues(dst []byte, values []Value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	for i := range values {
		dst = appendWire(dst, &values[i])
	}
	return dst
}

func appendWire(dst []byte, v *Value) []byte {
	switch v.Kind {
	case Ref:
		dst = binary.AppendUvarint(append(dst, rt.ArgRef), uint64(v.Statement))
		return binary.AppendUvarint(dst, uint64(v.Result))
	case Nil:
		return append(dst, rt.ArgNil)
	case Zero:
		return append(dst, rt.ArgZero)
	case String:
		return appendWireString(append(dst, rt.ArgString), v.Text)
	case Typed:
		return appendWireElems(appendWireString(append(dst, rt.ArgTyped), v.Type), v.Elems)
	case Address:
		return appendWireElems(append(dst, rt.ArgAddress), v.Elems)
	case Struct:
		dst = binary.AppendUvarint(append(dst, rt.ArgStruct), uint64(len(v.Fields)))
		for i := range v.Fields {
			dst = appendWire(appendWireString(dst, v.Fields[i].Name), &v.Fields[i].Value)
		}
		return dst
	case List:
		return appendWireValues(append(dst, rt.ArgList), v.Elems)
	case Map:
		dst = binary.AppendUvarint(append(dst, rt.ArgMap), uint64(len(v.Elems)/2))
		return appendWireElems(dst, v.Elems)
	case Stub:
		return appendWireValues(append(dst, rt.ArgStub), v.Elems)
	default:
		return appendWireNumber(dst, v)
	}
}

func appendWireElems(dst []byte, values []Value) []byte {
	for i := range values {
		dst = appendWire(dst, &values[i])
	}
	return dst
}

// appendWireNumber ignores errors: the texts are Check's business, out of range gives the nearest.
func appendWireNumber(dst []byte, v *Value) []byte {
	switch v.Kind {
	case Bool:
		if v.Text == "true" {
			return append(dst, rt.ArgBool, 1)
		}
		return append(dst, rt.ArgBool, 0)
	case Int:
		n, _ := strconv.ParseInt(v.Text, 10, 64)
		return binary.AppendVarint(append(dst, rt.ArgInt), n)
	case Uint:
		n, _ := strconv.ParseUint(v.Text, 10, 64)
		return binary.AppendUvarint(append(dst, rt.ArgUint), n)
	case Float:
		f, _ := strconv.ParseFloat(v.Text, 64)
		return binary.LittleEndian.AppendUint64(append(dst, rt.ArgFloat), math.Float64bits(f))
	case Complex:
		c, _ := strconv.ParseComplex(v.Text, 128)
		dst = binary.LittleEndian.AppendUint64(append(dst, rt.ArgComplex), math.Float64bits(real(c)))
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(imag(c)))
	default:
		n, _ := strconv.ParseUint(v.Text, 10, 24)
		return binary.AppendUvarint(append(dst, rt.ArgChan), n)
	}
}
