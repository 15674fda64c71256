// Package target says what of a version reaches or uses what, by the source alone.
//
// In: a type-checked version, names of declarations. Out: marks on operations, lists of functions,
// sorted. Nothing is loaded or run.
package target

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
)

// closure returns everything reachable over the edges, the start included.
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

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

// walk calls visit for the named types in a type's structure; it does not enter their underlying types.
func walk(t types.Type, visit func(*types.Named)) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		visit(t)
		for arg := range t.TypeArgs().Types() {
			walk(arg, visit)
		}
	case *types.Pointer:
		walk(t.Elem(), visit)
	case *types.Slice:
		walk(t.Elem(), visit)
	case *types.Array:
		walk(t.Elem(), visit)
	case *types.Chan:
		walk(t.Elem(), visit)
	case *types.Map:
		walk(t.Key(), visit)
		walk(t.Elem(), visit)
	case *types.Struct:
		for f := range t.Fields() {
			walk(f.Type(), visit)
		}
	case *types.Signature:
		for _, v := range slices.Concat(slices.Collect(t.Params().Variables()), slices.Collect(t.Results().Variables())) {
			walk(v.Type(), visit)
		}
	case *types.Interface:
		for m := range t.Methods() {
			walk(m.Signature(), visit)
		}
	}
}
