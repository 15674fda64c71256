package state

import "github.com/spectradiff/spectradiff/internal/spectra/rt/memory"

// A Choice is a slot that both versions have.
type Choice struct {
	Index   int
	Pointee bool // it is a pointer, and what it points to stands for it
}

// chosen walks slots in the order that both versions agree on. Results are last: a function that is left
// without them has all others.
func (w *Walker) chosen(order []Choice, slots []memory.Interface) {
	for i, c := range order {
		if c.Index >= len(slots) {
			continue
		}
		n, p := nodeAt(slots[c.Index].Type).elem, slots[c.Index].Data
		if target := *(*uintptr)(memory.At(p)); c.Pointee && target != 0 {
			n, p = n.elem, target // as a value that was passed: a node without a number
		}
		w.root(c.Index, rootKey+uint64(i), n, p)
	}
	w.count += len(order)
}

// Impossible reports whether the other version can't execute the function: its receiver is a value, and here
// is a nil pointer. There the caller panics, and is compared by that.
func Impossible(order []Choice, slots []memory.Interface) bool {
	for _, c := range order {
		if c.Pointee && c.Index < len(slots) && *(*uintptr)(memory.At(slots[c.Index].Data)) == 0 {
			return true
		}
	}
	return false
}
