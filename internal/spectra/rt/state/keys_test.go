package state

import "testing"

// A vertex looks like every other one.
type vertex struct {
	edges []*vertex
}

type graph struct {
	marked   map[*vertex]int // walked last, though it stands first
	vertices []*vertex
}

// newGraph makes a ring of alike vertices and marks some of them, in that order.
func newGraph(size int, marked ...int) *graph {
	g := &graph{marked: map[*vertex]int{}}
	for range size {
		g.vertices = append(g.vertices, &vertex{})
	}
	for i, v := range g.vertices {
		v.edges = []*vertex{g.vertices[(i+1)%size]}
	}
	for _, i := range marked {
		g.marked[g.vertices[i]] = 1
	}
	return g
}

// TestAlikeKeys: keys that only their place tells apart have an order, where that place is known.
func TestAlikeKeys(t *testing.T) {
	for range 20 { // maps have another order each time
		for _, test := range []struct {
			reason   string
			old, new any
			same     bool
		}{
			{"the same vertices are marked", newGraph(9, 1, 4, 7, 8), newGraph(9, 8, 7, 4, 1), true},
			{"another vertex is marked", newGraph(9, 1, 4, 7, 8), newGraph(9, 1, 4, 6, 8), false},
			{"all are marked", newGraph(9, 0, 1, 2, 3, 4, 5, 6, 7, 8), newGraph(9, 8, 7, 6, 5, 4, 3, 2, 1, 0), true},
			{"channels", alikeChannels(1, 2), alikeChannels(2, 1), true},
			{"other channels", alikeChannels(1, 2), alikeChannels(1, 3), false},
		} {
			if got := hashed(test.old) == hashed(test.new); got != test.same {
				t.Fatalf("%s: equal %v", test.reason, got)
			}
		}
	}
}

type listeners struct {
	all  []chan int
	open map[any]bool
}

func alikeChannels(open ...int) *listeners {
	l := &listeners{open: map[any]bool{}}
	for range 5 {
		l.all = append(l.all, make(chan int))
	}
	for _, i := range open {
		l.open[l.all[i]] = true
	}
	return l
}
