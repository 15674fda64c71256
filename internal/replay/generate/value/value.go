// Package value makes and mutates literals of basic types, strings and slices of bytes as arguments.
//
// Input: a source of randomness, the constants of the module under test, and for each literal its type and the
// operation that takes it. Output: literals that fit the type: small and extreme numbers, constants of the type, of the
// operation's package and of the module, strings that led to something new before, and mutations of all of these.
//
// The same constants and the same random numbers lead to the same literals. The order of the constants does not matter,
// and the caller's list is not changed. Only Learn tells the package which strings led to something new.
package value

import (
	"go/constant"
	"go/types"
)

// A Constant is a literal or declared constant of the module.
type Constant struct {
	Package string         // of the declaration or literal
	Type    types.Type     // rune for characters; may be nil for others
	Value   constant.Value // a string, int, float …
	Changed bool           // it is in changed code, so it is used more often
}

// An Operation is the context of an argument: its package, and the strings that led to something new for each
// parameter. The zero Operation has no package and remembers nothing.
type Operation struct {
	pkg    string
	earned [][]string // by parameter: strings that led to something new
}

// NewOperation describes an operation of a package.
func NewOperation(pkg string, params int) Operation {
	return Operation{pkg: pkg, earned: make([][]string, params)}
}

// A Source makes literals.
type Source struct {
	Random
	texts      map[string][]string  // package → its constants
	numbers    map[string][]float64 // likewise
	allTexts   []string
	allNumbers []float64
	changed    []string // of allTexts, those of changed code
	joints     []string // likewise, those of one or two bytes
	earned     []string // strings that led to something new, for any parameter
	signs      []string // characters of which strings are made
}
