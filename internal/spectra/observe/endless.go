package observe

import (
	"go/types"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// dropEndless drops observers whose results may hold another value of their own type, such as a copy. The
// observers of that value would return another one, and so on.
func dropEndless(list []Type) (refused []Refusal) {
	g := typeGraph{index: map[*types.TypeName]int{}}
	for i, t := range list {
		g.index[t.Declared.Old.Obj()] = i
	}
	for _, t := range list {
		next := g.reached(t.Declared.Old.Underlying())
		for _, by := range t.Observers {
			for k := range g.reached(by.result) {
				next[k] = true
			}
		}
		g.next = append(g.next, next)
	}
	for i, t := range list {
		var kept []Observer
		for _, by := range t.Observers {
			if g.leads(g.reached(by.result), i) {
				refused = append(refused, Refusal{t.Name, by.Methods.Old, "it may give another " + t.Name})
				continue
			}
			kept = append(kept, by)
		}
		list[i].Observers = kept
	}
	return refused
}

// A typeGraph has the types of a list as nodes. An edge leads to each type whose values may be found in a
// value of the first, or in what its observers return.
type typeGraph struct {
	index map[*types.TypeName]int
	next  []map[int]bool
}

// leads reports whether the graph leads from some types to another.
func (g *typeGraph) leads(from map[int]bool, to int) bool {
	seen := map[int]bool{}
	var visit func(set map[int]bool) bool
	visit = func(set map[int]bool) bool {
		for k := range set {
			if k == to {
				return true
			}
			if !seen[k] {
				seen[k] = true
				if visit(g.next[k]) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}

// reached returns the types of the graph that a type contains or points to.
func (g *typeGraph) reached(t types.Type) map[int]bool {
	found, seen := map[int]bool{}, map[string]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		t = types.Unalias(t)
		name := symbol.Type(t)
		if seen[name] || len(seen) > maxTypes {
			return
		}
		seen[name] = true
		if named, ok := t.(*types.Named); ok {
			if i, ok := g.index[named.Origin().Obj()]; ok {
				found[i] = true
				return
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Map:
			visit(u.Key())
			visit(u.Elem())
		case interface{ Elem() types.Type }:
			visit(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				visit(f.Type())
			}
		case *types.Signature: // an iterator's elements
			for p := range u.Params().Variables() {
				visit(p.Type())
			}
		}
	}
	visit(t)
	return found
}

// maxTypes limits the number of types that reached looks at.
const maxTypes = 1000
