package purity

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// pureSources is a module in which a method's name says what the verdict must be: pure ones begin with
// Is, others with Not.
var pureSources = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"q/q.go": `package q

type Counter struct{ N int }

func (c *Counter) Bump() int { c.N++; return c.N }
func (c *Counter) Get() int  { return c.N }

func Fill(list []int) { list[0] = 1 }
`,
	"p/p.go": `package p

import (
	"cmp"
	"container/list"
	"fmt"
	"iter"
	"maps"
	"math/rand"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"m/q"
)

type node struct {
	key         int
	left, right *node
}

type shape interface {
	area() int
	secret()
}

type square struct{ side, asked int }

func (s *square) area() int { return s.side * s.side }
func (s *square) secret()   {}

type moody interface {
	mood() int
	secret2()
}

type happy struct{ n int }

func (h *happy) mood() int { h.n++; return h.n }
func (h *happy) secret2()  {}

type byKey []int

func (b byKey) Len() int           { return len(b) }
func (b byKey) Less(i, j int) bool { return b[i] < b[j] }
func (b byKey) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type named string

func (n named) String() string { hits++; return string(n) }

var hits int

type T struct {
	items   map[string]int
	order   []int
	root    *node
	cache   []int
	mu      sync.Mutex
	ch      chan int
	less    func(x, y int) bool
	shape   shape
	moody   moody
	any     any
	text    fmt.Stringer
	counter q.Counter
	link    *T
	all     *list.List
	names   [4]string
	texts   []string
	scratch []byte
	wide    []uint16
	greater func(x, y int) int
	holds   func(x int) bool
	mapped  func(r rune) rune
	q.Counter
}

type spy struct{}

func (spy) Write(b []byte) (int, error) { hits++; return len(b), nil }

type quiet struct{ n int }

func (q *quiet) Write(b []byte) (int, error) { q.n += len(b); return len(b), nil }

func (t *T) IsLen() int           { return len(t.items) }
func (t *T) IsSum() (n int)       { for _, x := range t.items { n += x }; return }
func (t *T) IsCopy() []int        { return append([]int(nil), t.order...) }
func (t *T) IsCopyByCut() []int   { return append(t.order[:0:0], t.order...) }
func (t *T) IsShared() []int      { return t.order }
func (t T) IsValue() int          { t.counter.N++; t.names[0] = "x"; return t.counter.N }
func (t *T) IsSorted() []string {
	keys := make([]string, 0, len(t.items))
	for k := range t.items {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
func (t *T) IsSortedByLibrary() []string {
	list := slices.Clone(t.link.texts)
	slices.SortFunc(list, strings.Compare)
	return list
}
func (t *T) NotSortedByLibrary() []string { slices.SortFunc(t.texts, strings.Compare); return t.texts }
func (t *T) IsSortedModern() []string { return slices.Sorted(maps.Keys(t.items)) }
func (t *T) IsSortedSlice() []int {
	c := slices.Clone(t.order)
	sort.Slice(c, func(i, j int) bool { return c[i] < c[j] })
	return c
}
func (t *T) IsSortedByInterface() []int {
	c := append(byKey{}, t.order...)
	sort.Sort(c)
	return c
}
func (t *T) IsWalk() []int {
	var out []int
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil {
			return
		}
		walk(n.left)
		out = append(out, n.key)
		walk(n.right)
	}
	walk(t.root)
	return out
}
func (n *node) collect(out *[]int) {
	if n != nil {
		n.left.collect(out)
		*out = append(*out, n.key)
		n.right.collect(out)
	}
}
func (t *T) IsRecursive() []int { var out []int; t.root.collect(&out); return out }
func (t *T) IsStack() (out []int) {
	stack := []*node{t.root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n != nil {
			out = append(out, n.key)
			stack = append(stack, n.left, n.right)
		}
	}
	return out
}
func (t *T) IsText() string {
	var b strings.Builder
	for _, x := range t.order {
		fmt.Fprintf(&b, "%d,", x)
		b.WriteString(strings.Repeat(" ", x))
	}
	return b.String() + fmt.Sprint(len(t.order))
}
func (t *T) IsPromoted() int      { return t.Get() }
func (t *T) IsClosed() int        { return t.shape.area() }
func (t *T) IsDeferred() (n int)  { defer func() { n++ }(); return len(t.order) }
func (t *T) IsPanicking() int     { if t.root == nil { panic("empty") }; return t.root.key }
func (t *T) IsFreshMap() map[string]int {
	m := map[string]int{}
	for k, v := range t.items {
		m[k] = v
	}
	return m
}
func (t *T) IsRange() (out []int) { for x := range t.each() { out = append(out, x) }; return }
func (t *T) each() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, x := range t.order {
			if !yield(x) {
				return
			}
		}
	}
}
func (t *T) IsAll() iter.Seq[int] { return t.each() }
func (t *T) IsList() (out []any) {
	for e := t.all.Front(); e != nil; e = e.Next() {
		out = append(out, e.Value)
	}
	return out
}
func (t *T) IsUncertain() time.Duration { return time.Duration(len(t.order)) }

func (t *T) NotCounter() int      { hits++; return hits }
func (t *T) NotCached() []int     { if t.cache == nil { t.cache = t.IsCopy() }; return t.cache }
func (t *T) NotAppended() int     { return len(append(t.order, 1)) }
func (t *T) NotSortedInPlace() []int { sort.Ints(t.order); return t.order }
func (t *T) NotSortedInPlaceModern() []int { slices.Sort(t.order); return t.order }
func (t *T) NotSortedByInterface() []int { sort.Sort(byKey(t.order)); return t.order }
func (t *T) NotMap() int          { t.items["x"] = 1; return 0 }
func (t *T) NotDeleted() int      { delete(t.items, "x"); return 0 }
func (t *T) NotCleared() int      { clear(t.order); return 0 }
func (t *T) NotCopied() int       { return copy(t.order, []int{1}) }
func (t *T) NotReceived() int     { return <-t.ch }
func (t *T) NotSent() int         { t.ch <- 1; return 0 }
func (t *T) NotSelected() int     { select { case x := <-t.ch: return x; default: return 0 } }
func (t *T) NotClosedChannel() int { close(t.ch); return 0 }
func (t *T) NotStarted() int      { go t.IsLen(); return 0 }
func (t *T) NotGiven() bool       { return t.less(1, 2) }
func (t *T) NotOpen() string      { return t.text.String() }
func (t *T) NotMoody() int        { return t.moody.mood() }
func (t *T) NotAny() string       { return fmt.Sprint(t.any) }
func (t *T) NotNamed() string     { return fmt.Sprint(named("x")) }
func (t *T) NotPrinted() int      { fmt.Println("x"); return 0 }
func (t *T) NotClock() int64      { return time.Now().Unix() }
func (t *T) NotRandom() int       { return rand.Int() }
func (t *T) NotPromoted() int     { return t.Bump() }
func (t *T) NotNested() int       { return t.counter.Bump() }
func (t *T) NotOther() int        { q.Fill(t.order); return 0 }
func (t *T) NotDeferred() int     { defer func() { t.cache = nil }(); return 0 }
func (t *T) NotClosure() int      { f := func() { t.order[0] = 1 }; f(); return 0 }
func (t *T) NotMethodValue() int  { f := t.counter.Bump; return f() }
func (t *T) NotThroughBox() int {
	box := struct{ t *T }{t}
	box.t.cache = nil
	return 0
}
func (t *T) NotThroughMap() int {
	m := map[int]*T{0: t}
	m[0].cache = nil
	return 0
}
func (t *T) NotThroughInterface() int {
	var x any = t
	x.(*T).cache = nil
	return 0
}
func (t *T) NotThroughSlice() int {
	list := []*node{t.root}
	list = append(list, &node{})
	list[0].key = 1
	return 0
}
func (t *T) NotThroughCallback() int {
	slices.SortFunc([]int{2, 1}, func(x, y int) int { t.cache = nil; return cmp.Compare(x, y) })
	return 0
}
func (t *T) NotThroughIterator() int {
	for k := range maps.Keys(t.items) {
		t.items[k] = 0
	}
	return 0
}
func (t *T) NotThroughResult() int { t.self().cache = nil; return 0 }
func (t *T) self() *T              { return t }
func (t *T) NotRecovered() (n int) { defer func() { recover() }(); return t.root.key }
func (t *T) NotDrained() iter.Seq[int] {
	return func(yield func(int) bool) { t.cache = nil; yield(1) }
}
func (t *T) NotArray() int { t.names[0] = "x"; return 0 }

func (t *T) IsAppendedText() string {
	var b [20]byte
	return string(strconv.AppendQuote(strconv.AppendInt(b[:0], int64(len(t.order)), 10), t.names[0]))
}
func (t *T) IsNewText() string { return string(utf8.AppendRune(strconv.AppendBool(nil, true), 'x')) }
func (t *T) IsEncoded() int { b := make([]byte, 4); return utf8.EncodeRune(b, 'x') }
func (t *T) NotAppendedText() string { return string(strconv.AppendInt(t.scratch[:0], 1, 10)) }
func (t *T) NotAppendedQuote() string { return string(strconv.AppendQuoteToASCII(t.scratch[:0], "x")) }
func (t *T) NotAppendedRune() string { return string(utf8.AppendRune(t.scratch[:0], 'x')) }
func (t *T) NotEncoded() int { return utf8.EncodeRune(t.scratch, 'x') }
func (t *T) NotAppendedWide() int { return len(utf16.AppendRune(t.wide[:0], 'x')) }
func (t *T) NotAppendedToResult() string {
	b := strconv.AppendInt(t.scratch[:0:0], 1, 10)
	return string(b)
}
func (t *T) NotSortedByGiven() []int { c := slices.Clone(t.order); slices.SortFunc(c, t.greater); return c }
func (t *T) NotSearchedByGiven() int { return slices.IndexFunc(t.order, t.holds) }
func (t *T) NotSearched() int { return sort.Search(len(t.order), t.holds) }
func (t *T) NotMappedByGiven() string { return strings.Map(t.mapped, "x") }
func (t *T) NotCalledThroughBox() bool {
	box := struct{ holds func(int) bool }{t.holds}
	return slices.ContainsFunc(t.order, box.holds)
}
func (t *T) IsSearched() int { return sort.Search(len(t.order), func(i int) bool { return t.order[i] > 2 }) }
func (t *T) IsWritten() int { q := &quiet{}; fmt.Fprint(q, len(t.order)); return q.n }
func (t *T) NotWritten() int { fmt.Fprint(spy{}, 1); return 1 }

func (t *T) IsLocked() int { t.mu.Lock(); defer t.mu.Unlock(); return len(t.items) }
func (t *T) IsLockedWithin() int { return t.locked() + t.IsLocked() }
func (t *T) locked() int { t.mu.Lock(); n := len(t.items); t.mu.Unlock(); return n }
func (t *T) NotTried() bool { return t.mu.TryLock() }
func (t *T) NotLockedElsewhere() int { t.link.mu.Lock(); defer t.link.mu.Unlock(); return 1 }
func (t *T) NotLockedOther() int { return t.guarded() + t.link.guarded() }
func (t *T) guarded() int { t.mu.Lock(); defer t.mu.Unlock(); return 1 }
func (t *T) NotLockedInClosure() int { f := func() int { t.mu.Lock(); defer t.mu.Unlock(); return 1 }; return f() }

type L struct {
	sync.RWMutex
	inner struct{ mu sync.Mutex }
	far   *sync.Mutex
	n     int
}

func (l *L) IsEmbedded() int { l.RLock(); defer l.RUnlock(); return l.n }
func (l *L) IsNested() int { l.inner.mu.Lock(); defer l.inner.mu.Unlock(); return l.n }
func (l *L) NotFar() int { l.far.Lock(); defer l.far.Unlock(); return l.n }

func (t *T) AskHas(k string) bool           { _, ok := t.items[k]; return ok }
func (t *T) AskIndex(list []int, i int) int { return list[i] }
func (t *T) AskCopy(list []int) []int       { return append(append([]int{}, list...), 1) }
func (t *T) TellFill(list []int) bool       { list[0] = 1; return true }
func (t *T) TellAppend(list []int) []int    { return append(list, 1) }
func (t *T) TellOther(o *T) bool            { o.cache = nil; return true }
func (t *T) TellFunc(f func() bool) bool    { return f() }
func (t *T) TellAny(x fmt.Stringer) string  { return x.String() }

type G[K comparable, V any] struct {
	items map[K]V
	order []K
	hash  func(K) int
	last  V
}

func (g *G[K, V]) IsLen() int  { return len(g.items) }
func (g *G[K, V]) IsKeys() []K {
	out := make([]K, 0, len(g.order))
	for _, k := range g.order {
		out = append(out, k)
	}
	return out
}
func (g *G[K, V]) IsMapped() []V {
	return mapped(g.order, func(k K) V { return g.items[k] })
}
func (g *G[K, V]) NotRemembered() V { for _, v := range g.items { g.last = v }; return g.last }
func (g *G[K, V]) NotHashed() int   { n := 0; for k := range g.items { n += g.hash(k) }; return n }
func (g *G[K, V]) NotMapped() []V {
	return mapped(g.order, func(k K) V { v := g.items[k]; g.last = v; return v })
}

func mapped[K, V any](list []K, f func(K) V) (out []V) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

type E[T fmt.Stringer] struct{ items []T }

func (e E[T]) IsLen() int      { return len(e.items) }
func (e E[T]) NotJoin() string { return e.items[0].String() }
`,
}

// named judges the methods of the sources whose names begin with the word pure or the word impure. It
// returns their number.
func named(
	t *testing.T, pure, impure string,
	judge func(p *Judge, method *types.Func, pure bool, at func(token.Pos) token.Position),
) (seen int) {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, pureSources)
	pkgs := moduletest.Load(t, dir, "./...")
	p := NewJudge(static.New(pkgs, nil))
	for _, method := range methodsOf(pkgs, "m/p") {
		expected := strings.HasPrefix(method.Name(), pure)
		if expected || strings.HasPrefix(method.Name(), impure) {
			seen++
			judge(p, method, expected, pkgs[0].Fset.Position)
		}
	}
	return seen
}

func TestPurity(t *testing.T) {
	seen := named(t, "Is", "Not", func(p *Judge, method *types.Func, expected bool, at func(token.Pos) token.Position) {
		verdict := p.Observer(method)
		if verdict.Pure() != expected {
			t.Errorf("%s: pure %t, want %t: %s at %s", method.FullName(), verdict.Pure(), expected, verdict.Reason,
				at(verdict.Position))
		}
	})
	if seen < 60 {
		t.Errorf("%d methods were judged", seen)
	}
}

func TestPurityOfQuestions(t *testing.T) {
	seen := named(t, "Ask", "Tell", func(p *Judge, method *types.Func, pure bool, _ func(token.Pos) token.Position) {
		if v := p.Question(method); v.Pure() != pure {
			t.Errorf("%s: pure %t, want %t: %s", method.FullName(), v.Pure(), pure, v.Reason)
		}
		if p.Observer(method).Pure() {
			t.Errorf("%s has parameters and is an observer", method.FullName())
		}
	})
	if seen != 8 {
		t.Errorf("%d methods were judged", seen)
	}
}

func TestPurityKnowsOrder(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, pureSources)
	pkgs := moduletest.Load(t, dir, "./...")
	p := NewJudge(static.New(pkgs, nil))
	want := map[string]struct {
		iterates, collected bool
		reason              string
	}{
		"IsLen":          {false, false, "len looks at no element"},
		"IsSum":          {true, false, "it ranges over a map"},
		"IsSortedModern": {true, false, "maps.Keys has the order of the map"},
		"IsCopy":         {false, false, "a slice has an order"},
		"IsAll":          {false, true, "an iterator is drained"},
		"IsWalk":         {false, false, "a tree has an order"},
	}
	for _, method := range methodsOf(pkgs, "m/p") {
		w, ok := want[method.Name()]
		if !ok || !strings.Contains(method.FullName(), "p.T)") {
			continue
		}
		delete(want, method.Name())
		if v := p.Observer(method); v.Iterates != w.iterates || v.Collected != w.collected {
			t.Errorf("%s: iterates %t, collected %t: %s", method.Name(), v.Iterates, v.Collected, w.reason)
		}
	}
	if len(want) > 0 {
		t.Errorf("not judged: %v", want)
	}
}

// methodsOf lists the methods that a package declares.
func methodsOf(pkgs []*packages.Package, path string) []*types.Func {
	var list []*types.Func
	for _, pkg := range pkgs {
		if pkg.PkgPath != path {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			if named, ok := pkg.Types.Scope().Lookup(name).Type().(*types.Named); ok {
				for method := range named.Methods() {
					list = append(list, method)
				}
			}
		}
	}
	return list
}
