package value

import "strings"

// insertShare is the share of changes of a text's tokens that bring in a word of changed code, if there are some: a key
// that only new reads, or a flag.
const insertShare = 0.25

// maxWord is the length of such words, in bytes.
const maxWord = 64

// inserted returns a text with a word of changed code in it, in the shape of what surrounds it: a line like one of the
// lines, a member of an object, or a token. It returns false if there is no such word.
func (s *Source) inserted(text string, op *Operation) (string, bool) {
	word, ok := PickFrom(s.Random, s.changed, func(word string) bool {
		return len(word) <= maxWord && !strings.Contains(word, "\n")
	})
	if !ok || len(text)+len(word) > maxText/2 {
		return text, false
	}
	if at := strings.IndexByte(text, '{'); at >= 0 && s.Chance(0.5) {
		return s.withMember(text, at+1, word, op), true
	}
	if strings.ContainsAny(text, ":=") && s.Chance(0.7) {
		return s.withLine(text, word, op), true
	}
	list := tokens(text)
	at := s.IntN(len(list) + 1)
	return joined(list[:at]) + s.joint() + word + s.joint() + joined(list[at:]), true
}

// withMember returns a text with one more member of an object, which begins at a place.
func (s *Source) withMember(text string, at int, word string, op *Operation) string {
	member := `"` + word + `": ` + s.setting(op)
	if !strings.HasPrefix(strings.TrimSpace(text[at:]), "}") {
		member += ", "
	}
	return text[:at] + member + text[at:]
}

// withLine returns a text with one more line behind one of its lines, which it resembles: its name is the word, and it
// may have another value.
func (s *Source) withLine(text, word string, op *Operation) string {
	lines := strings.SplitAfter(text, "\n")
	at, ok := PickFrom(s.Random, indexes(lines), func(i int) bool { return strings.ContainsAny(lines[i], ":=") })
	if !ok {
		return text + "\n" + word
	}
	line := lines[at]
	to := strings.IndexAny(line, ":=")
	from := len(line) - len(strings.TrimLeft(line, " \t-\"'"))
	to = max(len(strings.TrimRight(line[:to], " \t\"'")), min(from, to))
	behind := line[to:]
	if s.Chance(0.7) {
		space := behind[:len(behind)-len(strings.TrimLeft(behind, " \t\"':="))]
		behind = space + s.setting(op) + "\n"
	}
	if !strings.HasSuffix(line, "\n") {
		line += "\n"
	}
	return joined(lines[:at]) + line + lines[at][:min(from, to)] + word + behind + joined(lines[at+1:])
}

// setting returns a value as files of settings have it.
func (s *Source) setting(op *Operation) string {
	switch s.IntN(6) {
	case 0:
		return "true"
	case 1:
		return "1"
	case 2:
		return "[]"
	case 3:
		return `"` + s.known(op, 0) + `"`
	}
	return s.otherToken(op)
}
