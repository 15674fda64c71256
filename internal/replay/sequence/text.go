package sequence

import (
	"strconv"
	"strings"
)

// Header is the first line of the text form.
const Header = "spectradiff sequence 1"

// String returns the text form.
func (s Sequence) String() string {
	out := make([]byte, 0, 64*(len(s.Statements)+1))
	out = append(out, Header...)
	for i := range s.Statements {
		out = append(out, '\n')
		out = appendStatement(out, i, &s.Statements[i])
	}
	return string(append(out, '\n'))
}

func appendStatement(out []byte, index int, st *Statement) []byte {
	switch st.Kind {
	case Set:
		out = append(appendHead(out, argument(st, 0)), '.')
		if isField(st.Op) {
			out = append(out, st.Op...)
		} else {
			out = strconv.AppendQuote(out, st.Op)
		}
		return appendValue(append(out, " = "...), argument(st, 1))
	case Let:
		value := argument(st, 0)
		if own, ok := ownType(value); ok && own == st.Op {
			return appendValue(append(appendVariable(out, index), " := "...), value)
		}
		out = append(appendVariable(append(out, "var "...), index), ' ')
		return appendValue(append(appendName(out, st.Op), " = "...), value)
	case CallValue:
		out = append(appendVariable(out, index), " := "...)
		out = append(appendHead(out, argument(st, 0)), '(')
		return append(appendValues(out, st.Args[min(1, len(st.Args)):]), ')')
	default:
		if name := st.assigned(); name != "" {
			return appendValue(append(append(out, name...), " = "...), &st.Args[0])
		}
		out = append(appendVariable(out, index), " := "...)
		out = append(appendName(out, st.Op), '(')
		return append(appendValues(out, st.Args), ')')
	}
}

// assigned returns the name of the variable that a call sets, "" if the call is written like any other.
func (st *Statement) assigned() string {
	name, ok := strings.CutSuffix(st.Op, " =")
	if !ok || st.Kind != Call || len(st.Args) != 1 || !isAssigned(name) {
		return ""
	}
	return name
}

// argument returns st.Args[i], or nil for a malformed statement. Check refuses such a statement, but printing it must
// not panic.
func argument(st *Statement, i int) *Value {
	if i < len(st.Args) {
		return &st.Args[i]
	}
	return &Value{Kind: Nil}
}

// ownType returns the type that a composite value shows by itself.
func ownType(v *Value) (string, bool) {
	switch v.Kind {
	case Struct, List, Map:
		return v.Type, v.Type != ""
	case Address:
		if len(v.Elems) == 1 {
			own, ok := ownType(&v.Elems[0])
			return "*" + own, ok
		}
	}
	return "", false
}

func appendVariable(out []byte, index int) []byte {
	return strconv.AppendInt(append(out, 'v'), int64(index), 10)
}

func appendHead(out []byte, v *Value) []byte {
	if v.Kind == Ref {
		return appendValue(out, v)
	}
	return append(appendValue(append(out, '('), v), ')')
}

func appendName(out []byte, name string) []byte {
	if isBare(name) {
		return append(out, name...)
	}
	return strconv.AppendQuote(out, name)
}

func appendValues(out []byte, values []Value) []byte {
	for i := range values {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = appendValue(out, &values[i])
	}
	return out
}

func appendValue(out []byte, v *Value) []byte {
	switch v.Kind {
	case Ref:
		out = appendVariable(out, v.Statement)
		if v.Result != 0 {
			out = strconv.AppendInt(append(out, '.'), int64(v.Result), 10)
		}
		return out
	case Nil:
		return appendShown(append(out, "nil"...), v.Type)
	case Zero:
		return appendShown(append(out, "zero"...), v.Type)
	case Bool, Int, Float, Complex:
		return append(out, v.Text...)
	case Uint:
		return append(append(out, v.Text...), 'u')
	case String:
		return strconv.AppendQuote(out, v.Text)
	case Typed:
		return append(appendValues(append(appendName(out, v.Type), '('), v.Elems), ')')
	case Address:
		return appendValues(append(out, '&'), v.Elems)
	case Stub:
		return append(appendValues(append(out, "func returns("...), v.Elems), ')')
	case Varying:
		for i := range v.Elems {
			head := "func returns("
			if i > 0 {
				head = " then ("
			}
			out = append(appendValues(append(out, head...), v.Elems[i].Elems), ')')
		}
		return out
	case Chan:
		return append(append(append(out, "chan("...), v.Text...), ')')
	case Closed:
		return append(appendValues(append(out, "chan closed("...), v.Elems), ')')
	case Yields:
		return append(appendValues(append(out, "func yields("...), v.Elems), ')')
	case Calls:
		return append(appendValues(append(out, "func calls("...), v.Elems), ')')
	default:
		return appendComposite(out, v)
	}
}

func appendShown(out []byte, name string) []byte {
	if name == "" {
		return out
	}
	return append(appendName(append(out, '('), name), ')')
}

func appendComposite(out []byte, v *Value) []byte {
	if v.Type != "" {
		out = appendName(out, v.Type)
	}
	out = append(out, '{')
	if len(v.Fields) == 0 && len(v.Elems) == 0 && emptyKind(v.Type) != v.Kind {
		out = append(out, map[ValueKind]byte{Struct: '.', List: ',', Map: ':'}[v.Kind])
	}
	for i := range v.Fields {
		if i > 0 {
			out = append(out, ", "...)
		}
		if name := v.Fields[i].Name; isField(name) {
			out = append(out, name...)
		} else {
			out = strconv.AppendQuote(append(out, '.'), name)
		}
		out = appendValue(append(out, ": "...), &v.Fields[i].Value)
	}
	for i := range v.Elems {
		switch {
		case v.Kind == Map && i%2 == 1:
			out = append(out, ": "...)
		case i > 0:
			out = append(out, ", "...)
		}
		out = appendValue(out, &v.Elems[i])
	}
	return append(out, '}')
}

// emptyKind returns the kind of "{}" behind a type's name.
func emptyKind(name string) ValueKind {
	switch {
	case strings.HasPrefix(name, "["):
		return List
	case strings.HasPrefix(name, "map["):
		return Map
	default:
		return Struct
	}
}

// FloatText returns the text of a Float value: the shortest decimal that reads back to f.
func FloatText(f float64, bits int) string {
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if strings.Trim(text, "-0123456789") == "" {
		text += ".0"
	}
	return text
}

// ComplexText returns the text of a Complex value.
func ComplexText(c complex128) string {
	return strconv.FormatComplex(c, 'g', -1, 128)
}
