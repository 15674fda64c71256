// Package tokens lists the tokens of a program in a small Lisp.
package tokens

import (
	"fmt"
	"strings"
)

// A Kind is a class of tokens.
type Kind int

// The kinds of tokens.
const (
	Unknown Kind = iota
	Keyword
	Special
	Identifier
	Number
	Text
	Character
	Comment
)

func (k Kind) String() string {
	return [...]string{"unknown", "keyword", "special", "identifier", "number", "text", "character", "comment"}[k]
}

// A Token is a piece of a program.
type Token struct {
	Kind Kind
	Text string
	Line int
}

// Run lists the tokens of a program, one a line. With -n each has the number of its line, with -c comments are listed
// too, and with -s there is a count of each kind behind them.
func Run(args []string, program string) (string, error) {
	numbers, comments, counts, err := options(args)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	var found [Comment + 1]int
	s := &source{text: program, line: 1}
	for {
		t, ok := s.scan()
		if !ok {
			break
		}
		found[t.Kind]++
		if t.Kind != Comment || comments {
			out.WriteString(describe(t, numbers))
		}
	}
	if counts {
		for k, n := range found {
			if n > 0 {
				fmt.Fprintf(&out, "%d × %v\n", n, Kind(k))
			}
		}
	}
	return out.String(), nil
}

func options(args []string) (numbers, comments, counts bool, err error) {
	for _, a := range args {
		switch a {
		case "-n":
			numbers = true
		case "-c":
			comments = true
		case "-s":
			counts = true
		default:
			return false, false, false, fmt.Errorf("unknown option %q", a)
		}
	}
	return numbers, comments, counts, nil
}

func describe(t Token, number bool) string {
	text := t.Text
	if t.Kind == Special {
		text = specialName(text[0])
	}
	if number {
		return fmt.Sprintf("%d: %v %s\n", t.Line, t.Kind, text)
	}
	return fmt.Sprintf("%v %s\n", t.Kind, text)
}

func specialName(c byte) string {
	switch c {
	case '(':
		return "lparen"
	case ')':
		return "rparen"
	case '[':
		return "lsquare"
	case ']':
		return "rsquare"
	case '\'':
		return "quote"
	case '`':
		return "bquote"
	}
	return "comma"
}

// A source is a program that is read character by character.
type source struct {
	text string
	at   int
	line int
}

// next returns the next character; 0 = the end.
func (s *source) next() byte {
	if s.at >= len(s.text) {
		return 0
	}
	c := s.text[s.at]
	s.at++
	if c == '\n' {
		s.line++
	}
	return c
}

// back takes back the character that next returned.
func (s *source) back(c byte) {
	if c == 0 {
		return
	}
	s.at--
	if c == '\n' {
		s.line--
	}
}

// scan returns the next token, if there is one.
func (s *source) scan() (Token, bool) {
	c := s.next()
	for isBlank(c) {
		c = s.next()
	}
	t := Token{Line: s.line}
	switch {
	case c == 0:
		return t, false
	case isSpecial(c):
		t.Kind, t.Text = Special, string(c)
	case c == ';':
		t.Kind, t.Text = Comment, s.comment()
	case c == '"':
		t.Kind, t.Text = s.quoted()
	default:
		t.Text = s.word(c)
		t.Kind = classify(t.Text)
	}
	return t, true
}

// comment returns the rest of the line.
func (s *source) comment() string {
	from := s.at
	for {
		c := s.next()
		if c == '\n' || c == 0 {
			s.back(c)
			return strings.TrimSpace(s.text[from:s.at])
		}
	}
}

// quoted returns the text up to the closing quote, which has to be on the same line. A quote behind a backslash is part
// of the text.
func (s *source) quoted() (Kind, string) {
	from := s.at
	for {
		c := s.next()
		switch c {
		case '"':
			return Text, s.text[from : s.at-1]
		case '\\':
			s.next()
		case '\n', 0:
			s.back(c)
			return Unknown, s.text[from:s.at]
		}
	}
}

// word returns what begins with a character and goes on to the next delimiter.
func (s *source) word(first byte) string {
	var text []byte
	for c := first; ; c = s.next() {
		if isDelimiter(c) && !(len(text) == 1 && text[0] == '#' && c != 0) {
			s.back(c)
			return string(text)
		}
		text = append(text, c)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isSpecial(c byte) bool { return c != 0 && strings.IndexByte("()[]'`,", c) >= 0 }

func isDelimiter(c byte) bool {
	return c == 0 || isBlank(c) || isSpecial(c) || c == '"' || c == ';'
}

func classify(word string) Kind {
	switch {
	case isKeyword(word):
		return Keyword
	case isNumber(word):
		return Number
	case isCharacter(word):
		return Character
	case isIdentifier(word):
		return Identifier
	}
	return Unknown
}

var keywords = []string{"and", "or", "not", "if", "else", "let", "lambda", "define", "=>"}

func isKeyword(word string) bool {
	for _, k := range keywords {
		if word == k {
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a decimal number, perhaps with a sign and a fraction.
func isNumber(word string) bool {
	if word[0] == '-' || word[0] == '+' {
		word = word[1:]
	}
	digits, points := 0, 0
	for i := range len(word) {
		switch {
		case isDigit(word[i]):
			digits++
		case word[i] == '.':
			points++
		default:
			return false
		}
	}
	return digits > 0 && points <= 1
}

// isCharacter reports whether a word is a # with one character, or with the name of one.
func isCharacter(word string) bool {
	if word[0] != '#' {
		return false
	}
	name := word[1:]
	return len(name) == 1 || name == "space" || name == "newline"
}

// isIdentifier reports whether a word begins with a letter and has letters, digits and some signs in it.
func isIdentifier(word string) bool {
	if !isLetter(word[0]) {
		return false
	}
	for i := 1; i < len(word); i++ {
		if c := word[i]; !isLetter(c) && !isDigit(c) && c != '-' && c != '?' && c != '!' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
