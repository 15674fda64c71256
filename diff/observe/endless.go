package observe

// This file drops the observers that would be observed without end.

import (
	"go/types"

	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// dropEndless drops observers that may give something new of their own type without end, such as a
// copy, which would be observed in its turn.
func dropEndless(list []Type) (refused []Refusal) {
	g := typeGraph{index: map[*types.TypeName]int{}}
	for i, t := range list {
		g.index[t.Declared.Old.Obj()] = i
	}
	for _, t := range list {
		next := g.reached(t.Declared.Old.Underlying())
		for _, by := range t.Observers {
			for k := range g.reached(by.gives) {
				next[k] = true
			}
		}
		g.next = append(g.next, next)
	}
	for i, t := range list {
		var kept []Observer
		for _, by := range t.Observers {
			if g.leads(g.reached(by.gives), i) {
				refused = append(refused, Refusal{t.Name, by.Methods.Old, "it may give another " + t.Name})
				continue
			}
			kept = append(kept, by)
		}
		list[i].Observers = kept
	}
	return refused
}

// A typeGraph has the reshaped types, and which of them values of each lead to.
type typeGraph struct {
	index map[*types.TypeName]int
	next  []map[int]bool
}

// leads reports whether values of some types lead to one of the type with that number.
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

// reached returns the reshaped types that a type contains or points to.
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

// maxTypes is how many types a type is followed to.
const maxTypes = 1000
