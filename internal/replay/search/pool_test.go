package search

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
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
