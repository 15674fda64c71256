package rt

// This file compares types whose representation differs between the versions: instead of what they
// are made of, what their observers give. Those are methods without parameters that were proven to
// write nothing; the target's packages register how to call them.
//
// It is the one place where the runtime calls the target. The calls run on a stack of their own, so
// that the stack on which addresses are held as numbers can't move, and they leave no trace: they
// are not recorded, no step of theirs counts, no counter of blocks, no random number, and time
// stands still.

import (
	"cmp"
	"iter"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// An Observer is one result of a method that is compared.
type Observer struct {
	Name      string // in states: "Len()", "Peek().1"
	Unordered bool   // a list whose order says nothing
}

// Any and Index are for packages that have redefined the predeclared names.
type (
	Any   = any
	Index = int
)

// observedType is how to observe values of a type.
type observedType struct {
	call      func(pointer any, observer int) any
	observers []Observer
}

// observedTypes are the registered types, by the names that both versions go by.
var observedTypes = map[string]*observedType{}

// RegisterObserved says that values of the type with that name, without type arguments, are compared
// by observers. call gives a pointer to what an observer of the value gives that pointer points to.
func RegisterObserved(name string, call func(pointer any, observer int) any, observers ...Observer) {
	observedTypes[name] = &observedType{call, observers}
}

// Collect gives what an iterator gives.
func Collect[T any](seq func(yield func(T) bool)) []T {
	list := []T{}
	seq(func(x T) bool {
		Tick()
		list = append(list, x)
		return true
	})
	return list
}

// A Pair is what an iterator over pairs gives at a time.
type Pair[K, V any] struct {
	Key   K
	Value V
}

// CollectPairs gives what an iterator over pairs gives.
func CollectPairs[K, V any](seq func(yield func(K, V) bool)) []Pair[K, V] {
	list := []Pair[K, V]{}
	seq(func(k K, v V) bool {
		Tick()
		list = append(list, Pair[K, V]{k, v})
		return true
	})
	return list
}

// observable says whether values of that type are compared by observers. Where nothing can be
// observed, they are not compared.
func observable(n *node) bool { return observedTypes[declared(n.name)] != nil }

// compileObserved makes a node of what observers give alone.
func (n *node) compileObserved(t reflect.Type) {
	n.op = opStruct
	n.addObservers(t)
	slices.SortStableFunc(n.fields, func(one, other field) int { return cmp.Compare(one.name, other.name) }) // as in a struct
}

// addObservers adds what observers of the type give to its fields. They lie nowhere and have no size.
func (n *node) addObservers(t reflect.Type) {
	if !observable(n) {
		return
	}
	n.unique, n.plain = false, false
	o := observedTypes[declared(n.name)]
	if !observing {
		return
	}
	for i, observer := range o.observers {
		e := &node{op: opObserver, name: observer.Name, typ: reflect.PointerTo(t), observer: &boundObserver{o.call, i, observer.Unordered, locksOf(t, 0)}}
		n.fields = append(n.fields, field{0, e, observer.Name, n.fieldKey(t, observer.Name, e)})
	}
}

// A boundObserver is one observer of one type.
type boundObserver struct {
	call      func(pointer any, observer int) any
	index     int
	unordered bool
	locks     []lock // of the observed type
}

// observation is one call of an observer, and what came of it.
type observation struct {
	outer    *observation // in whose result the value is
	by       *boundObserver
	typ      reflect.Type
	p        uintptr // of the value
	pointer  any     // to it
	w        *walker
	result   any // pointer to what it gave
	panicked string
	cut      bool
}

// observer walks what an observer gives of the value at p: on its own, since what it shares with the
// rest of the state, or with what other observers give, depends on the representation.
func (w *walker) observer(n *node, p uintptr, key uint64) {
	if depth, again := above(n.typ, p); again || depth > maxNested {
		w.mix(key, uint64(depth)|wire.ValueRef<<40)
		w.truncated = w.truncated || !again
		if w.values {
			w.out = wire.AppendString(append(w.out, wire.ValueOpaque), TypeName(n.typ.Elem()))
		}
		return
	}
	if w.apartFrom == nil {
		w.apartFrom = &walker{}
	}
	s := w.apartFrom
	s.reset(w.values)
	s.budget, s.marks.ids = w.budget-w.count, w.marks.ids
	o := observation{outer: aside.current, by: n.observer, typ: n.typ, p: p, w: s}
	*(*eface)(unsafe.Pointer(&o.pointer)) = eface{descriptor(n.typ), p}
	o.make()
	w.count += s.count
	w.truncated = w.truncated || s.truncated
	w.marks.ids = s.marks.ids
	if o.cut {
		w.cut(key)
		return
	}
	a, b := s.h.sum()
	w.mix(key, a)
	w.mix(textHash(o.panicked), b)
	if w.values {
		w.out = append(w.out, s.out...)
	}
}

// Observable says whether values of that type are compared by observers.
func Observable(t reflect.Type) bool { return t.Name() != "" && observable(compile(t)) }

// An Observed is what one observer gave.
type Observed struct {
	Name  string
	Value reflect.Value
	Panic string // with what it panicked instead
}

// unused walks what is shown.
var unused walker

// Observe gives what the observers of a value give. It must not be called while recording.
func Observe(v reflect.Value) []Observed {
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	var list []Observed
	for _, f := range compile(v.Type()).fields {
		if f.node.op != opObserver {
			continue
		}
		unused.reset(false)
		o := observation{by: f.node.observer, typ: pointer.Type(), p: pointer.Pointer(), pointer: pointer.Interface(), w: &unused}
		o.make()
		observed := Observed{Name: f.name}
		switch {
		case o.cut:
			observed.Panic = "…"
		case o.panicked != "":
			observed.Panic = o.panicked
		default:
			observed.Value = reflect.ValueOf(o.result).Elem()
		}
		list = append(list, observed)
	}
	return list
}

// maxNested is how many observations may lie in each other.
const maxNested = 8

// above says whether the value is being observed already: then it is reached from itself. If so, depth
// is how far up.
func above(t reflect.Type, p uintptr) (depth int, again bool) {
	for o := aside.current; o != nil; o = o.outer {
		depth++
		if o.p == p && o.typ == t {
			return depth, true
		}
	}
	return depth, false
}

// aside is the stack on which observers run. A call made while one runs, to find the order of
// what it gave, runs there too.
var aside struct {
	next    func() (struct{}, bool)
	current *observation
	counts  [][]uint8 // the counters of blocks, as they were
}

// startObserving makes the stack for observers, outside of every sequence.
func startObserving() {
	if !observing || len(observedTypes) == 0 || aside.next != nil {
		return
	}
	for _, p := range Packages {
		aside.counts = append(aside.counts, make([]uint8, len(p.Counters)))
	}
	aside.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		for yield(struct{}{}) {
			aside.current.run()
		}
	})
	aside.next() // up to the first yield
}

// make makes the observation, and leaves no other trace.
func (o *observation) make() {
	if o.outer != nil {
		aside.current = o
		o.run()
		aside.current = o.outer
		return
	}
	if aside.next == nil || !leave() {
		o.cut = true
		return
	}
	on, left, exceeded := On, steps, limit
	On, limit = false, o.limit
	for i := range Packages {
		copy(aside.counts[i], Packages[i].Counters)
	}
	aside.current = o
	aside.next()
	aside.current = nil
	for i := range Packages {
		copy(Packages[i].Counters, aside.counts[i])
	}
	On, steps, limit = on, left, exceeded
	comeBack()
}

const (
	observerSteps = 1 << 12 // between two looks at the stack
	observerSpans = 1 << 9  // of so many steps
	observerStack = 16 << 20
)

// exhausted ends an observer that does not end by itself.
type exhausted struct{}

// spans is what is left to an observer.
var spans int

func (o *observation) limit() {
	if spans--; spans < 0 || stackSize() > observerStack {
		panic(exhausted{})
	}
	steps = observerSteps
}

// run calls the observer and walks what it gives. It must run aside.
func (o *observation) run() {
	if o.call() {
		o.settle()
		e := (*eface)(unsafe.Pointer(&o.result))
		o.w.walk(nodeAt(e.typ).elem, e.data, 0)
	} else if o.w.values {
		o.w.out = append(wire.AppendString(append(o.w.out, wire.ValueStruct), o.panicked), 0)
	}
}

// call says whether the observer gave something.
func (o *observation) call() (done bool) {
	defer func() {
		if x := recover(); !done {
			o.cut = undecided(x)
			o.panicked = "panics"
			if x != nil {
				o.panicked += " " + TypeName(reflect.TypeOf(x))
			}
		}
	}()
	kept := openLocks(o.by.locks, o.p, nil)
	defer func() { putBack(o.by.locks, o.p, kept) }()
	steps, spans = observerSteps, observerSpans
	o.result = o.by.call(o.pointer, o.by.index)
	return true
}

// undecided says whether a panic says nothing about the value: the observer did not end by itself, or
// failed, as on a value that is not finished yet.
func undecided(x any) bool {
	switch x.(type) {
	case exhausted, runtime.Error:
		return true
	}
	return false
}

// settle makes a list the observation's own, so that a version which hands out its own memory is
// like one that makes a copy, and gives it an order.
func (o *observation) settle() {
	given := reflect.ValueOf(o.result).Elem()
	if given.Kind() != reflect.Slice {
		return
	}
	own := reflect.New(given.Type())
	list := reflect.MakeSlice(given.Type(), given.Len(), given.Len())
	reflect.Copy(list, given)
	if o.by.unordered {
		o.sort(list)
	}
	own.Elem().Set(list)
	o.result = own.Interface()
}

// sort orders a list whose order says nothing by what its elements are.
func (o *observation) sort(list reflect.Value) {
	n := &node{key: compile(list.Type().Elem())} // as of a map with these keys
	elements := make([]mapEntry, list.Len())
	for i := range elements {
		p := list.Index(i).Addr().Pointer()
		elements[i] = o.w.order(n, p, p)
	}
	if n.key.op == opString {
		slices.SortStableFunc(elements, compareTexts)
	} else {
		slices.SortStableFunc(elements, compareEntries)
	}
	sorted := reflect.MakeSlice(list.Type(), list.Len(), list.Len())
	for i, e := range elements {
		sorted.Index(i).Set(reflect.NewAt(list.Type().Elem(), at(e.key)).Elem())
	}
	reflect.Copy(list, sorted)
}
