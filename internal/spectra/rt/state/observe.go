package state

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Host calls observers for a walk.
type Host struct {
	// Aside runs f on a stack of its own, where calls of the target leave no trace. It reports whether it
	// could. What f calls may need the host again, for which Aside is not called again.
	Aside func(f func()) bool
	// Grant gives the call of an observer that is next its steps. When they are used up, the host ends the
	// call by a panic with an Exhausted.
	Grant func()
}

// An Exhausted is the panic that ends an observer which does not end by itself.
type Exhausted struct{}

// An Observer is one result of a method that is compared. Types whose representation differs between the versions are
// compared by their observers. The target's packages register how to call them. It is the only code of the target that
// a walk has called.
type Observer struct {
	Name      string // in states: "Len()", "Peek().1"
	Unordered bool   // a list whose order says nothing
}

// observedType is how to observe values of a type.
type observedType struct {
	call      func(pointer any, observer int) any
	observers []Observer
}

// observedTypes are the registered types, by the names that both versions go by.
var observedTypes = map[string]*observedType{}

// RegisterObserved has values of the type with that name, without type arguments, be compared by observers.
// The call returns a pointer to what an observer returns of the value to which pointer points.
func RegisterObserved(name string, call func(pointer any, observer int) any, observers ...Observer) {
	observedTypes[name] = &observedType{call, observers}
}

// Observes reports whether any type is compared by observers.
func Observes() bool { return len(observedTypes) > 0 }

// observable reports whether values of that type are compared by observers. Where nothing can be observed, they
// are not compared.
func observable(n *node) bool { return observedTypes[names.Declared(n.name)] != nil }

// compileObserved makes a node that consists of the results of observers alone.
func (n *node) compileObserved(t reflect.Type) {
	n.op = opStruct
	n.addObservers(t)
	slices.SortStableFunc(n.fields, func(one, other field) int { // as in a struct
		return cmp.Compare(one.name, other.name)
	})
}

// addObservers adds the results of the type's observers to its fields. Results lie nowhere in the value and have no
// size.
func (n *node) addObservers(t reflect.Type) {
	if !observable(n) {
		return
	}
	n.unique, n.plain = false, false
	o := observedTypes[names.Declared(n.name)]
	if limits.Host.Aside == nil {
		return
	}
	for i, observer := range o.observers {
		bound := &boundObserver{o.call, i, observer.Unordered, LocksOf(t)}
		e := &node{op: opObserver, name: observer.Name, typ: reflect.PointerTo(t), observer: bound}
		n.fields = append(n.fields, field{0, e, observer.Name, n.fieldKey(t, observer.Name, e)})
	}
}

// A boundObserver is one observer of one type.
type boundObserver struct {
	call      func(pointer any, observer int) any
	index     int
	unordered bool
	locks     Locks // of the observed type
}

// observation is one call of an observer, with its result. Its result may hold values with observers again.
type observation struct {
	outer    *observation // in whose result the value is
	by       *boundObserver
	typ      reflect.Type
	p        uintptr // of the value
	pointer  any     // to it
	w        *Walker
	result   any // pointer to what it returned
	panicked string
	cut      bool
}

// observer walks what an observer returns of the value at p. It does so on its own, since what that shares with
// the rest of the state, or with what other observers return, depends on the representation.
func (w *Walker) observer(n *node, p uintptr, key uint64) {
	if depth, again := above(n.typ, p); again || depth > maxNested {
		w.mix(key, uint64(depth)|wire.ValueRef<<40)
		w.truncated = w.truncated || !again
		if w.values {
			w.out = wire.AppendString(append(w.out, wire.ValueOpaque), names.Type(n.typ.Elem()))
		}
		return
	}
	if w.apartFrom == nil {
		w.apartFrom = &Walker{}
	}
	s := w.apartFrom
	s.Reset(w.values)
	s.budget, s.marks.ids = w.budget-w.count, w.marks.ids
	o := observation{outer: current, by: n.observer, typ: n.typ, p: p, w: s}
	*(*memory.Interface)(unsafe.Pointer(&o.pointer)) = memory.Interface{Type: memory.Descriptor(n.typ), Data: p}
	o.make()
	w.count += s.count
	w.truncated = w.truncated || s.truncated
	w.marks.ids = s.marks.ids
	if o.cut {
		w.cut(key)
		return
	}
	a, b := s.h.Sum()
	w.mix(key, a)
	w.mix(digest.OfName(o.panicked), b)
	if w.values {
		w.out = append(w.out, s.out...)
	}
}

// Observable reports whether values of that type are compared by observers.
func Observable(t reflect.Type) bool { return t.Name() != "" && observable(compile(t)) }

// An Observed is the result of one observer.
type Observed struct {
	Name  string
	Value reflect.Value
	Panic string // with what it panicked instead
}

// unused walks what is shown.
var unused Walker

// Observe returns the results of the observers of a value. It must not be called while recording.
func Observe(v reflect.Value) []Observed {
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	var list []Observed
	for _, f := range compile(v.Type()).fields {
		if f.node.op != opObserver {
			continue
		}
		unused.Reset(false)
		o := observation{by: f.node.observer, typ: pointer.Type(), p: pointer.Pointer(), w: &unused}
		o.pointer = pointer.Interface()
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

// current is the observation that runs.
var current *observation

// above reports whether the value is being observed already: then it is reached from itself. If so, depth is how
// far up.
func above(t reflect.Type, p uintptr) (depth int, again bool) {
	for o := current; o != nil; o = o.outer {
		depth++
		if o.p == p && o.typ == t {
			return depth, true
		}
	}
	return depth, false
}

// make makes the observation. One in the result of another runs aside already.
func (o *observation) make() {
	if o.outer != nil {
		current = o
		o.run()
		current = o.outer
		return
	}
	current = o
	if limits.Host.Aside == nil || !limits.Host.Aside(o.run) {
		o.cut = true
	}
	current = nil
}

// run calls the observer and walks its result. It must run aside. A walk may fail where memory is gone.
func (o *observation) run() {
	defer func() {
		if recover() != nil {
			o.w.Abandon()
			o.cut = true
		}
	}()
	if o.call() {
		o.settle()
		e := (*memory.Interface)(unsafe.Pointer(&o.result))
		o.w.walk(nodeAt(e.Type).elem, e.Data, 0)
	} else if o.w.values {
		o.w.out = append(wire.AppendString(append(o.w.out, wire.ValueStruct), o.panicked), 0)
	}
}

// call reports whether the observer returned something.
func (o *observation) call() (done bool) {
	defer func() {
		if x := recover(); !done {
			o.cut = undecided(x)
			o.panicked = "panics"
			if x != nil {
				o.panicked += " " + names.Type(reflect.TypeOf(x))
			}
		}
	}()
	kept := o.by.locks.Open(o.p)
	defer func() { o.by.locks.Close(o.p, kept) }()
	limits.Host.Grant()
	o.result = o.by.call(o.pointer, o.by.index)
	return true
}

// undecided reports whether a panic says nothing about the value: the observer did not end by itself, or failed,
// as on a value that is not finished yet.
func undecided(x any) bool {
	switch x.(type) {
	case Exhausted, runtime.Error:
		return true
	}
	return false
}

// settle makes a list the observation's own, so that a version which hands out its own memory is like one that
// makes a copy. It sorts a list whose order means nothing.
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
		sorted.Index(i).Set(reflect.NewAt(list.Type().Elem(), memory.At(e.key)).Elem())
	}
	reflect.Copy(list, sorted)
}
