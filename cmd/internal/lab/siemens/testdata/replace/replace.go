// Package replace replaces what matches a pattern in lines of text.
package replace

import (
	"errors"
	"fmt"
	"strings"
)

// A kind says what an element matches.
type kind int

// Kinds of elements.
const (
	letter  kind = iota // one character
	any1                // every character
	class               // one of some characters
	notIn               // none of them
	atStart             // the start of the line
	atEnd               // its end
)

// An element is a part of a pattern.
type element struct {
	kind     kind
	c        byte
	set      string
	repeated bool // any number of times, as often as possible
}

const (
	escape    = '@'
	wildcard  = '?'
	start     = '%'
	end       = '$'
	open      = '['
	closing   = ']'
	negation  = '^'
	dash      = '-'
	closure   = '*'
	ditto     = '&'
	mostInSet = 100
)

var errArgs = errors.New("usage: [-i] [-f] PATTERN [REPLACEMENT]")

// Run replaces what matches a pattern in each line: characters, ? for each one, [a-z] and [^a-z] for one of some, % for
// the start of the line, $ for its end, * behind what is repeated, @n and @t for a newline and a tab, and @ before a
// character that has no meaning then. A & in the replacement stands for what was matched. With -i only lines that match
// are returned; with -f only the first match of each line is replaced.
func Run(args []string, text string) (string, error) {
	only, first := false, false
	for len(args) > 0 && (args[0] == "-i" || args[0] == "-f") {
		only, first = only || args[0] == "-i", first || args[0] == "-f"
		args = args[1:]
	}
	if len(args) == 0 || len(args) > 2 {
		return "", errArgs
	}
	pattern, err := compile(args[0])
	if err != nil {
		return "", err
	}
	var with []part
	if len(args) == 2 {
		with = parts(args[1])
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		changed, n := substitute(strings.TrimSuffix(line, "\n"), pattern, with, first)
		if n > 0 || !only {
			out.WriteString(changed + "\n")
		}
	}
	return out.String(), nil
}

// compile reads a pattern.
func compile(text string) (list []element, err error) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == wildcard:
			list = append(list, element{kind: any1})
		case c == start && i == 0:
			list = append(list, element{kind: atStart})
		case c == end && i == len(text)-1:
			list = append(list, element{kind: atEnd})
		case c == open:
			var e element
			if e, i, err = compileClass(text, i+1); err != nil {
				return nil, err
			}
			list = append(list, e)
		case c == closure && repeatable(list):
			list[len(list)-1].repeated = true
		default:
			c, i = unescape(text, i)
			list = append(list, element{kind: letter, c: c})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("empty pattern")
	}
	return list, nil
}

// repeatable reports whether the last element may be repeated.
func repeatable(list []element) bool {
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	return last.kind != atStart && last.kind != atEnd && !last.repeated
}

// compileClass reads what stands behind a bracket, up to the closing one, whose index it returns.
func compileClass(text string, i int) (element, int, error) {
	e := element{kind: class}
	if i < len(text) && text[i] == negation {
		e.kind = notIn
		i++
	}
	for ; i < len(text) && text[i] != closing; i++ {
		var c byte
		c, i = unescape(text, i)
		if i+2 < len(text) && text[i+1] == dash && text[i+2] != closing {
			e.set += expand(c, text[i+2])
			i += 2
		} else {
			e.set += string(c)
		}
		if len(e.set) > mostInSet {
			return element{}, 0, errors.New("class is too large")
		}
	}
	if i >= len(text) {
		return element{}, 0, fmt.Errorf("class does not end: %q", text)
	}
	return e, i, nil
}

// expand returns the characters of a range of letters or digits.
func expand(from, to byte) (set string) {
	if !alphanumeric(from) || !alphanumeric(to) {
		return string([]byte{from, dash, to})
	}
	for c := int(from); c <= int(to); c++ {
		if alphanumeric(byte(c)) {
			set += string(rune(c))
		}
	}
	return set
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// unescape returns the character at an index, and the index of its last byte.
func unescape(text string, i int) (byte, int) {
	if text[i] != escape || i == len(text)-1 {
		return text[i], i
	}
	switch i++; text[i] {
	case 'n':
		return '\n', i
	case 't':
		return '\t', i
	}
	return text[i], i
}

// A part of a replacement is a text, or what was matched.
type part struct {
	text    string
	matched bool
}

// parts reads a replacement.
func parts(text string) (list []part) {
	for i := 0; i < len(text); i++ {
		if text[i] == ditto {
			list = append(list, part{matched: true})
			continue
		}
		var c byte
		c, i = unescape(text, i)
		if n := len(list); n > 0 && !list[n-1].matched {
			list[n-1].text += string(c)
		} else {
			list = append(list, part{text: string(c)})
		}
	}
	return list
}

// substitute replaces the matches in a line, from left to right, and returns their number.
func substitute(line string, pattern []element, with []part, first bool) (string, int) {
	var out strings.Builder
	n, last := 0, -1 // where the last match ended
	for i := 0; i < len(line)+1; {
		to, ok := match(line, i, pattern)
		if ok && to != last && (n == 0 || !first) {
			out.WriteString(fill(with, line[i:to]))
			n, last = n+1, to
		}
		if ok && to > i && last == to {
			i = to
			continue
		}
		if i < len(line) {
			out.WriteByte(line[i])
		}
		i++
	}
	return out.String(), n
}

// fill returns a replacement for what was matched.
func fill(with []part, matched string) (text string) {
	for _, p := range with {
		if p.matched {
			text += matched
		} else {
			text += p.text
		}
	}
	return text
}

// match matches a pattern at an index, and returns where the match ends.
func match(line string, i int, pattern []element) (int, bool) {
	for n, e := range pattern {
		if e.repeated {
			return matchRepeated(line, i, e, pattern[n+1:])
		}
		width, ok := one(line, i, e)
		if !ok {
			return 0, false
		}
		i += width
	}
	return i, true
}

// matchRepeated matches an element as often as it allows, or less often if the rest does not match then.
func matchRepeated(line string, i int, e element, rest []element) (int, bool) {
	far := i
	for far < len(line) {
		if _, ok := one(line, far, e); !ok {
			break
		}
		far++
	}
	for ; far >= i; far-- {
		if to, ok := match(line, far, rest); ok {
			return to, true
		}
	}
	return 0, false
}

// one matches an element once, and returns how many characters it takes.
func one(line string, i int, e element) (int, bool) {
	switch e.kind {
	case atStart:
		return 0, i == 0
	case atEnd:
		return 0, i == len(line)
	}
	if i >= len(line) {
		return 0, false
	}
	c := line[i]
	switch e.kind {
	case letter:
		return 1, c == e.c
	case class:
		return 1, contains(e.set, c)
	case notIn:
		return 1, !contains(e.set, c)
	}
	return 1, true
}

func contains(set string, c byte) bool { return strings.IndexByte(set, c) >= 0 }
