package rt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// What the walk tells.
const (
	walksInterior = true  // pointers into the middle of values, slices that overlap
	walksGlobals  = true  // pointers to package variables, and into them
	walksByRef    = false // keys that only aliasing tells apart
	showsChannels = false // tokens have the length of a channel, and whether it is closed
)

var (
	heapPoints = make([]Point, 4)
	heapVars   = []Var{
		{Name: "heap.0", Ptr: new(int)}, {Name: "heap.1", Ptr: new(int)}, {Name: "heap.2", Ptr: new(int)},
	}
	heapEvents = make([]byte, 1<<20)
)

func init() { Register(Package{Path: "heap/oracle", Points: heapPoints, Vars: heapVars}) }

// configureHeaps makes the function of point n touch n package variables; point 0 is for parameters.
func configureHeaps(t testing.TB) {
	c := Config{Vars: []string{"heap.0", "heap.1", "heap.2"}}
	for n := 1; n < len(heapPoints); n++ {
		c.Points = append(c.Points, PointConfig{Package: "heap/oracle", Index: n, Vars: []int{0, 1, 2}[:n]})
	}
	Configure(c)
	t.Cleanup(func() { Configure(Config{}) })
}

// seen is all that the runtime records of a state.
type seen struct {
	truncated bool
	digests   [][]byte // in all ways to get them
	tokens    [][]byte // those that had room
	unstable  string   // what differs between two looks at the same state
}

// look records the state of the variables in all ways there are: as package variables, and where
// nothing points to them as parameters.
func look(h *heap, n int) (s seen) {
	roots := h.roots(n)
	slots := make([]any, len(roots))
	for i, v := range roots {
		slots[i] = v.Interface()
		heapVars[i].Ptr = slots[i]
	}
	s.add(&heapPoints[n], nil)
	if h.vars[0].shown {
		return s
	}
	s.add(&heapPoints[0], slots)
	a, b := DigestOfAll(roots)
	s.digests = append(s.digests, fmt.Appendf(nil, "%x %x", a, b))
	return s
}

func (s *seen) add(p *Point, slots []any) {
	digests := s.record(p, false, slots)
	s.truncated = s.truncated || digests[0]&wire.StateTruncated != 0
	s.digests = append(s.digests, digests[1:17])
	if tokens := s.record(p, true, slots); tokens != nil {
		s.tokens = append(s.tokens, tokens[17:])
	}
}

// record returns the exit state of a function with that point and those slots; its entry state must be equal.
func (s *seen) record(p *Point, values bool, slots []any) []byte {
	Begin(heapEvents, len(heapEvents)/2, values, 1<<40)
	Mark(0)
	start := Length()
	f := Enter(p, slots...)
	middle := Length()
	f.Exit(slots...)
	events, full := End()
	if full {
		return nil
	}
	entry, exit := events[start:middle], events[middle+2:]
	_, n := binary.Uvarint(entry[1:])
	entry = entry[1+n:]
	if entry[0]&wire.StateSite != 0 {
		entry = entry[:len(entry)-lineLength(entry)]
	}
	if !bytes.Equal(entry[1:], exit[1:]) {
		s.unstable = around(entry[1:], exit[1:])
	}
	return bytes.Clone(exit)
}

// around shows where two states begin to differ.
func around(old, new []byte) string {
	i := 0
	for i < min(len(old), len(new)) && old[i] == new[i] {
		i++
	}
	first := max(0, i-150)
	return fmt.Sprintf("at byte %d, after %q:\n%q\n%q",
		i, old[first:i], old[i:min(len(old), i+100)], new[i:min(len(new), i+100)])
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
	{reflect.TypeFor[*int8](), reflect.TypeFor[[]hSmall](), reflect.TypeFor[*hSmall]()},
	{reflect.TypeFor[hSmall](), reflect.TypeFor[[]*int8](), reflect.TypeFor[[][]int8]()},
	{reflect.TypeFor[*hTree](), reflect.TypeFor[*hDouble](), reflect.TypeFor[*hList]()},
	{reflect.TypeFor[[]hWhole](), reflect.TypeFor[[]hPart](), reflect.TypeFor[[]*hPart]()},
	{reflect.TypeFor[[][]int8](), reflect.TypeFor[[]int8](), reflect.TypeFor[*int8]()},
	{reflect.TypeFor[hPair[*int]](), reflect.TypeFor[*hPair[hPair[int8]]](), reflect.TypeFor[[]hLocked]()},
	{reflect.TypeFor[chan *hPart](), reflect.TypeFor[[]chan any](), reflect.TypeFor[hScalars]()},
	{reflect.TypeFor[hByRef](), reflect.TypeFor[*hPart](), reflect.TypeFor[*int]()},
}

// heapFrom makes a heap. It returns how many roots it has, too.
func heapFrom(data []byte) (*heap, int) {
	c := newChoices(data)
	roots := heapRoots[c.below(len(heapRoots))]
	return newHeap(c, 2+c.below(30), walksInterior, walksGlobals && c.often(5), walksByRef, roots...), len(roots)
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
	was, is := look(old, n), look(new, n)
	if unstable := was.unstable + is.unstable; unstable != "" {
		t.Fatalf("%s: two looks at the same state differ %s", reason, unstable)
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
	for i := range was.digests {
		if bytes.Equal(was.digests[i], is.digests[i]) != same {
			t.Fatalf("%s: isomorphic %v, equal digests %v (way %d)", reason, same, !same, i)
		}
	}
	if !same && !showsChannels && len(old.chans) > 0 {
		return
	}
	for i := range min(len(was.tokens), len(is.tokens)) {
		if bytes.Equal(was.tokens[i], is.tokens[i]) != same {
			t.Fatalf("%s: isomorphic %v, equal tokens %v (way %d)\n%s",
				reason, same, !same, i, around(was.tokens[i], is.tokens[i]))
		}
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
	o.check(t, fmt.Sprintf("heap %x: copy", data), h, copied, n)
	for i := range 3 {
		copied.mutate()
		o.check(t, fmt.Sprintf("heap %x: copy with changes: %d", data, i+1), h, copied, n)
		o.check(t, fmt.Sprintf("heap %x: copy of the copy with changes: %d", data, i+1), copied, copied.clone(), n)
	}
}

// heapSeed is the bytes of the i-th heap.
func heapSeed(i int) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15)
}

// TestHeaps tries heaps from numbers.
func TestHeaps(t *testing.T) {
	configureHeaps(t)
	count := 1000
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		count = 300_000
	}
	o := &oracle{}
	for i := range count {
		o.tryHeap(t, heapSeed(i))
	}
	t.Logf("%+v", *o)
	if o.different < count/2 || o.same < count || o.unknown > count/50 || o.truncated > count/50 {
		t.Errorf("the heaps say too little: %+v", *o)
	}
}

// FuzzHeap tries heaps from bytes.
func FuzzHeap(f *testing.F) {
	configureHeaps(f)
	for i := range 20 {
		f.Add(heapSeed(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) { (&oracle{}).tryHeap(t, data) })
}

// FuzzHeapPairs compares heaps that have nothing to do with each other, but for their types.
func FuzzHeapPairs(f *testing.F) {
	configureHeaps(f)
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
	globals := walksGlobals && size%2 == 1
	x := newHeap(newChoices(old), size, walksInterior, globals, walksByRef, roots...)
	y := newHeap(newChoices(new), size, walksInterior, globals, walksByRef, roots...)
	o.check(t, fmt.Sprintf("unrelated heaps %x %x %d %d", old, new, size, types), x, y, len(roots))
}

// TestHeapPairs compares small heaps, some of which happen to be isomorphic.
func TestHeapPairs(t *testing.T) {
	configureHeaps(t)
	count := 2000
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		count = 300_000
	}
	o := &oracle{}
	for i := range count {
		o.tryPair(t, heapSeed(i), heapSeed(-i-1), i%3, i/3)
	}
	t.Logf("%+v", *o)
	if o.same < count/100 || o.different < count/10 {
		t.Errorf("the pairs say too little: %+v", *o)
	}
}
