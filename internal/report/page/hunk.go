package page

import (
	"fmt"
	"strings"
)

// A hunkLine is a line of a hunk.
type hunkLine struct {
	Class string // "add", "del", "ctx" or "at"
	Old   string // number of the line in the old version; "" if it is not there
	New   string // likewise
	Text  string
}

// hunk splits a unified hunk into lines, each with its numbers. A text without a header has none.
func hunk(diff string) (list []hunkLine) {
	var old, new int
	numbered := false
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		of := hunkLine{Text: line}
		switch {
		case strings.HasPrefix(line, "@@"):
			of.Class = "at"
			var oldStart, newStart int
			numbered = scan(line, &oldStart, &newStart)
			old, new = oldStart, newStart
		case strings.HasPrefix(line, "+"):
			of.Class, of.New = "add", number(numbered, &new)
		case strings.HasPrefix(line, "-"):
			of.Class, of.Old = "del", number(numbered, &old)
		case strings.HasPrefix(line, `\`): // it says that the file does not end with a newline
			of.Class = "ctx"
		default:
			of.Class, of.Old, of.New = "ctx", number(numbered, &old), number(numbered, &new)
		}
		list = append(list, of)
	}
	return list
}

// scan reads where a hunk begins in both versions.
func scan(header string, old, new *int) bool {
	fields := strings.Fields(header)
	if len(fields) < 3 {
		return false
	}
	for i, to := range []*int{old, new} {
		if _, err := fmt.Sscanf(strings.TrimLeft(fields[i+1], "+-"), "%d", to); err != nil {
			return false
		}
	}
	return true
}

// number returns the number of a line, and counts it.
func number(known bool, n *int) string {
	if !known {
		return ""
	}
	*n++
	return fmt.Sprint(*n - 1)
}
