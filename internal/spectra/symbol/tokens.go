package symbol

import (
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"hash/fnv"
	"iter"
)

// A Token is one token of a piece of source.
type Token struct {
	Kind token.Token
	Text string      // as in the source; "," or ";" also for a semicolon that a line end stands for
	Next token.Token // kind of the token that follows in the source
}

// Tokens returns the tokens of a piece of source. Comments and layout are left out, and so is a
// comma or semicolon that gofmt may add or remove: at the beginning of a block, before a closing
// bracket, before another one, at the end.
func Tokens(src []byte) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		opened := false // a block begins here
		for t := range scan(src) {
			if t.separates() && (opened || t.Next == token.RBRACK || closes(t.Next) || separates(t.Next)) {
				continue
			}
			opened = t.Kind == token.LBRACE
			if !yield(t) {
				return
			}
		}
	}
}

// BodyHash returns a hash of the tokens of a body. Comments and layout don't count.
//
// The hash is part of the fingerprints that users keep, so it must not change: unlike Tokens it
// counts a separator before "]" and every one of several.
func BodyHash(src []byte) string {
	h := fnv.New128a()
	for t := range scan(src) {
		if t.separates() && closes(t.Next) {
			continue
		}
		text := t.Text
		if t.Kind.IsOperator() {
			text = ""
		}
		fmt.Fprintf(h, "%d %d %s\n", t.Kind, len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Shape returns a hash of the tokens of a body without the names of basic types and what texts say: bodies that were
// written once for each of several types have the same. It returns "" for a body that is too short to tell.
func Shape(src []byte) string {
	h, n := fnv.New128a(), 0
	for t := range Tokens(src) {
		text := t.Text
		switch {
		case t.Kind == token.STRING:
			text = ""
		case t.Kind == token.IDENT:
			if basic, ok := types.Universe.Lookup(text).(*types.TypeName); ok && basic.Name() != "error" {
				text = "type"
			}
		}
		fmt.Fprintf(h, "%d %d %s\n", t.Kind, len(text), text)
		n++
	}
	if n < shapeLeast {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// shapeLeast is how many tokens a body must have, its braces among them, for its shape to tell something.
const shapeLeast = 10

func (t Token) separates() bool { return separates(t.Kind) }

func separates(kind token.Token) bool { return kind == token.COMMA || kind == token.SEMICOLON }

// closes reports whether a token ends a list or a block.
func closes(kind token.Token) bool {
	return kind == token.RPAREN || kind == token.RBRACE || kind == token.EOF
}

// scan returns all tokens except comments. A line end that stands for a semicolon is a token too.
func scan(src []byte) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
		_, kind, text := s.Scan()
		for kind != token.EOF {
			_, next, nextText := s.Scan()
			if text == "" || separates(kind) {
				text = kind.String()
			}
			if !yield(Token{kind, text, next}) {
				return
			}
			kind, text = next, nextText
		}
	}
}
