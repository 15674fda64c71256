package observe_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
)

const module = "example.com/m."

// sets has a set in two representations. byName judges its methods by their names. Contents was renamed to
// Members.
const sets = `-- old/go.mod --
module example.com/m
-- old/m.go --
package m

type Set struct {
	items map[string]bool
	name  string
}

func New() *Set { return &Set{} }

func (s *Set) Len() int                        { return len(s.items) }
func (s *Set) Contents() (list []string, n int) {
	for item := range s.items {
		list = append(list, item)
	}
	return list, len(list)
}
func (s *Set) KeysUnsorted() []string          { return nil }
func (s *Set) FirstUnsorted() string           { return "" }
func (s *Set) CountUnsorted() int              { return 0 }
func (s *Set) EachCollected() func(func(k string, v int) bool) { return nil }
func (s *Set) Writer() func()                  { return nil }
func (s *Set) CopyImpure() int                 { return 0 }
func (s *Set) Clone() *Set                     { return nil }
func (s *Set) Retyped() int                    { return 0 }
func (s *Set) Gone() int                       { return 0 }
func (s *Set) Has(item string) bool            { return s.items[item] }
func (s *Set) Nothing()                        {}
-- new/go.mod --
module example.com/m
-- new/m.go --
package m

type Set struct {
	list []string
	name string
}

func New() *Set { return &Set{} }

func (s *Set) Len() int                        { return len(s.list) }
func (s *Set) Members() (list []string, n int) {
	for _, item := range s.list {
		list = append(list, item)
	}
	return list, len(list)
}
func (s *Set) KeysUnsorted() []string          { return s.list }
func (s *Set) FirstUnsorted() string           { return "" }
func (s *Set) CountUnsorted() int              { return 0 }
func (s *Set) EachCollected() func(func(k string, v int) bool) { return nil }
func (s *Set) Writer() func()                  { return nil }
func (s *Set) CopyImpure() int                 { return 0 }
func (s *Set) Clone() *Set                     { return nil }
func (s *Set) Retyped() string                 { return "" }
func (s *Set) Has(item string) bool            { return false }
func (s *Set) Nothing()                        {}
`

// byName stands for the analysis and judges methods by the ends of their names. only is the version whose
// methods may be impure; "" = both.
type byName struct{ side, only spectra.Side }

func (b byName) Observer(method *types.Func) observe.Verdict {
	v := observe.Verdict{
		Iterates:  strings.HasSuffix(method.Name(), "Unsorted"),
		Collected: strings.HasSuffix(method.Name(), "Collected"),
	}
	if strings.HasSuffix(method.Name(), "Impure") && (b.only == "" || b.only == b.side) {
		v.Impure = fmt.Sprintf("it writes (%s version)", b.side)
	}
	return v
}

func (b byName) Question(method *types.Func) observe.Verdict { return b.Observer(method) }

func purity(only spectra.Side) spectra.Pair[observe.Purity] {
	return spectra.MakePair(func(s spectra.Side) observe.Purity { return byName{s, only} })
}

// observed finds the types of two versions and their observers.
func observed(t *testing.T, text string, renames ...string) (*match.Match, []observe.Type, []observe.Refusal) {
	t.Helper()
	old, new := matchtest.Versions(t, txtar.Parse([]byte(text)))
	m, err := match.Versions(old, new, renames)
	if err != nil {
		t.Fatal(err)
	}
	found, refused := observe.Observers(m, observe.Reshaped(m, old.Packages, new.Packages), purity(spectra.New))
	return m, found, refused
}

func TestObservers(t *testing.T) {
	_, found, refused := observed(t, sets, "Set.Contents=Set.Members")
	if len(found) != 1 || found[0].Name != module+"Set" {
		t.Fatalf("found %v, want Set alone", found)
	}
	if want := (spectra.Pair[string]{Old: "items map[string]bool", New: "list []string"}); found[0].Parts != want {
		t.Errorf("made of %v, want %v", found[0].Parts, want)
	}
	got := map[string]string{}
	for _, by := range found[0].Observers {
		got[by.Name] = fmt.Sprint(by.Methods.New, " ", by.Result, " of ", by.Results, ", elements ", by.Elements,
			", unordered ", by.Unordered)
	}
	for _, r := range refused {
		got[r.Method] = r.Reason
	}
	want := []struct{ reason, name, text string }{
		{"one result", "Len()", "Len 0 of 1, elements 0, unordered false"},
		{"of several results each is one, under old's name", "Contents().0",
			"Members 0 of 2, elements 0, unordered false"},
		{"the second of them", "Contents().1", "Members 1 of 2, elements 0, unordered false"},
		{"a list in the order of a map", "KeysUnsorted()", "KeysUnsorted 0 of 1, elements 0, unordered true"},
		{"a number is the same for every order", "CountUnsorted()",
			"CountUnsorted 0 of 1, elements 0, unordered false"},
		{"an iterator over pairs", "EachCollected()", "EachCollected 0 of 1, elements 2, unordered false"},
		{"one value out of a map", "FirstUnsorted", "what it gives may depend on the order of a map"},
		{"a function has no state", "Writer", "it gives what has no state"},
		{"one version's writes", "CopyImpure", "it writes (new version)"},
		{"a copy would be observed in its turn", "Clone", "it may give another example.com/m.Set"},
		{"another result", "Retyped", "its signature changed"},
	}
	for _, c := range want {
		if got[c.name] != c.text {
			t.Errorf("%s: %s is %q, want %q", c.reason, c.name, got[c.name], c.text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d methods are observers or refused, want %d: not those with parameters, without results or of "+
			"one version", len(got), len(want))
	}
}

func TestReshaped(t *testing.T) {
	const frame = "-- old/go.mod --\nmodule example.com/m\n-- old/m.go --\npackage m\n\n%s\n" +
		"-- new/go.mod --\nmodule example.com/m\n-- new/m.go --\npackage m\n\n%s\n"
	for _, c := range []struct{ reason, old, new, want string }{
		{"nothing changed", "type T struct{ a []int }", "type T struct{ a []int }", ""},
		{"a field more leaves the rest comparable", "type T struct{ a []int }",
			"type T struct{ a []int; b map[int]int }", ""},
		{"content moved", "type T struct{ a []int; n int }", "type T struct{ b map[int]int; n int }",
			"a []int → b map[int]int"},
		{"more stayed than moved", "type T struct{ a, b, c []int }", "type T struct{ a, b []int; d map[int]int }", ""},
		{"only single values moved", "type T struct{ a int }", "type T struct{ b string }", ""},
		{"of numbers of one family the width may change", "type T struct{ a []int }", "type T struct{ b []int64 }", ""},
		{"another kind", "type T map[string]int", "type T []string", "map[string]int → []string"},
		{"a struct instead of a list", "type T []string", "type T struct{ list []string }",
			"[]string → struct{list []string}"},
		{"the same under another name of the package's types", "type E struct{ x, y int }\ntype T struct{ a []E }",
			"type F struct{ x, y int }\ntype T struct{ a []F }", ""},
		{"an interface has no representation", "type T interface{ M() }", "type T []int", ""},
		{"another number of type parameters", "type T[K comparable] struct{ a map[K]int }",
			"type T[K comparable, V any] struct{ b []K }", ""},
		{"a lock is no content", "import \"sync\"\n\ntype T struct{ mu sync.Mutex; a int }",
			"type T struct{ b []int }", "a int → b []int"},
		{"many fields are counted", "type T struct{ a, b, c, d, e []int }", "type T struct{ f []string }",
			"a []int, b []int, c []int, d []int, 1 more → f []string"},
	} {
		old, new := matchtest.Versions(t, txtar.Parse(fmt.Appendf(nil, frame, c.old, c.new)))
		m, err := match.Versions(old, new, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, found := range observe.Reshaped(m, old.Packages, new.Packages) {
			got = append(got, found.Parts.Old+" → "+found.Parts.New)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestExpectedCalls(t *testing.T) {
	m, found, _ := observed(t, sets, "Set.Contents=Set.Members")
	functions := []spectra.Symbol{module + "New", module + "(*Set).Members", module + "(*Set).Has.func1"}
	calls := observe.ExpectedCalls(m, found, functions, purity(""))
	var callers []spectra.Symbol
	for _, c := range calls {
		if !slices.Contains(callers, c.Caller) {
			callers = append(callers, c.Caller)
		}
		if name := c.Callee.Short(); strings.Contains(name, "Impure") || strings.Contains(name, "Gone") {
			t.Errorf("a call of %s is expected, which is not proven in both versions", name)
		}
	}
	want := []spectra.Symbol{module + "(*Set).Has.func1", module + "(*Set).Members"}
	if !slices.Equal(callers, want) {
		t.Errorf("callers %v, want the type's own methods and their literals %v", callers, want)
	}
	if !slices.Contains(calls, observe.Call{Caller: want[1], Callee: module + "(*Set).Members"}) {
		t.Error("no call of the renamed method is expected")
	}
}

func TestThrough(t *testing.T) {
	_, found, _ := observed(t, sets, "Set.Contents=Set.Members")
	for _, c := range []struct {
		reason, path string
		want         spectra.Symbol
	}{
		{"a result of several", "s.Contents().0[2]", module + "(*Set).Contents"},
		{"one result", "ret0.Len()", module + "(*Set).Len"},
		{"a field", "s.name", ""},
	} {
		if got := observe.Through(found, c.path); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
