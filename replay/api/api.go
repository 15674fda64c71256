// Package api says what of a module can be called, and which values can be made for that.
//
// In: type-checked versions, import paths. Out: operations (functions, methods, ready-made variables,
// and suppliers from outside of the module that make what these take), the types that a sequence may
// name, the constants that the source mentions, and the Surface that two versions have in common.
// Lists are sorted by name unless they say otherwise.
//
// Names of operations and types are canonical: aliases resolved, packages by full import path. Those
// of a Surface are the names that old has, because sequences are generated against old. Nothing is
// loaded, run or written; only Constants reads files.
package api

import (
	"go/types"

	"github.com/spectradiff/spectradiff/spectra"
)

// An Operation is something a sequence can call: a function, or a method as a function of its receiver.
type Operation struct {
	Name     string         // unique; the symbol, with type arguments for generic ones: "m/p.Map[int,string]"
	Symbol   spectra.Symbol // without type arguments
	Package  string         // import path in which Expr is compiled; "" is the driver's main package
	Expr     string         // Go expression for the function value there: "F", "(*T).M", "Map[int, string]"
	Import   string         // of a supplier: the import path that Expr's qualifier stands for
	Params   []types.Type   // receiver first for methods
	Receiver bool           // Params[0] is a receiver
	Pointee  bool           // the common operation takes a value for a receiver that is a pointer here, or the reverse
	Variable bool           // a function that returns the package variable Symbol; never recorded
	Variadic bool           // the last of Params is a slice that stands for …
	Results  []types.Type
	Supplier bool // from outside the module: makes values of a type that the module's operations take; never recorded
	Reaches  bool // can reach changed code (static), so it is worth more calls
}

// A Type is a type a sequence may name.
type Type struct {
	Name    string // canonical, as package symbol writes it
	Package string // import path in which Expr is compiled; "" = the driver's main package, Expr then has import paths
	Expr    string // Go type expression inside that package
	Type    types.Type
}
