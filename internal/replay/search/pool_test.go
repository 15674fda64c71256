package search

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
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
