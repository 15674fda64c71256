package spectra

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

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
	v := valueReader{Reader: r, budget: budget}
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

// skimSlots is readSlots without a result: it returns the same error, and takes the same from the budget.
func skimSlots(r *wire.Reader, budget *Budget) error {
	v := valueReader{Reader: r, budget: budget, scratch: new(Value)}
	for r.Len() > 0 {
		r.Number()
		v.read(0)
		if r.Err() != nil {
			return fmt.Errorf("decode slots: %w", r.Err())
		}
	}
	return nil
}

// A valueReader reads values as far as a budget goes.
type valueReader struct {
	*wire.Reader
	budget  *Budget
	scratch *Value // not nil: what is read is not kept, each value takes the place of the one before
}

func (r valueReader) text() string {
	if r.scratch != nil {
		r.Bytes()
		return ""
	}
	return r.Text()
}

func (r valueReader) name() string {
	if r.scratch != nil {
		r.Bytes()
		return ""
	}
	return r.Name()
}

func (r valueReader) read(depth int) *Value {
	if depth > deepest {
		r.Fail(fmt.Errorf("value is nested deeper than %d", deepest))
		return nil
	}
	if v := r.small(); v != nil {
		return v
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
		v.Bits, v.extend().Imag = r.Word(), r.Word()
	case wire.ValueString:
		v.Text = r.text()
	case wire.ValueFunc, wire.ValueOpaque:
		v.Type = r.name()
	case wire.ValueRef:
		v.ID = r.node()
	case wire.ValueInside, wire.ValueBytes:
		v.ID, v.Text = r.node(), r.text()
	default:
		r.composite(v, depth+1)
	}
	if r.Err() != nil {
		return nil
	}
	return v
}

// node reads the number of a node.
func (r valueReader) node() int32 { return int32(r.Number()) }

// smalls are the values that take two bytes or one: of many states they are the most.
var smalls = func() (all [256][]*Value) {
	for _, kind := range []byte{wire.ValueNil, wire.ValueTruncated} {
		all[kind] = []*Value{{Kind: ValueKind(kind)}}
	}
	for b := range byte(1 << 7) {
		in := wire.NewReader([]byte{b})
		signed := uint64(in.Int())
		for kind, bits := range map[byte]uint64{
			wire.ValueBool: uint64(b), wire.ValueUint: uint64(b), wire.ValueInt: signed,
		} {
			all[kind] = append(all[kind], &Value{Kind: ValueKind(kind), Bits: bits})
		}
	}
	return all
}()

// small reads a value of which there is one for all. It returns nil, and reads nothing, if another one follows.
func (r valueReader) small() *Value {
	in := r.Rest()
	if len(in) == 0 || r.Err() != nil {
		return nil
	}
	list := smalls[in[0]]
	size, at := 1, 0
	if len(list) > 1 {
		if len(in) == 1 {
			return nil
		}
		size, at = 2, int(in[1])
	}
	if at >= len(list) {
		return nil
	}
	r.Take(uint64(size))
	r.budget.spend(r.Reader)
	return list[at]
}

// head reads the kind of a value and what may stand before it.
func (r valueReader) head() *Value {
	v := r.scratch
	if v == nil {
		v = &Value{}
	}
	for {
		r.budget.spend(r.Reader)
		switch v.Kind = ValueKind(r.Byte()); v.Kind {
		case wire.ValueNode:
			v.extend().Node = r.node()
		case wire.ValueOverlap:
			share := Share{r.node(), r.text()}
			if r.scratch == nil {
				v.extend().Shares = append(v.Rare().Shares, share)
			}
		default:
			return v
		}
	}
}

func (r valueReader) composite(v *Value, depth int) {
	switch v.Kind {
	case wire.ValuePointer:
		v.ID = r.node()
		r.elem(v, depth)
	case wire.ValueInterface:
		v.Type = r.name()
		r.elem(v, depth)
	case wire.ValueStruct:
		v.Type = r.name()
		r.items(v, depth, func(i *Item) { i.Name = r.name() })
		// They come in the order of the walk, but readers look them up by name.
		slices.SortStableFunc(v.Items, func(one, other Item) int { return strings.Compare(one.Name, other.Name) })
	case wire.ValueArray:
		r.items(v, depth, nil)
	case wire.ValueSlice:
		v.ID = r.node()
		r.items(v, depth, nil)
	case wire.ValueMap:
		v.ID = r.node()
		r.items(v, depth, func(i *Item) { i.Key = r.read(depth) })
	case wire.ValueChan, wire.ValueClosed:
		if v.Kind == wire.ValueClosed {
			v.Kind, v.Text = wire.ValueChan, "closed "
		}
		v.ID, v.Bits = r.node(), r.Uint()
		r.items(v, depth, nil)
	default:
		r.Fail(fmt.Errorf("unknown value token %q", byte(v.Kind)))
	}
}

func (r valueReader) elem(v *Value, depth int) {
	if elem := r.read(depth); r.scratch == nil {
		v.Items = []Item{{Value: elem}}
	}
}

// itemsRoom is for how many items room is made before they are read.
const itemsRoom = 16

// items reads a length and that many items. It grows the list as it reads, because a wrong length must not
// make it allocate: each item is at least one byte of input.
func (r valueReader) items(v *Value, depth int, head func(*Item)) {
	n := r.Count()
	if n > 0 && r.scratch == nil {
		v.Items = make([]Item, 0, min(n, itemsRoom))
	}
	for ; n > 0 && r.Err() == nil; n-- {
		var item Item
		if head != nil {
			head(&item)
		}
		item.Value = r.read(depth)
		if r.scratch == nil {
			v.Items = append(v.Items, item)
		}
	}
}
