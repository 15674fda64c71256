// Package api finds the operations that a sequence can call in a module, and the types and constants for their
// arguments.
//
// Input: type-checked versions and import paths. Output: the operations, the types that a sequence may name, the
// constants in the source, and the Surface that two versions have in common. Operations are functions, methods,
// exported variables, parts of values that no call returns, and suppliers: functions outside the module that make
// values for parameters. Lists are sorted by name unless they say otherwise.
//
// Names of operations and types are canonical: aliases are resolved, and packages have their full import path. A
// Surface has names of old, because sequences are generated for old. The package never loads, runs or writes anything.
// Only Constants, Tests and TestFiles read files.
package api

import (
	"go/types"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Operation is a call that a sequence can make: of a function, or of a method as a function of its receiver.
type Operation struct {
	Name     string         // unique; the symbol, with type arguments for generic ones: "m/p.Map[int,string]"
	Symbol   spectra.Symbol // without type arguments
	Package  string         // import path in which Expr is compiled; "" is the driver's main package
	Expr     string         // Go expression for the function value there: "F", "(*T).M", "Map[int, string]"
	Import   string         // of a supplier: the import path for the qualifier in Expr
	Imports  []string       // other packages that Expr names, each by its ImportName
	TypeArgs []types.Type   // of an instance of a generic function
	Params   []types.Type   // receiver first for methods
	Names    []string       // of Params, "" for a receiver; nil if none are known
	Receiver bool           // Params[0] is a receiver
	Pointee  bool           // Params[0] is a pointer but Expr takes a value for its receiver, or the reverse
	Variable bool           // no call: returns the package variable Symbol, or a part of Params[0]; never recorded
	Asserts  bool           // the part is Params[0] after a type assertion, else the field Symbol
	Variadic bool           // the last of Params is a slice that stands for …
	Results  []types.Type
	Supplier bool   // from outside the module: makes values of a type that the module's operations take; never recorded
	Setting  bool   // no call of the module: sets a package variable (Expr is its address) or an environment variable
	Inside   bool   // only code of its own package can call it
	Reaches  bool   // it can reach changed code according to the call graph, so it gets more calls
	Inputs   int    // so many of the last Params are what a test is given from outside, such as contents of files
	Choices  []bool // of a test: whether a parameter says that something is done otherwise, and is no literal
	Words    []bool // of a test: whether a parameter is one more text of a list, "" for none
	Prepares bool   // it assigns to what changed code mentions, so it gets more calls too
	Near     bool   // a test that by its names is one of what changed, so it gets more calls
	Steps    int64  // that a call was seen to take; 0: not known
}

// A Type is a type that a sequence may name.
type Type struct {
	Name    string // canonical, as package symbol writes it
	Package string // import path in which Expr is compiled; "" = the driver's main package, Expr then has import paths
	Expr    string // Go type expression inside that package
	Type    types.Type
}
