package rt

// This file walks the slots of functions whose parameters or results differ between the versions.

// A SlotConfig is a slot that both versions have.
type SlotConfig struct {
	Index   int
	Pointee bool // it is a pointer, and what it points to stands for it
}

// chosen walks slots in the order that both versions agree on. Results are last: a function that
// is left without them has all others.
func (w *walker) chosen(order []SlotConfig, slots []eface) {
	for i, c := range order {
		if c.Index >= len(slots) {
			continue
		}
		n, p := nodeAt(slots[c.Index].typ).elem, slots[c.Index].data
		if target := *(*uintptr)(at(p)); c.Pointee && target != 0 {
			n, p = n.elem, target // as a value that was passed: a node without a number
		}
		w.root(c.Index, rootKey+uint64(i), n, p)
	}
	w.count += len(order)
}

// impossible says whether the other version can't execute the function: its receiver is a value,
// and here is a nil pointer. There the caller panics, and what comes of that tells the rest.
func impossible(order []SlotConfig, slots []eface) bool {
	for _, c := range order {
		if c.Pointee && c.Index < len(slots) && *(*uintptr)(at(slots[c.Index].data)) == 0 {
			return true
		}
	}
	return false
}
