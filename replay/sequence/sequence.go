// Package sequence holds call sequences as data: what a generator makes, a driver plays and a
// report prints.
//
// In: statements, or a text. Out: a versioned text form that is parsed back to the same
// sequence, the wire form that the driver reads (package rt's constants), validity checks and
// minimising with an injected keep function. A sequence never holds a live value, so the same
// sequence can be played on any build that has its operations.
//
// A call has one argument for each parameter; that of a variadic parameter is one List (or a
// reference to a slice, or Nil). A String also fills a slice of bytes, a List shorter than its
// array leaves the rest zero. Int, Uint and Float hold
// decimal text; a Float has a point or an exponent (FloatText makes one), or is NaN, +Inf, -Inf.
//
// The text form is a header line and one statement a line; vN on the left is the statement's
// position. In the grammar, quoted = a Go string in double quotes:
//
//	text      = "spectradiff sequence 1" { newline statement } [ newline ] .
//	statement = vN " := " name "(" [ values ] ")"       // Call
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
//	          | "func returns(" [ values ] ")" | "chan(" int ")" .
//	ref       = vN [ "." result ] .                     // result 0 is left out
//	composite = [ name ] "{" ( fields | values | pairs | "." | "," | ":" | "" ) "}" .
//	fields    = ( field | quoted after "." ) ": " value, separated by ", " .
//	pairs     = value ": " value, separated by ", " .
//	name      = bare | quoted .
//
// A bare name is an operation or a type: prefixes "*", "[]", "[N]", "map[K]", then letters,
// digits and any of "_./-~@$%+!" and everything above ASCII, with balanced "[…]" groups (type
// arguments) and "(…)" groups after a "." (receivers); it neither looks like a ref nor is a
// word of the grammar. Everything else is quoted, so any string can be a name: a quoted string
// that "(" or "{" follows is a name, any other one is a value. A first item of a composite that
// is a field name and a colon makes it a Struct, a first pair a Map, else it is a List. An
// empty one is what its type's prefix says, else a Struct; "{.}", "{,}" and "{:}" say Struct,
// List and Map where that is not so.
package sequence

// A Sequence is a list of statements, run in order. A statement may use results of earlier ones.
type Sequence struct {
	Statements []Statement
}

// Kind is what a statement does.
type Kind uint8

// The kinds of statements.
const (
	Call      Kind = iota // Op(Args...)
	CallValue             // Args[0](Args[1:]...): Args[0] is a function value
	Set                   // Args[0].Op = Args[1]: Args[0] points to a struct, Op is the field
	Let                   // a variable of type Op holding Args[0], so that it can be shared
)

// A Statement is one step of a sequence.
type Statement struct {
	Kind Kind
	Op   string // the operation's name, a field for Set, a type for Let
	Args []Value
}

// ValueKind is the form of an argument.
type ValueKind uint8

// The forms of arguments.
const (
	Ref     ValueKind = iota // result Result of statement Statement
	Nil                      // nil of the expected type
	Zero                     // zero value of the expected type
	Bool                     // Text is "true" or "false"
	Int                      // Text in Go syntax
	Uint                     // Text in Go syntax
	Float                    // Text in Go syntax, or "NaN", "+Inf", "-Inf"
	Complex                  // Text "(1+2i)"
	String                   // Text is the string itself, unquoted
	Typed                    // Elems[0] with explicit type Type: for slots of interface type
	Address                  // &Elems[0]
	Struct                   // Fields; Type is for display and may be ""
	List                     // Elems: slice or array
	Map                      // Elems: key, value, key, value …
	Stub                     // a recording function that returns Elems (zero values when empty)
	Chan                     // a new channel with capacity Text
)

// A Value is an argument.
type Value struct {
	Kind ValueKind
	// Type is canonical: types.TypeString with full package paths. Only Typed needs it; Nil, Zero,
	// Struct, List and Map may show one.
	Type      string
	Text      string
	Statement int
	Result    int
	Elems     []Value
	Fields    []Field
}

// A Field is one set field of a struct value.
type Field struct {
	Name  string
	Value Value
}
