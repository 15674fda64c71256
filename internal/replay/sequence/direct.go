package sequence

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// OfExecution writes an execution of any function as a sequence of one call, with the arguments of its entry state. The
// operation gets the function's name. Package variables are not part of the call. It returns an error if the entry
// state has no such form: it contains functions, channels or shared memory, was truncated, or has more than mostParts
// parts: no one would read such a call, and each look at it takes long.
func OfExecution(e *spectra.Execution) (Sequence, error) {
	call := Statement{Kind: Call, Op: string(e.Point.Symbol)}
	if e.Point.Symbol.Declared() != e.Point.Symbol {
		return Sequence{}, fmt.Errorf("%s has no name", e.Point.Symbol)
	}
	parts := writing(mostParts)
	values := map[string]*spectra.Value{}
	for _, slot := range e.Entry.Slots() {
		values[slot.Name] = slot.Value
	}
	for _, slot := range e.Point.Slots {
		if slot.Kind != spectra.Receiver && slot.Kind != spectra.Parameter {
			continue
		}
		name := slot.Name
		if slot.Kind == spectra.Receiver {
			name = "recv"
		}
		v, ok := values[name]
		if !ok {
			return Sequence{}, fmt.Errorf("no value of %s was recorded", name)
		}
		arg, err := parts.value(v)
		if err != nil {
			return Sequence{}, fmt.Errorf("%s: %w", name, err)
		}
		call.Args = append(call.Args, arg)
	}
	return Sequence{Statements: []Statement{call}}, nil
}

// mostParts is the most values that the arguments of one call may have, inside others as well.
const mostParts = 4096

// A writing writes recorded values down: so many more parts.
type writing int

// value converts a recorded value to an argument.
func (w *writing) value(v *spectra.Value) (Value, error) {
	if *w--; *w < 0 {
		return Value{}, fmt.Errorf("more than %d values", mostParts)
	}
	switch v.Kind {
	case wire.ValueNil:
		return Value{Kind: Nil}, nil
	case wire.ValueBool:
		return Value{Kind: Bool, Text: strconv.FormatBool(v.Bits != 0)}, nil
	case wire.ValueInt:
		return Value{Kind: Int, Text: strconv.FormatInt(int64(v.Bits), 10)}, nil
	case wire.ValueUint:
		return Value{Kind: Uint, Text: strconv.FormatUint(v.Bits, 10)}, nil
	case wire.ValueFloat:
		return Value{Kind: Float, Text: FloatText(math.Float64frombits(v.Bits), 64)}, nil
	case wire.ValueComplex:
		c := complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Rare().Imag))
		return Value{Kind: Complex, Text: ComplexText(c)}, nil
	case wire.ValueString, wire.ValueBytes:
		return Value{Kind: String, Text: v.Text}, nil
	case wire.ValuePointer:
		elem, err := w.value(v.Elem())
		return Value{Kind: Address, Elems: []Value{elem}}, err
	case wire.ValueInterface:
		elem, err := w.value(v.Elem())
		return Value{Kind: Typed, Type: v.Type, Elems: []Value{elem}}, err
	}
	return w.composite(v)
}

// composite converts a recorded value with parts to an argument.
func (w *writing) composite(v *spectra.Value) (Value, error) {
	var out Value
	switch v.Kind {
	case wire.ValueStruct:
		out.Kind = Struct
	case wire.ValueSlice, wire.ValueArray:
		out.Kind = List
	case wire.ValueMap:
		out.Kind = Map
	default:
		return out, fmt.Errorf("a value that can't be written down")
	}
	for _, item := range v.Items {
		part, err := w.value(item.Value)
		if err != nil {
			return out, err
		}
		switch v.Kind {
		case wire.ValueStruct:
			if !isZero(&part) {
				out.Fields = append(out.Fields, Field{Name: item.Name, Value: part})
			}
		case wire.ValueMap:
			key, err := w.value(item.Key)
			if err != nil {
				return out, err
			}
			out.Elems = append(out.Elems, key, part)
		default:
			out.Elems = append(out.Elems, part)
		}
	}
	return out, nil
}

// isZero reports whether a value is the zero value of a field.
func isZero(v *Value) bool {
	switch v.Kind {
	case Nil:
		return true
	case Bool:
		return v.Text == "false"
	case Int, Uint:
		return v.Text == "0"
	case String:
		return v.Text == ""
	case Struct:
		return len(v.Fields) == 0
	}
	return false
}
