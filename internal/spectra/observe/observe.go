// Package observe finds the types with another representation in new, and the pure observers through which their values
// can still be compared.
//
// A type has another representation if its values can't be compared field by field. An observer is a method without
// parameters that writes nothing; its results are compared instead.
//
// In: a match, the packages of both versions, and proofs about their methods. Out: the types with their observers, the
// methods that are no observers with the reason, and the calls that follow from the other representation.
//
// Types are sorted by package and name in old, observers by method and result. Names are those of old. The package
// changes no argument, never loads or runs anything, and proves nothing itself.
package observe

import (
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Type is a type that has another representation in new.
type Type struct {
	Name      string // in old
	Declared  spectra.Pair[*types.Named]
	Parts     spectra.Pair[string] // the fields or types that only this version has, as text for reports
	Observers []Observer
}

// An Observer is one result of a method without parameters that both versions have and that is pure in both.
type Observer struct {
	Name      string               // its name in states: "Len()", or "Peek().1" for one of several results
	Symbol    spectra.Symbol       // the method's symbol in old
	Methods   spectra.Pair[string] // the method's name in each version
	Result    int                  // index of the result
	Results   int                  // number of the method's results
	Elements  int                  // of an iterator: 1 if it yields values, 2 if pairs; 0 = the result is no iterator
	Unordered bool                 // the result is a list whose order says nothing

	result types.Type // in old
}

// A Refusal is a method that is no observer of its type, with the reason.
type Refusal struct{ Type, Method, Reason string }

// A Verdict is what is proven of a method of one version.
type Verdict struct {
	Impure    string // why it may write something; "" = it was proven that it doesn't
	Iterates  bool   // it iterates over a map, so that the order of what it returns may be arbitrary
	Sorts     bool   // it sorts something, perhaps what it iterated over
	Collected bool   // its result is an iterator, and iterating over all of it is pure too
}

// Purity is what is proven of the methods of one version.
type Purity interface {
	// Observer judges a method as one without parameters that is called when a state is recorded.
	Observer(method *types.Func) Verdict
	// Question judges a method as one that other methods call to ask about a value, perhaps with arguments.
	// What the arguments refer to existed before the call, so the method must not write to it either.
	Question(method *types.Func) Verdict
}

// Through returns the symbol in old of the observer's method that a value's path leads through; "" if the
// path leads through no observer.
func Through(list []Type, path string) spectra.Symbol {
	for _, t := range list {
		for _, by := range t.Observers {
			if strings.Contains(path, "."+by.Name) {
				return by.Symbol
			}
		}
	}
	return ""
}
