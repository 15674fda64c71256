package carve_test

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
)

const module = `-- go.mod --
module example.com/m/v2

go 1.24
-- m.go --
package m

type Options struct {
	Name  string
	Sizes []int
	inner int
}

type Doc struct{ text string }

func Parse(text string) (*Doc, error)           { return nil, nil }
func Render(src []byte, o *Options) string      { return "" }
func Join(sep string, parts ...string) string   { return "" }
func Scale(n int8, u uint, f float64, ok bool) int { return 0 }
func Each(d *Doc, f func(string))               {}
func (d *Doc) Get(path string) string           { return "" }
-- m_test.go --
package m

import "testing"

const long = "a" + "b" + ` + "`c\n`" + `

func helper(t *testing.T, text string) { Parse(text) }

func TestAll(t *testing.T) {
	src := "first"
	d, _ := Parse(src)
	src = "second"
	Parse(string(src))
	Parse(long)
	Parse(unknown())
	d.Get("x.y")
	Join(",", "a", "b")
	Join(",")
	Join(",", []string{"c"}...)
	Scale(-5, 300, 1, true)
	Scale(200, 'x', -2.5, false)
	Render([]byte("doc"), &Options{Name: "n", Sizes: []int{1, 2}})
	Render([]byte(src), nil)
	Each(nil, func(string) {})
	for _, tt := range []struct {
		name, in string
		out      string
	}{{"one", "in 1", "o"}, {name: "two", in: "in 2"}} {
		t.Run(tt.name, func(t *testing.T) { Parse(tt.in) })
	}
	for path, want := range map[string]string{"k1": "v1"} {
		d.Get(path)
		_ = want
	}
	for _, text := range texts {
		Parse(text)
	}
	for _, tt := range []struct{ doc, path string }{{"d1", "p1"}, {"d2", "p2"}} {
		doc, err := Parse(tt.doc)
		if err == nil {
			doc.Get(tt.path)
		}
	}
	inner := &doc{}
	inner.Get("nobody's")
	Each(first(Parse("made")), nil)
}

var texts = []string{"t1", "t2"}

type row struct{ a, b string }

func BenchmarkRows(b *testing.B) {
	rows := []*row{{"p", "q"}}
	for _, r := range rows {
		Join(r.b, r.a)
	}
}
-- example_test.go --
package m_test

import (
	"example.com/m/v2"
	other "fmt"
)

func Example() {
	m.Parse("from outside")
	other.Parse("nobody's")
	m.Missing("x")
}
-- broken_test.go --
package m

func TestBroken() { Parse("before the error")
	Parse(
`

// TestCalls checks the extracted calls for every form in which tests write them.
func TestCalls(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, module, api.Wanted())
	operations := api.Operations(loaded, []string{"example.com/m/v2"})
	var got []string
	for _, c := range carve.Calls(loaded.Packages[0].Dir, "example.com/m/v2", operations, nil) {
		got = append(got, text(c))
		check(t, c)
	}
	want := []string{
		`Parse("before the error")`,
		`Parse("from outside")`,
		`Parse("first")`, `Parse("second")`, `Parse("abc\n")`,
		`Get(Parse("first").0 "x.y")`,
		`Join("," ["a" "b"])`, `Join("," [])`, `Join("," ["c"])`,
		`Scale(-5 300 1.0 true)`, `Scale(? 120 -2.5 false)`,
		`Render("doc" &{Name:"n" Sizes:[1 2]})`, `Render("second" nil)`,
		`Parse("in 1")`, `Parse("in 2")`,
		`Get(Parse("first").0 "k1")`,
		`Parse("t1")`, `Parse("t2")`,
		`Parse("d1")`, `Parse("d2")`, `Parse("made")`,
		`Get(Parse("d1").0 "p1")`, `Get(Parse("d2").0 "p2")`, `Get(? "nobody's")`,
		`Join("q" ["p"])`,
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s is missing", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s is not in the tests, or can't be told", g)
		}
	}
}

func text(c carve.Call) string {
	var args []string
	for i, v := range c.Args {
		switch {
		case v != nil:
			args = append(args, valueText(*v))
		case c.From[i] != nil:
			args = append(args, fmt.Sprintf("%s.%d", text(c.From[i].Call), c.From[i].Result))
		default:
			args = append(args, "?")
		}
	}
	return c.Op[strings.LastIndexByte(c.Op, '.')+1:] + "(" + strings.Join(args, " ") + ")"
}

func valueText(v sequence.Value) string {
	var parts []string
	for _, e := range v.Elems {
		parts = append(parts, valueText(e))
	}
	for _, f := range v.Fields {
		parts = append(parts, f.Name+":"+valueText(f.Value))
	}
	switch v.Kind {
	case sequence.Nil:
		return "nil"
	case sequence.String:
		return fmt.Sprintf("%q", v.Text)
	case sequence.List:
		return "[" + strings.Join(parts, " ") + "]"
	case sequence.Struct:
		return "{" + strings.Join(parts, " ") + "}"
	case sequence.Address:
		return "&" + parts[0]
	}
	return v.Text
}

// check demands that a call without open arguments is a valid statement.
func check(t *testing.T, c carve.Call) {
	t.Helper()
	st := sequence.Statement{Kind: sequence.Call, Op: c.Op}
	for _, v := range c.Args {
		if v == nil {
			return
		}
		st.Args = append(st.Args, *v)
	}
	q := sequence.Sequence{Statements: []sequence.Statement{st}}
	if again, err := sequence.Parse(q.String()); err != nil || again.Key() != q.Key() {
		t.Errorf("%s: read again it is %v, error %v", text(c), again, err)
	}
}

const anyTest = `package m_test

import "example.com/m/v2"

type config struct {
	Name string ` + "`m:\"name\"`" + `
	On   bool
}

type other interface{}

func TestAny(t *testing.T) {
	var c config
	input := map[string]interface{}{"name": "x", "list": []string{"a"}, "n": 1, "deep": map[string]any{"f": 1.5}}
	m.Any(input, &c)
	m.Any(config{On: true}, new(config))
	var o other
	m.Any("text", o)
	m.Any(t, []interface{}{1, unknown})
}
`

// TestAnything checks that parameters of type any get the values of tests with their types.
func TestAnything(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(anyTest), 0o600); err != nil {
		t.Fatal(err)
	}
	anyType := types.Universe.Lookup("any").Type()
	operations := []*api.Operation{{Name: "example.com/m/v2.Any", Params: []types.Type{anyType, anyType}}}
	var got []string
	for _, c := range carve.Calls(dir, "example.com/m/v2", operations, testtypes.Read([]string{dir}, nil)) {
		zero := sequence.Value{Kind: sequence.Zero}
		st := sequence.Statement{Kind: sequence.Call, Op: "Any", Args: []sequence.Value{zero, zero}}
		for i, v := range c.Args {
			if v != nil {
				st.Args[i] = *v
			}
		}
		q := sequence.Sequence{Statements: []sequence.Statement{st}}
		_, line, _ := strings.Cut(q.String(), "v0 := ")
		got = append(got, strings.TrimSpace(line))
	}
	want := []string{
		`Any(map[string]any({"name": string("x"), "list": []string({"a"}), "n": int(1), ` +
			`"deep": map[string]any({"f": float64(1.5)})}), *zspectra/driver.Config(&zero))`,
		`Any(zspectra/driver.Config({On: true}), *zspectra/driver.Config(&zero))`,
		`Any(string("text"), zero)`, // the second argument is unknown
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
