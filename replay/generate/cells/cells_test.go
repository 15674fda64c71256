package cells

import (
	"testing"

	"github.com/spectradiff/spectradiff/replay/generate/value"
)

// TestCells: what is rare is drawn as often as what is common, and of each cell the small ones stay.
func TestCells(t *testing.T) {
	c, random := New[string](false), value.NewRandom(1)
	c.Add(random, 1, 1, "rare")
	for i := range 100 {
		name := "large"
		if i%90 > 70 {
			name = "small"
		}
		c.Add(random, 2, 100-i%90, name)
	}
	times := map[string]int{}
	for range 1000 {
		times[c.Draw(random)]++
	}
	if c.Len() != 2 || times["rare"] < 300 || times["small"] < 300 || times["large"] > 0 {
		t.Errorf("%d cells, drawn %v: want the rare one and the small ones half of the time each", c.Len(), times)
	}
}
