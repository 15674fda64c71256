package value

import (
	"go/constant"
	"go/types"
	"math"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Type describes a scalar type for making literals.
type Type struct {
	Name      string           // canonical
	Basic     *types.Basic     // the underlying type; nil for slices of bytes
	Constants []sequence.Value // constants of the type from its own package
}

// TypeOf describes a type whose underlying type is a basic one.
func TypeOf(t types.Type, name string) Type {
	basic := t.Underlying().(*types.Basic)
	return Type{Name: name, Basic: basic, Constants: declared(t, basic)}
}

// With returns the type with one more constant, if that fits.
func (t Type) With(c constant.Value) Type {
	if v, ok := constantValue(c, t.Basic); ok {
		same := func(other sequence.Value) bool { return other.Kind == v.Kind && other.Text == v.Text }
		if !slices.ContainsFunc(t.Constants, same) {
			t.Constants = append(slices.Clip(t.Constants), v)
		}
	}
	return t
}

// declared returns the constants of a type that the type's own package declares.
func declared(t types.Type, basic *types.Basic) []sequence.Value {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	var values []sequence.Value
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			if v, ok := constantValue(c.Val(), basic); ok {
				values = append(values, v)
			}
		}
	}
	return values
}

// constantValue returns a constant as a value of a basic type, if it fits.
func constantValue(c constant.Value, basic *types.Basic) (sequence.Value, bool) {
	info := basic.Info()
	switch {
	case info&types.IsString != 0 && c.Kind() == constant.String:
		return sequence.Value{Kind: sequence.String, Text: constant.StringVal(c)}, true
	case info&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		return sequence.Value{Kind: sequence.Bool, Text: c.ExactString()}, true
	case info&types.IsUnsigned != 0:
		if n, ok := constant.Uint64Val(constant.ToInt(c)); ok && n <= maxUint(basic.Kind()) {
			return uintValue(n), true
		}
	case info&types.IsInteger != 0:
		if n, ok := constant.Int64Val(constant.ToInt(c)); ok && fitsInt(n, basic.Kind()) {
			return intValue(n), true
		}
	case info&types.IsFloat != 0:
		if f := constant.ToFloat(c); f.Kind() == constant.Float {
			x, _ := constant.Float64Val(f)
			return floatValue(x, basic.Kind()), true
		}
	}
	return sequence.Value{}, false
}

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

// bitsOf returns the width of an integer kind; what has no fixed one has 64.
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

// Fits reports whether an integer type has a number.
func (t Type) Fits(n int64) bool {
	if t.Basic.Info()&types.IsUnsigned != 0 {
		return n >= 0 && uint64(n) <= maxUint(t.Basic.Kind())
	}
	return fitsInt(n, t.Basic.Kind())
}

// Taken returns a literal of any type as one of this type. It returns false if the literal does not fit, or is zero or
// an empty text.
func (t Type) Taken(v sequence.Value) (sequence.Value, bool) {
	if t.Basic == nil || t.Basic.Info()&types.IsString != 0 {
		return v, v.Kind == sequence.String && v.Text != ""
	}
	switch info := t.Basic.Info(); {
	case info&types.IsInteger != 0 && (v.Kind == sequence.Int || v.Kind == sequence.Uint):
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil || n == 0 || !t.Fits(n) {
			return sequence.Value{}, false
		}
		if info&types.IsUnsigned != 0 {
			return uintValue(uint64(n)), true
		}
		return intValue(n), true
	case info&types.IsFloat != 0:
		return v, v.Kind == sequence.Float && t.Basic.Kind() == types.Float64
	}
	return sequence.Value{}, false
}

// Scalar returns a literal of a type for a parameter of an operation. The operation may be nil.
func (s *Source) Scalar(t Type, op *Operation, param int) sequence.Value {
	if t.Basic == nil {
		return sequence.Value{Kind: sequence.String, Text: s.text(op, param)}
	}
	if len(t.Constants) > 0 && s.Chance(0.8) {
		return Pick(s.Random, t.Constants)
	}
	info := t.Basic.Info()
	switch {
	case info&types.IsString != 0:
		return sequence.Value{Kind: sequence.String, Text: s.text(op, param)}
	case info&types.IsBoolean != 0:
		return sequence.Value{Kind: sequence.Bool, Text: strconv.FormatBool(s.Chance(0.5))}
	case info&types.IsUnsigned != 0:
		return uintValue(s.unsigned(t.Basic.Kind(), op))
	case info&types.IsInteger != 0:
		return intValue(s.signed(t, op))
	case info&types.IsFloat != 0:
		return floatValue(s.float(op), t.Basic.Kind())
	case info&types.IsComplex != 0:
		return sequence.Value{Kind: sequence.Complex, Text: sequence.ComplexText(complex(s.float(op), s.float(op)))}
	default:
		return sequence.Value{Kind: sequence.Zero}
	}
}

func (s *Source) unsigned(kind types.BasicKind, op *Operation) uint64 {
	limit := maxUint(kind)
	switch s.Weighted(5, 4, 1, 3) {
	case 0:
		return uint64(s.IntN(5))
	case 1:
		return uint64(s.IntN(min(101, int(min(limit, 1000))+1)))
	case 2:
		return limit >> uint(s.IntN(2)) // the largest, and the largest signed one
	default:
		if n, ok := s.number(op); ok && n >= 0 && n == math.Trunc(n) && n <= float64(limit>>1) {
			return uint64(n)
		}
		return 1
	}
}

func (s *Source) signed(t Type, op *Operation) int64 {
	kind := t.Basic.Kind()
	limit := int64(maxUint(kind) >> 1)
	if t.Name == "time.Duration" {
		return Pick(s.Random, []int64{0, 1, -1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9, 1500e6})
	}
	switch s.Weighted(5, 4, 2, 0.6, 3) {
	case 0:
		return int64(s.IntN(6)) - 1
	case 1:
		return int64(s.IntN(101))
	case 2:
		return -int64(s.IntN(101))
	case 3:
		return Pick(s.Random, []int64{limit, -limit - 1, limit >> 1, limit - 1})
	default:
		if n, ok := s.number(op); ok && n == math.Trunc(n) && math.Abs(n) < float64(limit) {
			return int64(n)
		}
		return 1
	}
}

func (s *Source) float(op *Operation) float64 {
	switch s.Weighted(5, 3, 2, 1) {
	case 0:
		return float64(s.IntN(21) - 10)
	case 1:
		return math.Round(s.NormFloat64()*1e4) / 1e3
	case 2:
		if n, ok := s.number(op); ok {
			return n
		}
		return 0.5
	default:
		return Pick(s.Random, []float64{
			math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1),
			math.MaxFloat64, math.SmallestNonzeroFloat64, 1e15, 1e-9,
		})
	}
}

// maxNudged is the depth down to which literals are changed.
const maxNudged = 6

// Nudged changes one plain literal in a value a little. It returns false if the literal is no string, boolean or
// integer, is too large for a small step to matter, or can be set only by code of its own package.
func (s *Source) Nudged(v sequence.Value) (sequence.Value, bool) { return s.nudged(v, 0) }

// NudgedAs is Nudged for a value of a type: a number of any size and kind changes to one that the type has.
func (s *Source) NudgedAs(v sequence.Value, t Type) (sequence.Value, bool) {
	if t.Basic != nil && t.Basic.Info()&types.IsNumeric != 0 {
		return s.nudgedNumber(v, t)
	}
	return s.Nudged(v)
}

// nudgedNumber returns a number near another one, or twice or half as large.
func (s *Source) nudgedNumber(v sequence.Value, t Type) (sequence.Value, bool) {
	switch v.Kind {
	case sequence.Int, sequence.Uint:
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil || n > math.MaxInt64/4 || n < -math.MaxInt64/4 {
			return v, false
		}
		if n += Pick(s.Random, []int64{1, -1, 1, -1, n, -n / 2, -2 * n, 10}); !t.Fits(n) {
			return v, false
		}
		if v.Kind == sequence.Uint {
			return uintValue(uint64(n)), true
		}
		return intValue(n), true
	case sequence.Float:
		x, err := strconv.ParseFloat(v.Text, 64)
		if err != nil {
			return v, false
		}
		return floatValue(Pick(s.Random, []float64{x + 1, x - 1, 2 * x, x / 2, -x}), t.Basic.Kind()), true
	}
	return v, false
}

func (s *Source) nudged(v sequence.Value, depth int) (sequence.Value, bool) {
	if depth > maxNudged {
		return v, false
	}
	if n := len(v.Elems); n > 0 {
		if s.Random.Chance(relistedShare) {
			if other, ok := s.relisted(v); ok {
				return other, true
			}
		}
		elems := append([]sequence.Value(nil), v.Elems...)
		i := s.Random.IntN(n)
		if v.Kind == sequence.Map {
			i |= 1 // keys stay distinct
		}
		changed, ok := s.nudged(elems[i], depth+1)
		elems[i] = changed
		v.Elems = elems
		return v, ok
	}
	if n := len(v.Fields); n > 0 {
		fields := append([]sequence.Field(nil), v.Fields...)
		i := s.Random.IntN(n)
		if !fields[i].Exported() {
			return v, false
		}
		if s.Random.Chance(relistedShare / 2) {
			v.Fields = append(fields[:i], fields[i+1:]...)
			return v, true
		}
		changed, ok := s.nudged(fields[i].Value, depth+1)
		fields[i].Value = changed
		v.Fields = fields
		return v, ok
	}
	return s.plain(v)
}

// relistedShare is the share of changed composites in which elements change places, or are gone.
const relistedShare = 0.2

// relisted returns a list without one of its elements, with two exchanged, or with one in the place of another, or a
// map without an entry. A list never grows, because that of an array could not.
func (s *Source) relisted(v sequence.Value) (sequence.Value, bool) {
	elems := append([]sequence.Value(nil), v.Elems...)
	n := len(elems)
	i, j := s.Random.IntN(n), s.Random.IntN(n)
	switch {
	case v.Kind == sequence.Map:
		i &^= 1
		elems = append(elems[:i], elems[i+2:]...)
	case v.Kind != sequence.List:
		return v, false
	case i == j:
		elems = append(elems[:i], elems[i+1:]...)
	case s.Random.Chance(0.5):
		elems[i], elems[j] = elems[j], elems[i]
	default:
		elems[i] = elems[j]
	}
	v.Elems = elems
	return v, true
}

func (s *Source) plain(v sequence.Value) (sequence.Value, bool) {
	switch v.Kind {
	case sequence.String:
		v.Text = s.mutated(v.Text, nil)
	case sequence.Bool:
		v.Text = strconv.FormatBool(v.Text != "true")
	case sequence.Int:
		n, err := strconv.ParseInt(v.Text, 10, 64)
		step := Pick(s.Random, []int64{1, -1, n, -2 * n, 10})
		if err != nil || math.Abs(float64(n)) > 40 && step != 1 && step != -1 || math.Abs(float64(n)) > 100 {
			return v, false
		}
		v = intValue(n + step)
	default:
		return v, false
	}
	return v, true
}

// HasKey reports whether a list of keys and values has a key.
func HasKey(pairs []sequence.Value, key sequence.Value) bool {
	for i := 0; i < len(pairs); i += 2 {
		old, new := &pairs[i], &key
		if old.Kind == sequence.Typed {
			old, new = &old.Elems[0], &new.Elems[0]
		}
		if old.Text == new.Text {
			return true
		}
	}
	return false
}

// Untyped removes the type that a composite shows, if its surroundings show it already.
func Untyped(v sequence.Value) sequence.Value {
	switch v.Kind {
	case sequence.Struct, sequence.List, sequence.Map:
		v.Type = ""
	case sequence.Address:
		v.Elems = []sequence.Value{Untyped(v.Elems[0])}
	}
	return v
}
