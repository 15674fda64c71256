package carve_test

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

const called = `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

type Doc struct{ text string }

func Parse(text string) *Doc                         { return nil }
func (d *Doc) Get(path string) string                { return "" }
func (d Doc) Text() string                           { return "" }
func (d *Doc) Bind(path string, to ...string) string { return "" }
func Join(sep string, parts ...string) string        { return "" }

type Getter interface{ Get(path string) string }

type Of[T any] struct{}

func New(name string) *Of[int] { return nil }
func (o *Of[T]) Put(key string) {}
`

// TestForms: a call is that of an operation only if the arguments are, in whatever form it names the receiver.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		reason, imports, call string
		want                  []string
	}{
		{"a method expression of a pointer", "", `(*Doc).Get(Parse("d"), "x")`, []string{`Get(Parse("d").0 "x")`}},
		{"one of a value", "", `Doc.Text(*Parse("d"))`, nil},
		{"one in double parentheses", "", `((*Doc).Get)(Parse("d"), "x")`, []string{`Get(Parse("d").0 "x")`}},
		{"one of a type of another package", `import m "example.com/m"`, `(*m.Doc).Get(m.Parse("d"), "x")`,
			[]string{`Get(Parse("d").0 "x")`}},
		{"one of an interface", "", `Getter.Get(Parse("d"), "x")`, []string{`Get(Parse("d").0 "x")`}},
		{"one of an instance", "", `(*Of[int]).Put(New("n"), "k")`, []string{`Put(New("n").0 "k")`}},
		{"one without arguments, which does not compile", "", `(*Doc).Get()`, nil},
		{"one with a list behind too few arguments", "", `(*Doc).Bind(list...)`, nil},
		{"what a pointer points to", "", `(*d).Get("x")`, []string{`Get(? "x")`}},
		{"a variable that has the name of the type", "", `Doc := other(); Doc.Get("x")`, []string{`Get(? "x")`}},
		{"a field with the name of a method, and fewer parameters", "", `s.Bind(list...)`, nil},
		{"one with more parameters", "", `s.Get("x", "y")`, nil},
		{"one with a list for no variadic parameter", "", `s.Get(list...)`, nil},
		{"a method expression kept in a variable", "", `get := (*Doc).Get; get(Parse("d"), "x")`, nil},
		{"a list behind one argument too many", "", `Join("a", "b", list...)`, nil},
		{"a list alone", "", `Join(list...)`, nil},
		{"all results of a call as arguments", "", `Join(both())`, nil},
		{"a dot import", `import . "example.com/m"`, `Join("a", "b")`, []string{`Join("a" ["b"])`}},
	} {
		test := "-- m_test.go --\npackage m_test\n\n" + c.imports +
			"\n\nfunc TestIt(t *testing.T) {\n\t" + c.call + "\n}\n"
		loaded := loadtest.TypeCheckText(t, called+test, api.Wanted())
		operations := api.Operations(loaded, []string{"example.com/m"})
		var got []string
		for _, call := range carve.Calls(loaded.Packages[0].Dir, "example.com/m", operations, nil) {
			if of := text(call); of != `Parse("d")` && of != `New("n")` {
				got = append(got, of)
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s gives %q, want %q", c.reason, c.call, got, c.want)
		}
	}
}
