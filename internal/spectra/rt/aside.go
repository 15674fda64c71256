package rt

import (
	"iter"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
)

// What generated code needs to register observers. Any and Index are for packages that have redefined the
// predeclared names.
type (
	Observer = state.Observer
	Any      = any
	Index    = int
)

// RegisterObserved has values of the type with that name, without type arguments, be compared by observers.
// The call returns a pointer to what an observer returns of the value to which pointer points.
func RegisterObserved(name string, call func(pointer any, observer int) any, observers ...Observer) {
	state.RegisterObserved(name, call, observers...)
}

// Collect returns the values that an iterator yields.
func Collect[T any](seq func(yield func(T) bool)) []T {
	list := []T{}
	seq(func(x T) bool {
		Tick()
		list = append(list, x)
		return true
	})
	return list
}

// A Pair is a key and a value that an iterator over pairs yields.
type Pair[K, V any] struct {
	Key   K
	Value V
}

// CollectPairs returns the pairs that an iterator yields.
func CollectPairs[K, V any](seq func(yield func(K, V) bool)) []Pair[K, V] {
	list := []Pair[K, V]{}
	seq(func(k K, v V) bool {
		Tick()
		list = append(list, Pair[K, V]{k, v})
		return true
	})
	return list
}

// aside is the stack on which observers run. What one of them has called, to find the order of what it returned, runs
// there too. The stack on which addresses are held as numbers can then not move. Calls of observers leave no trace:
// they are not recorded, no step of theirs counts, no counter of blocks, no random number, and time stands still.
var aside struct {
	next   func() (struct{}, bool)
	run    func()
	counts [][]uint8 // the counters of blocks, as they were
}

// startObserving makes the stack for observers, outside of every sequence.
func startObserving() state.Host {
	if !observing {
		return state.Host{}
	}
	if state.Observes() && aside.next == nil {
		for _, p := range Packages {
			aside.counts = append(aside.counts, make([]uint8, len(p.Counters)))
		}
		aside.next, _ = iter.Pull(func(yield func(struct{}) bool) {
			faults(true)
			for yield(struct{}{}) {
				aside.run()
			}
		})
		aside.next() // up to the first yield
	}
	return state.Host{Aside: runAside, Grant: grant}
}

// runAside runs f on the stack for observers. It reports whether it could.
func runAside(f func()) bool {
	if aside.next == nil || !leave() {
		return false
	}
	on, left, exceeded := On, steps, limit
	On, limit = false, observerLimit
	for i := range Packages {
		copy(aside.counts[i], Packages[i].Counters)
	}
	aside.run = f
	aside.next()
	aside.run = nil
	for i := range Packages {
		copy(Packages[i].Counters, aside.counts[i])
	}
	On, steps, limit = on, left, exceeded
	comeBack()
	return true
}

const (
	observerSteps = 1 << 12 // between two looks at the stack
	observerSpans = 1 << 9  // of so many steps
	observerStack = 16 << 20
)

// spans is the rest of an observer's budget.
var spans int

// grant sets the budget of an observer.
func grant() { steps, spans = observerSteps, observerSpans }

// observerLimit is called when the steps of an observer are used up. It grants the next span of steps, or ends the
// observer by a panic when the budget is spent.
func observerLimit() {
	if spans--; spans < 0 || stackSize() > observerStack {
		panic(state.Exhausted{})
	}
	steps = observerSteps
}
