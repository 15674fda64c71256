package target

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/spectra"
)

// slot reads "p name type": r, p, c or s for receiver, parameter, captured variable, result.
func slot(text string) spectra.SlotDecl {
	kind, rest, _ := strings.Cut(text, " ")
	name, typ, _ := strings.Cut(rest, " ")
	kinds := map[string]spectra.SlotKind{"r": spectra.Receiver, "p": spectra.Parameter, "c": spectra.Captured, "s": spectra.Result}
	return spectra.SlotDecl{Kind: kinds[kind], Name: name, Type: typ}
}

func slots(text string) []spectra.SlotDecl {
	var list []spectra.SlotDecl
	for part := range strings.SplitSeq(text, "; ") {
		if part != "" {
			list = append(list, slot(part))
		}
	}
	return list
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		reason, old, new string
		byName           bool
		want             string
	}{
		{"the same", "p x int; s ret0 error", "p x int; s ret0 error", false, "0-0 1-1"},
		{"renamed parameters", "p x int; p y int", "p y int; p z int", false, "0-0 1-1"},
		{"a parameter more in front", "p x int", "p ctx m.C; p x int", false, "0-1"},
		{"a parameter less", "p x int; p strict bool", "p strict bool", false, "1-0"},
		{"other places", "p x int; p s string", "p s string; p x int", false, "0-1 1-0"},
		{"other places that no type tells", "p x int; p y int", "p y int; p x int", true, "0-1 1-0"},
		{"places count where names don't", "p x int; p y int", "p y int; p x int", false, "0-0 1-1"},
		{"another name and another place: the type tells", "p x int; p s string", "p t string; p n int", false, "0-1 1-0"},
		{"which of two is not known", "p x int; p s string", "p a int; p b int; p s string", false, "1-2"},
		{"a name of another type", "p x int", "p x string", false, ""},
		{"a method that became a function", "r t *m.T; p x int", "p t *m.T; p x int", false, "0-0 1-1"},
		{"a function that became a method and lost its name for it", "p one *m.T; p x int", "r t *m.T; p x int", false, "0-0 1-1"},
		{"a receiver that became a pointer", "r t m.T; p x int", "r t *m.T; p x int", false, "0-0* 1-1"},
		{"and one that ceased to be", "r t *m.T", "p t m.T", false, "0*-0"},
		{"a parameter that became a pointer may be nil", "p t m.T", "p t *m.T", false, ""},
		{"a result more", "s ret0 int", "s ret0 int; s ret1 error", false, "0-0"},
		{"unnamed results have no names", "s ret0 int; s ret1 int; s ret2 error", "s ret0 int; s ret1 error", false, "2-1"},
		{"captured variables go by name", "c x int; c y int", "c y int; c z int", false, "1-0"},
		{"a captured variable may be called as an unnamed parameter is", "c arg0 int", "c arg0 int", false, "0-0"},
	} {
		m := slotMatcher{old: slots(c.old), new: slots(c.new), byName: c.byName}
		var got []string
		for _, p := range m.match() {
			text := fmt.Sprint(p.Old)
			if p.OldPointer {
				text += "*"
			}
			text += fmt.Sprint("-", p.New)
			if p.NewPointer {
				text += "*"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestReshaped(t *testing.T) {
	archive := txtar.Parse([]byte(`-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

type T struct{ n int }

func (t T) Value() int { return t.n }
func plain(n int) int { return n * 2 }
func swapped(low, high int) int { return high - low }
func renamed(low, high int) int { return high - low }
func Exported(low, high int) int { return high - low }
func results() int { return 1 }
func other(n int) int { return n * 2 }
func rest(n []int) int { return len(n) }
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

type T struct{ n int }

func (t *T) Value() int { return t.n }
func plain(n int, twice bool) int { return n * 2 }
func swapped(high, low int) int { return high - low }
func renamed(high, low int) int { return low - high }
func Exported(high, low int) int { return high - low }
func results() (int, error) { return 1, nil }
func other(s string) (string, error) {
	for range s {
		s += "x"
	}
	return s, nil
}
func rest(n ...int) int { return len(n) }
`))
	s := Common(load(t, extract(t, archive, "old/")), load(t, extract(t, archive, "new/")), nil)
	got := map[spectra.Symbol]string{}
	for _, c := range s.Structural {
		got[c.Symbol] = string(c.Change) + " " + strings.ReplaceAll(c.Detail, "example.com/", "")
	}
	for _, c := range []struct {
		reason   string
		function spectra.Symbol
		want     string
	}{
		{"a receiver became a pointer", "T.Value", "signature receiver m.T → *m.T"},
		{"a parameter more", "plain", "signature gained twice bool"},
		{"names say that places were exchanged", "swapped", "signature parameters in another order"},
		{"the body says that names were exchanged", "renamed", ""},
		{"of an exported function places count", "Exported", ""},
		{"a result more", "results", "signature results (int) → (int, error)"},
		{"nothing but the name stayed", "other", "signature lost n int; gained s string; results (int) → (string, error); another body, not compared"},
		{"the slots are the same", "rest", "signature func([]int) int → func(...int) int"},
	} {
		if got := got["example.com/m."+c.function]; got != c.want {
			t.Errorf("%s: %s %q, want %q", c.reason, c.function, got, c.want)
		}
		if want := strings.HasSuffix(c.want, "not compared"); s.Strangers("example.com/m."+c.function) != want {
			t.Errorf("%s: %s is a stranger: %v", c.reason, c.function, !want)
		}
	}
}
