package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// order records the init functions of a folder, and the variables whose values call something, that are the same in
// both versions but come in another order: what they do at the start of a program happens in another order, too.
func (c *comparison) order(dir string, old, new []declaration) {
	if slices.Equal(positions(starting(old, new, true)), positions(starting(new, old, true))) {
		return
	}
	every := map[string]bool{} // what did not change may have variables, and the names of functions, too
	for _, name := range slices.Concat(c.Old.goFiles[dir], c.New.goFiles[dir]) {
		every[name] = true
	}
	old, _ = c.Old.folder(dir, every)
	new, _ = c.New.folder(dir, every)
	group(old)
	group(new)
	for _, functions := range []bool{false, true} {
		before, after := starting(old, new, false), starting(new, old, false)
		other := func(d declaration) bool { return (d.change.Kind == Function) != functions }
		c.inverted(slices.DeleteFunc(before, other), slices.DeleteFunc(after, other))
	}
}

// same is equal for declarations that are equal in both versions.
type same struct {
	key
	tokens string
}

func sameOf(d declaration) same { return same{keyOf(d), d.tokens} }

// starting lists the declarations that do something when a program starts and that the other version has too, those of
// the same kind in the order in which this happens. Maybe asks for all of which it may be so, as of variables whose
// values call functions with predeclared names.
func starting(all, others []declaration, maybe bool) (list []declaration) {
	left := map[same]int{}
	for _, d := range others {
		left[sameOf(d)]++
	}
	declared := map[string]bool{}
	for _, d := range all {
		declared[d.name] = true
	}
	for _, d := range all {
		starts := d.change.Kind == Function && d.name == "init" || slices.ContainsFunc(d.calls, func(name string) bool {
			return maybe || !harmless[name] && (declared[name] || types.Universe.Lookup(name) == nil)
		})
		if !starts || d.change.Test || d.change.Other {
			continue
		}
		if of := sameOf(d); left[of] > 0 {
			left[of]--
			list = append(list, d)
		}
	}
	return list
}

// harmless are functions and types of the standard library that variables often have their values from, and that do
// the same whatever was called before.
var harmless = map[string]bool{
	"errors.New": true, "math/big.NewInt": true, "reflect.TypeOf": true, "regexp.MustCompile": true,
	"strings.NewReplacer": true, "time.Duration": true,
}

// starts reports whether a declaration may do something when a program starts.
func (d *declaration) starts() bool {
	return d.change.Kind == Function && d.name == "init" || slices.ContainsFunc(d.calls, func(name string) bool {
		return !harmless[name] && types.Universe.Lookup(name) == nil
	})
}

type position struct {
	same
	file string
}

func positions(list []declaration) (all []position) {
	for _, d := range list {
		all = append(all, position{sameOf(d), d.span.File})
	}
	return all
}

// inverted records each of the declarations that another one of them comes before on one side only.
func (c *comparison) inverted(old, new []declaration) {
	at := map[same][]int{}
	for i, d := range new {
		at[sameOf(d)] = append(at[sameOf(d)], i)
	}
	place := make([]int, len(old)) // in new
	for i, d := range old {
		of := sameOf(d)
		place[i], at[of] = at[of][0], at[of][1:]
	}
	least := make([]int, len(old)) // of the places of this one and those behind it
	for i, p := range slices.Backward(place) {
		if least[i] = p; i+1 < len(place) {
			least[i] = min(p, least[i+1])
		}
	}
	most := -1
	for i, p := range place {
		if p < most || least[i] < p {
			c.record(&old[i], &new[p])
			c.changes.Declarations[len(c.changes.Declarations)-1].Order = true
		}
		most = max(most, p)
	}
}

// called lists what an expression calls when it is evaluated: the names of functions, those of other packages behind
// their paths, and "" for whatever else. Conversions to types with names are among them.
func (g *goFile) called(e ast.Expr) []string {
	names := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				names[""] = true
			}
		case *ast.CallExpr:
			switch of := ast.Unparen(n.Fun).(type) {
			case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
			case *ast.Ident:
				names[of.Name] = true
			default:
				names[g.qualified(of)] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}

// qualified returns the name of a function of another package behind the package's path, "" for other expressions.
func (g *goFile) qualified(e ast.Expr) string {
	if of, ok := e.(*ast.SelectorExpr); ok {
		if id, ok := of.X.(*ast.Ident); ok && g.names[id.Name] != "" {
			return g.names[id.Name] + "." + of.Sel.Name
		}
	}
	return ""
}
