package search

import (
	"fmt"
	"go/constant"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestWithMeant checks that a call stands as a test has it, followed by the call with its escapes replaced, also in
// calls that make arguments.
func TestWithMeant(t *testing.T) {
	call := func(texts ...string) carve.Call {
		c := carve.Call{Op: "f"}
		for _, text := range texts {
			c.Args = append(c.Args, &sequence.Value{Kind: sequence.String, Text: text})
		}
		return c
	}
	chain := carve.Call{Op: "g", Args: []*sequence.Value{nil}, From: []*carve.Made{{Call: call(`a\tb`)}}}
	meant := carve.Call{Op: "g", Args: []*sequence.Value{nil}, From: []*carve.Made{{Call: call("a\tb")}}}
	number := carve.Call{Op: "h", Args: []*sequence.Value{{Kind: sequence.Int, Text: "1"}}}
	given := []carve.Call{call(`scr\u0130pt \q`, `\n`), call("none", `C:\`), chain, number}
	want := []carve.Call{
		given[0], call("scrİpt \\q", "\n"), given[1], chain, meant, number,
	}
	got := withMeant(given)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].String() != want[i].String() {
			t.Fatalf("call %d: got %v, want %v", i, got, want)
		}
	}
}

// TestConstants: all searches for a plan have the same constants, which are read once.
func TestConstants(t *testing.T) {
	version := loadtest.TypeCheckText(t, `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

const Usual = "usual"
`, nil)
	p := &plan.Plan{Driven: []string{"example.com/m"}}
	p.Sides.Old.Target, p.Sides.New.Target = version, version
	in := Input{Drivers: &drivers.Drivers{Plan: p}}
	in.pool = in.shared()
	first := in.constants()
	later := filepath.Join(version.Packages[0].Dir, "later_test.go")
	if err := os.WriteFile(later, []byte("package m\n\nconst later = 77\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := Input{Drivers: &drivers.Drivers{Plan: p}, Calls: &Generated{pool: in.pool}}
	for _, again := range []Input{in, tests} {
		list := append(again.constants(), generate.Constant{Package: "told"})
		if len(first) == 0 || !slices.Equal(list[:len(list)-1], first) {
			t.Errorf("first %v, then %v", first, list)
		}
	}
	other := *p
	if in.Drivers.Plan = &other; len(in.constants()) <= len(first) {
		t.Error("another plan has the constants of the first")
	}
}

// TestChangedConstants: what only one version has counts, however many shorter ones there are, and constants of old's
// types. Of tags nothing else does.
func TestChangedConstants(t *testing.T) {
	many := "\nvar many = []string{"
	for i := range 500 {
		many += fmt.Sprintf("%q,", strconv.Itoa(1000+i))
	}
	version := func(modes, key string) *load.Version {
		return loadtest.TypeCheckText(t, `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

type Mode string

const (
	`+modes+`
)

type T struct {
	A string `+"`yaml:\"both\"`"+`
	B string `+"`yaml:\""+key+"\"`"+`
}
`+many+"}\n", nil)
	}
	in := Sources{Driven: []string{"example.com/m"}}
	in.Versions.Old = version(`Usual Mode = "a usual value"`, "old-key")
	in.Versions.New = version(`Usual Mode = "a usual value"; Other Mode = "another value"`, "new-key")
	old := in.Versions.Old.Packages[0].Types.Scope().Lookup("Mode").Type()
	var changed []string
	typed := false
	for _, c := range in.Constants() {
		if text := c.Value.ExactString(); c.Changed && !slices.Contains(changed, text) {
			changed = append(changed, text)
		}
		typed = typed || c.Changed && c.Type == old
		if c.Value.ExactString() == `"both"` {
			t.Error("a tag that both versions have counts")
		}
	}
	slices.Sort(changed)
	if want := []string{`"another value"`, `"new-key"`, `"old-key"`}; !slices.Equal(changed, want) || !typed {
		t.Errorf("changed: %q, want %q; one of old's type: %v", changed, want, typed)
	}
}

// TestFewer: of very many texts of a package those stay whose hashes are the least, and all of changed code.
func TestFewer(t *testing.T) {
	var all []ordered
	for i := range 2 * maxTexts {
		c := generate.Constant{Package: "m", Value: constant.MakeString(strconv.Itoa(i)), Changed: i%100 == 0}
		all = append(all, orderedBy(c.Value.ExactString(), mined{c, true}))
	}
	got := fewer(all)
	changed := len(slices.DeleteFunc(slices.Clone(got), func(c generate.Constant) bool { return !c.Changed }))
	if len(got) != maxTexts+changed || changed != 2*maxTexts/100 {
		t.Errorf("%d constants, %d of changed code", len(got), changed)
	}
	last := all[maxTexts/2] // they are in order now
	if !slices.Contains(got, last.Constant) {
		t.Errorf("%v is gone, which comes early", last.Value)
	}
}

// TestCallsFaults: an internal error in the tests of one package is a fault of these, and the others are read.
func TestCallsFaults(t *testing.T) {
	version := loadtest.TypeCheckText(t, `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

func Parse(text string) {}
-- m_test.go --
package m

import "testing"

func TestParse(t *testing.T) { Parse("x") }
-- p/p.go --
package p
-- p/p_test.go --
package p

import "testing"

func TestTorn(t *testing.T) { t.Torn("x") }
`, nil)
	in := Sources{
		Versions: spectra.Pair[*load.Version]{Old: version, New: version},
		Driven:   []string{"example.com/m", "example.com/m/p"},
		Operations: append(api.Operations(version, []string{"example.com/m"}),
			&api.Operation{Name: "example.com/m/p.T.Torn", Receiver: true}), // no operation is like that
	}
	calls, faults := in.Calls()
	if len(calls) != 1 || !strings.HasSuffix(calls[0].Op, "Parse") {
		t.Errorf("calls %v, want that of Parse", calls)
	}
	if len(faults) != 2 || faults[0].Package != "example.com/m/p" || faults[0].Side != spectra.Old ||
		!strings.HasPrefix(faults[0].Text(), "internal error while reading its tests: ") {
		t.Errorf("faults %v, want one of p on each side", faults)
	}
}
