package generate

import (
	"strings"
	"unicode"
)

// This file defines how strings are mutated.

func separators() []string {
	return []string{"", " ", ".", ",", "/", "-", "_", ":", "=", "\n", ";", "&", "|"}
}

// mutatedText changes s in one way.
func (g *generator) mutatedText(s string, op *operation) string {
	at := 0
	if len(s) > 0 {
		at = g.rng.IntN(len(s))
	}
	switch g.weighted(3, 2, 1, 2, 3, 2, 1, 2, 1, 1) {
	case 0: // end early: what parsers forget
		return s[:at]
	case 1:
		return g.withoutRune(s)
	case 2: // double a byte
		return s[:at] + s[at:min(at+1, len(s))] + s[at:]
	case 3: // replace a byte
		return s[:at] + g.sign() + s[min(at+1, len(s)):]
	case 4: // insert, most often at an end
		if g.chance(0.4) {
			return s[:at] + g.sign() + s[at:]
		}
		if g.chance(0.3) {
			return g.sign() + s
		}
		return s + g.sign()
	case 5:
		return g.join(s, op)
	case 6:
		if len(s) < 256 {
			return strings.Repeat(s, 2+g.rng.IntN(2))
		}
		return s[at:]
	case 7:
		return g.otherCase(s, at)
	case 8: // a part of it
		return s[at:min(len(s), at+1+g.rng.IntN(16))]
	default: // an invalid byte
		return s[:at] + string([]byte{0x80 + byte(g.rng.IntN(0x80))}) + s[at:]
	}
}

func (g *generator) withoutRune(s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return s
	}
	at := g.rng.IntN(len(runes))
	return string(runes[:at]) + string(runes[at+1:])
}

// join puts s and another string together.
func (g *generator) join(s string, op *operation) string {
	other := g.known(op, 0)
	if len(s)+len(other) > maxText {
		return other
	}
	if g.chance(0.5) {
		s, other = other, s
	}
	return s + pick(g, separators()) + other
}

func (g *generator) otherCase(s string, at int) string {
	switch g.rng.IntN(4) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return strings.ToLower(s)
	}
	// One letter only: the first from at on.
	for i, r := range s {
		if i >= at && unicode.IsLetter(r) {
			changed := unicode.ToUpper(r)
			if changed == r {
				changed = unicode.ToLower(r)
			}
			return s[:i] + string(changed) + s[i+len(string(r)):]
		}
	}
	return s
}
