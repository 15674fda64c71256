package predicate

import (
	"strings"
	"unicode"
)

// firstLines returns the first lines of an output that hold text.
func firstLines(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if line = printable(line); line != "" {
			lines = append(lines, line)
		}
		if len(lines) == maxLines {
			break
		}
	}
	return lines
}

// printable returns a line without what does more than to be read, and not more of it than is kept.
func printable(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.TrimRight(line, " \t\r\n"))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	return strings.TrimRight(line, " ")
}
