// Package observe finds the types whose representation changed altogether, and what of them can be
// compared instead: what their pure observers return.
//
// In: a match, the packages of both versions, and what is proven of their methods. Out: those types
// with their observers, the methods that are none with the reason, and the calls that follow from
// another representation. Types come in the order of their packages and names in old, observers in
// that of their methods and results. Names are as old has them. Nothing that is handed in is changed,
// and nothing is loaded, run or proven here.
package observe

import (
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

// A Type has another representation in new.
type Type struct {
	Name      string // as old has it
	Declared  spectra.Pair[*types.Named]
	Parts     spectra.Pair[string] // what only that version is made of, for readers
	Observers []Observer
}

// An Observer is one result of a method without parameters that both versions have, pure in both.
type Observer struct {
	Name      string               // in states: "Len()", of several results "Peek().1"
	Symbol    spectra.Symbol       // of the method, in old
	Methods   spectra.Pair[string] // its name in each version
	Result    int                  // which of its results
	Results   int                  // how many it has
	Elements  int                  // of an iterator: 1 for values, 2 for pairs; 0 = it is none
	Unordered bool                 // a list whose order says nothing

	gives types.Type // in old
}

// A Refusal says why a method is no observer of its type.
type Refusal struct{ Type, Method, Reason string }

// A Verdict is what is proven of a method of one version.
type Verdict struct {
	Impure    string // why it may write something, "" if it was proven that it doesn't
	Iterates  bool   // over a map, so that the order of what it returns may be arbitrary
	Sorts     bool   // something, perhaps what it iterated over
	Collected bool   // its result is an iterator, pure as well when it is drained
}

// Purity judges the methods of one version.
type Purity interface {
	Observer(method *types.Func) Verdict // as one that is called when a state is recorded
	Question(method *types.Func) Verdict // as one that may have parameters: what they refer to was there before
}

// Through returns the method, as old names it, of the observer that a value's path leads through; "" if
// it leads through none.
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
