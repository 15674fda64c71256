package rt

// This file has a program of tests note the calls that it makes of some functions: their arguments, and which earlier
// calls made these. The notes lie in memory that outlives the process. What is noted depends on counts alone.

import (
	"reflect"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// Limits of what is noted.
const (
	looksPerNote = 20       // calls of a function by one goroutine that are looked at, for each that may be noted
	share        = 4        // the part of a function's notes that one goroutine gets: a test has one of its own
	innerShare   = 10       // the part of them that calls from other functions of the module get
	noteNodes    = 5000     // of one value
	noteBytes    = 64 << 10 // likewise
)

// Under each seed the clock starts at another second, so that no date is the same in two runs. It goes as fast as the
// machine's.
const (
	clockBase = 946684800 // 2000-01-01
	clockStep = 400*24*3600 + 5*3600 + 7*60 + 13
)

// A watch says which calls of a point's function are noted.
type watch struct {
	function uint32 // its number in the order; 0: its calls are not noted
	left     int    // calls that are still noted
	inner    int    // of them those from other functions of the module
}

// A turn is a goroutine's calls of a function.
type turn struct {
	goroutine uint64
	function  uint32
}

// spent is what was looked at and noted of a turn.
type spent struct{ looks, notes int }

// callNotes are the notes of a program.
type callNotes struct {
	on        bool
	memory    []byte
	used      int // bytes
	each      int
	functions map[string][]uint64 // indexes of points by package, in the order's sequence
	first     map[string]uint32   // number of a package's first function
	calls     map[string]uint32   // by their notes
	firsts    [][2]uint64         // digests of their first arguments
	made      map[object]origin
	open      map[uint64]int // executions of instrumented functions, by goroutine
	spent     map[turn]spent
	part      []byte // the note that is being made
}

var notes callNotes

// An object is what a pointer points to. No memory is used again for another one as long as no garbage is collected.
type object struct{ typ, address uintptr }

// An origin is where an object is from: a call, and its result or argument.
type origin struct {
	call  uint32
	place uint64
}

func init() {
	text, ok := syscall.Getenv(wire.CallsVariable)
	if !ok {
		return
	}
	_ = syscall.Unsetenv(wire.CallsVariable)
	descriptor := 0
	for _, c := range []byte(text) {
		descriptor = descriptor*10 + int(c-'0')
	}
	var stat syscall.Stat_t
	if syscall.Fstat(descriptor, &stat) != nil {
		return
	}
	memory, err := syscall.Mmap(
		descriptor, 0, int(stat.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	_ = syscall.Close(descriptor)
	if err == nil {
		notes.start(memory)
	}
}

// start reads the order and begins.
func (n *callNotes) start(memory []byte) {
	head := wire.NewReader(memory[wire.CallsOrder:])
	r := wire.NewReader(append([]byte(nil), memory[wire.CallsHead:wire.CallsHead+head.Word()]...))
	folder, budget := r.Text(), r.Uint()
	*n = callNotes{
		memory: memory, each: int(r.Uint()), functions: map[string][]uint64{}, first: map[string]uint32{},
		calls: map[string]uint32{}, made: map[object]origin{}, open: map[uint64]int{}, spent: map[turn]spent{},
	}
	function := uint32(1)
	for range r.Items() {
		path := r.Text()
		n.first[path], n.functions[path] = function, r.Numbers()
		function += uint32(len(n.functions[path]))
	}
	if r.Err() != nil || syscall.Chdir(folder) != nil {
		return
	}
	startClock(clockBase + int64(Seed)*clockStep)
	Configure(Config{Nodes: noteNodes})
	recorder.full = true // there are no events
	SetSteps(int64(budget), func() { syscall.Exit(wire.StatusFresh) })
	n.on, On = true, true
}

// register notes from now on the calls of the package's functions that are in the order.
func (n *callNotes) register(p Package) {
	for i, index := range n.functions[p.Path] {
		if index < uint64(len(p.Points)) {
			p.Points[index].watch = watch{n.first[p.Path] + uint32(i), n.each, n.each / innerShare}
		}
	}
}

// enter notes a call, unless it is like one that is noted already. The frame has the number of the note.
func (n *callNotes) enter(p *Point, slots []any) Frame {
	f := Frame{point: p, in: uint16(len(slots))}
	t := turn{goid(), p.watch.function}
	inner := n.open[t.goroutine] > 0
	n.open[t.goroutine]++
	s := n.spent[t]
	if p.watch.left == 0 || inner && p.watch.inner == 0 || s.notes*share >= n.each || s.looks >= n.each*looksPerNote {
		return f
	}
	s.looks++
	reserve()
	digest := n.call(t.function, hide(slots))
	runtime.KeepAlive(unsafe.SliceData(slots)) // a walk holds numbers, which keep nothing alive
	if f.run = n.calls[string(n.part)]; f.run == 0 && n.write() {
		p.watch.left--
		if s.notes++; inner {
			p.watch.inner--
		}
		n.firsts = append(n.firsts, digest)
		f.run = uint32(len(n.firsts))
		n.calls[string(n.part)] = f.run
	}
	n.spent[t] = s
	return f
}

// call makes the note of a call, and returns the digest of its first argument.
func (n *callNotes) call(function uint32, slots []memory.Interface) (first [2]uint64) {
	n.part = wire.AppendUint(append(n.part[:0], wire.NoteCall), uint64(function))
	n.part = wire.AppendUint(n.part, uint64(len(slots)))
	for i, slot := range slots {
		from := origin{}
		if o, ok := objectIn(slot); ok {
			from = n.made[o]
		}
		n.part = wire.AppendUint(wire.AppendUint(n.part, uint64(from.call)), from.place)
		if digest := n.value(slot); i == 0 {
			first = digest
		}
	}
	return first
}

// exit notes what a noted call returned.
func (n *callNotes) exit(f *Frame, slots []any) {
	goroutine := goid()
	if n.open[goroutine]--; n.open[goroutine] == 0 {
		delete(n.open, goroutine)
	}
	if f.run == 0 {
		return
	}
	how, _ := leaving(noescape(unsafe.Pointer(f)))
	if how != wire.ExitReturn {
		return
	}
	r := &recorder
	r.lock()
	reserve()
	n.returned(f, hide(slots))
	runtime.KeepAlive(unsafe.SliceData(slots))
	r.unlock()
}

// returned notes results, and what objects the call is the origin of.
func (n *callNotes) returned(f *Frame, slots []memory.Interface) {
	results := slots[min(int(f.in), len(slots)):]
	n.part = wire.AppendUint(append(n.part[:0], wire.NoteResults), uint64(f.run))
	n.part = wire.AppendUint(n.part, uint64(len(results)))
	for _, slot := range results {
		n.value(slot)
	}
	if len(results) > 0 {
		n.write()
	}
	if f.in > 0 {
		n.changed(f, slots[0])
	}
	for i, slot := range results {
		if o, ok := objectIn(slot); ok {
			n.made[o] = origin{f.run, uint64(i)}
		}
	}
}

// changed has the call be the origin of its first argument, if that is an object that another call made and this one
// changed.
func (n *callNotes) changed(f *Frame, slot memory.Interface) {
	o, ok := objectIn(slot)
	if from := n.made[o]; !ok || from.call == 0 {
		return
	}
	n.part = n.part[:0] // what it was is written
	if digest := n.value(slot); digest != [2]uint64{} && digest != n.firsts[f.run-1] {
		n.made[o] = origin{f.run, wire.OriginArgument}
	}
}

// value adds a value to the note, and returns its digest; zeros and no value if it is too large.
func (n *callNotes) value(slot memory.Interface) (digest [2]uint64) {
	w := &recorder.walk
	w.Reset(true)
	w.Slot(0, slot)
	tokens := w.Tokens()
	if digest[0], digest[1] = w.Hash().Sum(); w.Truncated() || len(tokens) > noteBytes {
		tokens, digest = nil, [2]uint64{}
	}
	n.part = append(wire.AppendUint(n.part, uint64(len(tokens))), tokens...)
	return digest
}

// write adds the note that was made to the others. It reports whether there is room.
func (n *callNotes) write() bool {
	at := wire.CallsHead + n.used
	if len(n.part) > len(n.memory)-at {
		return false
	}
	copy(n.memory[at:], n.part)
	n.used += len(n.part)
	wire.AppendWord(n.memory[wire.CallsNoted:wire.CallsNoted], uint64(n.used))
	return true
}

// objectIn returns the object that a slot holds a pointer to.
func objectIn(slot memory.Interface) (o object, ok bool) {
	t, p := memory.TypeAt(slot.Type).Elem(), memory.At(slot.Data)
	switch t.Kind() {
	case reflect.Pointer:
		o = object{memory.Descriptor(t), *(*uintptr)(p)}
	case reflect.Interface:
		if v := reflect.NewAt(t, p).Elem().Elem(); v.Kind() == reflect.Pointer {
			o = object{memory.Descriptor(v.Type()), v.Pointer()}
		}
	}
	return o, o.address != 0
}
