package instrument

// This file defines the graph of what may call what.

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

// graph has a node for every function, and for every kind of call that is resolved by types: of a
// method by name, of a value by signature, by foreign code that got a value of some type.
type graph struct {
	module    map[string]bool // import paths of its packages
	variables []string        // sorted
	number    map[string]int  // key → node
	symbols   []spectra.Symbol
	edges     [][]int
	touched   []map[int]bool // node → indexes of variables

	values  []value         // functions used as values
	known   map[string]bool // values, to have each once
	holders []holder        // types with methods
	held    map[string]bool // holders, to have each once
	pending []func()        // dynamic nodes whose edges are still to be found
}

// A value is a function used as a value.
type value struct {
	node  int
	shape [2][]string
}

// A holder is a type with methods, promoted ones included.
type holder struct {
	methods map[string]*types.Func
}

func newGraph() *graph {
	return &graph{
		module: map[string]bool{}, number: map[string]int{}, known: map[string]bool{},
		held: map[string]bool{},
	}
}

// add gives the node of a key.
func (g *graph) add(key string) int {
	if n, ok := g.number[key]; ok {
		return n
	}
	n := len(g.edges)
	g.number[key] = n
	g.symbols = append(g.symbols, "")
	g.edges = append(g.edges, nil)
	g.touched = append(g.touched, nil)
	return n
}

func (g *graph) function(s spectra.Symbol) int {
	n := g.add("function " + string(s))
	g.symbols[n] = s
	return n
}

func (g *graph) edge(from, to int) { g.edges[from] = append(g.edges[from], to) }

// touch notes that a node names a variable, if it is one of those that change.
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

// taken notes that a function is used as a value.
func (g *graph) taken(node int, t types.Type) {
	s := t.Underlying().(*types.Signature)
	shape := shapeOf(s)
	key := fmt.Sprint(node, shapeKey(shape))
	if !g.known[key] {
		g.known[key] = true
		g.values = append(g.values, value{node, shape})
	}
}

// holder notes a type with methods.
func (g *graph) holder(t types.Type) {
	if t == nil || types.IsInterface(t) || g.held[canonical(t)] {
		return
	}
	set := types.NewMethodSet(types.NewPointer(t))
	if set.Len() == 0 {
		return
	}
	g.held[canonical(t)] = true
	h := holder{map[string]*types.Func{}}
	for selection := range set.Methods() {
		fn := selection.Obj().(*types.Func)
		h.methods[fn.Name()] = fn
	}
	g.holders = append(g.holders, h)
}

// callee is the node that stands for calling fn, -1 if nothing of the module can follow. If fn is
// a method of an interface, it was selected from one of type through, nil = the one it belongs to.
func (g *graph) callee(fn *types.Func, through types.Type) int {
	switch {
	case isInterfaceMethod(fn) && through == nil:
		return g.method(fn, fn.Signature().Recv().Type())
	case isInterfaceMethod(fn):
		return g.method(fn, through)
	case fn.Pkg() != nil && g.module[fn.Pkg().Path()]:
		return g.function(symbolOf(fn.Origin()))
	}
	return -1
}

func isInterfaceMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// method is the node of a method call through an interface or type parameter.
func (g *graph) method(fn *types.Func, through types.Type) int {
	needs := interfaceMethods(through)
	shape := shapeOf(fn.Signature())
	key := "method " + fn.Name() + shapeKey(shape) + " of " + strings.Join(needs, ",")
	if n, ok := g.number[key]; ok {
		return n
	}
	n := g.add(key)
	g.pending = append(g.pending, func() {
		for _, h := range g.holders {
			found := h.methods[fn.Name()]
			if found == nil || !fits(shape, shapeOf(found.Signature())) || !h.has(needs) {
				continue
			}
			if target := g.callee(found, nil); target >= 0 && target != n {
				g.edge(n, target)
			}
		}
	})
	return n
}

func interfaceMethods(t types.Type) []string {
	var names []string
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for m := range i.Methods() {
		names = append(names, m.Name())
	}
	slices.Sort(names)
	return names
}

func (h holder) has(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return h.methods[name] == nil })
}

// dynamic is the node of a call of a function value.
func (g *graph) dynamic(s *types.Signature) int {
	shape := shapeOf(s)
	key := "value " + shapeKey(shape)
	if n, ok := g.number[key]; ok {
		return n
	}
	n := g.add(key)
	g.pending = append(g.pending, func() {
		for _, v := range g.values {
			if fits(shape, v.shape) {
				g.edge(n, v.node)
			}
		}
	})
	return n
}

// textMethods are called by foreign code, fmt and the encoders above all, on values it got as any.
var textMethods = []string{
	"Error", "Format", "GoString", "MarshalBinary", "MarshalJSON", "MarshalText", "MarshalXML", "Scan",
	"String", "UnmarshalBinary", "UnmarshalJSON", "UnmarshalText", "UnmarshalXML", "Value",
}

// handedOut is the node of foreign code that was given a value of type t.
func (g *graph) handedOut(t types.Type) int {
	key := "outside " + canonical(t)
	if n, ok := g.number[key]; ok {
		return n
	}
	n := g.add(key)
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		g.handedOutNamed(n, t)
	case *types.TypeParam:
		g.edge(n, g.handedOut(types.Universe.Lookup("any").Type()))
	case *types.Pointer:
		g.edge(n, g.handedOut(t.Elem()))
	case *types.Slice:
		g.edge(n, g.handedOut(t.Elem()))
	case *types.Array:
		g.edge(n, g.handedOut(t.Elem()))
	case *types.Chan:
		g.edge(n, g.handedOut(t.Elem()))
	case *types.Map:
		g.edge(n, g.handedOut(t.Key()))
		g.edge(n, g.handedOut(t.Elem()))
	case *types.Struct:
		for field := range t.Fields() {
			g.edge(n, g.handedOut(field.Type()))
		}
	case *types.Signature:
		g.edge(n, g.dynamic(t))
	case *types.Interface:
		g.handedOutInterface(n, t)
	}
	return n
}

// handedOutNamed adds the exported methods of a type of the module, and what it is made of.
func (g *graph) handedOutNamed(n int, t *types.Named) {
	if t.Obj().Pkg() == nil || !g.module[t.Obj().Pkg().Path()] {
		if _, ok := t.Underlying().(*types.Struct); ok {
			return // its fields are foreign
		}
	} else if !types.IsInterface(t) {
		for selection := range types.NewMethodSet(types.NewPointer(t)).Methods() {
			if fn := selection.Obj().(*types.Func); fn.Exported() {
				if target := g.callee(fn, nil); target >= 0 {
					g.edge(n, target)
				}
			}
		}
	}
	g.edge(n, g.handedOut(t.Underlying()))
}

func (g *graph) handedOutInterface(n int, t *types.Interface) {
	for m := range t.Methods() {
		g.edge(n, g.method(m, t))
	}
	if t.NumMethods() > 0 && t.Method(0).Name() != "Error" {
		return
	}
	g.pending = append(g.pending, func() {
		for _, h := range g.holders {
			for _, name := range textMethods {
				if fn := h.methods[name]; fn != nil {
					if target := g.callee(fn, nil); target >= 0 {
						g.edge(n, target)
					}
				}
			}
		}
	})
}

// resolve finds the edges of dynamic nodes, which may bring in more of them.
func (g *graph) resolve() {
	for len(g.pending) > 0 {
		next := g.pending[0]
		g.pending = g.pending[1:]
		next()
	}
}

// unknown stands for a type that a shape can't tell by its text: one that holds a type parameter,
// or a function type, whose text has the names of parameters.
const unknown = "?"

// shapeOf lists the types of parameters and results.
func shapeOf(s *types.Signature) [2][]string {
	return [2][]string{tupleShape(s.Params()), tupleShape(s.Results())}
}

func tupleShape(t *types.Tuple) []string {
	var list []string
	for v := range t.Variables() {
		text := canonical(v.Type())
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

// reach gives for every function the variables that its node and all that follow touch.
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
