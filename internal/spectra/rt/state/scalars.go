package state

import (
	"math"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A load is how a value that is one word in the digest is read.
type load uint8

const (
	loadNone load = iota // more than a word
	loadWord
	loadInt8
	loadInt16
	loadInt32
	loadUint8
	loadUint16
	loadUint32
	loadFloat32
	loadFloat64
)

// loadOf returns the way to read a bool, integer or floating-point number.
func loadOf(o op, size uintptr) load {
	switch {
	case o == opFloat && size == 4:
		return loadFloat32
	case o == opFloat:
		return loadFloat64
	case o == opInt && size < 8:
		return map[uintptr]load{1: loadInt8, 2: loadInt16, 4: loadInt32}[size]
	case size < 8:
		return map[uintptr]load{1: loadUint8, 2: loadUint16, 4: loadUint32}[size]
	}
	return loadWord
}

// word reads the value at p.
func (n *node) word(p uintptr) uint64 {
	if n.load == loadWord {
		return *(*uint64)(memory.At(p))
	}
	return n.narrow(p)
}

func (n *node) narrow(p uintptr) uint64 {
	switch n.load {
	case loadInt8:
		return uint64(*(*int8)(memory.At(p)))
	case loadInt16:
		return uint64(*(*int16)(memory.At(p)))
	case loadInt32:
		return uint64(*(*int32)(memory.At(p)))
	case loadUint8:
		return uint64(*(*uint8)(memory.At(p)))
	case loadUint16:
		return uint64(*(*uint16)(memory.At(p)))
	case loadUint32:
		return uint64(*(*uint32)(memory.At(p)))
	case loadFloat32:
		return floatBits(float64(*(*float32)(memory.At(p))))
	}
	return floatBits(*(*float64)(memory.At(p)))
}

// floatBits are the same ones for every NaN.
func floatBits(f float64) uint64 {
	if f != f {
		f = math.NaN()
	}
	return math.Float64bits(f)
}

// scalar writes a value of one word.
func (w *Walker) scalar(n *node, key, x uint64) {
	w.mix(key, x)
	if !w.values {
		return
	}
	switch n.op {
	case opBool:
		w.out = append(w.out, wire.ValueBool, byte(x))
	case opInt:
		w.out = wire.AppendInt(append(w.out, wire.ValueInt), int64(x))
	case opUint:
		w.out = wire.AppendUint(append(w.out, wire.ValueUint), x)
	default:
		w.out = wire.AppendWord(append(w.out, wire.ValueFloat), x)
	}
}

func (w *Walker) complex(n *node, p uintptr, key uint64) {
	var re, im uint64
	if n.size == 8 {
		re, im = floatBits(float64(*(*float32)(memory.At(p)))), floatBits(float64(*(*float32)(memory.At(p + 4))))
	} else {
		re, im = floatBits(*(*float64)(memory.At(p))), floatBits(*(*float64)(memory.At(p + 8)))
	}
	w.mix(key, re)
	w.mix(0, im)
	if w.values {
		w.out = wire.AppendWord(wire.AppendWord(append(w.out, wire.ValueComplex), re), im)
	}
}

func (w *Walker) text(s string, key uint64) {
	if !w.fits(len(s)>>6, len(s)) {
		w.cut(key)
		return
	}
	w.count += len(s) >> 6
	w.h = w.h.Text(key, s)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueString), s)
	}
}
