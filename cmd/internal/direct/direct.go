// Package direct writes executions of any functions as calls of them: with the arguments that they had then.
//
// In: an execution with its values, or a spectrum. Out: a sequence of one call, or an error where the entry state has
// no such form: it holds functions, channels or shared memory, or was cut. What package variables held is not part of
// it. The package is pure.
package direct

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// Call returns the call. The operation has the function's name.
func Call(e *spectra.Execution) (sequence.Sequence, error) {
	call := sequence.Statement{Kind: sequence.Call, Op: string(e.Point.Symbol)}
	if e.Point.Symbol.Declared() != e.Point.Symbol {
		return sequence.Sequence{}, fmt.Errorf("%s has no name", e.Point.Symbol)
	}
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
			return sequence.Sequence{}, fmt.Errorf("no value of %s was recorded", name)
		}
		arg, err := value(v)
		if err != nil {
			return sequence.Sequence{}, fmt.Errorf("%s: %w", name, err)
		}
		call.Args = append(call.Args, arg)
	}
	return sequence.Sequence{Statements: []sequence.Statement{call}}, nil
}

// value returns a recorded value as an argument.
func value(v *spectra.Value) (sequence.Value, error) {
	switch v.Kind {
	case wire.ValueNil:
		return sequence.Value{Kind: sequence.Nil}, nil
	case wire.ValueBool:
		return sequence.Value{Kind: sequence.Bool, Text: strconv.FormatBool(v.Bits != 0)}, nil
	case wire.ValueInt:
		return sequence.Value{Kind: sequence.Int, Text: strconv.FormatInt(int64(v.Bits), 10)}, nil
	case wire.ValueUint:
		return sequence.Value{Kind: sequence.Uint, Text: strconv.FormatUint(v.Bits, 10)}, nil
	case wire.ValueFloat:
		return sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(math.Float64frombits(v.Bits), 64)}, nil
	case wire.ValueComplex:
		c := complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Rare().Imag))
		return sequence.Value{Kind: sequence.Complex, Text: sequence.ComplexText(c)}, nil
	case wire.ValueString, wire.ValueBytes:
		return sequence.Value{Kind: sequence.String, Text: v.Text}, nil
	case wire.ValuePointer:
		elem, err := value(v.Elem())
		return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{elem}}, err
	case wire.ValueInterface:
		elem, err := value(v.Elem())
		return sequence.Value{Kind: sequence.Typed, Type: v.Type, Elems: []sequence.Value{elem}}, err
	}
	return composite(v)
}

// composite returns a recorded value that has parts.
func composite(v *spectra.Value) (sequence.Value, error) {
	var out sequence.Value
	switch v.Kind {
	case wire.ValueStruct:
		out.Kind = sequence.Struct
	case wire.ValueSlice, wire.ValueArray:
		out.Kind = sequence.List
	case wire.ValueMap:
		out.Kind = sequence.Map
	default:
		return out, fmt.Errorf("a value that can't be written down")
	}
	for _, item := range v.Items {
		part, err := value(item.Value)
		if err != nil {
			return out, err
		}
		switch v.Kind {
		case wire.ValueStruct:
			if !isZero(&part) {
				out.Fields = append(out.Fields, sequence.Field{Name: item.Name, Value: part})
			}
		case wire.ValueMap:
			key, err := value(item.Key)
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

// isZero reports whether a field has a value that it has anyway.
func isZero(v *sequence.Value) bool {
	switch v.Kind {
	case sequence.Nil:
		return true
	case sequence.Bool:
		return v.Text == "false"
	case sequence.Int, sequence.Uint:
		return v.Text == "0"
	case sequence.String:
		return v.Text == ""
	case sequence.Struct:
		return len(v.Fields) == 0
	}
	return false
}
