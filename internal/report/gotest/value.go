package gotest

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// wide is the length from which a composite value is written over several lines.
const wide = 80

// quoted returns a string literal that is easy to read.
func quoted(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// value returns an expression that can be assigned to a variable of type t.
func (b *body) value(v *sequence.Value, t types.Type) (string, error) {
	switch v.Kind {
	case sequence.Ref:
		return b.reference(v, t)
	case sequence.Nil:
		return "nil", nil
	case sequence.Zero:
		return b.zero(t)
	case sequence.Typed:
		own, err := b.typeOf(v.Type)
		if err != nil {
			return "", err
		}
		return b.typed(&v.Elems[0], own)
	case sequence.Bool, sequence.Int, sequence.Uint, sequence.Float, sequence.Complex, sequence.String:
		return b.basic(v, t)
	}
	return b.composite(v, t, false)
}

// typed returns an expression that has exactly type t by itself.
func (b *body) typed(v *sequence.Value, t types.Type) (string, error) {
	text, err := b.value(v, t)
	if err != nil {
		return "", err
	}
	switch v.Kind {
	case sequence.Ref:
		return text, nil
	case sequence.Struct, sequence.List, sequence.Map, sequence.Address, sequence.Chan, sequence.Closed:
		return text, nil // they begin with their type
	case sequence.Stub, sequence.Varying, sequence.Yields, sequence.Calls:
		if _, plain := t.(*types.Signature); plain {
			return text, nil
		}
	case sequence.Zero:
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			return text, nil
		}
	}
	if b, ok := t.(*types.Basic); ok && v.Kind != sequence.Nil && b.Kind() == defaultKind(text) {
		return text, nil
	}
	spelled, err := b.spell(t)
	if err != nil {
		return "", err
	}
	if v.Kind == sequence.String && strings.HasPrefix(text, spelled+"(") {
		return text, nil // bytes or runes
	}
	return convert(spelled, text), nil
}

// defaultKind returns the kind of type that a literal has by itself.
func defaultKind(literal string) types.BasicKind {
	switch first := literal[0]; {
	case literal == "true" || literal == "false":
		return types.Bool
	case first == '"' || first == '`':
		return types.String
	case strings.Trim(literal, "-0123456789") == "":
		return types.Int
	case strings.Trim(literal, "-+0123456789.e") == "":
		return types.Float64
	}
	return types.Invalid
}

// convert writes a conversion.
func convert(t, x string) string {
	if strings.HasPrefix(t, "*") || strings.HasPrefix(t, "func") || strings.HasPrefix(t, "<-") {
		t = "(" + t + ")"
	}
	return t + "(" + x + ")"
}

// zero returns the zero value of a type.
func (b *body) zero(t types.Type) (string, error) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", nil
		case u.Info()&types.IsString != 0:
			return `""`, nil
		case u.Info()&types.IsNumeric != 0:
			return "0", nil
		}
		return "nil", nil
	case *types.Struct, *types.Array:
		text, err := b.spell(t)
		return text + "{}", err
	}
	return "nil", nil
}

// basic returns a literal of a basic value.
func (b *body) basic(v *sequence.Value, t types.Type) (string, error) {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return b.basicElsewhere(v, t)
	}
	switch {
	case v.Kind == sequence.String:
		return quoted(v.Text), nil
	case v.Kind == sequence.Bool:
		return v.Text, nil
	case v.Kind == sequence.Float && strings.Trim(v.Text, "-+0123456789.eE") != "":
		return b.infinite(v.Text, t)
	case v.Kind == sequence.Complex:
		return v.Text, nil
	}
	if u.Info()&types.IsInteger != 0 {
		return integer(v, t, u)
	}
	return v.Text, nil
}

// basicElsewhere returns a basic value where another type is wanted: an interface, or a slice of bytes or runes.
func (b *body) basicElsewhere(v *sequence.Value, t types.Type) (string, error) {
	switch t.Underlying().(type) {
	case *types.Slice:
		text, err := b.spell(t)
		return convert(text, quoted(v.Text)), err
	case *types.Interface:
		own := map[sequence.ValueKind]types.BasicKind{
			sequence.Bool: types.Bool, sequence.Int: types.Int, sequence.Uint: types.Uint,
			sequence.Float: types.Float64, sequence.Complex: types.Complex128, sequence.String: types.String,
		}[v.Kind]
		return b.typed(v, types.Typ[own])
	}
	return "", fmt.Errorf("a basic value for %s", t)
}

// integer returns a number, or a character where the type is for those.
func integer(v *sequence.Value, t types.Type, u *types.Basic) (string, error) {
	n := constant.ToInt(constant.MakeFromLiteral(strings.TrimPrefix(v.Text, "-"), literalToken(v.Text), 0))
	if n.Kind() != constant.Int {
		return "", fmt.Errorf("%s for %s", v.Text, t)
	}
	if strings.HasPrefix(v.Text, "-") {
		n = constant.UnaryOp(token.SUB, n, 0)
	}
	if !fits(n, u) {
		return "", fmt.Errorf("%s does not fit %s", v.Text, t)
	}
	if b, ok := types.Unalias(t).(*types.Basic); ok && b.Name() == "rune" {
		if r, _ := constant.Int64Val(n); r > ' ' && r <= '~' || r > 0xa0 && strconv.IsPrint(rune(r)) {
			return strconv.QuoteRune(rune(r)), nil
		}
	}
	return n.ExactString(), nil
}

func literalToken(text string) token.Token {
	if strings.ContainsAny(text, ".eE") && !strings.HasPrefix(strings.TrimPrefix(text, "-"), "0x") {
		return token.FLOAT
	}
	return token.INT
}

// fits reports whether an integer is one of a type.
func fits(n constant.Value, u *types.Basic) bool {
	bits := map[types.BasicKind]int{
		types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16, types.Int32: 32, types.Uint32: 32,
	}[u.Kind()]
	if bits == 0 {
		bits = 64
	}
	if u.Info()&types.IsUnsigned != 0 {
		return constant.Sign(n) >= 0 && constant.BitLen(n) <= bits
	}
	if constant.Sign(n) < 0 { // -2^(bits-1) fits, too
		n = constant.BinaryOp(n, token.ADD, constant.MakeInt64(1))
	}
	return constant.BitLen(n) < bits
}

// infinite returns a float that has no literal.
func (b *body) infinite(text string, t types.Type) (string, error) {
	math := b.imported("math", "math")
	expr := map[string]string{
		"NaN": math + ".NaN()", "+Inf": math + ".Inf(1)", "-Inf": math + ".Inf(-1)",
	}[text]
	if own, ok := t.(*types.Basic); ok && own.Kind() == types.Float64 {
		return expr, nil
	}
	spelled, err := b.spell(t)
	return convert(spelled, expr), err
}

// composite returns a value that contains others. Within a list or map of such values its type can be left out.
func (b *body) composite(v *sequence.Value, t types.Type, elide bool) (string, error) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.Kind == sequence.Address {
			return b.address(&v.Elems[0], u.Elem(), elide)
		}
	case *types.Struct:
		if v.Kind == sequence.Struct {
			return b.structure(v, t, u, elide)
		}
	case *types.Slice:
		if v.Kind == sequence.List {
			return b.list(v.Elems, t, u.Elem(), elide)
		}
	case *types.Array:
		if v.Kind == sequence.List {
			return b.list(v.Elems[:min(int64(len(v.Elems)), u.Len())], t, u.Elem(), elide)
		}
	case *types.Map:
		if v.Kind == sequence.Map {
			return b.mapping(v, t, u, elide)
		}
	case *types.Signature:
		if v.Kind == sequence.Stub || v.Kind == sequence.Varying {
			return b.stub(v, u)
		}
		if v.Kind == sequence.Yields {
			return b.iterator(v, u)
		}
		if v.Kind == sequence.Calls {
			return b.caller(v, u)
		}
	case *types.Chan:
		if v.Kind == sequence.Chan {
			return b.channel(v, t, u)
		}
		if v.Kind == sequence.Closed {
			return b.closed(v, u)
		}
	}
	return "", fmt.Errorf("a value for %s that Go has no expression for", t)
}

// address returns a pointer to a new variable.
func (b *body) address(v *sequence.Value, t types.Type, elide bool) (string, error) {
	switch v.Kind {
	case sequence.Struct, sequence.List, sequence.Map:
		text, err := b.composite(v, t, elide)
		if elide {
			return text, err
		}
		return "&" + text, err
	}
	text, err := b.typed(v, t)
	if err != nil {
		return "", err
	}
	name := b.fresh(nameFor(t))
	if v.Kind == sequence.Ref || v.Kind == sequence.Typed {
		spelled, err := b.spell(t)
		if err != nil {
			return "", err
		}
		b.hoisted = append(b.hoisted, fmt.Sprintf("var %s %s = %s\n", name, spelled, text))
		return "&" + name, nil
	}
	b.hoisted = append(b.hoisted, fmt.Sprintf("%s := %s\n", name, text))
	return "&" + name, nil
}

// braces returns a composite literal.
func (b *body) braces(t types.Type, parts []string, elide bool) (string, error) {
	head := ""
	if !elide {
		var err error
		if head, err = b.spell(t); err != nil {
			return "", err
		}
	}
	size := len(head)
	for _, p := range parts {
		size += len(p) + 2
	}
	if size > wide {
		return head + "{\n" + strings.Join(parts, ",\n") + ",\n}", nil
	}
	return head + "{" + strings.Join(parts, ", ") + "}", nil
}

func (b *body) structure(v *sequence.Value, t types.Type, u *types.Struct, elide bool) (string, error) {
	var parts []string
	for i := range v.Fields {
		set := &v.Fields[i]
		field := fieldOf(u, set.Name)
		own := field != nil && (b.Inside && field.Pkg() == b.Package || field.Pkg() == api.SamplePackage)
		if field == nil || !field.Exported() && !own {
			return "", fmt.Errorf("%s has no field %s that a test can set", t, set.Name)
		}
		text, err := b.value(&set.Value, field.Type())
		if err != nil {
			return "", err
		}
		parts = append(parts, set.Name+": "+text)
	}
	return b.braces(t, parts, elide)
}

func fieldOf(u *types.Struct, name string) *types.Var {
	for field := range u.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}

func (b *body) list(elems []sequence.Value, t, elem types.Type, elide bool) (string, error) {
	var parts []string
	for i := range elems {
		text, err := b.element(&elems[i], elem)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return b.braces(t, parts, elide)
}

// element returns a value within a list or a map, without its type where Go has it from there.
func (b *body) element(v *sequence.Value, t types.Type) (string, error) {
	inner, of := v, t
	if p, ok := t.(*types.Pointer); ok && v.Kind == sequence.Address {
		inner, of = &v.Elems[0], p.Elem()
	}
	switch inner.Kind {
	case sequence.Struct, sequence.List, sequence.Map:
		if !types.IsInterface(of) {
			return b.composite(v, t, true)
		}
	}
	return b.value(v, t)
}

func (b *body) mapping(v *sequence.Value, t types.Type, u *types.Map, elide bool) (string, error) {
	var parts []string
	seen := map[string]bool{}
	for i := len(v.Elems) - 2; i >= 0; i -= 2 { // of equal keys the last one counts
		key, err := b.element(&v.Elems[i], u.Key())
		if err != nil {
			return "", err
		}
		elem, err := b.element(&v.Elems[i+1], u.Elem())
		if err != nil {
			return "", err
		}
		if !seen[key] {
			parts = append([]string{key + ": " + elem}, parts...)
		}
		seen[key] = true
	}
	return b.braces(t, parts, elide)
}
