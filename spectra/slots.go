package spectra

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

// This file defines the decoder of a state's slots.

// deepest bounds the nesting of a value, so that no input can exhaust the stack.
const deepest = 1 << 17

// DecodeSlots decodes the slots of one state as rt wrote them; name gives the name of a slot's
// number. On an error it returns the slots that were whole.
func DecodeSlots(b []byte, name func(slot int) string) ([]Slot, error) {
	return newReader(b).slots(name)
}

func (r *reader) slots(name func(slot int) string) ([]Slot, error) {
	var slots []Slot
	for len(r.rest) > 0 {
		number := r.number()
		v := r.value(0)
		if r.err != nil {
			return slots, fmt.Errorf("decode slots: %w", r.err)
		}
		slots = append(slots, Slot{Name: name(number), Value: v})
	}
	return slots, nil
}

func (r *reader) value(depth int) *Value {
	if depth > deepest {
		r.fail(fmt.Errorf("value is nested deeper than %d", deepest))
		return nil
	}
	v := r.head()
	switch v.Kind {
	case rt.ValueNil, rt.ValueTruncated:
	case rt.ValueBool:
		v.Bits = uint64(r.byte())
	case rt.ValueInt:
		v.Bits = uint64(r.varint())
	case rt.ValueUint:
		v.Bits = r.uvarint()
	case rt.ValueFloat:
		v.Bits = r.word()
	case rt.ValueComplex:
		v.Bits, v.Imag = r.word(), r.word()
	case rt.ValueString:
		v.Text = r.string()
	case rt.ValueFunc, rt.ValueOpaque:
		v.Type = r.name()
	case rt.ValueRef:
		v.ID = r.number()
	case rt.ValueInside, rt.ValueBytes:
		v.ID, v.Text = r.number(), r.string()
	default:
		r.composite(v, depth+1)
	}
	if r.err != nil {
		return nil
	}
	return v
}

// head reads the kind of a value and what may stand before it.
func (r *reader) head() *Value {
	v := &Value{}
	for {
		switch v.Kind = ValueKind(r.byte()); v.Kind {
		case rt.ValueNode:
			v.Node = r.number()
		case rt.ValueOverlap:
			v.Shares = append(v.Shares, Share{r.number(), r.string()})
		default:
			return v
		}
	}
}

func (r *reader) composite(v *Value, depth int) {
	switch v.Kind {
	case rt.ValuePointer:
		v.ID = r.number()
		v.Items = []Item{{Value: r.value(depth)}}
	case rt.ValueInterface:
		v.Type = r.name()
		v.Items = []Item{{Value: r.value(depth)}}
	case rt.ValueStruct:
		v.Type = r.name()
		r.items(v, depth, func(i *Item) { i.Name = r.name() })
		// They come in the order of the walk; readers look for names.
		slices.SortStableFunc(v.Items, func(one, other Item) int { return strings.Compare(one.Name, other.Name) })
	case rt.ValueArray:
		r.items(v, depth, nil)
	case rt.ValueSlice:
		v.ID = r.number()
		r.items(v, depth, nil)
	case rt.ValueMap:
		v.ID = r.number()
		r.items(v, depth, func(i *Item) { i.Key = r.value(depth) })
	case rt.ValueChan, rt.ValueClosed:
		if v.Kind == rt.ValueClosed {
			v.Kind, v.Text = rt.ValueChan, "closed "
		}
		v.ID, v.Bits = r.number(), r.uvarint()
		r.items(v, depth, nil)
	default:
		r.fail(fmt.Errorf("unknown value token %q", byte(v.Kind)))
	}
}

// items reads a length and that many items. It grows the list as it goes: a length is a claim,
// and each item is at least one byte of input.
func (r *reader) items(v *Value, depth int, head func(*Item)) {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.fail(errShort)
		return
	}
	for ; n > 0 && r.err == nil; n-- {
		var item Item
		if head != nil {
			head(&item)
		}
		item.Value = r.value(depth)
		v.Items = append(v.Items, item)
	}
}
