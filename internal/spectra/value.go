package spectra

import "github.com/spectradiff/spectradiff/internal/spectra/rt/wire"

// ValueKind is a token of the wire format, wire.ValueNil and so on.
type ValueKind byte

// A Value is one node of the tree that hangs from a slot. Its Kind decides which fields mean something.
// The zero Value stands for nothing. There are many of them, and equal ones may be the same: they are not changed.
type Value struct {
	Kind  ValueKind
	ID    int32  // pointer, slice, bytes, map, channel: the number of the node; ref, inside: the number it refers to
	Type  string // struct, opaque: the type; interface: the dynamic type; function: its symbol
	Text  string // string, bytes: the contents; inside: the path from the node referred to
	Bits  uint64 // bool, int, uint, float: the value as 64 bits; complex: the real part; channel: the capacity
	Items []Item // fields, elements, entries in order; pointer and interface: one item
	rare  *Rare
}

// Rare has the attributes that few values have.
type Rare struct {
	Imag   uint64  // complex: the bits of the imaginary part
	Node   int32   // package variable: the number of the variable itself
	Shares []Share // the nodes visited before that this one shares memory with
}

var ordinary Rare

// Rare returns the attributes that few values have. It must not be changed.
func (v *Value) Rare() *Rare {
	if v.rare == nil {
		return &ordinary
	}
	return v.rare
}

func (v *Value) extend() *Rare {
	if v.rare == nil {
		v.rare = &Rare{}
	}
	return v.rare
}

// A Share describes memory that a node has in common with one visited before.
type Share struct {
	ID   int32
	Path string // where it lies: from the start of the other node, or after "at " from the start of this one
}

// An Item is a part of a value.
type Item struct {
	Name  string // of a struct's field
	Key   *Value // of a map's entry
	Value *Value
}

// Elem returns what a pointer points to or an interface holds, and nil for every other kind.
func (v *Value) Elem() *Value {
	if v == nil || len(v.Items) == 0 {
		return nil
	}
	if v.Kind == wire.ValuePointer || v.Kind == wire.ValueInterface {
		return v.Items[0].Value
	}
	return nil
}

// Truncated reports whether the walk ended at its budget somewhere in v.
func (v *Value) Truncated() bool {
	if v == nil {
		return false
	}
	if v.Kind == wire.ValueTruncated {
		return true
	}
	for _, item := range v.Items {
		if item.Key.Truncated() || item.Value.Truncated() {
			return true
		}
	}
	return false
}

// nodes counts v and all below it.
func (v *Value) nodes() int {
	if v == nil {
		return 0
	}
	n := 1
	for _, item := range v.Items {
		n += item.Key.nodes() + item.Value.nodes()
	}
	return n
}
