package generate

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
)

// TestCells checks that rare things are drawn as often as common ones, and that the small ones of each cell stay.
func TestCells(t *testing.T) {
	c, random := newCells[string](), value.NewRandom(1)
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

// TestMost checks the maximum number of cells and that a new one replaces one that was drawn often.
func TestMost(t *testing.T) {
	c, random := newCells[int](), value.NewRandom(1)
	for i := range most {
		c.Add(random, uint64(i), 1, i)
		c.cells[i].drawn = i
	}
	for i := range 100 {
		c.Add(random, uint64(most+i), 1, most+i)
	}
	if c.Len() != most || len(c.byKey) != most {
		t.Fatalf("%d cells, %d keys, want %d", c.Len(), len(c.byKey), most)
	}
	fresh, seldom := 0, 0
	for _, of := range c.byKey {
		if of.things[0].thing >= most {
			fresh++
		}
		if of.drawn > 0 && of.drawn < most/2 {
			seldom++
		}
	}
	if fresh < 95 || seldom < most/2-30 {
		t.Errorf("%d of 100 new cells are there, and %d of %d that were seldom drawn", fresh, seldom, most/2-1)
	}
}
