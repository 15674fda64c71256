package state

import (
	"bufio"
	"bytes"
	"container/list"
	rings "container/ring"
	"context"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unique"
	"weak"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// The layouts that special.go relies on hold in the release at hand: no type is silently opaque.
func TestLayoutsAreKnown(t *testing.T) {
	if !SyncMapIsKnown || !ReflectedIsKnown {
		t.Errorf("sync.Map known: %v, reflect.Value known: %v", SyncMapIsKnown, ReflectedIsKnown)
	}
	configure(0, names.Config{})
	for _, v := range []any{
		sync.Map{}, reflect.Value{}, time.Time{}, bytes.Buffer{}, bufio.Reader{}, bufio.Writer{}, big.Int{},
		sync.Once{}, atomic.Pointer[int]{}, atomic.Int64{}, unique.Handle[string]{}, strings.Builder{},
	} {
		if n := compile(reflect.TypeOf(v)); n.op == opOpaque {
			t.Errorf("%s is opaque", n.name)
		}
	}
}

// edited returns a pointer to a value that edit has changed.
func edited[T any](edit func(*T)) any {
	v := new(T)
	edit(v)
	return v
}

func syncMap(pairs ...any) any {
	return edited(func(m *sync.Map) {
		for i := 0; i < len(pairs); i += 2 {
			m.Store(pairs[i], pairs[i+1])
		}
	})
}

// many fills a map with inner nodes below the root, from the other end if turned.
func many(n int, turned bool) any {
	return edited(func(m *sync.Map) {
		for i := range n {
			if turned {
				i = n - 1 - i
			}
			m.Store(i, []int{i})
		}
	})
}

func pointing(x int) any { return edited(func(p *atomic.Pointer[int]) { p.Store(&x) }) }

func buffer(steps ...string) any {
	return edited(func(b *bytes.Buffer) {
		for _, s := range steps {
			if s == "<" {
				b.Next(1)
			} else {
				b.WriteString(s)
			}
		}
	})
}

func written(s string, flush bool) any {
	w := bufio.NewWriter(new(bytes.Buffer))
	w.WriteString("before")
	if flush {
		w.Flush()
	}
	w.WriteString(s)
	return w
}

func cancelled(cancel, done bool) any {
	ctx, stop := context.WithCancel(context.Background())
	if done {
		ctx.Done()
	}
	if cancel {
		stop()
	}
	runtime.KeepAlive(stop)
	return ctx
}

func built(s string, room int) any {
	return edited(func(b *strings.Builder) { b.Grow(room); b.WriteString(s) })
}

func listOf(items ...any) any {
	l := list.New()
	for _, x := range items {
		l.PushBack(x)
	}
	return l
}

func ringOf(n, first int) any {
	r := rings.New(n)
	r.Value = first
	return r
}

func drawn(n int) any {
	r := rand.New(rand.NewSource(1))
	for range n {
		r.Int()
	}
	return r
}

func drawnV2(n int) any {
	r := randv2.New(randv2.NewPCG(1, 2))
	for range n {
		r.Int()
	}
	return r
}

func doneOnce(done bool) any {
	return edited(func(o *sync.Once) {
		if done {
			o.Do(func() {})
		}
	})
}

func parsedURL(s string) any {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

func number(steps ...int64) any {
	return edited(func(n *big.Int) {
		for _, s := range steps {
			n.Add(n, big.NewInt(s))
		}
	})
}

type holder struct{ V reflect.Value }

// TestMeaning: what means the same has the same digest, what means something else has another.
func TestMeaning(t *testing.T) {
	configure(0, names.Config{})
	instant := time.Unix(1000000000, 5).UTC()
	now := time.Now()
	zone := time.FixedZone("X", 3600)
	one, other := 1, 1
	for _, test := range []struct {
		reason      string
		left, right any
		same        bool
	}{
		{"a sync.Map, whatever the order", syncMap("a", 1, "b", 2), syncMap("b", 2, "a", 1), true},
		{"a sync.Map with inner nodes", many(500, false), many(500, true), true},
		{"another element", syncMap("a", 1, "b", 2), syncMap("a", 1, "b", 3), false},
		{"another key", syncMap("a", 1), syncMap("b", 1), false},
		{"one entry more", many(500, false), many(501, false), false},
		{"no entry at all", syncMap(), syncMap("a", 1), false},
		{"an atomic pointer to equal values", pointing(1), pointing(1), true},
		{"an atomic pointer to others", pointing(1), pointing(2), false},
		{"an atomic pointer that is nil", edited(func(*atomic.Pointer[int]) {}), pointing(0), false},
		{
			"an atomic number",
			edited(func(n *atomic.Int64) { n.Store(1) }), edited(func(n *atomic.Int64) { n.Store(2) }), false,
		},
		{"an atomic truth value", edited(func(n *atomic.Bool) { n.Store(true) }), edited(func(*atomic.Bool) {}), false},
		{
			"an atomic value",
			edited(func(n *atomic.Value) { n.Store("a") }), edited(func(n *atomic.Value) { n.Store("b") }), false,
		},
		{"a reflected number", holder{reflect.ValueOf(1)}, holder{reflect.ValueOf(1)}, true},
		{"another reflected number", holder{reflect.ValueOf(1)}, holder{reflect.ValueOf(2)}, false},
		{"a reflected number of another type", holder{reflect.ValueOf(1)}, holder{reflect.ValueOf(int8(1))}, false},
		{"a reflected pointer", holder{reflect.ValueOf(&one)}, holder{reflect.ValueOf(&other)}, true},
		{
			"a reflected pointer or its target",
			holder{reflect.ValueOf(&one)}, holder{reflect.ValueOf(&one).Elem()}, false,
		},
		{"no reflected value", holder{}, holder{reflect.ValueOf(1)}, false},
		{
			"a reflected method",
			holder{reflect.ValueOf(instant).Method(0)}, holder{reflect.ValueOf(instant).Method(1)}, false,
		},
		{"an instant, with and without monotonic clock", now, now.Round(0), true},
		{"another instant", instant, instant.Add(1), false},
		{"another second", instant, instant.Add(time.Second), false},
		{"another location", instant, instant.In(zone), false},
		{"UTC by name and as nil", time.Unix(5, 0).UTC(), time.Unix(5, 0).In(time.UTC), true},
		{"the zero instant", time.Time{}, time.Time{}.UTC(), true},
		{"a buffer that was read from", buffer("xab", "<"), buffer("ab"), false}, // UnreadByte works in one of them
		{"the same reads", buffer("xab", "<"), buffer("yab", "<"), true},
		{"other content", buffer("ab"), buffer("ac"), false},
		{"an emptied buffer", buffer("a", "<", "<"), buffer(), true},
		{"a writer that was flushed", written("x", true), written("x", false), false},
		{"a writer's content", written("x", true), written("y", true), false},
		{"a context, asked for its channel or not", cancelled(false, true), cancelled(false, false), true},
		{"a context that was cancelled", cancelled(true, false), cancelled(false, false), false},
		{"a text being built, with more room", built("a", 100), built("a", 1), true},
		{"another text being built", built("a", 1), built("b", 1), false},
		{"a list", listOf(1, "a"), listOf(1, "a"), true},
		{"another list", listOf(1, "a"), listOf("a", 1), false},
		{"a ring", ringOf(3, 1), ringOf(3, 2), false},
		{"a generator after the same draws", drawn(3), drawn(3), true},
		{"a generator after one draw more", drawn(3), drawn(4), false},
		{"a newer generator after one draw more", drawnV2(3), drawnV2(4), false},
		{"a number by other steps", number(5), number(2, 3), true},
		{"zero, made in another way", number(), number(5, -5), true},
		{"another number", number(5), number(6), false},
		{"what is done once", doneOnce(true), doneOnce(false), false},
		{"an expression", regexp.MustCompile("a+"), regexp.MustCompile("a+"), true},
		{"another expression", regexp.MustCompile("a+"), regexp.MustCompile("a*"), false},
		{"an address", netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.1"), true},
		{"an address with another zone", netip.MustParseAddr("fe80::1%a"), netip.MustParseAddr("fe80::1%b"), false},
		{
			"an address of another family",
			netip.MustParseAddr("::ffff:10.0.0.1"), netip.MustParseAddr("10.0.0.1"), false,
		},
		{"a handle", unique.Make("a"), unique.Make("b"), false},
		{"a weak pointer", weak.Make(&one), weak.Make(&other), true},
		{"a type", reflect.TypeFor[int](), reflect.TypeFor[string](), false},
		{"a URL", parsedURL("http://a/b?c"), parsedURL("http://a/b?c"), true},
		{"another URL", parsedURL("http://a/b?c"), parsedURL("http://a/b?d"), false},
	} {
		left, right := digestOfValue(test.left), digestOfValue(test.right)
		if (left == right) != test.same {
			t.Errorf("%s: same is %v, want %v", test.reason, left == right, test.same)
		}
		leftTokens, _ := walked(test.left)
		leftTokens = slices.Clone(leftTokens)
		rightTokens, _ := walked(test.right)
		if bytes.Equal(leftTokens, rightTokens) != test.same {
			t.Errorf("%s: displayed values are the same: %v, want %v", test.reason, !test.same, test.same)
		}
	}
}

func digestOfValue(v any) digest.Hash {
	p := reflect.New(reflect.TypeOf(&v).Elem())
	p.Elem().Set(reflect.ValueOf(v))
	a, b, _ := shared.Value(p)
	return digest.Hash{A: a, B: b}
}

type ringed struct{ Next reflect.Value }

// TestReflectedCycle: a value that stands for a variable which holds it ends.
func TestReflectedCycle(t *testing.T) {
	configure(0, names.Config{})
	r := &ringed{}
	r.Next = reflect.ValueOf(r).Elem()
	if tokens, truncated := walked(r); truncated || len(tokens) > 250 {
		t.Errorf("truncated %v, %d bytes of tokens", truncated, len(tokens))
	}
}

// The project's own list counts before what we know, with and without type arguments, and by package.
func TestOpaqueByConfiguration(t *testing.T) {
	here := reflect.TypeFor[holder]().PkgPath()
	for _, test := range []struct {
		name, reason string
		value        any
		opaque       bool
	}{
		{here + ".narrow", "a type", narrow{}, true},
		{here + ".", "a package", narrow{}, true},
		{here + ".wide", "another type", narrow{}, false},
		{"time.Time", "a type that is compared by its meaning", time.Time{}, true},
		{"sync/atomic.Pointer", "a generic type", atomic.Pointer[int]{}, true},
	} {
		configure(0, names.Config{Opaque: []string{test.name}})
		if got := compile(reflect.TypeOf(test.value)).op == opOpaque; got != test.opaque {
			t.Errorf("%s: opaque is %v, want %v", test.reason, got, test.opaque)
		}
	}
	configure(0, names.Config{})
}
