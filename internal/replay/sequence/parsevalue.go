package sequence

import "strings"

// word returns the next letters, digits and points without reading them.
func (p *parser) word() string {
	size := 0
	for size < len(p.rest) && inWord(p.rest[size]) {
		size++
	}
	return p.rest[:size]
}

func inWord(c byte) bool {
	return c == '.' || c == '+' || c == '-' || c == '_' || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (p *parser) value() Value {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		p.fail("a value nested less deeply")
	}
	if p.err != nil {
		return Value{}
	}
	word := p.word()
	if v, ok := wordValue(word); ok && !p.named() {
		p.rest = p.rest[len(word):]
		if v.Kind == Nil || v.Kind == Zero {
			v.Type = p.shown()
		}
		return v
	}
	switch {
	case p.accept("func returns("):
		return p.function()
	case p.accept("func yields("):
		return Value{Kind: Yields, Elems: p.values(")")}
	case p.accept("func calls("):
		return Value{Kind: Calls, Elems: p.values(")")}
	case p.accept("chan closed("):
		return Value{Kind: Closed, Elems: p.values(")")}
	case p.accept("chan("):
		v := Value{Kind: Chan, Text: p.word()}
		p.expect(v.Text + ")")
		if _, ok := parseIndex(v.Text); !ok {
			p.fail("a capacity")
		}
		return v
	case p.accept("&"):
		return Value{Kind: Address, Elems: []Value{p.value()}}
	case strings.HasPrefix(p.rest, "("):
		return p.complex()
	}
	return p.nameOrString()
}

// function reads the results of a recording function.
func (p *parser) function() Value {
	rounds := []Value{{Kind: Stub, Elems: p.values(")")}}
	for p.accept(" then (") {
		rounds = append(rounds, Value{Kind: Stub, Elems: p.values(")")})
	}
	if len(rounds) == 1 {
		return rounds[0]
	}
	return Value{Kind: Varying, Elems: rounds}
}

// named reports whether a bare name comes next.
func (p *parser) named() bool { return scanName(p.rest) > 0 }

// wordValue returns the value that a single word stands for.
func wordValue(word string) (Value, bool) {
	switch word {
	case "nil":
		return Value{Kind: Nil}, true
	case "zero":
		return Value{Kind: Zero}, true
	case "true", "false":
		return Value{Kind: Bool, Text: word}, true
	}
	if statement, result, ok := parseRef(word); ok {
		return Value{Kind: Ref, Statement: statement, Result: result}, true
	}
	if digits, ok := strings.CutSuffix(word, "u"); ok && isUint(digits) {
		return Value{Kind: Uint, Text: digits}, true
	}
	if isInt(word) {
		return Value{Kind: Int, Text: word}, true
	}
	return Value{Kind: Float, Text: word}, isFloat(word)
}

// shown reads the optional type in parentheses after nil and zero.
func (p *parser) shown() string {
	if !p.accept("(") {
		return ""
	}
	name := p.name()
	p.expect(")")
	return name
}

func (p *parser) complex() Value {
	end := strings.IndexByte(p.rest, ')') + 1
	if !isComplex(p.rest[:end]) {
		p.fail("a complex number")
		return Value{}
	}
	v := Value{Kind: Complex, Text: p.rest[:end]}
	p.rest = p.rest[end:]
	return v
}

// nameOrString reads a typed value, a composite or a string.
func (p *parser) nameOrString() Value {
	if p.accept("{") {
		return p.composite("")
	}
	before := p.rest
	quoted := strings.HasPrefix(before, `"`)
	var name string
	if quoted {
		name = p.quoted()
	} else {
		name = p.maybeName()
	}
	if p.err != nil {
		return Value{}
	}
	typed, composite := strings.HasPrefix(p.rest, "("), strings.HasPrefix(p.rest, "{")
	if quoted && !typed && !composite {
		return Value{Kind: String, Text: name}
	}
	if !typed && !composite || name == "" || quoted && isBare(name) {
		p.rest = before
		p.fail("a value")
		return Value{}
	}
	p.rest = p.rest[1:]
	if composite {
		return p.composite(name)
	}
	return Value{Kind: Typed, Type: name, Elems: []Value{p.parenthesised()}}
}

// composite reads the part of a composite after its opening brace.
func (p *parser) composite(name string) Value {
	for _, empty := range []struct {
		word string
		kind ValueKind
	}{{".}", Struct}, {",}", List}, {":}", Map}, {"}", emptyKind(name)}} {
		if p.accept(empty.word) {
			if empty.word != "}" && empty.kind == emptyKind(name) {
				p.fail("an empty composite without its mark")
			}
			return Value{Kind: empty.kind, Type: name}
		}
	}
	if p.atField() {
		return Value{Kind: Struct, Type: name, Fields: p.fields()}
	}
	v := Value{Kind: List, Type: name, Elems: []Value{p.value()}}
	if strings.HasPrefix(p.rest, ": ") {
		v.Kind = Map
		p.pair(&v)
	}
	for p.err == nil && !p.accept("}") {
		p.expect(", ")
		v.Elems = append(v.Elems, p.value())
		if v.Kind == Map {
			p.pair(&v)
		}
	}
	return v
}

func (p *parser) pair(v *Value) {
	p.expect(": ")
	v.Elems = append(v.Elems, p.value())
}

// atField reports whether a field's name and a colon come next.
func (p *parser) atField() bool {
	if strings.HasPrefix(p.rest, `."`) {
		return true
	}
	size := strings.IndexByte(p.rest, ':')
	return size > 0 && isField(p.rest[:size])
}

func (p *parser) fields() []Field {
	var fields []Field
	for p.err == nil {
		if p.accept(".") {
			if !strings.HasPrefix(p.rest, `"`) {
				p.fail("a quoted field")
			}
		}
		name := p.field()
		p.expect(": ")
		fields = append(fields, Field{Name: name, Value: p.value()})
		if p.accept("}") {
			break
		}
		p.expect(", ")
	}
	return fields
}
