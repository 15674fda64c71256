package extent_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/extent"
)

const file = `package p

// F is commented.
func F() int {
	return func() int { return 1 }()
}

func (t *T[A, B]) M() {}

func (T) V() {
//line other.go:100
}

var limit, rest = 1, 2

const (
	one = iota
	two
)

type (
	T struct {
		n int
	}
	U int
)
`

func TestFind(t *testing.T) {
	for _, c := range []struct {
		reason, name string
		first, last  int
	}{
		{"without the comment in front", "example.com/p.F", 4, 6},
		{"a literal is in its function", "example.com/p.F.func1", 4, 6},
		{"a method of a pointer, generic", "example.com/p.(*T).M", 8, 8},
		{"lines are those of the text, whatever a directive says", "example.com/p.T.V", 10, 12},
		{"a variable beside another one", "example.com/p.rest", 14, 14},
		{"a constant in parentheses", "example.com/p.two", 18, 18},
		{"a type in parentheses", "example.com/p.T", 22, 24},
		{"a method that another receiver has", "example.com/p.(*T).V", 0, 0},
		{"nothing of that name", "example.com/p.Missing", 0, 0},
		{"no name at all", "", 0, 0},
	} {
		if first, last := extent.Find([]byte(file), spectra.Symbol(c.name)); first != c.first || last != c.last {
			t.Errorf("%s: %s is in lines %d to %d, want %d to %d", c.reason, c.name, first, last, c.first, c.last)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte(file), "p.F")
	f.Add([]byte("package p; func ("), "p.(*T).M")
	f.Add([]byte("\xff"), "")
	f.Fuzz(func(t *testing.T, src []byte, name string) {
		first, last := extent.Find(src, spectra.Symbol(name))
		if first < 0 || last < first {
			t.Errorf("lines %d to %d", first, last)
		}
	})
}
