package rt

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
)

// The two versions of a type in these tests: a set as a map, and as a sorted list.
type (
	mapSet  struct{ items map[string]int }
	listSet struct {
		Skipped int
		sorted  []string
	}
	namedSet  map[string]int
	mapRing   struct{ next map[int]*mapRing }
	sliceRing struct{ next []*sliceRing }
)

// observedSets registers all of them under names that both versions go by. It returns the configuration that has
// these names; after the test, nothing has them.
func observedSets(t *testing.T) Config {
	t.Helper()
	was := observing
	observing = true
	list := []Observer{{Name: "Len()"}, {Name: "Items()", Unordered: true}, {Name: "First()"}, {Name: "Spin()"}}
	RegisterObserved("rt.set", func(p any, i int) any {
		var items []string
		switch s := p.(type) {
		case *mapSet:
			for x := range s.items {
				items = append(items, x)
			}
		case *listSet:
			items = s.sorted
		case *namedSet:
			for x := range *s {
				items = append(items, x)
			}
		}
		switch i {
		case 0:
			n := len(items)
			return &n
		case 1:
			return &items
		case 2:
			first := slices.Min(items) // panics where there is none
			return &first
		}
		for slices.Contains(items, "spin") {
			Tick()
		}
		if slices.Contains(items, "fail") {
			_ = items[len(items)+1:]
		}
		return new(int)
	}, list...)
	RegisterObserved("rt.ring", func(p any, i int) any {
		list := []any{}
		switch r := p.(type) {
		case *mapRing:
			for _, x := range r.next {
				list = append(list, x)
			}
		case *sliceRing:
			for _, x := range r.next {
				list = append(list, x)
			}
		}
		return &list
	}, Observer{Name: "next()"})
	renames := map[string]string{}
	for from, to := range map[string]string{
		"mapSet": "set", "listSet": "set", "namedSet": "set", "mapRing": "ring", "sliceRing": "ring",
	} {
		renames[reflect.TypeFor[mapSet]().PkgPath()+"."+from] = "rt." + to
	}
	config := Config{Config: names.Config{
		Renames: renames,
		Skips:   map[string][]string{"rt.set": {"items", "sorted", "Skipped"}, "rt.ring": {"next"}},
	}}
	aside.next, aside.counts = nil, nil // other tests register packages
	Configure(config)
	t.Cleanup(func() {
		observing = was
		Configure(Config{})
	})
	return config
}

func digestOf[T any](t *testing.T, x *T) (digest [2]uint64, truncated bool) {
	t.Helper()
	a, b, _ := DigestOf(reflect.ValueOf(x))
	return [2]uint64{a, b}, recorder.walk.Truncated()
}

func TestObservedStates(t *testing.T) {
	observedSets(t)
	one := mapSet{map[string]int{"b": 1, "a": 2}}
	base, truncated := digestOf(t, &one)
	if truncated {
		t.Fatal("the state is truncated")
	}
	cases := []struct {
		reason string
		digest func() [2]uint64
		equal  bool
	}{
		{"a list of the same, in order", func() [2]uint64 {
			d, _ := digestOf(t, &listSet{1, []string{"a", "b"}})
			return d
		}, true},
		{"the order says nothing", func() [2]uint64 {
			d, _ := digestOf(t, &listSet{2, []string{"b", "a"}})
			return d
		}, true},
		{"what is no struct", func() [2]uint64 { d, _ := digestOf(t, &namedSet{"a": 5, "b": 6}); return d }, true},
		{"fewer", func() [2]uint64 { d, _ := digestOf(t, &listSet{1, []string{"a"}}); return d }, false},
		{"others", func() [2]uint64 { d, _ := digestOf(t, &listSet{1, []string{"a", "c"}}); return d }, false},
		{"one twice", func() [2]uint64 { d, _ := digestOf(t, &listSet{1, []string{"a", "b", "b"}}); return d }, false},
		{"none: First panics", func() [2]uint64 { d, _ := digestOf(t, &listSet{}); return d }, false},
	}
	for _, c := range cases {
		if equal := c.digest() == base; equal != c.equal {
			t.Errorf("equal %t, want %t: %s", equal, c.equal, c.reason)
		}
	}
	empty, _ := digestOf(t, &mapSet{})
	if other, _ := digestOf(t, &listSet{0, []string{}}); other != empty {
		t.Error("a panic is not the same as the same panic, or nil not as empty")
	}
}

func TestObserversShareNothing(t *testing.T) {
	observedSets(t)
	shared := []string{"a", "b"}
	type state struct {
		Set  any
		List []string
	}
	handsOut, _ := digestOf(t, &state{&listSet{1, shared}, shared})
	copies, _ := digestOf(t, &state{&mapSet{map[string]int{"a": 1, "b": 1}}, shared})
	if handsOut != copies {
		t.Error("a version that hands out its own memory differs from one that copies")
	}
}

func TestObserversLeaveNoTrace(t *testing.T) {
	observedSets(t)
	stopped := false
	SetSteps(100, func() { stopped = true })
	On = true
	_, truncated := digestOf(t, &listSet{1, []string{"spin"}})
	on := On
	On = false
	if !truncated {
		t.Error("an observer without end does not mark the state as truncated")
	}
	if _, truncated := digestOf(t, &listSet{1, []string{"fail"}}); !truncated {
		t.Error("an observer that fails does not mark the state as truncated")
	}
	if !on || Steps() != 100 || stopped {
		t.Errorf("recording %t, %d steps left, ended %t; want what was before", on, Steps(), stopped)
	}
	SetSteps(1<<62, func() {})
}

func TestObservedRing(t *testing.T) {
	observedSets(t)
	one := &mapRing{}
	one.next = map[int]*mapRing{0: {map[int]*mapRing{0: one}}}
	two := &sliceRing{}
	two.next = []*sliceRing{{[]*sliceRing{two}}}
	long := &sliceRing{}
	long.next = []*sliceRing{{[]*sliceRing{{[]*sliceRing{long}}}}}
	a, truncated := digestOf(t, one)
	b, _ := digestOf(t, two)
	c, _ := digestOf(t, long)
	if truncated || a != b || a == c {
		t.Errorf("truncated %t, same ring equal %t, longer ring equal %t", truncated, a == b, a == c)
	}
}

func TestNotObserved(t *testing.T) {
	config := observedSets(t)
	observing = false
	Configure(config)
	one, _ := digestOf(t, &namedSet{"a": 5})
	other, _ := digestOf(t, &listSet{1, []string{"b"}})
	if one != other {
		t.Error("where nothing can be observed, two representations differ")
	}
}

func TestObserve(t *testing.T) {
	observedSets(t)
	list := state.Observe(reflect.ValueOf(namedSet{"b": 1, "a": 1}))
	if len(list) != 4 || list[2].Value.Int() != 2 ||
		!slices.Equal(list[1].Value.Interface().([]string), []string{"a", "b"}) {
		t.Errorf("got %v", list)
	}
	if got := state.Observe(reflect.ValueOf(namedSet{}))[0].Panic; got != "panics string" {
		t.Errorf("First of nothing: %q", got)
	}
	if state.Observable(reflect.TypeFor[[]string]()) || !state.Observable(reflect.TypeFor[namedSet]()) {
		t.Error("which types are observed is not what was registered")
	}
}

type lockedSet struct {
	inner struct{ mu sync.Mutex }
	sync.RWMutex
	n int
}

func TestObserversPassLocks(t *testing.T) {
	was := observing
	observing = true
	RegisterObserved("rt.locked", func(p any, _ int) any {
		s := p.(*lockedSet)
		s.inner.mu.Lock() // and leaves it so
		s.RLock()
		defer s.RUnlock()
		return &s.n
	}, Observer{Name: "n()"})
	Configure(Config{Config: names.Config{
		Renames: map[string]string{reflect.TypeFor[lockedSet]().PkgPath() + ".lockedSet": "rt.locked"},
		Skips:   map[string][]string{"rt.locked": {"n", "inner", "RWMutex"}},
	}})
	t.Cleanup(func() {
		observing = was
		Configure(Config{})
	})
	var free, held lockedSet
	held.Lock()
	defer held.Unlock()
	one, truncated := digestOf(t, &free)
	other, _ := digestOf(t, &held)
	if truncated || one != other {
		t.Errorf("truncated %t, same with a lock held %t", truncated, one == other)
	}
	if !free.TryLock() || !free.inner.mu.TryLock() || held.TryLock() || !held.inner.mu.TryLock() {
		t.Error("locks are not as they were")
	}
}
