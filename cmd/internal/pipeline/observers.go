package pipeline

// This file picks the observers of a type whose representation changed: methods without parameters
// that both versions have with the same results, proven pure in both, whose results can be compared.

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/replay/harness"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// findObservers lists the observers of a type by the names of their methods.
func (o *observation) findObservers(t *reshaped, purity spectra.Pair[*instrument.Purity]) {
	newMethods := types.NewMethodSet(types.NewPointer(t.new))
	for selection := range types.NewMethodSet(types.NewPointer(t.old)).Methods() {
		old := selection.Obj().(*types.Func)
		if old.Signature().Params().Len() > 0 || old.Signature().Results().Len() == 0 {
			continue
		}
		symbol := o.newName(string(symbol.Function(old)))
		name := symbol[strings.LastIndexByte(symbol, '.')+1:]
		now := newMethods.Lookup(t.new.Obj().Pkg(), name)
		if now == nil {
			continue
		}
		new := now.Obj().(*types.Func)
		reason := o.differentResults(old, new)
		var was, is instrument.Verdict
		if reason == "" {
			was, is = purity.Old.Observer(old), purity.New.Observer(new)
			reason = o.impure(spectra.Old, was)
		}
		if reason == "" {
			reason = o.impure(spectra.New, is)
		}
		if reason == "" {
			reason = t.add(old, new, was, is)
		}
		if reason != "" {
			o.env.Detailf("%s is compared by observers, but not by %s: %s", t.name, old.Name(), reason)
		}
	}
}

// differentResults says why what two methods give can't be compared.
func (o *observation) differentResults(old, new *types.Func) string {
	before, after := old.Signature().Results(), new.Signature().Results()
	if new.Signature().Params().Len() > 0 || before.Len() != after.Len() {
		return "its signature changed"
	}
	for i := range before.Len() {
		if symbol.Type(before.At(i).Type()) != o.common.Old(symbol.Type(after.At(i).Type())) {
			return "its signature changed"
		}
	}
	return ""
}

// impure says why a method is no observer, "" if it is one.
func (o *observation) impure(s spectra.Side, v instrument.Verdict) string {
	if v.Pure() {
		return ""
	}
	of := o.sides.Of(s).target
	at := of.Fset.Position(v.Position)
	return fmt.Sprintf("%s (%s version, %s:%d)", v.Reason, s, strings.TrimPrefix(at.Filename, of.Dir+"/"), at.Line)
}

// add takes a method's results as observers, or says why it does not take any.
func (t *reshaped) add(old, new *types.Func, was, is instrument.Verdict) string {
	results := old.Signature().Results()
	shuffled := was.Iterates && !was.Sorts || is.Iterates && !is.Sorts
	taken, reason := 0, ""
	for i := range results.Len() {
		given := results.At(i).Type()
		by := observer{
			method: old.Name(), symbol: symbol.Function(old), gives: given,
			old: harness.Observer{Result: i, Results: results.Len()},
		}
		if was.Collected {
			by.old.Elements = elements(given)
		}
		list := by.old.Elements > 0
		if _, slice := given.Underlying().(*types.Slice); slice {
			list = true
		}
		switch {
		case by.old.Elements == 0 && !holdsState(given, map[types.Type]bool{}):
			reason = "it gives what has no state"
			continue
		case shuffled && !list && !orderless(given):
			reason = "what it gives may depend on the order of a map"
			continue
		}
		by.old.Unordered = shuffled && list
		by.old.Name = old.Name() + "()"
		if results.Len() > 1 {
			by.old.Name += fmt.Sprint(".", i)
		}
		by.new = by.old
		by.old.Method, by.new.Method = old.Name(), new.Name()
		t.observers = append(t.observers, by)
		taken++
	}
	if taken > 0 {
		return ""
	}
	return reason
}

// elements is how many values an iterator gives at a time.
func elements(iterator types.Type) int {
	yield := iterator.Underlying().(*types.Signature).Params().At(0).Type().Underlying().(*types.Signature)
	return yield.Params().Len()
}

// orderless says whether a value that was made from all elements in some order is most likely the
// same for every order, or is compared in an order of its own.
func orderless(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0
	case *types.Map:
		return true
	}
	return false
}

// holdsState says whether a value of the type says something: a function does not.
func holdsState(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Pointer:
		return holdsState(u.Elem(), seen)
	case *types.Slice:
		return holdsState(u.Elem(), seen)
	case *types.Array:
		return holdsState(u.Elem(), seen)
	case *types.Map:
		return holdsState(u.Elem(), seen)
	}
	return true
}

// dropEndless drops observers that may give something new of their own type without end, such as a
// copy, which would be observed in its turn.
func (o *observation) dropEndless(list []*reshaped) {
	g := typeGraph{index: map[*types.TypeName]int{}}
	for i, t := range list {
		g.index[t.old.Obj()] = i
	}
	for _, t := range list {
		next := g.reached(t.old.Underlying())
		for _, by := range t.observers {
			for k := range g.reached(by.gives) {
				next[k] = true
			}
		}
		g.next = append(g.next, next)
	}
	for i, t := range list {
		var kept []observer
		for _, by := range t.observers {
			if g.leads(g.reached(by.gives), i) {
				o.env.Detailf("%s is compared by observers, but not by %s: it may give another %s", t.name, by.method, t.name)
				continue
			}
			kept = append(kept, by)
		}
		t.observers = kept
	}
}

// A typeGraph has the reshaped types, and which of them values of each lead to.
type typeGraph struct {
	index map[*types.TypeName]int
	next  []map[int]bool
}

// leads says whether values of some types lead to one of the type with that number.
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

// reached gives the reshaped types that a type contains or points to.
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
