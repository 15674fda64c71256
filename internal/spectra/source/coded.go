package source

import (
	"go/scanner"
	"go/token"
	"strings"
)

// Coded returns the lines of a Go file that hold code. What looks like a comment in a raw string is code.
func Coded(text []byte) map[int]bool {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return lines
		case kind == token.SEMICOLON && literal != ";": // the end of a line
			continue
		}
		at := file.PositionFor(pos, false).Line
		for i := range strings.Count(literal, "\n") + 1 {
			lines[at+i] = true
		}
	}
}
