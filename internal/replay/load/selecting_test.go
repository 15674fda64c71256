package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTakeAsCounted: the selection is the one that is made where all that each package brings is counted each time.
func TestTakeAsCounted(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		g := &graph{map[string]bool{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
		for i := range 40 {
			path := fmt.Sprintf("p%02d", i)
			g.packages[path] = random.IntN(8) > 0
			for range random.IntN(4) {
				g.importers["p00"] = append(g.importers["p00"], path)
				g.linked[path] = append(g.linked[path], fmt.Sprintf("x%02d", random.IntN(40)))
			}
			g.linked[fmt.Sprintf("x%02d", i)] = []string{fmt.Sprintf("x%02d", i+random.IntN(4)), "x39"}
		}
		packages, room := 1+random.IntN(30), random.IntN(30)
		selection := func() *selecting {
			return &selecting{
				graph: g, chosen: map[string]bool{"p00": true}, decided: map[string]bool{"p00": true},
				linked: closure([]string{"p00"}, g.linked), packages: packages, room: room,
			}
		}
		bounded, counted := selection(), selection()
		bounded.take([]string{"p00"}, g.importers)
		counted.count([]string{"p00"})
		for path := range g.packages {
			if bounded.chosen[path] != counted.chosen[path] {
				t.Errorf("seed %d: %s is chosen %t, want %t", seed, path, bounded.chosen[path], counted.chosen[path])
			}
		}
	}
}

// count chooses as take does, without bounds.
func (s *selecting) count(from []string) {
	brings := func(path string) (list []string) {
		for p := range closure([]string{path}, s.graph.linked) {
			if !s.linked[p] {
				list = append(list, p)
			}
		}
		return list
	}
	type neighbour struct {
		path   string
		brings int
	}
	var nearest []neighbour
	for _, path := range from {
		for _, next := range s.graph.importers[path] {
			if !s.decided[next] {
				nearest = append(nearest, neighbour{next, len(brings(next))})
				s.decided[next] = true
			}
		}
	}
	slices.SortFunc(nearest, func(x, y neighbour) int {
		if x.brings != y.brings {
			return x.brings - y.brings
		}
		if x.path < y.path {
			return -1
		}
		return 1
	})
	for _, next := range nearest {
		list := brings(next.path)
		if !s.graph.packages[next.path] || len(s.chosen) >= s.packages || len(list) > s.room {
			continue
		}
		s.chosen[next.path] = true
		s.room -= len(list)
		for _, path := range list {
			s.linked[path] = true
		}
	}
}

// TestBroughtIsBounded: of what a package brings, no more is looked at than there is room for.
func TestBroughtIsBounded(t *testing.T) {
	g := &graph{linked: map[string][]string{}}
	for i := range 1000 {
		g.linked[fmt.Sprint(i)] = []string{fmt.Sprint(i + 1)}
	}
	s := &selecting{graph: g, linked: map[string]bool{}, room: 20, packages: 1, chosen: map[string]bool{"0": true}}
	if n := len(s.brought("5")); n != 21 {
		t.Errorf("%d packages, want 21", n)
	}
	if s.linked["8"] = true; len(s.brought("5")) != 3 {
		t.Errorf("%q, want what comes before 8", s.brought("5"))
	}
	s.importers = map[string][]string{"0": {"1"}}
	if s.take([]string{"0"}, s.importers); s.decided["1"] {
		t.Error("a package is looked at although no more can be chosen")
	}
}
