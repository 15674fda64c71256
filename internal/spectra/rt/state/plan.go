package state

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Plan holds the types of a function's slots as they were met last. With it, slots that are numbers, short texts or
// nil, as those of most functions are, are digested without a walk. Their digests are those that the walk has for them.
// Instances of a generic function share one Plan, so the types are checked each time.
type Plan []planned

type planned struct {
	typ  uintptr // of the pointer to the slot
	load load
	kind op // what it is without a load: a text, or something that may be nil
	node *node
}

// Learn returns the plan with the types of the slots that it does not have yet.
func (plan Plan) Learn(slots []memory.Interface) Plan {
	for i := len(plan); i < len(slots); i++ {
		n := nodeAt(slots[i].Type).elem
		known := planned{typ: slots[i].Type, load: n.load, node: n}
		switch n.op {
		case opString:
			known.kind = opString
		case opPointer, opSlice, opMap, opInterface, opChan, opFunc:
			known.kind = opPointer // nil if its first word is 0
		}
		plan = append(plan, known)
	}
	return plan
}

// Texts reports whether slots are texts.
func (plan Plan) Texts() bool {
	return slices.ContainsFunc(plan, func(slot planned) bool { return slot.kind == opString })
}

// short is the longest text that needs no look at the budget.
const short = 1 << 12

// Digest digests slots that are all words, short texts or nil. It reports false where they are not.
func (plan Plan) Digest(slots []memory.Interface) (digest.Hash, bool) {
	if len(plan) < len(slots) {
		return digest.Hash{}, false
	}
	h, key, plan := digest.Seed, uint64(rootKey), plan[:len(slots)]
	for i := range slots {
		s, known := &slots[i], &plan[i]
		switch p := memory.At(s.Data); {
		case known.typ != s.Type:
			return digest.Hash{}, false
		case known.load == loadWord:
			h = h.Pair(key, *(*uint64)(p))
		case known.load != loadNone:
			h = h.Pair(key, known.node.narrow(s.Data))
		case known.kind == opString && len(*(*string)(p)) < short:
			h = h.Text(key, *(*string)(p))
		case known.kind == opPointer && *(*uintptr)(p) == 0:
			h = h.Pair(key, wire.ValueNil<<40)
		default:
			return digest.Hash{}, false
		}
		key++
	}
	return h, true
}
