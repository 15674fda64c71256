package rt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// This file holds the walk to the reference: on random heaps, two states have the same digest and
// the same tokens exactly when they are isomorphic.

// What the walk tells.
const (
	walksInterior = false // pointers into the middle of values, slices that overlap
	walksByRef    = false // keys that only aliasing tells apart
	showsChannels = false // tokens have the length of a channel, and whether it is closed
)

var (
	heapPoints = []Point{{}}
	heapEvents = make([]byte, 1<<20)
)

func init() { Register(Package{Path: "heap/oracle", Points: heapPoints}) }

// seen is all that the runtime gives of a state.
type seen struct {
	digest    [16]byte
	truncated bool
	all       [16]byte // as DigestOfAll has it
	events    []byte   // with values; nil if they had no room
	unstable  string   // what differs between two looks at the same state
}

// look records the state of the variables in all ways there are.
func look(roots []reflect.Value) (s seen) {
	slots := make([]any, len(roots))
	for i, v := range roots {
		slots[i] = v.Interface()
	}
	digests := s.record(false, slots)
	s.digest = [16]byte(digests[1:17])
	s.truncated = digests[0]&StateTruncated != 0
	s.events = s.record(true, slots)
	a, b := DigestOfAll(roots)
	binary.LittleEndian.PutUint64(s.all[:], a)
	binary.LittleEndian.PutUint64(s.all[8:], b)
	return s
}

// record gives the exit state of a function with those slots; its entry state must be equal.
func (s *seen) record(values bool, slots []any) []byte {
	Begin(heapEvents, len(heapEvents)/2, values, 1<<40)
	Mark(0)
	start := Length()
	f := Enter(&heapPoints[0], slots...)
	middle := Length()
	f.Exit(slots...)
	events, full := End()
	if full {
		return nil
	}
	entry, exit := events[start:middle], events[middle+2:]
	_, n := binary.Uvarint(entry[1:])
	entry = entry[1+n:]
	if entry[0]&StateSite != 0 {
		entry = entry[:len(entry)-lineLength(entry)]
	}
	if !bytes.Equal(entry[1:], exit[1:]) {
		s.unstable = fmt.Sprintf("%q\n%q", entry, exit)
	}
	return bytes.Clone(exit)
}

// lineLength is how many bytes the line of the call takes at the end of a state.
func lineLength(state []byte) int {
	body := state[17:]
	length, n := binary.Uvarint(body)
	return len(body) - n - int(length)
}

var heapRoots = [][]reflect.Type{
	{reflect.TypeFor[hRoot]()},
	{reflect.TypeFor[hWhole](), reflect.TypeFor[*hPart](), reflect.TypeFor[[]int8]()},
	{reflect.TypeFor[hLoose]()},
	{reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[*any]()},
	{reflect.TypeFor[hKeyed](), reflect.TypeFor[map[any]any]()},
	{reflect.TypeFor[hLeft](), reflect.TypeFor[*hRight]()},
	{reflect.TypeFor[*hTree](), reflect.TypeFor[*hDouble](), reflect.TypeFor[*hList]()},
	{reflect.TypeFor[[]hWhole](), reflect.TypeFor[[]hPart](), reflect.TypeFor[[]*hPart]()},
	{reflect.TypeFor[[][]int8](), reflect.TypeFor[[]int8](), reflect.TypeFor[*int8]()},
	{reflect.TypeFor[hPair[*int]](), reflect.TypeFor[*hPair[hPair[int8]]](), reflect.TypeFor[[]hLocked]()},
	{reflect.TypeFor[chan *hPart](), reflect.TypeFor[[]chan any](), reflect.TypeFor[hScalars]()},
	{reflect.TypeFor[hByRef](), reflect.TypeFor[*hPart](), reflect.TypeFor[*int]()},
}

// heapFrom makes a heap and says how many roots it has.
func heapFrom(data []byte) (*heap, int) {
	c := newChoices(data)
	roots := heapRoots[c.below(len(heapRoots))]
	return newHeap(c, 2+c.below(30), walksInterior, walksByRef, roots...), len(roots)
}

// oracle counts what it saw.
type oracle struct{ same, different, unknown, truncated int }

// check compares two heaps as the runtime sees them with what the reference says.
func (o *oracle) check(t testing.TB, reason string, old, new *heap, n int) {
	t.Helper()
	oldRoots, newRoots := old.roots(n), new.roots(n)
	same, known := isomorphic(oldRoots, newRoots)
	if !known {
		o.unknown++
		return
	}
	was, is := look(oldRoots), look(newRoots)
	if was.unstable != "" || is.unstable != "" {
		t.Errorf("%s: two looks at the same state differ\n%s%s", reason, was.unstable, is.unstable)
	}
	if was.truncated || is.truncated {
		o.truncated++
		return
	}
	if same {
		o.same++
	} else {
		o.different++
	}
	if (was.digest == is.digest) != same {
		t.Errorf("%s: isomorphic %v, equal digests %v", reason, same, !same)
	}
	if (was.all == is.all) != same {
		t.Errorf("%s: isomorphic %v, DigestOfAll equal %v", reason, same, !same)
	}
	if was.events == nil || is.events == nil || !same && !showsChannels && len(old.chans) > 0 {
		return
	}
	if bytes.Equal(was.events[17:], is.events[17:]) != same {
		t.Errorf("%s: isomorphic %v, equal tokens %v\n%q\n%q", reason, same, !same, was.events, is.events)
	}
}

// tryHeap makes a heap from the bytes and holds a copy, changed copies and another heap to it.
func (o *oracle) tryHeap(t testing.TB, data []byte) {
	t.Helper()
	clear(buffers)
	h, n := heapFrom(data)
	copied := h.clone()
	if same, known := isomorphic(h.roots(n), copied.roots(n)); known && !same {
		t.Fatal("the generator's copy is not isomorphic")
	}
	o.check(t, "copy", h, copied, n)
	for i := range 3 {
		copied.mutate()
		o.check(t, fmt.Sprint("copy with changes: ", i+1), h, copied, n)
		o.check(t, fmt.Sprint("copy of the copy with changes: ", i+1), copied, copied.clone(), n)
	}
}

// heapSeed is the bytes of the i-th heap.
func heapSeed(i int) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15)
}

// TestHeaps tries heaps from numbers.
func TestHeaps(t *testing.T) {
	count := 1500
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		count = 300_000
	}
	o := &oracle{}
	for i := range count {
		o.tryHeap(t, heapSeed(i))
		if t.Failed() {
			t.Fatalf("heap %d", i)
		}
	}
	t.Logf("%+v", *o)
	if o.different < count/2 || o.same < count || o.unknown > count/50 || o.truncated > count/50 {
		t.Errorf("the heaps say too little: %+v", *o)
	}
}

// FuzzHeap tries heaps from bytes.
func FuzzHeap(f *testing.F) {
	for i := range 20 {
		f.Add(heapSeed(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) { (&oracle{}).tryHeap(t, data) })
}

// FuzzHeapPairs compares heaps that have nothing to do with each other, but for their types.
func FuzzHeapPairs(f *testing.F) {
	for i := range 20 {
		f.Add(heapSeed(i), heapSeed(i+1), byte(i), byte(i))
	}
	f.Fuzz(func(t *testing.T, old, new []byte, size, types byte) {
		(&oracle{}).tryPair(t, old, new, int(size%4), int(types))
	})
}

func (o *oracle) tryPair(t testing.TB, old, new []byte, size, types int) {
	clear(buffers)
	roots := heapRoots[types%len(heapRoots)]
	x := newHeap(newChoices(old), size, walksInterior, walksByRef, roots...)
	y := newHeap(newChoices(new), size, walksInterior, walksByRef, roots...)
	o.check(t, "unrelated heaps", x, y, len(roots))
}

// TestHeapPairs compares small heaps, some of which happen to be isomorphic.
func TestHeapPairs(t *testing.T) {
	count := 1500
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		count = 300_000
	}
	o := &oracle{}
	for i := range count {
		o.tryPair(t, heapSeed(i), heapSeed(-i-1), i%3, i/3)
		if t.Failed() {
			t.Fatalf("pair %d", i)
		}
	}
	t.Logf("%+v", *o)
	if o.same < count/100 || o.different < count/10 {
		t.Errorf("the pairs say too little: %+v", *o)
	}
}
