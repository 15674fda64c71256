package sequence

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNesting limits the depth of values, so that no text can exhaust the stack.
const maxNesting = 100

// Parse reads the text form.
func Parse(text string) (Sequence, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != Header {
		return Sequence{}, fmt.Errorf(
			"parse sequence: first line is %.40q, want %q (written by another version?)", lines[0], Header)
	}
	var s Sequence
	for i, line := range lines[1:] {
		p := parser{rest: line}
		st := p.statement(i)
		if p.err == nil && p.rest != "" {
			p.fail("the end of the line")
		}
		if p.err != nil {
			return Sequence{}, fmt.Errorf("parse sequence: line %d, column %d: %w", i+2, len(line)-len(p.rest)+1, p.err)
		}
		s.Statements = append(s.Statements, st)
	}
	return s, nil
}

// A parser reads one line. After the first error it reads nothing.
type parser struct {
	rest  string
	depth int
	err   error
}

func (p *parser) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("want %s, have %.20q", want, p.rest)
	}
}

func (p *parser) accept(prefix string) bool {
	if p.err != nil || !strings.HasPrefix(p.rest, prefix) {
		return false
	}
	p.rest = p.rest[len(prefix):]
	return true
}

func (p *parser) expect(prefix string) {
	if !p.accept(prefix) {
		p.fail(strconv.Quote(prefix))
	}
}

func (p *parser) statement(index int) Statement {
	variable := string(appendVariable(nil, index))
	switch {
	case p.accept("var " + variable + " "):
		name := p.name()
		p.expect(" = ")
		return Statement{Kind: Let, Op: name, Args: []Value{p.value()}}
	case !p.accept(variable + " := "):
		if size := scanName(p.rest); isAssigned(p.rest[:size]) && strings.HasPrefix(p.rest[size:], " = ") {
			name := p.maybeName()
			p.expect(" = ")
			return Statement{Kind: Call, Op: name + " =", Args: []Value{p.value()}}
		}
		return p.set(variable)
	case p.accept("("):
		return p.callValue(p.parenthesised())
	}
	if _, _, ok := parseRef(p.word()); ok && !p.named() {
		return p.callValue(p.value())
	}
	before := p.rest
	if name := p.maybeName(); name != "" && p.accept("(") {
		st := Statement{Kind: Call, Op: name, Args: p.values(")")}
		if st.assigned() != "" {
			p.fail("an assignment")
		}
		return st
	}
	p.rest = before
	value := p.value()
	own, ok := ownType(&value)
	if p.err == nil && !ok {
		p.rest = before
		p.fail("a call or a composite value with a type")
	}
	return Statement{Kind: Let, Op: own, Args: []Value{value}}
}

func (p *parser) set(variable string) Statement {
	var target Value
	if p.accept("(") {
		target = p.parenthesised()
	} else {
		target = p.target()
	}
	if !p.accept(".") {
		p.fail(variable + " := or a field to set")
	}
	field := p.field()
	p.expect(" = ")
	return Statement{Kind: Set, Op: field, Args: []Value{target, p.value()}}
}

// target reads a reference and a field behind it. A number behind the point belongs to the reference.
func (p *parser) target() Value {
	size := 0
	for dots := 0; size < len(p.rest); size++ {
		if c := p.rest[size]; c == '.' && dots == 0 && size+1 < len(p.rest) && isDigit(p.rest[size+1]) {
			dots++
		} else if !isDigit(c) && (size > 0 || c != 'v') {
			break
		}
	}
	statement, result, ok := parseRef(p.rest[:size])
	if !ok {
		p.fail("a statement")
		return Value{}
	}
	p.rest = p.rest[size:]
	return Value{Kind: Ref, Statement: statement, Result: result}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// field reads a field's name, quoted or not.
func (p *parser) field() string {
	if strings.HasPrefix(p.rest, `"`) {
		return p.quoted()
	}
	size := strings.IndexAny(p.rest, " :")
	if size < 0 || !isField(p.rest[:size]) {
		p.fail("a field's name")
		return ""
	}
	name := p.rest[:size]
	p.rest = p.rest[size:]
	return name
}

func (p *parser) parenthesised() Value {
	value := p.value()
	p.expect(")")
	return value
}

func (p *parser) callValue(function Value) Statement {
	p.expect("(")
	return Statement{Kind: CallValue, Args: append([]Value{function}, p.values(")")...)}
}

// values reads a list up to its closing word.
func (p *parser) values(closing string) []Value {
	if p.accept(closing) {
		return nil
	}
	values := []Value{p.value()}
	for p.err == nil && !p.accept(closing) {
		p.expect(", ")
		values = append(values, p.value())
	}
	return values
}

// name reads an operation or a type.
func (p *parser) name() string {
	name := p.maybeName()
	if name == "" {
		p.fail("a name")
	}
	return name
}

// maybeName reads a name, or nothing and returns "" if there is none.
func (p *parser) maybeName() string {
	if strings.HasPrefix(p.rest, `"`) {
		name := p.quoted()
		if name != "" && isBare(name) {
			p.fail("a name without quotes")
		}
		return name
	}
	size := scanName(p.rest)
	name := p.rest[:size]
	p.rest = p.rest[size:]
	return name
}

// quoted reads a string exactly as strconv.Quote writes it, so that every sequence has one text.
func (p *parser) quoted() string {
	prefix, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		p.fail("a quoted string")
		return ""
	}
	text, err := strconv.Unquote(prefix)
	if err != nil || strconv.Quote(text) != prefix {
		p.fail("a string as Go quotes it")
		return ""
	}
	p.rest = p.rest[len(prefix):]
	return text
}
