package sequence

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isBare reports whether the name of an operation or type may stand unquoted. The writer and the parser share the
// functions of this kind, so the parser reads every bare word as the writer meant it. A name must not end in a point: a
// parenthesis behind it would be read as a receiver.
func isBare(name string) bool {
	return name != "" && name[len(name)-1] != '.' && scanName(name) == len(name)
}

// isAssigned reports whether a name may stand on the left of an assignment, because it does not begin like a reference.
func isAssigned(name string) bool {
	return isBare(name) && (name[0] != 'v' || len(name) < 2 || !isDigit(name[1]))
}

// scanName returns the length of the bare name at the start of text, 0 if there is none.
func scanName(text string) int {
	i, start := scanPrefixes(text), 0
	if i < 0 {
		return 0
	}
	start = i
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '[':
			size = scanGroup(text[i:], '[', ']')
		case r == '(' && i > 0 && text[i-1] == '.':
			size = scanGroup(text[i:], '(', ')')
		case !isNameRune(r, size):
			size = 0
		}
		if size == 0 {
			break
		}
		i += size
	}
	word := text[start:i]
	if i == start || isReserved(word) || strings.IndexByte("0123456789+-.[(", word[0]) >= 0 {
		return 0
	}
	return i
}

// scanPrefixes returns the length of "*", "[]", "[N]" and "map[K]" prefixes, -1 if one is broken.
func scanPrefixes(text string) int {
	i := 0
	for i < len(text) {
		switch {
		case text[i] == '*':
			i++
		case text[i] == '[':
			end := strings.IndexByte(text[i:], ']')
			if end < 0 || strings.Trim(text[i+1:i+end], "0123456789") != "" {
				return -1
			}
			i += end + 1
		case strings.HasPrefix(text[i:], "map["):
			size := scanGroup(text[i+3:], '[', ']')
			if size == 0 {
				return -1
			}
			i += 3 + size
		default:
			return i
		}
	}
	return i
}

// scanGroup returns the length of the balanced group at the start of text. A group may contain anything
// but quotes and line breaks.
func scanGroup(text string, open, closing rune) int {
	depth := 0
	for i, r := range text {
		switch {
		case r == open:
			depth++
		case r == closing:
			depth--
		case r == '"' || r == '`' || r == utf8.RuneError || !unicode.IsPrint(r):
			return 0
		}
		if depth == 0 {
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

func isNameRune(r rune, size int) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
			strings.ContainsRune("./-~@$%+!", r)
	}
	return size > 1 && unicode.IsPrint(r)
}

// isReserved reports whether a word is a value of the grammar.
func isReserved(word string) bool {
	switch word {
	case "nil", "zero", "true", "false", "func", "chan", "var", "NaN":
		return true
	}
	_, _, ok := parseRef(word)
	return ok
}

// isField reports whether a field's name may stand unquoted.
func isField(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) || r == utf8.RuneError {
			return false
		}
	}
	return name != "" && !isReserved(name)
}

// parseRef reads "vN" and "vN.M".
func parseRef(word string) (statement, result int, ok bool) {
	digits, found := strings.CutPrefix(word, "v")
	if !found {
		return 0, 0, false
	}
	digits, second, dotted := strings.Cut(digits, ".")
	if statement, ok = parseIndex(digits); !ok || !dotted {
		return statement, 0, ok
	}
	result, ok = parseIndex(second)
	return statement, result, ok && result > 0
}

// parseIndex reads a canonical small number.
func parseIndex(digits string) (int, bool) {
	n, err := strconv.ParseUint(digits, 10, 24)
	return int(n), err == nil && (digits == "0" || digits[0] != '0')
}

// isInt reports whether text is an Int's: decimal, no sign but a minus, no
// leading zeros.
func isInt(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || text == "0")
}

// isUint reports whether text is a Uint's.
func isUint(text string) bool {
	return isInt(text) && text[0] != '-'
}

// isFloat reports whether text is a Float's, so never an Int's.
func isFloat(text string) bool {
	switch text {
	case "NaN", "+Inf", "-Inf":
		return true
	}
	if strings.Trim(text, "0123456789+-.e") != "" || !strings.ContainsAny(text, ".e") {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && text[0] != '+' && text[0] != '.'
}

// isComplex reports whether text is a Complex's, parentheses included.
func isComplex(text string) bool {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") || strings.ContainsAny(text, " _x") {
		return false
	}
	_, err := strconv.ParseComplex(text, 128)
	return err == nil
}
