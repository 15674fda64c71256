package rt

// This file compares some types of the standard library by what they mean instead of by what they
// are made of: sync.Map as a map, atomic.Pointer as a pointer, reflect.Value as the value it stands
// for, a buffer as what it still holds. Where a release lays them out differently than the ones we
// know, they are opaque.

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A specialWalk linearises the value at p.
type specialWalk func(w *walker, n *node, p uintptr, key uint64)

// special makes the node of a type that is compared by its meaning. It says whether the type is one.
func (n *node) special(t reflect.Type) bool {
	if t.Kind() != reflect.Struct && t.Kind() != reflect.Slice || t.PkgPath() == "" {
		return false
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	switch t.PkgPath() + "." + name {
	case "sync/atomic.Pointer":
		return n.atomicPointer(t)
	case "sync.Map":
		n.walk = walkSyncMap
		n.opaqueUnless(syncMapIsKnown)
	case "reflect.Value":
		n.walk = walkReflected
		n.opaqueUnless(reflectedIsKnown)
	case "time.Time":
		n.walk = walkTime
		n.opaqueUnless(hasFields(t, "wall", "ext", "loc"))
	case "math/big.nat", "fmt.buffer":
		n.elem = compile(t.Elem())
		n.walk = walkWithoutNil
		n.opaqueUnless(true)
	default:
		return n.window(t)
	}
	return true
}

func (n *node) opaqueUnless(known bool) {
	n.op = opOpaque
	if known {
		n.op = opSpecial
	}
}

func hasFields(t reflect.Type, names ...string) bool {
	if t.Kind() != reflect.Struct || t.NumField() < len(names) {
		return false
	}
	for i, name := range names {
		if t.Field(i).Name != name {
			return false
		}
	}
	return true
}

// atomicPointer makes n a pointer. What it points to is the element of its first field's type.
func (n *node) atomicPointer(t reflect.Type) bool {
	first := t.Field(0).Type
	if first.Kind() != reflect.Array || first.Elem().Kind() != reflect.Pointer || t.Size() != unsafe.Sizeof(uintptr(0)) {
		n.op = opOpaque
		return true
	}
	n.op, n.typ = opPointer, first.Elem() // before its element, which may hold such pointers
	n.elem = compile(n.typ.Elem())
	return true
}

// walkWithoutNil walks a slice type of which nil and empty mean the same.
func walkWithoutNil(w *walker, n *node, p uintptr, key uint64) {
	s := (*sliceHeader)(at(p))
	if s.len == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	w.slice(n, s, key)
}

// hash trie maps: the offsets of what they are made of, in bytes.
const (
	trieChildren = 24 // of an inner node: after its kind, state, lock and parent
	trieWidth    = 16
	trieOverflow = 8 // of an entry: after its kind
	trieKey      = 16
	trieElem     = 32
)

var anyMap = &node{op: opMap}

// syncMapIsKnown says that a sync.Map is laid out as walkSyncMap expects.
var syncMapIsKnown = func() bool {
	t := reflect.TypeFor[sync.Map]()
	if _, ok := trieRoot(t); !ok {
		return false
	}
	var m sync.Map
	want := map[int]int{}
	for i := range 40 { // enough for inner nodes below the root
		m.Store(i, i<<8)
		want[i] = i << 8
	}
	off, _ := trieRoot(t)
	entries := trieEntries(nil, uintptr(unsafe.Pointer(&m))+off, 0)
	for _, e := range entries {
		key, isInt := (*(*any)(at(e.key))).(int)
		if elem, _ := (*(*any)(at(e.elem))).(int); !isInt || want[key] != elem {
			return false
		}
		delete(want, key)
	}
	return len(entries) == 40 && len(want) == 0
}()

// trieRoot is the offset of the pointer to the root in a sync.Map, if all is where we know it to be.
func trieRoot(t reflect.Type) (uintptr, bool) {
	m, ok := t.FieldByName("m")
	if !ok || m.Type.Kind() != reflect.Struct {
		return 0, false
	}
	root, ok := m.Type.FieldByName("root")
	if !ok || root.Type.Kind() != reflect.Struct || root.Type.NumField() == 0 || root.Type.Field(0).Type.Kind() != reflect.Array {
		return 0, false
	}
	inner := root.Type.Field(0).Type.Elem().Elem()
	if inner.Kind() != reflect.Struct {
		return 0, false
	}
	children, ok := inner.FieldByName("children")
	known := ok && children.Offset == trieChildren && children.Type.Kind() == reflect.Array && children.Type.Len() == trieWidth
	return m.Offset + root.Offset, known
}

// maxTrie is more levels than a hash has bits for.
const maxTrie = 20

// trieEntries adds the entries below the inner node to which the pointer at p points.
func trieEntries(entries []mapEntry, p uintptr, depth int) []mapEntry {
	inner := *(*uintptr)(at(p))
	if inner == 0 || depth > maxTrie {
		return entries
	}
	for i := range uintptr(trieWidth) {
		child := inner + trieChildren + i*8
		e := *(*uintptr)(at(child))
		switch {
		case e == 0:
		case *(*bool)(at(e)): // it is an entry
			for ; e != 0; e = *(*uintptr)(at(e + trieOverflow)) {
				entries = append(entries, mapEntry{key: e + trieKey, elem: e + trieElem})
			}
		default:
			entries = trieEntries(entries, child, depth+1)
		}
	}
	return entries
}

// walkSyncMap walks a sync.Map as the map[any]any that it is.
func walkSyncMap(w *walker, n *node, p uintptr, key uint64) {
	off, _ := trieRoot(n.typ)
	entries := trieEntries(nil, p+off, 0)
	if !w.fits(len(entries), 2*len(entries)) {
		w.cut(key)
		return
	}
	w.mix(key, uint64(len(entries))|wire.ValueMap<<40)
	if w.rough {
		return
	}
	w.marks.ids++
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueMap), uint64(w.marks.ids))
		w.out = wire.AppendUint(w.out, uint64(len(entries)))
	}
	anyMap.key, anyMap.elem = interfaceNode, interfaceNode
	for i := range entries {
		entries[i] = w.order(anyMap, entries[i].key, entries[i].elem)
	}
	slices.SortFunc(entries, compareEntries)
	w.separate(anyMap, entries)
	w.pairs(anyMap, entries)
}

// Flags of a reflect.Value.
const (
	reflectIndirect    = 1 << 7
	reflectAddressable = 1 << 8
	reflectMethod      = 1 << 9
	reflectMethodShift = 10 // to the method's number
)

// reflectedIsKnown says that a reflect.Value is a type, a pointer and flags as we know them.
var reflectedIsKnown = func() bool {
	if !hasFields(reflect.TypeFor[reflect.Value](), "typ_", "ptr", "flag") {
		return false
	}
	n, p := new(int), new(*int)
	for _, v := range []struct {
		value reflect.Value
		flags uintptr
	}{
		{reflect.ValueOf(*n), reflectIndirect},
		{reflect.ValueOf(n), 0},
		{reflect.ValueOf(n).Elem(), reflectIndirect | reflectAddressable},
		{reflect.ValueOf(p).Elem(), reflectIndirect | reflectAddressable},
		{reflect.ValueOf(reflect.ValueOf(n)).Method(0), reflectIndirect | reflectMethod},
	} {
		words := (*[3]uintptr)(unsafe.Pointer(&v.value))
		const all = reflectIndirect | reflectAddressable | reflectMethod
		if words[2]&all != v.flags || v.flags&reflectMethod == 0 && words[0] != descriptor(v.value.Type()) {
			return false
		}
	}
	return true
}()

// walkReflected walks what a reflect.Value stands for, as an interface would.
func walkReflected(w *walker, n *node, p uintptr, key uint64) {
	words := (*[3]uintptr)(at(p))
	typ, flags := words[0], words[2]
	if typ == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	dynamic := nodeAt(typ)
	name := dynamic.name
	w.mix(key, dynamic.hash|1)
	if flags&reflectMethod != 0 {
		method := flags >> reflectMethodShift
		w.mix(key, uint64(method))
		name += " method " + itoa(int(method))
	}
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueInterface), name)
	}
	if flags&reflectIndirect == 0 {
		w.push(dynamic, p+unsafe.Sizeof(uintptr(0)), 1)
		return
	}
	if flags&reflectAddressable != 0 && dynamic.size > 0 { // it stands for a variable
		if w.visit(words[1], dynamic, 0) {
			return
		}
		if w.values {
			w.out = wire.AppendUint(append(w.out, wire.ValuePointer), uint64(w.marks.ids))
		}
	}
	w.push(dynamic, words[1], 1) // on the stack: it may stand for another such value
}

// Parts of a time.Time: whether it has a reading of the monotonic clock, then with a shorter count
// of seconds, and what its counts begin at.
const (
	timeMonotonic = 1 << 63
	wallSeconds   = 59453308800 // from year 1 to 1885
	unixSeconds   = 62135596800 // from year 1 to 1970
)

// walkTime walks an instant and the name of its location. How an instant is kept depends on where
// it comes from, with or without a reading of the monotonic clock.
func walkTime(w *walker, n *node, p uintptr, key uint64) {
	wall, ext := *(*uint64)(at(p)), *(*int64)(at(p + 8))
	seconds, nanoseconds := ext, int64(wall&(1<<30-1))
	if wall&timeMonotonic != 0 {
		seconds = wallSeconds + int64(wall<<1>>31)
	}
	seconds -= unixSeconds
	name := "UTC"
	if location := *(*uintptr)(at(p + 16)); location != 0 {
		if name = *(*string)(at(location)); name == "" {
			name = "Local" // it is loaded when it is needed first
		}
	}
	w.mix(key, uint64(seconds))
	w.mix(0, uint64(nanoseconds))
	w.h = w.h.text(0, name)
	if w.values {
		w.out = wire.AppendUint(wire.AppendString(append(w.out, wire.ValueStruct), n.name), 3)
		w.out = wire.AppendInt(append(wire.AppendString(w.out, "unix"), wire.ValueInt), seconds)
		w.out = wire.AppendInt(append(wire.AppendString(w.out, "nanoseconds"), wire.ValueInt), nanoseconds)
		w.out = wire.AppendString(append(wire.AppendString(w.out, "location"), wire.ValueString), name)
	}
}

// A window says which part of a buffer's memory is its content.
type window struct {
	buffer, from, to string   // fields; "" = from its start, to its end
	others           []string // fields that are compared as they are
}

var windows = map[string]window{
	"bytes.Buffer": {"buf", "off", "", []string{"lastRead"}},
	"bufio.Reader": {"buf", "r", "w", []string{"rd", "err", "lastByte", "lastRuneSize"}},
	"bufio.Writer": {"buf", "", "n", []string{"wr", "err"}},
}

// window makes n a buffer, if t is one. The other fields are compiled as those of a struct.
func (n *node) window(t reflect.Type) bool {
	known, ok := windows[t.PkgPath()+"."+t.Name()]
	if !ok {
		return false
	}
	offsets := [3]uintptr{}
	for i, name := range []string{known.buffer, known.from, known.to} {
		if name == "" {
			continue
		}
		f, ok := t.FieldByName(name)
		if !ok || i == 0 && f.Type != reflect.TypeFor[[]byte]() || i > 0 && f.Type.Kind() != reflect.Int {
			n.op = opOpaque
			return true
		}
		offsets[i] = f.Offset
	}
	var rest []field
	for _, name := range known.others {
		if f, ok := t.FieldByName(name); ok {
			e := compile(f.Type)
			rest = append(rest, field{f.Offset, e, name, n.fieldKey(t, name, e)})
		}
	}
	n.op = opSpecial
	n.walk = func(w *walker, n *node, p uintptr, key uint64) {
		buffer := (*sliceHeader)(at(p + offsets[0]))
		from, to := 0, buffer.len
		if known.from != "" {
			from = *(*int)(at(p + offsets[1]))
		}
		if known.to != "" {
			to = *(*int)(at(p + offsets[2]))
		}
		w.buffer(n, p, key, rest, buffer, from, to)
	}
	return true
}

// buffer walks a buffer's content as a text, and then the fields beside it.
func (w *walker) buffer(n *node, p uintptr, key uint64, rest []field, buffer *sliceHeader, from, to int) {
	if from < 0 || to > buffer.len || from > to {
		from, to = 0, 0 // it is being changed by another goroutine
	}
	content := ""
	if from < to {
		content = unsafe.String((*byte)(at(buffer.p+uintptr(from))), to-from)
	}
	if w.values {
		w.out = wire.AppendUint(wire.AppendString(append(w.out, wire.ValueStruct), n.name), uint64(1+len(rest)))
		w.out = wire.AppendString(w.out, "content")
	}
	w.text(content, key)
	if len(rest) > 0 {
		w.stack = append(w.stack, task{node: &node{fields: rest, size: n.size}, p: p, field: 0})
	}
}
