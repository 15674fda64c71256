package generate

import (
	"go/types"
	"math"
	"strconv"

	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file defines literals of basic types, strings and slices of bytes.

func intValue(n int64) sequence.Value {
	return sequence.Value{Kind: sequence.Int, Text: strconv.FormatInt(n, 10)}
}

func uintValue(n uint64) sequence.Value {
	return sequence.Value{Kind: sequence.Uint, Text: strconv.FormatUint(n, 10)}
}

func floatValue(f float64, kind types.BasicKind) sequence.Value {
	bits := 64
	if kind == types.Float32 {
		bits = 32
	}
	return sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(f, bits)}
}

// bitsOf returns the width of an integer kind; int and uint have the narrowest one they may have
// on the machines that matter.
func bitsOf(kind types.BasicKind) uint {
	switch kind {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	default:
		return 64
	}
}

func maxUint(kind types.BasicKind) uint64 { return math.MaxUint64 >> (64 - bitsOf(kind)) }

func fitsInt(n int64, kind types.BasicKind) bool {
	limit := int64(maxUint(kind) >> 1)
	return -limit-1 <= n && n <= limit
}

// scalar makes a literal for a parameter of an operation; op may be nil.
func (g *generator) scalar(t *typeInfo, op *operation, param int) sequence.Value {
	if t.basic == nil {
		return sequence.Value{Kind: sequence.String, Text: g.text(op, param)}
	}
	if len(t.constants) > 0 && g.chance(0.8) {
		return pick(g, t.constants)
	}
	info := t.basic.Info()
	switch {
	case info&types.IsString != 0:
		return sequence.Value{Kind: sequence.String, Text: g.text(op, param)}
	case info&types.IsBoolean != 0:
		return sequence.Value{Kind: sequence.Bool, Text: strconv.FormatBool(g.chance(0.5))}
	case info&types.IsUnsigned != 0:
		return uintValue(g.unsigned(t.basic.Kind(), op))
	case info&types.IsInteger != 0:
		return intValue(g.signed(t, op))
	case info&types.IsFloat != 0:
		return floatValue(g.float(op), t.basic.Kind())
	case info&types.IsComplex != 0:
		return sequence.Value{Kind: sequence.Complex, Text: sequence.ComplexText(complex(g.float(op), g.float(op)))}
	default:
		return sequence.Value{Kind: sequence.Zero}
	}
}

func (g *generator) unsigned(kind types.BasicKind, op *operation) uint64 {
	limit := maxUint(kind)
	switch g.weighted(5, 4, 1, 3) {
	case 0:
		return uint64(g.rng.IntN(5))
	case 1:
		return uint64(g.rng.IntN(min(101, int(min(limit, 1000))+1)))
	case 2:
		return limit >> uint(g.rng.IntN(2)) // the largest, and the largest signed one
	default:
		if n, ok := g.words.number(g, op); ok && n >= 0 && n == math.Trunc(n) && n <= float64(limit>>1) {
			return uint64(n)
		}
		return 1
	}
}

func (g *generator) signed(t *typeInfo, op *operation) int64 {
	kind := t.basic.Kind()
	limit := int64(maxUint(kind) >> 1)
	if t.name == "time.Duration" {
		return pick(g, []int64{0, 1, -1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9, 1500e6})
	}
	switch g.weighted(5, 4, 2, 0.6, 3) {
	case 0:
		return int64(g.rng.IntN(6)) - 1
	case 1:
		return int64(g.rng.IntN(101))
	case 2:
		return -int64(g.rng.IntN(101))
	case 3:
		return pick(g, []int64{limit, -limit - 1, limit >> 1, limit - 1})
	default:
		if n, ok := g.words.number(g, op); ok && n == math.Trunc(n) && math.Abs(n) < float64(limit) {
			return int64(n)
		}
		return 1
	}
}

func (g *generator) float(op *operation) float64 {
	switch g.weighted(5, 3, 2, 1) {
	case 0:
		return float64(g.rng.IntN(21) - 10)
	case 1:
		return math.Round(g.rng.NormFloat64()*1e4) / 1e3
	case 2:
		if n, ok := g.words.number(g, op); ok {
			return n
		}
		return 0.5
	default:
		return pick(g, []float64{math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e15, 1e-9})
	}
}

// nudged changes a literal a little; false if it isn't a plain one.
func (g *generator) nudged(v sequence.Value) (sequence.Value, bool) {
	switch v.Kind {
	case sequence.String:
		v.Text = g.mutatedText(v.Text, nil)
	case sequence.Bool:
		v.Text = strconv.FormatBool(v.Text != "true")
	case sequence.Int:
		n, err := strconv.ParseInt(v.Text, 10, 64)
		step := pick(g, []int64{1, -1, n, -2 * n, 10})
		if err != nil || math.Abs(float64(n)) > 40 && step != 1 && step != -1 || math.Abs(float64(n)) > 100 {
			return v, false
		}
		v = intValue(n + step)
	default:
		return v, false
	}
	return v, true
}
