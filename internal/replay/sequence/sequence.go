package sequence

import (
	"go/token"
	"slices"
	"strings"
)

// A Sequence is a list of statements, run in order. A statement may use results of earlier ones.
type Sequence struct {
	Statements []Statement
}

// Driven returns the target of statement i: an operation, or a function value, named by the operation that returned it
// and "()". It returns "" if the statement calls nothing.
func (q Sequence) Driven(i int) string {
	if i < 0 || i >= len(q.Statements) {
		return ""
	}
	switch st := q.Statements[i]; st.Kind {
	case Call:
		return st.Op
	case CallValue:
		if len(st.Args) == 0 || st.Args[0].Kind != Ref || st.Args[0].Statement >= i { // a text may say so
			return ""
		}
		if maker := q.Driven(st.Args[0].Statement); maker != "" {
			return maker + "()"
		}
	}
	return ""
}

// With returns the sequence with another argument of a statement.
func (q Sequence) With(statement, argument int, v Value) Sequence {
	statements := slices.Clone(q.Statements)
	statements[statement].Args = slices.Clone(statements[statement].Args)
	statements[statement].Args[argument] = v
	return Sequence{Statements: statements}
}

// Drives reports whether some statement has the target with that name, see Driven.
func (q Sequence) Drives(name string) bool {
	for i := range q.Statements {
		if name != "" && q.Driven(i) == name {
			return true
		}
	}
	return false
}

// OnNil reports whether some statement calls a method of a pointer that is written as nil: few callers ever do.
func (q Sequence) OnNil() bool {
	return slices.ContainsFunc(q.Statements, func(st Statement) bool {
		return st.Kind == Call && strings.Contains(st.Op, "(*") && len(st.Args) > 0 &&
			(st.Args[0].Kind == Nil || st.Args[0].Kind == Zero)
	})
}

// Negative reports whether some statement passes a negative integer: few callers have one for a size, a place or a
// count. Those inside of other values, and floating-point numbers, are data.
func (q Sequence) Negative() bool {
	return slices.ContainsFunc(q.Statements, func(st Statement) bool {
		return st.Kind <= CallValue && slices.ContainsFunc(st.Args, func(v Value) bool {
			return v.Kind == Int && strings.HasPrefix(v.Text, "-")
		})
	})
}

// Kind is the kind of a statement.
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

// Shifted returns the statement with the references to statements from start on shifted.
func (s Statement) Shifted(start, shift int) Statement {
	if shift == 0 {
		return s
	}
	return s.Replace(func(ref Value) Value {
		if ref.Statement >= start {
			ref.Statement += shift
		}
		return ref
	})
}

// ValueKind is the form of a value.
type ValueKind uint8

// The forms of values.
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
	Stub                     // a recording function that returns Elems; zero values if empty
	Varying                  // a recording function: call i returns as Stub Elems[i] does, later calls as the last one
	Chan                     // a new channel with capacity Text
	Closed                   // a new channel that holds Elems and is closed
	Yields                   // a recording iterator that yields Elems, two at a time if it is over pairs
	Calls                    // a recording function that calls the first function passed to it
)

// A Value is an argument.
type Value struct {
	Kind ValueKind
	// Type is canonical: types.TypeString with full package paths. Only Typed needs it. For Nil, Zero, Struct, List and
	// Map it is for display.
	Type      string
	Text      string
	Statement int
	Result    int
	Elems     []Value
	Fields    []Field
}

// Closed reports whether a value sets unexported fields, so that no caller can write it.
func (v *Value) Closed() bool {
	return slices.ContainsFunc(v.Fields, func(f Field) bool { return !f.Exported() || f.Value.Closed() }) ||
		slices.ContainsFunc(v.Elems, func(elem Value) bool { return elem.Closed() })
}

// A Field is one set field of a struct value.
type Field struct {
	Name  string
	Value Value
}

// Exported reports whether any caller can set the field. Only code of its package knows the valid values of others.
func (f *Field) Exported() bool { return token.IsExported(f.Name) }
