package rt

// This file records functions whose slots are numbers, short texts or nil, as those of most are,
// without a walk: the same digests as the walk gives.

// planned is what a slot of a point held when it was met last. Instances of a generic function
// share a point, so that is checked each time.
type planned struct {
	typ  uintptr // of the pointer to the slot
	node *node
}

// learn notes the types of the slots.
func (p *Point) learn(slots []eface) {
	for i := len(p.plan); i < len(slots); i++ {
		p.plan = append(p.plan, planned{slots[i].typ, nodeAt(slots[i].typ).elem})
	}
}

// short is the longest text that needs no look at the budget.
const short = 1 << 12

// words digests slots that are all words, short texts or nil; false means that they are not.
func (r *record) words(p *Point, slots []eface) (hash, bool) {
	if len(p.plan) < len(slots) || len(p.vars) > 0 || p.order != nil || r.values {
		return hash{}, false
	}
	h, key := seed, uint64(rootKey)
	for i := range slots {
		s, n := &slots[i], &p.plan[i]
		switch p := at(s.data); {
		case n.typ != s.typ:
			return hash{}, false
		case n.node.load != loadNone:
			h = h.pair(key, n.node.word(s.data))
		case n.node.op == opString && len(*(*string)(p)) < short:
			h = h.text(key, *(*string)(p))
		case n.node.nilable && *(*uintptr)(p) == 0:
			h = h.pair(key, ValueNil<<40)
		default:
			return hash{}, false
		}
		key++
	}
	r.nodes -= int64(len(slots))
	r.tally.States++
	return h, true
}

func (r *record) enterWords(p *Point, slots []eface) bool {
	h, ok := r.words(p, slots)
	if ok {
		r.goroutine()
		r.buf = h.append(appendUvarint(append(r.buf, EventEnter), uint64(p.id)))
	}
	return ok
}

func (r *record) exitWords(p *Point, slots []eface) bool {
	h, ok := r.words(p, slots)
	if ok {
		r.goroutine()
		r.buf = h.append(append(r.buf, EventExit, ExitReturn))
	}
	return ok
}

// append writes a state without flags.
func (h hash) append(b []byte) []byte {
	return appendUint64(appendUint64(append(b, 0), h.a), h.b)
}
