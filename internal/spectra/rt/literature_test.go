package rt

import (
	"reflect"
	"slices"
	"testing"
)

// state128 is the linearised heap rooted at the values, as one state (section 3.2.2, a virtual
// root above receiver and arguments).
func state128(roots ...any) [2]uint64 {
	var pointers []reflect.Value
	for _, r := range roots {
		p := reflect.New(reflect.TypeOf(r))
		p.Elem().Set(reflect.ValueOf(r))
		pointers = append(pointers, p)
	}
	a, b := DigestOfAll(pointers)
	return [2]uint64{a, b}
}

func one(n int) *int { return &n }

// intStack is figure 3.1: what was popped stays in the array.
type intStack struct {
	store []int
	size  int
}

func newIntStack() *intStack { return &intStack{store: make([]int, 10)} }

func (s *intStack) push(n int) {
	if s.size == len(s.store) {
		s.store = append(s.store, make([]int, len(s.store))...)
	}
	s.store[s.size] = n
	s.size++
}

func (s *intStack) pop() {
	if s.size > 0 {
		s.size--
	}
}

// TestIntStack: the tests of section 3.1 whose calls all have a state that was seen are redundant.
func TestIntStack(t *testing.T) {
	push := func(n int) func(*intStack) { return func(s *intStack) { s.push(n) } }
	pop := (*intStack).pop
	type call struct {
		name string
		run  func(*intStack)
	}
	suite := []struct {
		reason string
		calls  []call
		kept   bool
	}{
		{
			"test1: the first test",
			[]call{{"push 3", push(3)}, {"push 2", push(2)}, {"pop", pop}, {"push 5", push(5)}}, true,
		},
		{
			"test2: where test1 pushed 5, the popped 2 was still in the array",
			[]call{{"push 3", push(3)}, {"push 5", push(5)}}, true,
		},
		{"test3: test1 had all of it", []call{{"push 3", push(3)}, {"push 2", push(2)}, {"pop", pop}}, false},
	}
	type entry struct {
		name  string
		state [2]uint64
	}
	seen := map[entry]bool{}
	for _, test := range suite {
		s, kept := newIntStack(), false
		for _, c := range test.calls {
			e := entry{c.name, state128(s)}
			kept = kept || !seen[e]
			seen[e] = true
			c.run(s)
		}
		if kept != test.kept {
			t.Errorf("%s: kept %v", test.reason, kept)
		}
	}
}

// TestAliasedArguments is the pair test4, test5 of section 3.2.1: the one representation of
// receiver and arguments shows that they are the same object.
func TestAliasedArguments(t *testing.T) {
	s := newIntStack()
	if state128(newIntStack(), newIntStack()) == state128(s, s) {
		t.Error("equals(s4, s) and equals(s5, s5) have the same entry state")
	}
	if state128(newIntStack(), newIntStack()) != state128(s, newIntStack()) {
		t.Error("equals of two equal objects depends on which they are")
	}
}

// TestLinearisation is section 3.2.2 and section 7.2.2 by example: nodes are numbered in the order of the
// first visit, types count, null is a value of its own.
func TestLinearisation(t *testing.T) {
	shared := &hPair[*int]{First: one(1)}
	for _, test := range []struct {
		reason   string
		old, new []any
		same     bool
	}{
		{"only identities may vary", []any{one(1), one(2)}, []any{one(1), one(2)}, true},
		{"primitives may not", []any{one(1), one(2)}, []any{one(1), one(3)}, false},
		{"null, not null", []any{(*int)(nil)}, []any{one(0)}, false},
		{
			"the variable met first gives the name",
			[]any{shared, shared}, []any{shared, &hPair[*int]{First: one(1)}}, false,
		},
		{"its parts have a name too", []any{shared, shared.First}, []any{shared, one(1)}, false},
		{"the class is a field", []any{any(hTiny{1, 2})}, []any{any(oldIn{1, 2})}, false},
		{"a number is no primitive", []any{shared, shared, 1}, []any{shared, shared, 2}, false},
	} {
		if got := state128(test.old...) == state128(test.new...); got != test.same {
			t.Errorf("%s: equal %v", test.reason, got)
		}
	}
}

// An explorer finds all object states within some calls, breadth first (figure 4.2). The empty
// state counts, states reached by a panic don't.
type explorer struct {
	create func() any
	calls  []func(any)
}

// explore counts states and tests: a test is the calls that made a state, and one more.
func (x explorer) explore(depth int) (states, tests int) {
	seen := map[[2]uint64]bool{state128(x.create()): true}
	frontier := [][]int{nil}
	for range depth {
		var next [][]int
		for _, path := range frontier {
			for i := range x.calls {
				tests++
				object, failed := x.replay(append(slices.Clone(path), i))
				if s := state128(object); !failed && !seen[s] {
					seen[s] = true
					next = append(next, append(slices.Clone(path), i))
				}
			}
		}
		frontier = next
	}
	return len(seen), tests
}

func (x explorer) replay(path []int) (object any, failed bool) {
	object = x.create()
	defer func() { failed = recover() != nil }()
	for _, i := range path {
		x.calls[i](object)
	}
	return object, false
}

// intSet is a binary search tree; a removed node is replaced by its successor.
type intSet struct{ root *intNode }

type intNode struct {
	left, right *intNode
	value       int
}

func (s *intSet) add(n int) {
	at := &s.root
	for *at != nil {
		switch x := *at; {
		case n == x.value:
			return
		case n < x.value:
			at = &x.left
		default:
			at = &x.right
		}
	}
	*at = &intNode{value: n}
}

func (s *intSet) remove(n int) {
	at := &s.root
	for *at != nil && (*at).value != n {
		if n < (*at).value {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	x := *at
	switch {
	case x == nil:
	case x.left == nil:
		*at = x.right
	case x.right == nil:
		*at = x.left
	default:
		next := &x.right
		for (*next).left != nil {
			next = &(*next).left
		}
		x.value = (*next).value
		*next = (*next).right
	}
}

// intList is a linked list with a header that knows its ends.
type intList struct{ header *intLink }

type intLink struct {
	next, previous *intLink
	value          int
}

func newIntList() *intList {
	l := &intList{&intLink{}}
	l.header.next, l.header.previous = l.header, l.header
	return l
}

func (l *intList) add(n int) {
	last := l.header.previous
	x := &intLink{l.header, last, n}
	last.next, l.header.previous = x, x
}

func (l *intList) unlink(x *intLink) { x.previous.next, x.next.previous = x.next, x.previous }

func (l *intList) remove(n int) {
	for x := l.header.next; x != l.header; x = x.next {
		if x.value == n {
			l.unlink(x)
			return
		}
	}
}

func (l *intList) removeLast() {
	if l.header.previous == l.header {
		panic("empty")
	}
	l.unlink(l.header.previous)
}

// TestExploration has rows of table 4.2: as many states and tests as the dissertation counts,
// when the state's digest decides what is new.
func TestExploration(t *testing.T) {
	set := explorer{create: func() any { return &intSet{} }}
	list := explorer{create: func() any { return newIntList() }}
	stack := explorer{create: func() any { return newIntStack() }}
	for n := 1; n <= 5; n++ {
		set.calls = append(set.calls, func(s any) { s.(*intSet).add(n) }, func(s any) { s.(*intSet).remove(n) })
		list.calls = append(list.calls, func(l any) { l.(*intList).add(n) }, func(l any) { l.(*intList).remove(n) })
		stack.calls = append(stack.calls, func(s any) { s.(*intStack).push(n) })
	}
	list.calls = append(list.calls, func(l any) { l.(*intList).removeLast() })
	stack.calls = append(stack.calls, func(s any) { s.(*intStack).pop() })
	for _, test := range []struct {
		reason        string
		x             explorer
		states, tests int
	}{
		{"BinSearchTree, 5 values, 5 calls", set, 188, 1460},
		{"LinkedList, 5 values, 5 calls", list, 3906, 8591},
		{"IntStack, 5 values, 5 calls", stack, 4836, 5766},
	} {
		if states, tests := test.x.explore(5); states != test.states || tests != test.tests {
			t.Errorf("%s: %d states, %d tests; want %d, %d", test.reason, states, tests, test.states, test.tests)
		}
	}
	set.calls = []func(any){set.calls[0], set.calls[2], set.calls[4]}
	if states, _ := set.explore(3); states != 15 {
		t.Errorf("a tree after up to 3 calls of add with 3 values (section 4.2): %d states, want 15", states)
	}
}
