package value

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// maxTokens is the maximum number of tokens of a text; the rest counts as one.
const maxTokens = 200

// tokens splits a text into words, numbers, spaces, escapes and signs. Joined they give the text.
func tokens(text string) []string {
	var list []string
	for len(text) > 0 {
		n := tokenLength(text)
		if len(list) == maxTokens-1 {
			n = len(text)
		}
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}

// tokenLength returns the length of the first token.
func tokenLength(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	if first == '\\' && len(text) > size {
		_, next := utf8.DecodeRuneInString(text[size:])
		return size + next
	}
	of := classOf(first)
	if of == sign {
		return size
	}
	for i, r := range text {
		if classOf(r) != of {
			return i
		}
	}
	return len(text)
}

// A class is a class of characters that form one token together.
type class uint8

const (
	sign class = iota // stands alone
	word
	digits
	space
)

func classOf(r rune) class {
	switch {
	case unicode.IsLetter(r), r == '_':
		return word
	case unicode.IsDigit(r):
		return digits
	case r == ' ', r == '\t', r == '\r':
		return space
	}
	return sign
}

// brackets are pairs that nest texts.
func brackets() [][2]string {
	return [][2]string{
		{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {`"`, `"`}, {"'", "'"}, {"`", "`"}, {"/*", "*/"}, {"**", "**"},
		{"\n", "\n"}, {"- ", "\n"}, {"> ", "\n"}, {"```\n", "\n```"}, {" ", " "},
	}
}

// boundaries are characters and bytes at the boundaries of encodings and tables.
func boundaries() []string {
	return []string{
		"\x7f", "\u0080", "\u00a0", "\u00ad", "\u00ff", "\u0130", "\u07ff", "\u0800", "\u0301", "\u200b", "\u200d",
		"\u2028", "\u3000", "\ud7ff", "\ue000", "\ufeff", "\ufffd", "\uffff", "\U00010000", "\U0001f600",
		"\U0010ffff", "\x80", "\xc0", "\xc3", "\xed\xa0\x80", "\xf8", "\xff",
	}
}

// odd returns a rare character: any of ASCII, including control characters, or one of the boundaries.
func (s *Source) odd() string {
	switch s.IntN(4) {
	case 0:
		return string(rune(s.IntN(' ')))
	case 1:
		return Pick(s.Random, boundaries())
	}
	return string(rune(s.IntN(utf8.RuneSelf)))
}

// short returns a text of no, one or two characters.
func (s *Source) short() string {
	switch s.IntN(5) {
	case 0:
		return ""
	case 1:
		return s.odd() + s.sign()
	case 2:
		return s.sign()
	}
	return s.odd()
}

// reshaped changes one token of a text, or its place.
func (s *Source) reshaped(text string, op *Operation) string {
	list := tokens(text)
	if len(list) == 0 {
		return s.short()
	}
	if len(s.changed) > 0 && s.Chance(insertShare) {
		if other, ok := s.inserted(text, op); ok {
			return other
		}
	}
	at := s.IntN(len(list))
	end := at + 1 + s.IntN(min(3, len(list)-at)) // behind a few tokens
	before, part, after := joined(list[:at]), joined(list[at:end]), joined(list[end:])
	switch s.Weighted(2, 1, 2, 2, 2, 3, 3, 2, 1, 1) {
	case 0: // truncate at a token
		return before
	case 1: // start at a token
		return part + after
	case 2: // remove a token
		return before + after
	case 3: // repeat a token
		return before + s.repeated(part) + after
	case 4: // nest a token
		b := Pick(s.Random, brackets())
		return before + b[0] + part + b[1] + after
	case 5: // replace it by something short or odd
		return before + s.short() + after
	case 6: // replace it by a token of another text
		return before + s.otherToken(op) + after
	case 7:
		return s.spliced(before, op)
	case 8: // exchange two tokens
		other := s.IntN(len(list))
		list[at], list[other] = list[other], list[at]
		return joined(list)
	default:
		return recoded(text)
	}
}

// recoded decodes the escapes of a text, or adds escapes if it has none.
func recoded(text string) string {
	if !strings.Contains(text, `\`) {
		quoted := strconv.Quote(text)
		return quoted[1 : len(quoted)-1]
	}
	var b strings.Builder
	for text != "" {
		r, multibyte, rest, err := strconv.UnquoteChar(text, '"')
		switch {
		case err != nil: // no escape
			b.WriteByte(text[0])
			rest = text[1:]
		case multibyte:
			b.WriteRune(r)
		default:
			b.WriteByte(byte(r))
		}
		text = rest
	}
	return b.String()
}

// Meant decodes the escapes of a text value. It returns false if there are none or it is no text.
func Meant(v sequence.Value) (sequence.Value, bool) {
	if v.Kind != sequence.String {
		return v, false
	}
	text, ok := meant(v.Text)
	v.Text = text
	return v, ok
}

// meant decodes the escapes of a text. It returns false if that leaves the text as it is.
func meant(text string) (string, bool) {
	if !strings.Contains(text, `\`) {
		return text, false
	}
	decoded := recoded(text)
	return decoded, decoded != text
}

func joined(list []string) string { return strings.Join(list, "") }

// repeated returns a part of a text two times or more, rarely very often.
func (s *Source) repeated(part string) string {
	times := 2 + s.IntN(3)
	if s.Chance(0.1) {
		times = 10 + s.IntN(60)
	}
	if len(part)*times > maxText/4 {
		times = 2
	}
	return strings.Repeat(part, times)
}

// otherToken returns a random token of a known text.
func (s *Source) otherToken(op *Operation) string {
	list := tokens(s.known(op, 0))
	if len(list) == 0 {
		return ""
	}
	return Pick(s.Random, list)
}

// spliced appends the end of a known text to a text, from one of its tokens on.
func (s *Source) spliced(before string, op *Operation) string {
	list := tokens(s.known(op, 0))
	if len(list) == 0 {
		return before
	}
	text := before + joined(list[s.IntN(len(list)):])
	return text[:min(len(text), maxText)]
}

// holding returns a known text with a part in place of a word, a number, or a few tokens from there on.
func (s *Source) holding(part string, op *Operation, param int) string {
	list := tokens(s.known(op, param))
	at, ok := PickFrom(s.Random, indexes(list), func(i int) bool {
		first, _ := utf8.DecodeRuneInString(list[i])
		return classOf(first) == word || classOf(first) == digits
	})
	if !ok {
		return part
	}
	end := at + 1
	for end < len(list) && s.Chance(0.4) {
		end++
	}
	text := joined(list[:at]) + part + joined(list[end:])
	return text[:min(len(text), maxText)]
}

func indexes[T any](list []T) []int {
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	return all
}
