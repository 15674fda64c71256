// Package sequence represents call sequences as data, from the generator through the driver to the report.
//
// Input: statements, or a text. Output: a versioned text form that parses to the same sequence, the wire form for the
// driver (with the constants of package wire), checks of validity, and minimised sequences. Recorded executions can be
// converted to calls.
//
// A sequence never holds a live value, so any build that has its operations can play it. The package is pure; Minimise
// asks its caller which sequences to keep.
//
// A call has one argument for each parameter. The argument of a variadic parameter is one List, a reference to a slice,
// or Nil. A String also fills a slice of bytes. A List shorter than its array leaves the rest zero. Int, Uint and Float
// hold decimal text. A Float has a point or an exponent (FloatText makes one), or is NaN, +Inf, -Inf.
//
// The text form is a header line and one statement a line; vN on the left is the statement's position. In the grammar,
// quoted = a Go string in double quotes:
//
//	text      = "spectradiff sequence 1" { newline statement } [ newline ] .
//	statement = vN " := " name "(" [ values ] ")"       // Call
//	          | bare " = " value                        // Call of the operation bare + " ="
//	          | vN " := " head "(" [ values ] ")"       // CallValue
//	          | vN " := " composite                     // Let, where the type is the value's own
//	          | "var " vN " " name " = " value          // Let
//	          | head "." ( field | quoted ) " = " value // Set
//	head      = ref | "(" value ")" .
//	values    = value { ", " value } .
//	value     = ref | "true" | "false" | quoted
//	          | "nil" [ "(" name ")" ] | "zero" [ "(" name ")" ]
//	          | int | int "u" | float | "(" complex ")" // Int, Uint, Float, Complex
//	          | name "(" value ")"                      // Typed
//	          | "&" value | composite
//	          | "func returns(" [ values ] ")" { " then (" [ values ] ")" }
//	          | "func yields(" [ values ] ")" | "func calls(" [ values ] ")"
//	          | "chan(" int ")" | "chan closed(" [ values ] ")" .
//	ref       = vN [ "." result ] .                     // result 0 is left out
//	composite = [ name ] "{" ( fields | values | pairs | "." | "," | ":" | "" ) "}" .
//	fields    = ( field | quoted after "." ) ": " value, separated by ", " .
//	pairs     = value ": " value, separated by ", " .
//	name      = bare | quoted .
//
// A bare name is an operation or a type. It has prefixes "*", "[]", "[N]", "map[K]", then letters, digits and any of
// "_./-~@$%+!" and everything above ASCII, with balanced "[…]" groups (type arguments) and "(…)" groups after a "."
// (receivers). It neither looks like a ref nor is a word of the grammar. Everything else is quoted, so any string can
// be a name: a quoted string before "(" or "{" is a name, any other one is a value.
//
// An operation whose name ends in " =" sets the variable named before that, such as a package variable. Its one
// argument is written as in an assignment, unless the name is not bare or could be taken for a result's field.
//
// A composite is a Struct if its first item begins with a field name and a colon, a Map if its first item is a pair,
// and else a List. An empty composite is a List or Map if its type begins like one, and else a Struct. Where that would
// be wrong, "{.}", "{,}" and "{:}" stand for an empty Struct, List and Map.
package sequence
