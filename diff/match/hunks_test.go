package match_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/diff/match/matchtest"
	"github.com/spectradiff/spectradiff/spectra"
)

const changedBodies = `-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

func Only(n int) int {
	sum := helper(n)
	return sum
}

func Really(n int) int {
	sum := helper(n)
	return sum
}

func Swapped(low, high int) int {
	return helper(low) - high
}

func helper(n int) int { return n*n + 1 }
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

// Only got names and a comment.
func Only(count int) int {
	total := assist(count)
	return (total)
}

func Really(n int) int {
	sum := assist(n)
	sum++
	return sum
}

func Swapped(low, high int) int {
	return assist(high) - low
}

func assist(n int) int { return n*n + 1 }
`

func TestHunksWithoutRenames(t *testing.T) {
	m := matchtest.Match(t, changedBodies)
	for _, c := range []struct {
		reason string
		name   string
		hunks  []match.Hunk
	}{
		{"names, parentheses and comments alone", "Only", nil},
		{"a new line beside a renamed call", "Really", []match.Hunk{{New: match.Lines{"m.go", 11, 11}}}},
		{"the same words, but other variables", "Swapped", []match.Hunk{{match.Lines{"m.go", 14, 14}, match.Lines{"m.go", 16, 16}}}},
		{"the renamed function itself", "helper", nil},
	} {
		symbol := spectra.Symbol("example.com/m." + c.name)
		_, _, hunks, ok := m.Hunks(symbol)
		if !ok || len(hunks) != len(c.hunks) || len(hunks) > 0 && hunks[0] != c.hunks[0] {
			t.Errorf("%s: hunks of %s are %v, want %v", c.reason, c.name, hunks, c.hunks)
		}
		if same := m.Same(symbol); same != (len(c.hunks) == 0) {
			t.Errorf("%s: %s is the same: %v", c.reason, c.name, same)
		}
	}
}
