package variables

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// graph has a node for every function. Other nodes stand for several functions: those that one call may
// reach, or foreign code that got a value of some type.
type graph struct {
	variables []string       // sorted
	number    map[string]int // key → node
	symbols   []spectra.Symbol
	edges     [][]int
	touched   []map[int]bool // node → indexes of variables
}

// add returns the node of a key, and reports whether it is new.
func (g *graph) add(key string) (node int, fresh bool) {
	if n, ok := g.number[key]; ok {
		return n, false
	}
	n := len(g.edges)
	g.number[key] = n
	g.symbols = append(g.symbols, "")
	g.edges = append(g.edges, nil)
	g.touched = append(g.touched, nil)
	return n, true
}

// function returns the node of a function of the sources.
func (g *graph) function(s spectra.Symbol) int {
	n, _ := g.add("function " + string(s))
	g.symbols[n] = s
	return n
}

func (g *graph) edge(from, to int) { g.edges[from] = append(g.edges[from], to) }

// touch notes that a node names a variable, if the variable is one of those that change.
func (g *graph) touch(node int, name string) {
	i, ok := slices.BinarySearch(g.variables, name)
	if !ok {
		return
	}
	if g.touched[node] == nil {
		g.touched[node] = map[int]bool{}
	}
	g.touched[node][i] = true
}

// reach returns for every function the variables that its node, or any node that can be reached from it,
// touches.
func (g *graph) reach() map[spectra.Symbol][]string {
	order := components(g.edges)
	sets := make([]map[int]bool, len(g.edges)) // shared by the nodes of a component
	for _, component := range order {
		set := map[int]bool{}
		for _, node := range component {
			sets[node] = set
		}
		for _, node := range component {
			maps.Copy(set, g.touched[node])
			for _, next := range g.edges[node] {
				maps.Copy(set, sets[next])
			}
		}
	}
	result := map[spectra.Symbol][]string{}
	for node, symbol := range g.symbols {
		if symbol == "" {
			continue
		}
		names := make([]string, 0, len(sets[node]))
		for _, i := range slices.SortedFunc(maps.Keys(sets[node]), cmp.Compare[int]) {
			names = append(names, g.variables[i])
		}
		result[symbol] = names
	}
	return result
}

// unknown stands for a type that its text does not identify: one that contains a type parameter, or a
// function type, whose text contains the names of parameters.
const unknown = "?"

// shapeOf lists the types of parameters and results as texts.
func shapeOf(s *types.Signature) [2][]string {
	return [2][]string{tupleShape(s.Params()), tupleShape(s.Results())}
}

func tupleShape(t *types.Tuple) []string {
	var list []string
	for v := range t.Variables() {
		text := symbol.Key(v.Type())
		if strings.Contains(text, "func(") || hasTypeParameter(v.Type()) {
			text = unknown
		}
		list = append(list, text)
	}
	return list
}

func hasTypeParameter(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for argument := range t.TypeArgs().Types() {
			if hasTypeParameter(argument) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		m, ok := t.(*types.Map)
		return hasTypeParameter(t.Elem()) || ok && hasTypeParameter(m.Key())
	case *types.Struct:
		for field := range t.Fields() {
			if hasTypeParameter(field.Type()) {
				return true
			}
		}
	}
	return false
}

func shapeKey(s [2][]string) string {
	return "(" + strings.Join(s[0], ",") + ")(" + strings.Join(s[1], ",") + ")"
}

// fits reports whether a call of one shape can reach a function of the other.
func fits(call, target [2][]string) bool {
	for i := range call {
		if !slices.EqualFunc(call[i], target[i], func(x, y string) bool {
			return x == y || x == unknown || y == unknown
		}) {
			return false
		}
	}
	return true
}
