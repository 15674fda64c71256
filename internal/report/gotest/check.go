package gotest

import (
	"fmt"
	"go/token"
	"strings"
)

// A Check is a value that a test looks at, and what it wants there.
type Check struct {
	Of   string // a variable of the sequence as probes name them ("3.0"), or a package variable
	Path []Step
	Kind Kind
	Want string // "true" or "false" of KindNil and KindError; a text of the kinds that are texts; else Go syntax
}

// A Step leads from a value to a part of it. One of its fields is set.
type Step struct {
	Field   string `json:",omitempty"` // of a struct
	Index   string `json:",omitempty"` // of a list, or key of a map, in Go syntax
	Type    string `json:",omitempty"` // of what an interface holds: "*" and the name
	Method  string `json:",omitempty"` // without parameters, String or Error
	Pointee bool   `json:",omitempty"` // what a pointer points to, where Go does not go there by itself
	Package string `json:",omitempty"` // of Type, and of a Field that is not exported
}

// Kind says which property of a value a check compares.
type Kind string

// The kinds. Those of numbers, bool and string compare the value itself.
const (
	KindBool   Kind = "bool"
	KindNumber Kind = "number"
	KindString Kind = "string"
	KindBytes  Kind = "bytes"  // a slice of bytes, as a text
	KindLength Kind = "length" // of a list, a map, a channel
	KindNil    Kind = "nil"    // whether it is nil
	KindError  Kind = "error"  // whether an error is nil
	KindType   Kind = "type"   // of what an interface holds
	KindText   Kind = "text"   // as package fmt prints it
)

// Inside reports whether only a test in the package itself can look at the value: of which package, "" if any can.
func (c *Check) Inside() string {
	for _, s := range c.Path {
		switch {
		case s.Field != "" && s.Package != "":
			return s.Package
		case s.Type != "" && s.Package != "" && !token.IsExported(strings.TrimPrefix(s.Type, "*")):
			return s.Package
		}
	}
	return ""
}

// check returns the statements of a check, and the variables that they look at.
func (b *body) check(c *Check) (string, []*variable, error) {
	x, shown, observed := b.origin(c.Of)
	if x == "" {
		return "", nil, fmt.Errorf("no variable %s", c.Of)
	}
	for _, s := range c.Path {
		way, err := b.step(s)
		if err != nil {
			return "", nil, err
		}
		x, shown = fmt.Sprintf(way, x), fmt.Sprintf(way, shown)
	}
	return b.assert(x, shown, c), observed, nil
}

// origin returns the expression that a check begins with, how messages show it, and the variables that it takes: the
// last call itself, if it has one result, and can stand there.
func (b *body) origin(of string) (x, shown string, observed []*variable) {
	if b.Package.Scope().Lookup(of) != nil {
		x = b.qualified(b.Package, of)
		return x, of, nil
	}
	for _, v := range b.variables {
		if v.id == of {
			x, shown, observed = v.name, v.name, []*variable{v}
		}
	}
	last := len(b.statements) - 1
	if x == "" || last < 0 || len(b.results[last]) != 1 || b.results[last][0] != observed[0] {
		return x, shown, observed
	}
	call := b.statements[last]
	brace, parenthesis := strings.IndexByte(call.text+"{", '{'), strings.IndexByte(call.text, '(')
	if call.isValue || len(call.before) > 0 || len(call.text) > wide || brace < parenthesis ||
		strings.HasPrefix(call.text, "(") || strings.Contains(call.text, "\n") {
		return x, shown, observed
	}
	b.statements = b.statements[:last]
	return call.text, strings.TrimPrefix(call.text, b.Package.Name()+"."), call.refers
}

// step returns how the expression of a part is made of that of the whole, for Sprintf.
func (f *file) step(s Step) (string, error) {
	escaped := strings.NewReplacer("%", "%%")
	switch {
	case s.Field != "":
		return "%s." + s.Field, nil
	case s.Index != "":
		return "%s[" + escaped.Replace(s.Index) + "]", nil
	case s.Method != "":
		return "%s." + s.Method + "()", nil
	case s.Pointee:
		return "(*%s)", nil
	}
	pointer, name := "", s.Type
	if strings.HasPrefix(name, "*") {
		pointer, name = "*", name[1:]
	}
	if s.Package != "" {
		p := f.Known(s.Package)
		switch {
		case s.Package == f.Package.Path():
			p = f.Package
		case p == nil:
			return "", fmt.Errorf("no package %s", s.Package)
		}
		name = f.qualified(p, name)
	}
	return "%s.(" + pointer + name + ")", nil
}

// assert returns the statement that fails unless an expression, which messages show so, is as wanted.
func (f *file) assert(x, shown string, c *Check) string {
	plain := shown
	shown = strings.ReplaceAll(shown, "%", "%%")
	switch c.Kind {
	case KindBool:
		if c.Want == "true" {
			return fmt.Sprintf("if !%s {\nt.Error(%s)\n}\n", x, quoted(plain+" is false"))
		}
		return fmt.Sprintf("if %s {\nt.Error(%s)\n}\n", x, quoted(plain+" is true"))
	case KindNil, KindError:
		if c.Want == "true" {
			return unless(x, "nil", quoted(shown+" = %v, want nil"), "")
		}
		return fmt.Sprintf("if %s == nil {\nt.Error(%s)\n}\n", x, quoted(plain+" is nil"))
	case KindNumber:
		return unless(x, c.Want, quoted(shown+" = %v, want "+c.Want), "")
	case KindLength:
		return unless("len("+x+")", c.Want, quoted("len("+shown+") = %d, want "+c.Want), "")
	case KindBytes:
		x, shown = "string("+x+")", "string("+shown+")"
	case KindType:
		shown = "type of " + shown
		x = fmt.Sprintf("%s.Sprintf(\"%%T\", %s)", f.imported("fmt", "fmt"), x)
	case KindText:
		x = fmt.Sprintf("%s.Sprint(%s)", f.imported("fmt", "fmt"), x)
	}
	return "const want = " + quoted(c.Want) + "\n" + unless(x, "want", quoted(shown+" = %q, want %q"), ", want")
}

// unless returns the statement that fails unless x equals want.
func unless(x, want, format, more string) string {
	if token.IsIdentifier(x) {
		return fmt.Sprintf("if %s != %s {\nt.Errorf(%s, %[1]s%[4]s)\n}\n", x, want, format, more)
	}
	return fmt.Sprintf("if got := %s; got != %s {\nt.Errorf(%s, got%s)\n}\n", x, want, format, more)
}
