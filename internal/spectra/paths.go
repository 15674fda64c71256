package spectra

import (
	"iter"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Path names a part of a state as source code would: recv.items[2].n, ret0["k"].x. Pointers and
// interfaces leave no trace in it.
type Path string

// Field returns the path of a struct's field below p.
func (p Path) Field(name string) Path { return p + "." + Path(name) }

// Index returns the path of an element below p.
func (p Path) Index(i int) Path { return p + "[" + Path(strconv.Itoa(i)) + "]" }

// Entry returns the path of a map's entry below p.
func (p Path) Entry(key *Value) Path { return p + "[" + Path(key.Short(keyWidth)) + "]" }

// Any returns the path that stands for every element and entry below p.
func (p Path) Any() Path { return p + "[*]" }

// Below reports whether p names a part of what top names.
func (p Path) Below(top Path) bool {
	return len(p) > len(top) && p[:len(top)] == top && (p[len(top)] == '.' || p[len(top)] == '[')
}

// Overlaps reports whether one of two paths names what the other does, or a part of it. The empty path names all.
func (p Path) Overlaps(other Path) bool {
	return p == other || p == "" || other == "" || p.Below(other) || other.Below(p)
}

// keyWidth bounds the text of a map's key in a path.
const keyWidth = 60

// A Leaf is a part of a state that has no parts.
type Leaf struct {
	Path Path
	Text string
}

// maxPath is the length of a path from which on a part of a state is not taken apart any more: the paths of
// a long list would take the square of its memory.
const maxPath = 1 << 12

// Leaves yields the leaves of a state's slots in their order. An empty struct, list or map is a leaf, and so is
// what has a very long path.
func Leaves(slots []Slot) iter.Seq[Leaf] {
	return func(yield func(Leaf) bool) {
		for _, s := range slots {
			if !leaves(Path(s.Name), s.Value, yield) {
				return
			}
		}
	}
}

func leaves(path Path, v *Value, yield func(Leaf) bool) bool {
	switch {
	case v.Elem() != nil:
		return leaves(path, v.Elem(), yield)
	case v == nil || len(v.Items) == 0 || len(path) > maxPath:
		return yield(Leaf{path, v.String()})
	}
	for i, item := range v.Items {
		if !leaves(v.Step(path, i), item.Value, yield) {
			return false
		}
	}
	return true
}

// AppendStep appends what Step adds to a path.
func (v *Value) AppendStep(path []byte, i int) []byte {
	switch v.Kind {
	case wire.ValueStruct:
		return append(append(path, '.'), v.Items[i].Name...)
	case wire.ValueMap:
		return append(append(append(path, '['), v.Items[i].Key.Short(keyWidth)...), ']')
	case wire.ValueArray, wire.ValueSlice, wire.ValueChan:
		return append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
	}
	return path
}

// Step returns the path of v's i-th item when v stands at path.
func (v *Value) Step(path Path, i int) Path {
	switch v.Kind {
	case wire.ValueStruct:
		return path.Field(v.Items[i].Name)
	case wire.ValueMap:
		return path.Entry(v.Items[i].Key)
	case wire.ValueArray, wire.ValueSlice, wire.ValueChan:
		return path.Index(i)
	}
	return path
}
