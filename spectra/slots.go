package spectra

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// This file defines the decoder of a state's slots.

// deepest bounds the nesting of a value, so that no input can exhaust the stack.
const deepest = 1 << 17

// MaxNodes is how many nodes are decoded of a recording. Each value, execution and goroutine is one. As trees they take
// up to some two hundred bytes, where a recording needs one byte for the smallest of them.
const MaxNodes = 1 << 19

// ErrLarge is wrapped by the error about a recording with more than MaxNodes nodes.
var ErrLarge = fmt.Errorf("more than %d values, executions and goroutines", MaxNodes)

// A Budget is how many nodes may still be decoded.
type Budget int

// spend takes a node from the budget. Where there is none left, reading fails.
func (b *Budget) spend(r *wire.Reader) {
	if *b--; *b < 0 {
		r.Fail(ErrLarge)
	}
}

// DecodeSlots decodes the slots of one state as rt wrote them, as far as the budget goes. The function name
// returns the name of the slot with a number. On an error, DecodeSlots returns the slots that were whole.
func DecodeSlots(b []byte, budget *Budget, name func(slot int) string) ([]Slot, error) {
	r := wire.NewReader(b)
	return readSlots(&r, budget, name)
}

func readSlots(r *wire.Reader, budget *Budget, name func(slot int) string) ([]Slot, error) {
	var slots []Slot
	v := valueReader{r, budget}
	for r.Len() > 0 {
		number := r.Number()
		value := v.read(0)
		if r.Err() != nil {
			return slots, fmt.Errorf("decode slots: %w", r.Err())
		}
		slots = append(slots, Slot{Name: name(number), Value: value})
	}
	return slots, nil
}

// A valueReader reads values as far as a budget goes.
type valueReader struct {
	*wire.Reader
	budget *Budget
}

func (r valueReader) read(depth int) *Value {
	if depth > deepest {
		r.Fail(fmt.Errorf("value is nested deeper than %d", deepest))
		return nil
	}
	v := r.head()
	switch v.Kind {
	case wire.ValueNil, wire.ValueTruncated:
	case wire.ValueBool:
		v.Bits = uint64(r.Byte())
	case wire.ValueInt:
		v.Bits = uint64(r.Int())
	case wire.ValueUint:
		v.Bits = r.Uint()
	case wire.ValueFloat:
		v.Bits = r.Word()
	case wire.ValueComplex:
		v.Bits, v.Imag = r.Word(), r.Word()
	case wire.ValueString:
		v.Text = r.Text()
	case wire.ValueFunc, wire.ValueOpaque:
		v.Type = r.Name()
	case wire.ValueRef:
		v.ID = r.Number()
	case wire.ValueInside, wire.ValueBytes:
		v.ID, v.Text = r.Number(), r.Text()
	default:
		r.composite(v, depth+1)
	}
	if r.Err() != nil {
		return nil
	}
	return v
}

// head reads the kind of a value and what may stand before it.
func (r valueReader) head() *Value {
	v := &Value{}
	for {
		r.budget.spend(r.Reader)
		switch v.Kind = ValueKind(r.Byte()); v.Kind {
		case wire.ValueNode:
			v.Node = r.Number()
		case wire.ValueOverlap:
			v.Shares = append(v.Shares, Share{r.Number(), r.Text()})
		default:
			return v
		}
	}
}

func (r valueReader) composite(v *Value, depth int) {
	switch v.Kind {
	case wire.ValuePointer:
		v.ID = r.Number()
		v.Items = []Item{{Value: r.read(depth)}}
	case wire.ValueInterface:
		v.Type = r.Name()
		v.Items = []Item{{Value: r.read(depth)}}
	case wire.ValueStruct:
		v.Type = r.Name()
		r.items(v, depth, func(i *Item) { i.Name = r.Name() })
		// They come in the order of the walk, but readers look them up by name.
		slices.SortStableFunc(v.Items, func(one, other Item) int { return strings.Compare(one.Name, other.Name) })
	case wire.ValueArray:
		r.items(v, depth, nil)
	case wire.ValueSlice:
		v.ID = r.Number()
		r.items(v, depth, nil)
	case wire.ValueMap:
		v.ID = r.Number()
		r.items(v, depth, func(i *Item) { i.Key = r.read(depth) })
	case wire.ValueChan, wire.ValueClosed:
		if v.Kind == wire.ValueClosed {
			v.Kind, v.Text = wire.ValueChan, "closed "
		}
		v.ID, v.Bits = r.Number(), r.Uint()
		r.items(v, depth, nil)
	default:
		r.Fail(fmt.Errorf("unknown value token %q", byte(v.Kind)))
	}
}

// items reads a length and that many items. It grows the list as it reads, because a wrong length must not
// make it allocate: each item is at least one byte of input.
func (r valueReader) items(v *Value, depth int, head func(*Item)) {
	for n := r.Count(); n > 0 && r.Err() == nil; n-- {
		var item Item
		if head != nil {
			head(&item)
		}
		item.Value = r.read(depth)
		v.Items = append(v.Items, item)
	}
}
