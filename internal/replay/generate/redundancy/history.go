package redundancy

import (
	"encoding/binary"
	"go/types"
	"hash/fnv"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A key identifies a call or a value.
type key = [2]uint64

// A signature describes an operation.
type signature struct {
	results   []types.Type
	modifying bool // digests of states can't show its effect
}

type signatures map[string]*signature

func signaturesOf(operations []*api.Operation) signatures {
	all := signatures{}
	for _, op := range operations {
		all[op.Name] = &signature{op.Results, slices.ContainsFunc(op.Params, isHidden)}
	}
	return all
}

// isHidden reports whether digests can't show an effect on an argument of a type.
func isHidden(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

// isFrozen reports whether no call can change a returned value of a type.
func isFrozen(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Array:
		return isFrozen(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !isFrozen(field.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// A shared is a set of values that may share memory. They have one history.
type shared struct {
	version key
	members []*object
	returns map[key]int // number of results that were members, by call that changed nothing
}

// An object is a value of a sequence.
type object struct {
	of     *shared // nil: no call changes it
	member key     // member of the set, or the call that returned it
}

// A history tracks the calls that determine the values of a sequence. It follows the statements in order: for each
// entry, then apply.
type history struct {
	signatures signatures
	q          sequence.Sequence
	used       []int // by statement: number of results, from the first, that later statements use
	objects    [][]*object
}

func newHistory(known signatures, q sequence.Sequence) *history {
	h := &history{signatures: known, q: q, used: make([]int, len(q.Statements))}
	for i := range q.Statements {
		q.Statements[i].EachRef(func(ref *sequence.Value) {
			h.used[ref.Statement] = max(h.used[ref.Statement], ref.Result+1)
		})
	}
	return h
}

// A hash collects the parts of a key.
type hash []byte

func (h *hash) number(n int)  { *h = binary.AppendUvarint(*h, uint64(n)) }
func (h *hash) text(s string) { h.number(len(s)); *h = append(*h, s...) }
func (h *hash) key(k [2]uint64) {
	*h = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(*h, k[0]), k[1])
}

func (h *hash) sum() key {
	sum := fnv.New128a()
	sum.Write(*h)
	b := sum.Sum(nil)
	return key{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// statement adds a statement without its references.
func (h *hash) statement(st sequence.Statement) {
	plain := st.Replace(func(sequence.Value) sequence.Value { return sequence.Value{Kind: sequence.Ref} })
	k := sequence.Sequence{Statements: []sequence.Statement{plain}}.Key()
	*h = append(*h, k[:]...)
}

func (h *history) object(ref *sequence.Value) *object {
	if ref.Statement < len(h.objects) && ref.Result < len(h.objects[ref.Statement]) {
		return h.objects[ref.Statement][ref.Result]
	}
	return &object{}
}

// value adds a value with its history, and its set to the sets of the statement.
func (h *history) value(to *hash, ref *sequence.Value, sets *[]*shared) {
	o := h.object(ref)
	if o.of == nil {
		to.number(0)
		to.key(o.member)
		return
	}
	n := slices.Index(*sets, o.of)
	if n < 0 {
		n = len(*sets)
		*sets = append(*sets, o.of)
		to.key(o.of.version)
	}
	to.number(n + 1)
	to.key(o.member)
}

// entry returns the key of a statement with the histories of its arguments.
func (h *history) entry(i int) key {
	var k hash
	var sets []*shared
	st := &h.q.Statements[i]
	k.statement(*st)
	st.EachRef(func(ref *sequence.Value) { h.value(&k, ref, &sets) })
	return k.sum()
}

// handed returns the key of a statement with the digests of its arguments. Where a digest is incomplete, the argument's
// literal and history replace it.
func (h *history) handed(i int, state key, arguments [][2]uint64) key {
	var k hash
	var sets []*shared
	st := &h.q.Statements[i]
	k.number(int(st.Kind))
	k.text(st.Op)
	k.key(state)
	k.number(len(arguments))
	for _, digest := range arguments {
		k.key(digest)
	}
	for n := range st.Args {
		whole := st.Kind == sequence.CallValue && n == 0 || st.Kind == sequence.Set && n == 1
		holder := sequence.Statement{Args: st.Args[n : n+1]}
		if whole || hasStub(&st.Args[n]) {
			k.statement(holder)
		}
		holder.EachRef(func(ref *sequence.Value) {
			if whole || h.isFunction(ref) {
				h.value(&k, ref, &sets)
			}
		})
	}
	return k.sum()
}

// hasStub reports whether a literal contains a function.
func hasStub(v *sequence.Value) bool {
	switch v.Kind {
	case sequence.Stub, sequence.Yields, sequence.Calls:
		return true
	}
	for i := range v.Elems {
		if hasStub(&v.Elems[i]) {
			return true
		}
	}
	return slices.ContainsFunc(v.Fields, func(f sequence.Field) bool { return hasStub(&f.Value) })
}

func (h *history) isFunction(ref *sequence.Value) bool {
	of := h.signatures[h.q.Statements[ref.Statement].Op]
	if h.q.Statements[ref.Statement].Kind != sequence.Call || of == nil || ref.Result >= len(of.results) {
		return false
	}
	_, is := of.results[ref.Result].Underlying().(*types.Signature)
	return is
}

// modifies reports whether a statement changed any of its arguments.
func (h *history) modifies(i int, step *novelty.Step) bool {
	switch st := &h.q.Statements[i]; st.Kind {
	case sequence.Let:
		return false
	case sequence.CallValue:
		return true
	case sequence.Call:
		if of := h.signatures[st.Op]; of == nil || of.modifying {
			return true
		}
	}
	return step.Panic != "" || step.Entry.State != step.State
}

// apply lets a statement with that entry change its arguments and return values.
func (h *history) apply(i int, entry key, modifies bool) {
	st := &h.q.Statements[i]
	var sets []*shared
	st.EachRef(func(ref *sequence.Value) {
		if of := h.object(ref).of; of != nil && !slices.Contains(sets, of) {
			sets = append(sets, of)
		}
	})
	modifies = modifies && st.Kind != sequence.Let
	var into *shared
	if modifies || len(sets) != 1 && h.shares(i) {
		into = united(sets)
		into.version = entry
	} else if len(sets) == 1 {
		into = sets[0]
	}
	var results []*object
	for r := range h.used[i] {
		results = append(results, h.returned(i, r, entry, into))
	}
	h.objects = append(h.objects, results)
	if into != nil {
		into.returns[entry]++
	}
}

// returned returns the object for a result of a statement.
func (h *history) returned(i, r int, entry key, into *shared) *object {
	var k hash
	k.key(entry)
	k.number(r)
	if into == nil || h.isFrozen(i, r) {
		return &object{member: k.sum()}
	}
	k.number(into.returns[entry]) // earlier results may have changed since
	o := &object{of: into, member: k.sum()}
	into.members = append(into.members, o)
	return o
}

// shares reports whether a result may share memory with the arguments.
func (h *history) shares(i int) bool {
	switch st := &h.q.Statements[i]; st.Kind {
	case sequence.Set:
		return false
	case sequence.Call:
		if of := h.signatures[st.Op]; of != nil {
			return slices.ContainsFunc(of.results, func(t types.Type) bool { return !isFrozen(t) })
		}
	}
	return true
}

func (h *history) isFrozen(i, r int) bool {
	st := &h.q.Statements[i]
	of := h.signatures[st.Op]
	return st.Kind == sequence.Call && of != nil && r < len(of.results) && isFrozen(of.results[r])
}

// united merges sets. Members of different sets get different names.
func united(sets []*shared) *shared {
	if len(sets) == 1 {
		return sets[0]
	}
	all := &shared{returns: map[key]int{}}
	for n, set := range sets {
		for _, o := range set.members {
			var k hash
			k.number(n)
			k.key(o.member)
			o.of, o.member = all, k.sum()
		}
		all.members = append(all.members, set.members...)
	}
	return all
}
