package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// slot reads "p name type": r, p, c or s for receiver, parameter, captured variable, result.
func slot(text string) spectra.SlotDecl {
	kind, rest, _ := strings.Cut(text, " ")
	name, typ, _ := strings.Cut(rest, " ")
	kinds := map[string]spectra.SlotKind{"r": spectra.Receiver, "p": spectra.Parameter, "c": spectra.Captured,
		"s": spectra.Result}
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
		{"another name and another place: the type tells", "p x int; p s string", "p t string; p n int", false,
			"0-1 1-0"},
		{"which of two is not known", "p x int; p s string", "p a int; p b int; p s string", false, "1-2"},
		{"a name of another type", "p x int", "p x string", false, ""},
		{"a method that became a function", "r t *m.T; p x int", "p t *m.T; p x int", false, "0-0 1-1"},
		{"a function that became a method and lost its name for it", "p one *m.T; p x int", "r t *m.T; p x int",
			false, "0-0 1-1"},
		{"a receiver that became a pointer", "r t m.T; p x int", "r t *m.T; p x int", false, "0-0* 1-1"},
		{"and one that ceased to be", "r t *m.T", "p t m.T", false, "0*-0"},
		{"a parameter that became a pointer may be nil", "p t m.T", "p t *m.T", false, ""},
		{"a result more", "s ret0 int", "s ret0 int; s ret1 error", false, "0-0"},
		{"unnamed results have no names", "s ret0 int; s ret1 int; s ret2 error", "s ret0 int; s ret1 error", false,
			"2-1"},
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
