package state

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// An op is the kind of work that a walk does at a node.
type op uint8

const (
	opSkip op = iota // nothing of it is compared: functions' code addresses, uintptr, unsafe.Pointer
	opBool
	opInt
	opUint
	opFloat
	opComplex
	opString
	opPointer
	opSlice
	opArray
	opStruct
	opMap
	opInterface
	opFunc
	opChan
	opOpaque
	opType     // a *reflect.rtype: shown by its name
	opObserver // what a method returns
	opSpecial  // by its meaning, see special.go
)

// A node is a compiled type.
type node struct {
	op     op
	load   load // how to read it, if it is one word in the digest
	direct bool // an interface holds the value itself, not a pointer to it
	flat   bool // an integer, a bool or an array of them: its memory decides. See compileStruct
	plain  bool // without nodes inside: numbers, texts, and structs and arrays of them
	linked bool // a struct of whole words and a pointer to its like
	unique bool // as a map's key: what differs has different content
	eface  bool // an interface type without methods
	size   uintptr
	slots  uintptr // of eight bytes; too many for a claim if the size is not so many
	len    int
	elem   *node
	key    *node
	fields []field // first those that are one word
	words  int     // how many these are
	whole  []word  // those of them that are eight bytes
	first  word
	next   field // of a struct of words and, beside them, a pointer: that pointer
	name   string
	hash   uint64 // of name
	number mark   // of the type among those met
	typ    reflect.Type

	observer *boundObserver
	walk     specialWalk // of a special type
}

// A word is a field of eight bytes that is one word.
type word struct {
	off  uintptr
	hash uint64
}

type field struct {
	off  uintptr
	node *node
	name string
	hash uint64
}

// nodes caches the compiled types by the address of their descriptor, numbered lists them.
var (
	nodes    map[uintptr]*node
	numbered []*node
)

var (
	interfaceNode *node
	typeOfAny     = reflect.TypeFor[any]()
)

func init() { Configure(Config{}) }

// A Config says how much of a state is walked, and who calls observers.
type Config struct {
	Nodes int  // budget of nodes of one walk; 0 = enough for all but the largest states
	Host  Host // without one, nothing is observed
}

// limits are the limits of the configuration.
var limits Config

// Configure replaces the configuration. Types are compiled anew, with the names that package names has then.
func Configure(c Config) {
	limits = c
	if c.Nodes == 0 {
		limits.Nodes = defaultNodes
	}
	nodes, numbered = map[uintptr]*node{}, nil
	symbols = map[uintptr]symbol{}
	switch {
	case recent == nil:
		recent = (*[recentSize]lately)(memory.Pages(unsafe.Sizeof(*recent)))
	case met: // else all of it would be touched
		clear(recent[:])
		met = false
	}
	interfaceNode = compile(typeOfAny)
}

// recent finds the nodes of the types met last without a map. The collector does not look into it: it would touch all
// of it, and nodes holds the nodes.
var recent *[recentSize]lately

type lately struct {
	typ  uintptr
	node *node
}

var met bool // something is in recent

// Descriptors lie far apart, so most of the table is never touched.
const recentSize = 1 << 16

// nodeAt returns the node of the type with that descriptor.
func nodeAt(p uintptr) *node {
	if e := &recent[p%recentSize]; e.typ == p {
		return e.node
	}
	return nodeOf(p)
}

// nodeOf finds nodes that nodeAt doesn't have at hand.
//
//go:noinline
func nodeOf(p uintptr) *node {
	e := &recent[p%recentSize]
	e.typ, e.node, met = p, compile(memory.TypeAt(p)), true
	return e.node
}

// compile makes the node of a type. Recursive types refer to the node under construction.
func compile(t reflect.Type) *node {
	p := memory.Descriptor(t)
	if n, ok := nodes[p]; ok {
		return n
	}
	n := &node{size: t.Size(), name: names.Type(t), typ: t, direct: isDirect(t)}
	n.hash = digest.OfName(n.name)
	n.number = mark(len(numbered))
	n.slots = n.size >> 3
	if n.size&7 != 0 {
		n.slots = chunkSlots + 1
	}
	nodes[p] = n
	numbered = append(numbered, n)
	switch {
	case t == rtypePointer || n.name == "*internal/abi.Type":
		n.op = opType
	case names.Opaque(n.name):
		n.op = opOpaque
	case n.special(t):
	case t.Kind() != reflect.Struct && observable(n):
		n.compileObserved(t)
	default:
		n.compileKind(t)
	}
	return n
}

func (n *node) compileKind(t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		n.scalar(opBool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.scalar(opInt)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.scalar(opUint)
	case reflect.Float32, reflect.Float64:
		n.scalar(opFloat)
	case reflect.Complex64, reflect.Complex128:
		n.op, n.plain = opComplex, true
	case reflect.String:
		n.op, n.unique, n.plain = opString, true, true
	case reflect.Pointer:
		n.op = opPointer // before its element, which may hold such pointers
		n.elem = compile(t.Elem())
	case reflect.Slice:
		n.op, n.elem = opSlice, compile(t.Elem())
	case reflect.Array:
		n.op, n.elem, n.len = opArray, compile(t.Elem()), t.Len()
		n.flat, n.unique, n.plain = n.elem.flat, n.elem.unique, n.elem.plain
	case reflect.Struct:
		n.op = opStruct
		n.compileStruct(t)
	case reflect.Map:
		n.op, n.key, n.elem = opMap, compile(t.Key()), compile(t.Elem())
	case reflect.Interface:
		n.op, n.eface = opInterface, t.NumMethod() == 0
	case reflect.Func:
		n.op = opFunc
	case reflect.Chan:
		n.op, n.elem = opChan, compile(t.Elem())
	}
}

// scalar makes n a value of one word.
func (n *node) scalar(o op) {
	n.op, n.load = o, loadOf(o, n.size)
	n.flat, n.unique, n.plain = o != opFloat, o != opFloat, true // NaNs are not equal
}

// compileStruct lists the compared fields, words first, by name, so that their order in the source is no
// difference. Blank fields are never compared. A struct is never flat, as that of the other version may have more
// fields.
func (n *node) compileStruct(t reflect.Type) {
	n.unique, n.plain = true, true
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		if !names.Compared(n.name, f.Name) {
			n.unique = false
			continue
		}
		e, name := compile(f.Type), names.Field(n.name, f.Name)
		n.fields = append(n.fields, field{f.Offset, e, name, n.fieldKey(t, name, e)})
		n.unique, n.plain = n.unique && e.unique, n.plain && e.plain
	}
	n.addObservers(t)
	slices.SortStableFunc(n.fields, func(one, other field) int {
		return cmp.Or(cmp.Compare(one.node.rank(), other.node.rank()), cmp.Compare(one.name, other.name))
	})
	for _, f := range n.fields {
		if f.node.load == loadNone {
			break
		}
		n.words++
		if f.node.load == loadWord {
			n.whole = append(n.whole, word{f.off, f.hash})
		}
	}
	if len(n.fields) == n.words+1 && n.fields[n.words].node.op == opPointer {
		n.next = n.fields[n.words]
	}
	if n.next.node != nil && n.words > 0 && n.words == len(n.whole) {
		n.first = n.whole[0]
		n.linked = n.next.node.typ.Elem() == t // its elem may be under construction
	}
}

// rank orders fields by the cost of walking them: a read, a read and a conversion, more. Maps whose keys are places
// come last, because by then the walk of the other fields has numbered these places.
func (n *node) rank() int {
	switch {
	case n.load == loadWord:
		return 0
	case n.load != loadNone:
		return 1
	case n.op == opMap && !n.key.plain:
		return 3
	}
	return 2
}

// fieldKey returns what distinguishes a field's value in a digest from those of other types' fields, and from what
// stands for a pointer that is not followed. An unnamed type adds nothing to the field's name, as the other version
// need not have that type.
func (n *node) fieldKey(t reflect.Type, name string, f *node) uint64 {
	if t.Name() != "" {
		name = n.name + "." + name
	}
	key := digest.OfName(name)
	if f.load == loadNone {
		key = ^key
	}
	return key
}

var rtypePointer = reflect.TypeOf(reflect.TypeFor[int]())

// isDirect reports whether an interface keeps a value of the type in its data word. Releases differ in that, so the one
// at hand is asked: the word of a zero value is an address, unless it is the value.
func isDirect(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || t.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	zero := reflect.Zero(t).Interface()
	return (*memory.Interface)(unsafe.Pointer(&zero)).Data == 0
}
