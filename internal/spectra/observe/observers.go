package observe

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Observers returns the types with their observers. Types without any observer stay in the list. The second
// list has the methods that are no observers, of those that both versions have and that have results and no
// parameters.
func Observers(m *match.Match, reshaped []Type, purity spectra.Pair[Purity]) ([]Type, []Refusal) {
	var refused []Refusal
	found := make([]Type, len(reshaped))
	for i, t := range reshaped {
		t.Observers = nil
		refused = append(refused, t.observe(m, purity)...)
		found[i] = t
	}
	return found, append(refused, dropEndless(found)...)
}

// observe fills in the observers of a type, sorted by the names of their methods.
func (t *Type) observe(m *match.Match, purity spectra.Pair[Purity]) (refused []Refusal) {
	newMethods := types.NewMethodSet(types.NewPointer(t.Declared.New))
	for selection := range types.NewMethodSet(types.NewPointer(t.Declared.Old)).Methods() {
		old := selection.Obj().(*types.Func)
		if old.Signature().Params().Len() > 0 || old.Signature().Results().Len() == 0 {
			continue
		}
		full := m.New(string(symbol.Function(old)))
		now := newMethods.Lookup(t.Declared.New.Obj().Pkg(), full[strings.LastIndexByte(full, '.')+1:])
		if now == nil {
			continue
		}
		if reason := t.try(m, old, now.Obj().(*types.Func), purity); reason != "" {
			refused = append(refused, Refusal{t.Name, old.Name(), reason})
		}
	}
	return refused
}

// try adds a method's results to the observers, or returns why there are none.
func (t *Type) try(m *match.Match, old, new *types.Func, purity spectra.Pair[Purity]) string {
	if reason := differentResults(m, old, new); reason != "" {
		return reason
	}
	was, is := purity.Old.Observer(old), purity.New.Observer(new)
	switch {
	case was.Impure != "":
		return was.Impure
	case is.Impure != "":
		return is.Impure
	}
	return t.add(old, new, was, is)
}

// differentResults returns why what two methods return can't be compared.
func differentResults(m *match.Match, old, new *types.Func) string {
	before, after := old.Signature().Results(), new.Signature().Results()
	if new.Signature().Params().Len() > 0 || before.Len() != after.Len() {
		return "its signature changed"
	}
	for i := range before.Len() {
		if symbol.Type(before.At(i).Type()) != m.Old(symbol.Type(after.At(i).Type())) {
			return "its signature changed"
		}
	}
	return ""
}

// add adds the results of a pure method to the observers, or returns why none can be compared.
func (t *Type) add(old, new *types.Func, was, is Verdict) string {
	results := old.Signature().Results()
	shuffled := was.Iterates && !was.Sorts || is.Iterates && !is.Sorts
	taken, reason := 0, ""
	for i := range results.Len() {
		given := results.At(i).Type()
		by := Observer{
			Name: old.Name() + "()", Symbol: symbol.Function(old),
			Methods: spectra.Pair[string]{Old: old.Name(), New: new.Name()},
			Result:  i, Results: results.Len(), result: given,
		}
		if was.Collected {
			by.Elements = elements(given)
		}
		list := by.Elements > 0
		if _, slice := given.Underlying().(*types.Slice); slice {
			list = true
		}
		switch {
		case by.Elements == 0 && !holdsState(given, map[types.Type]bool{}):
			reason = "it gives what has no state"
			continue
		case shuffled && !list && !orderless(given):
			reason = "what it gives may depend on the order of a map"
			continue
		}
		by.Unordered = shuffled && list
		if results.Len() > 1 {
			by.Name += fmt.Sprint(".", i)
		}
		t.Observers = append(t.Observers, by)
		taken++
	}
	if taken > 0 {
		return ""
	}
	return reason
}

// elements returns how many values an iterator yields at a time.
func elements(iterator types.Type) int {
	yield := iterator.Underlying().(*types.Signature).Params().At(0).Type().Underlying().(*types.Signature)
	return yield.Params().Len()
}

// orderless reports whether a value that was computed from elements in any order is most likely the same for
// every order, as a count is, or is compared in sorted order, as a map is.
func orderless(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0
	case *types.Map:
		return true
	}
	return false
}

// holdsState reports whether a value of the type can be compared. Functions, channels and addresses can't.
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
