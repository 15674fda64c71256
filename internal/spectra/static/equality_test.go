package static

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

const source = `package p

import (
	"fmt"
	"slices"
	"sync"
)

// Equal does not look at peeks.
type stack struct {
	store       []int
	size, peeks int
	mu          sync.Mutex
}

func (s *stack) Equal(o *stack) bool { return s.size == o.size && s.same(o) }
func (s *stack) same(o *stack) bool  { return slices.Equal(s.store, o.store) }

// A value receiver.
type point struct{ x, y, cached int }

func (p point) Equals(o point) bool { return p.x == o.x && func() bool { return p.y == o.y }() }

// What is exported can be read by anyone, what is embedded has methods.
type open struct {
	Name  string
	Cache string
	point
	hidden int
}

func (o open) Equal(p open) bool { return o.Name == p.Name }

// All of it is compared.
type whole struct{ a, b int }

func (w whole) Equal(o whole) bool { return w == o }

// Nobody knows what is read.
type printed struct{ a, b int }

func (p *printed) Equal(o *printed) bool { return fmt.Sprint(p) == fmt.Sprint(o) }

// Nor here.
type asked struct {
	a, b int
	same func(x, y *asked) bool
}

func (a *asked) Equal(o *asked) bool { return a.same(a, o) }

// Nor here: the list holds such values.
type tree struct {
	key, height int
	below       []*tree
}

func (t *tree) Equal(o *tree) bool {
	return t.key == o.key && fmt.Sprint(t.below) == fmt.Sprint(o.below)
}

// That is no Equal for two of a kind.
type other struct{ a, b int }

func (o *other) Equal(x any) bool { return o.a == x.(*other).a }

// Of types with parameters nothing is left out.
type list[T comparable] struct {
	first T
	n     int
}

func (l *list[T]) Equal(o *list[T]) bool { return l.first == o.first }
`

// TestUnread: fields that Equal cannot read.
func TestUnread(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "p/p.go": source})
	got := fmt.Sprint(UnreadFields(New(moduletest.Load(t, dir, "./..."), nil)))
	want := "map[m/p.open:[hidden] m/p.point:[cached] m/p.stack:[mu peeks]]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestUnreadOfManyTypes: types that all refer to each other, as generated models do, have more ways through them than
// can be followed.
func TestUnreadOfManyTypes(t *testing.T) {
	const types = 30
	var all strings.Builder
	all.WriteString("package p\n\nimport \"fmt\"\n\ntype own struct{ a, b int }\n\n" +
		"func (o *own) Equal(p *own) bool { return o.a == p.a && fmt.Sprint(t0{}) == fmt.Sprint(&t1{}) }\n")
	for i := range types {
		fmt.Fprintf(&all, "\ntype t%d struct {\n", i)
		for j := range types {
			fmt.Fprintf(&all, "\tf%d *t%d\n", j, j)
		}
		all.WriteString("}\n")
	}
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "p/p.go": all.String()})
	if got := fmt.Sprint(UnreadFields(New(moduletest.Load(t, dir, "./..."), nil))); got != "map[m/p.own:[b]]" {
		t.Errorf("got %s", got)
	}
}
