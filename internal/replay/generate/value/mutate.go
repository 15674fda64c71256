package value

import (
	"strings"
	"unicode"
)

func separators() []string {
	return []string{"", " ", ".", ",", "/", "-", "_", ":", "=", "\n", ";", "&", "|"}
}

// tokenShare is the share of string mutations by tokens instead of bytes.
const tokenShare = 0.5

// mutated applies one mutation to a string.
func (s *Source) mutated(text string, op *Operation) string {
	if s.Chance(tokenShare) {
		return s.reshaped(text, op)
	}
	at := 0
	if len(text) > 0 {
		at = s.IntN(len(text))
	}
	switch s.Weighted(3, 2, 1, 2, 3, 2, 1, 2, 1, 1) {
	case 0: // truncate: parsers forget early ends
		return text[:at]
	case 1:
		return s.withoutRune(text)
	case 2: // double a byte
		return text[:at] + text[at:min(at+1, len(text))] + text[at:]
	case 3: // replace a byte
		return text[:at] + s.sign() + text[min(at+1, len(text)):]
	case 4: // insert, most often at an end
		if s.Chance(0.4) {
			return text[:at] + s.sign() + text[at:]
		}
		if s.Chance(0.3) {
			return s.sign() + text
		}
		return text + s.sign()
	case 5:
		return s.join(text, op)
	case 6:
		if len(text) < 256 {
			return strings.Repeat(text, 2+s.IntN(2))
		}
		return text[at:]
	case 7:
		return s.otherCase(text, at)
	case 8: // a part of it
		return text[at:min(len(text), at+1+s.IntN(16))]
	default: // an invalid byte
		return text[:at] + string([]byte{0x80 + byte(s.IntN(0x80))}) + text[at:]
	}
}

func (s *Source) withoutRune(text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return text
	}
	at := s.IntN(len(runes))
	return string(runes[:at]) + string(runes[at+1:])
}

// join concatenates text and another string.
func (s *Source) join(text string, op *Operation) string {
	other := s.known(op, 0)
	if len(text)+len(other) > maxText {
		return other
	}
	if s.Chance(0.5) {
		text, other = other, text
	}
	return text + s.joint() + other
}

// joint returns what stands between two joined texts.
func (s *Source) joint() string {
	if len(s.joints) > 0 && s.Chance(0.5) {
		return Pick(s.Random, s.joints)
	}
	return Pick(s.Random, separators())
}

func (s *Source) otherCase(text string, at int) string {
	switch s.IntN(4) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToLower(text)
	}
	// Change only one letter: the first from at on.
	for i, r := range text {
		if i >= at && unicode.IsLetter(r) {
			changed := unicode.ToUpper(r)
			if changed == r {
				changed = unicode.ToLower(r)
			}
			return text[:i] + string(changed) + text[i+len(string(r)):]
		}
	}
	return text
}
