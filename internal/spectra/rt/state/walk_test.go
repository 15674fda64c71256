package state

import (
	"errors"
	"math"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

type link struct {
	next  *link
	value int
}

type pair struct{ x, y *int }

type shape struct {
	Name string
	size int
	_    int
	mu   sync.Mutex
}

func hashed(v any) digest.Hash {
	p := reflect.New(reflect.TypeOf(&v).Elem())
	p.Elem().Set(reflect.ValueOf(v))
	a, b, _ := shared.Value(p)
	return digest.Hash{A: a, B: b}
}

func ring(values ...int) *link {
	first := &link{value: values[0]}
	last := first
	for _, v := range values[1:] {
		last.next = &link{value: v}
		last = last.next
	}
	last.next = first
	return first
}

func one(n int) *int { return &n }

func buffered(values ...int) chan int {
	c := make(chan int, 8)
	for _, v := range values {
		c <- v
	}
	return c
}

// TestDigest compares pairs of states.
func TestDigest(t *testing.T) {
	shared := one(1)
	backing := []int{1, 2, 3}
	var nilMap map[string]int
	var nilSlice []int
	locked := &shape{Name: "a"}
	locked.mu.Lock()
	big := map[int]string{}
	reversed := map[int]string{}
	for i := range 100 {
		big[i] = strings.Repeat("x", i)
		reversed[99-i] = strings.Repeat("x", 99-i)
	}
	tests := []struct {
		reason   string
		old, new any
		same     bool
	}{
		{"equal scalars", 7, 7, true},
		{"other scalar", 7, 8, false},
		{"other type with the same bits", int64(7), uint64(7), false},
		{"addresses don't count", one(3), one(3), true},
		{"one node or two with equal content", pair{shared, shared}, pair{one(1), one(1)}, false},
		{"the same sharing elsewhere", pair{shared, shared}, func() pair { p := one(1); return pair{p, p} }(), true},
		{"equal rings", ring(1, 2, 3), ring(1, 2, 3), true},
		{"ring of another length", ring(1, 2, 3), ring(1, 2, 3, 1, 2, 3), false},
		{"nil and empty map", nilMap, map[string]int{}, false},
		{"nil and empty slice", nilSlice, []int{}, false},
		{"capacity doesn't count", append(make([]int, 0, 1), 1), append(make([]int, 0, 9), 1), true},
		{"what is beyond the length doesn't count", backing[:2], []int{1, 2}, true},
		{"slices that share memory", [][]int{backing, backing}, [][]int{{1, 2, 3}, {1, 2, 3}}, false},
		{"map order doesn't count", big, reversed, true},
		{"map with another value", map[string]int{"a": 1}, map[string]int{"a": 2}, false},
		{
			"map with keys that are pointers",
			map[*int]string{one(1): "a", one(2): "b"}, map[*int]string{one(2): "b", one(1): "a"}, true,
		},
		{"map with keys of interface type", map[any]int{"a": 1, 2: 2, 3.5: 3}, map[any]int{3.5: 3, 2: 2, "a": 1}, true},
		{"one NaN", math.NaN(), math.Float64frombits(math.Float64bits(math.NaN()) ^ 1), true},
		{"zeros of both signs", 0.0, math.Copysign(0, -1), false},
		{"float32", float32(1.5), float32(1.5), true},
		{"complex parts in order", complex(1, 2), complex(2, 1), false},
		{"locks are opaque", &shape{Name: "a"}, locked, true},
		{"unexported fields count", shape{size: 1}, shape{size: 2}, false},
		{"texts of errors", errors.New("a"), errors.New("b"), false},
		{"equal errors", errors.New("a"), errors.New("a"), true},
		{"dynamic types count", any(int32(1)), any(rune(1)), true},
		{"dynamic types differ", []any{int32(1)}, []any{int64(1)}, false},
		{"typed nil is not nil", []any{(*int)(nil)}, []any{nil}, false},
		{"functions by symbol", strings.ToUpper, strings.ToLower, false},
		{"the same function", strings.ToUpper, strings.ToUpper, true},
		{"regular expressions by their text", regexp.MustCompile("a+"), regexp.MustCompile("a+"), true},
		{"another regular expression", regexp.MustCompile("a+"), regexp.MustCompile("a*"), false},
		{"equal times", time.Unix(1, 2), time.Unix(1, 2), true},
		{"other times", time.Unix(1, 2), time.Unix(1, 3), false},
		{"channel lengths", buffered(1), buffered(), false},
		{"reflect types", reflect.TypeFor[int](), reflect.TypeFor[string](), false},
		{"pointers to zero-size values", []*struct{}{{}, {}}, []*struct{}{{}, {}}, true},
		{"arrays by content", [3]int{1, 2, 3}, [3]int{1, 2, 4}, false},
		{"long text", strings.Repeat("a", 1000), strings.Repeat("a", 999) + "b", false},
		{"bytes", []byte("hello, world"), []byte("hello, worle"), false},
		{"where one value ends and the next begins", []string{"ab", "c"}, []string{"a", "bc"}, false},
	}
	for _, test := range tests {
		if got := hashed(test.old) == hashed(test.new); got != test.same {
			t.Errorf("%s: equal digests: %v, want %v", test.reason, got, test.same)
		}
	}
}

// TestDepth walks what a recursive walk could not.
func TestDepth(t *testing.T) {
	var first *link
	for i := range 300_000 {
		first = &link{first, i}
	}
	if once, again := hashed(first), hashed(first); once != again {
		t.Error("a long list differs from itself")
	}
	if hashed(first) == hashed(first.next) {
		t.Error("a list of another length has the same digest")
	}
}

// TestMappedMemory walks a pointer to an array that is larger than its memory, as programs make them of mapped files.
func TestMappedMemory(t *testing.T) {
	type mapped struct {
		data  *[1 << 40]byte
		Pages int
	}
	data := (*[1 << 40]byte)(unsafe.Pointer(new([64]byte)))
	if hashed(&mapped{data, 1}) == hashed(&mapped{data, 2}) {
		t.Error("what lies behind the pointer is not compared")
	}
	if hashed(&mapped{data, 1}) == hashed(&mapped{nil, 1}) {
		t.Error("no memory is the same as some")
	}
}

// TestTruncation shows that a budget ends a walk with a mark.
func TestTruncation(t *testing.T) {
	configure(100, names.Config{})
	defer configure(0, names.Config{})
	w := &Walker{}
	list := make([]*int, 200)
	for i := range list {
		list[i] = one(i)
	}
	v := reflect.ValueOf(&list)
	w.Reset(false)
	w.walk(compile(v.Type().Elem()), v.Pointer(), 0)
	if !w.truncated {
		t.Error("a walk beyond its budget is not marked")
	}
}

type projected struct{ Kept, Left int }

// TestProjection shows that a field that one version lacks is no difference.
func TestProjection(t *testing.T) {
	name := names.Type(reflect.TypeFor[projected]())
	configure(0, names.Config{Skips: map[string][]string{name: {"Left"}}})
	defer configure(0, names.Config{})
	if hashed(projected{1, 2}) != hashed(projected{1, 3}) {
		t.Error("a field left out still counts")
	}
	if hashed(projected{1, 2}) == hashed(projected{2, 2}) {
		t.Error("a kept field doesn't count")
	}
}
