package load

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Limits say how much is selected besides what changed. 0 = no limit.
type Limits struct {
	Packages int // of the module, those that changed among them
	Linked   int // packages outside the standard library that the changed ones don't import, directly or not
}

// Select returns the packages in which a deviation can begin or be seen: the changed packages of both versions, the
// packages that these import, and the packages that import these, directly or not, within the module, of those that are
// to be compared. The nearest are taken until a limit is reached; beyond are those that are not. With all it returns
// every package. The results have import paths of old, see symbol.Rebase; changed may have those of either version.
func Select(
	old, new *Version, changed map[string]bool, all bool, most Limits,
) (selected, beyond []string) {
	g := graphOf(old, new)
	if all {
		return slices.Sorted(maps.Keys(g.packages)), nil
	}
	begin := map[string]bool{}
	for path := range changed {
		begin[symbol.Rebase(path, new.Module, old.Module)] = true
	}
	start := slices.Sorted(maps.Keys(begin))
	s := &selecting{
		graph: g, chosen: map[string]bool{}, linked: closure(start, g.linked), decided: map[string]bool{},
		packages: cmp.Or(most.Packages, math.MaxInt), room: cmp.Or(most.Linked, math.MaxInt),
	}
	for _, path := range start {
		if s.decided[path] = true; g.packages[path] { // the user may have named others that see the change
			s.chosen[path] = true
		}
	}
	for importing, imported := start, start; len(importing)+len(imported) > 0; {
		importing = s.take(importing, g.importers)
		imported = s.take(imported, g.imports)
	}
	concerned := closure(start, g.imports)
	maps.Copy(concerned, closure(start, g.importers))
	for path := range concerned {
		if g.packages[path] && !s.chosen[path] {
			beyond = append(beyond, path)
		}
	}
	slices.Sort(beyond)
	return slices.Sorted(maps.Keys(s.chosen)), beyond
}

// Distances returns how many imports lie between each package of the module and the nearest changed one that it
// imports, directly or not; 0 for a changed one. Others are not in it. Paths are as in Select.
func Distances(old, new *Version, changed map[string]bool) map[string]int {
	g, found := graphOf(old, new), map[string]int{}
	var next []string
	for path := range changed {
		next = append(next, symbol.Rebase(path, new.Module, old.Module))
	}
	for away := 0; len(next) > 0; away++ {
		from := next
		next = nil
		for _, path := range from {
			if _, known := found[path]; !known {
				found[path] = away
				next = append(next, g.importers[path]...)
			}
		}
	}
	return found
}

// Importing returns how many imports lie between what imports some packages and the nearest changed one, as Distances
// says; false if none leads to one.
func Importing(paths []string, away map[string]int) (nearest int, reaches bool) {
	for _, path := range paths {
		if n, known := away[path]; known && (!reaches || n+1 < nearest) {
			nearest, reaches = n+1, true
		}
	}
	return nearest, reaches
}

// A graph is what the packages of both versions import, under their paths in old.
type graph struct {
	packages  map[string]bool     // of the module, those that may be selected
	imports   map[string][]string // package of the module → packages of the module
	importers map[string][]string // the reverse
	linked    map[string][]string // any package → packages outside the standard library
}

func graphOf(old, new *Version) *graph {
	g := &graph{map[string]bool{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
	for _, v := range []*Version{old, new} {
		name := func(path string) string { return symbol.Rebase(path, v.Module, old.Module) }
		for _, p := range v.Packages {
			g.packages[name(p.PkgPath)] = true
		}
		for path, imports := range v.listed {
			for _, imported := range imports {
				g.imports[name(path)] = append(g.imports[name(path)], name(imported))
				g.importers[name(imported)] = append(g.importers[name(imported)], name(path))
			}
		}
		for path, imports := range v.members.linked {
			for _, imported := range imports {
				g.linked[name(path)] = append(g.linked[name(path)], name(imported))
			}
		}
	}
	return g
}

// selecting is the state of a selection.
type selecting struct {
	*graph
	chosen   map[string]bool
	decided  map[string]bool // chosen or not
	linked   map[string]bool // with what was chosen
	packages int             // at most
	room     int             // for packages that are not linked yet
}

// take chooses the packages that are one step away, those first that bring the fewest others. It returns them. What
// lies behind a package that is not taken is not reached.
func (s *selecting) take(from []string, edges map[string][]string) (taken []string) {
	if len(s.chosen) >= s.packages {
		return nil
	}
	brings := map[string]int{}
	for _, path := range from {
		for _, next := range edges[path] {
			if _, known := brings[next]; !known && !s.decided[next] {
				brings[next] = len(s.brought(next))
			}
		}
	}
	nearest := slices.SortedFunc(maps.Keys(brings), func(x, y string) int {
		return cmp.Or(cmp.Compare(brings[x], brings[y]), cmp.Compare(x, y))
	})
	for _, next := range nearest {
		s.decided[next] = true
		if !s.graph.packages[next] { // the user did not name it
			taken = append(taken, next)
			continue
		}
		brought := s.brought(next)
		if len(s.chosen) >= s.packages || len(brought) > s.room {
			continue
		}
		taken, s.chosen[next] = append(taken, next), true
		s.room -= len(brought)
		for _, path := range brought {
			s.linked[path] = true
		}
	}
	return taken
}

// brought returns the packages that are linked with a package, and were not before; no more than show that there is no
// room for them. Later there is none either: whatever of them is linked then has taken as much of the room.
func (s *selecting) brought(path string) (list []string) {
	found := map[string]bool{}
	for queue := []string{path}; len(queue) > 0 && len(list) <= s.room; {
		node := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if s.linked[node] || found[node] { // what is linked has all that it links
			continue
		}
		found[node], list = true, append(list, node)
		queue = append(queue, s.graph.linked[node]...)
	}
	return list
}

// closure returns the nodes reachable from start, including start.
func closure(start []string, edges map[string][]string) map[string]bool {
	found := map[string]bool{}
	for queue := slices.Clone(start); len(queue) > 0; {
		node := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if found[node] {
			continue
		}
		found[node] = true
		queue = append(queue, edges[node]...)
	}
	return found
}
