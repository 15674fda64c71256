package redact

import (
	"regexp"
	"strings"
)

// bare reads a value without quotes behind the colon or the equals sign at i, and returns where the text goes on. There
// are three forms:
//
//	name=value, Name:value   variables of the environment, flags, queries of URLs, structs as fmt prints them
//	name: value, name = value  at the beginning of a line: YAML, INI, headers
//
// Values of the tool and lines of Go have quotes around their texts.
func (s *scan) bare(i int) int {
	if s.how != data || i == 0 || i+1 == len(s.text) {
		return i + 1
	}
	name, rest := lastName(strings.TrimRight(s.text[max(s.line, i-window):i], " \t"))
	of := s.outside(name)
	if of == plain {
		return i + 1
	}
	after := s.text[i+1:]
	tight := after[0] != ' ' && after[0] != '\t'
	begins := strings.TrimLeft(rest, " \t-+>#'\"") == "" && s.line+window > i
	switch {
	case isHeader(name) && s.text[i] == ':' && s.header <= s.line:
		s.header = i // once a line
		return s.value(i+1, lineOf(after), of)
	case tight && s.text[i-1] != ' ':
		word := s.word(i + 1)
		if s.text[i] == ':' && (!isTight(after[len(word):]) || !startsName(rest)) {
			return i + 1
		}
		return max(s.value(i+1, word, of), i+1+len(word))
	case begins:
		line := lineOf(after)
		word := strings.TrimSpace(line)
		if !strings.ContainsAny(word, " \t\"'`(){}[],;") && !variable.MatchString(word) {
			return s.value(i+1, line, of)
		}
	}
	return i + 1
}

// flag reads a value behind a flag and a space.
func (s *scan) flag(i int) int {
	if s.how != data || i > 0 && !strings.ContainsRune(" \t\n'\"", rune(s.text[i-1])) {
		return i + 1
	}
	found := flagged.FindStringSubmatch(s.text[i:min(len(s.text), i+window)])
	if found == nil || s.outside(found[1]) == plain {
		return i + 1
	}
	start := i + len(found[0])
	return s.value(start, s.word(start), s.outside(found[1]))
}

// word returns the text from i to where a value without quotes ends.
func (s *scan) word(i int) string {
	if i > s.wordEnd {
		s.wordEnd = len(s.text)
		if end := strings.IndexAny(s.text[i:], " \t\r\n\v\f\"'`&;,(){}[]"); end >= 0 {
			s.wordEnd = i + end
		}
	}
	return s.text[i:s.wordEnd]
}

// value replaces a value that begins at a place, and returns where it ends.
func (s *scan) value(start int, value string, of class) int {
	trimmed := strings.TrimLeft(value, " \t")
	start += len(value) - len(trimmed)
	trimmed, _ = withoutEllipsis(strings.TrimRight(trimmed, " \t\r"))
	if strings.HasPrefix(trimmed, opening) || strings.ContainsAny(trimmed, "\"'`") {
		return start
	}
	if instead, replaced := s.named(trimmed, of); replaced {
		s.put(start, start+len(trimmed), instead)
		return start + len(trimmed)
	}
	return start
}

var (
	flagged = regexp.MustCompile(`^(--?[A-Za-z][\w-]*)[ \t]+`)

	// variable is what an assignment in code has on its right side more often than a secret is spelled so.
	variable = regexp.MustCompile(`^[\pL_]+(\.[\pL_]+)*$`)
)

// isTight reports whether a value can end before a text.
func isTight(rest string) bool {
	return rest == "" || strings.ContainsRune(" \t\r\n,}])&;", rune(rest[0]))
}

// startsName reports whether a name can begin behind a text.
func startsName(before string) bool {
	return before == "" || strings.ContainsRune(" \t{[(,", rune(before[len(before)-1]))
}

func isHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return false
}

func lineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
