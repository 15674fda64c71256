package rt

//lint:file-ignore U1000 fields are filled and read by reflection

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

type hEmpty struct{}

type hNothing struct {
	_ [0]func()
	e hEmpty
}

type hScalars struct {
	B   bool
	i8  int8
	U16 uint16
	_   int32 // never compared
	f32 float32
	F   float64
	c   complex64
	S   string
	at  uintptr
}

type hList struct {
	Value int8
	next  *hList
}

type hDouble struct {
	prev, next *hDouble
	v          string
	list       *hList
}

type hTree struct {
	parent, left, right *hTree
	Key                 int
	data                any
}

// hPart is embedded and contained; pointers into it are pointers into the middle of others.
type hPart struct {
	A, b int
	name *string
	z    hEmpty
}

func (p *hPart) String() string { return "part" }

type hName string

func (n hName) String() string { return string(n) }

type hWhole struct {
	z    hEmpty
	head hPart
	hPart
	Parts [3]hPart
	first *int
	whole *hPart
	mid   *[3]hPart
	owner *hWhole
	ints  [4]int8
	few   []int8
	zero  *hEmpty
}

type hLeft struct {
	right *hRight
	n     int8
}

type hRight struct {
	Left  *hLeft
	lefts []hLeft
	keys  map[int8]*hRight
}

type hPair[T any] struct {
	First  T
	second *T
	rest   []T
}

type hKey struct {
	s string
	n int8
}

type hTiny struct{ X, Y int8 }

// hSmall has many parts in a few words.
type hSmall struct {
	First int8
	in    hTiny
	list  [3]hTiny
	bytes [5]int8
	twos  [3][2]int8
	at    *int8
	tiny  *hTiny
	some  []hTiny
	small *hSmall
	few   []int8
	arr   *[2]int8
	last  hTiny
}

type hLocked struct {
	mu   sync.Mutex
	lock *sync.Mutex
	n    int8
	p    unsafe.Pointer
}

type hKeyed struct {
	ints    map[int]int
	Texts   map[string]*hPart
	structs map[hKey]hPart
	anys    map[any]any
	floats  map[float64]int8
	arrays  map[[2]bool][]int8
	Stringy map[hKey]fmt.Stringer
	nested  map[string]map[string]*int
}

// hByRef has keys that have no order of their own.
type hByRef struct {
	pointers map[*int]string
	Parts    map[*hPart]*hPart
	lists    map[*hList]bool
	pairs    map[[2]*int8]int8
	chans    map[chan int]int8
}

type (
	hSelf    []hSelf
	hForever *hForever
	hDeep    map[string]hDeep
	hFunc    func() *hTree
	hBytes   []byte
	hGrid    [2][3]int8
)

type hLoose struct {
	Any   any
	word  fmt.Stringer
	box   *any
	err   error
	f     func()
	Bytes hBytes
	ints  []int
	Lines []string
	grid  *hGrid
	rows  [][]int8
	cells []*int8
	anys  []any
	self  hSelf
	loop  hForever
	deep  hDeep
	ptr   **int
	slot  *[]int8
	table *map[string]int8
	chInt chan int
	ChPtr chan *hPart
	chAny chan any
	nils  []hEmpty
}

// hRoot reaches everything.
type hRoot struct {
	Scalars hScalars
	List    *hList
	double  *hDouble
	Tree    *hTree
	Whole   hWhole
	wholes  []hWhole
	part    *hPart
	parts   []*hPart
	left    hLeft
	right   *hRight
	pairI   hPair[int8]
	pairS   *hPair[string]
	pairA   hPair[any]
	pairP   *hPair[*hPart]
	pairH   *hPair[hPair[int8]]
	keyed   hKeyed
	locked  *hLocked
	Loose   hLoose
	again   *hLoose
	nothing []*hNothing
	root    *hRoot
	byte    *byte
	i8      *int8
	i       *int
	s       *string
	bools   []bool
	floats  []float64
	texts   []hName
}

// Types that interfaces may hold.
var hDynamic = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[string](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[complex128](), reflect.TypeFor[hName](),
	reflect.TypeFor[*int](), reflect.TypeFor[*string](), reflect.TypeFor[*any](), reflect.TypeFor[**int](),
	reflect.TypeFor[hPart](), reflect.TypeFor[*hPart](), reflect.TypeFor[hKey](), reflect.TypeFor[hLeft](),
	reflect.TypeFor[*hList](), reflect.TypeFor[*hDouble](), reflect.TypeFor[*hTree](), reflect.TypeFor[*hWhole](),
	reflect.TypeFor[[]int](), reflect.TypeFor[[]any](), reflect.TypeFor[[]*hPart](), reflect.TypeFor[[2]*int](),
	reflect.TypeFor[map[string]int](), reflect.TypeFor[map[int8]any](), reflect.TypeFor[hPair[int]](),
	reflect.TypeFor[hPair[hPair[string]]](), reflect.TypeFor[*hEmpty](), reflect.TypeFor[hEmpty](),
	reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[hSelf](), reflect.TypeFor[*hPair[*int]](),
	reflect.TypeFor[[1]*int](), reflect.TypeFor[struct{ P *int8 }](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[0]int](),
}

// Types that keys of interface type may hold: with an order that does not depend on addresses.
var hKeyDynamic = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[string](), reflect.TypeFor[hKey](),
	reflect.TypeFor[bool](), reflect.TypeFor[hEmpty](), reflect.TypeFor[[2]int8](),
}

var hStringers = []reflect.Type{reflect.TypeFor[*hPart](), reflect.TypeFor[hName]()}

func hTwice() {}

func hOnce() {}

// captured returns literals that differ in what they captured only.
func captured(n int) func() { return func() { _ = n } }

var hFuncs = []func(){hOnce, hTwice, captured(1), captured(2), nil}
