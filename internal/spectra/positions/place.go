package positions

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// plain is what a file's name must be like to stand in a directive.
var plain = regexp.MustCompile(`^[\w.-]+$`)

// Place returns the source of the file with the absolute path name, with a directive at each mark. The source
// may have further tokens, but must have the lines of the file that the marks were found in.
func Place(name string, source []byte, marks []Mark) ([]byte, error) {
	starts, err := firstTokens(source)
	if err != nil {
		return nil, fmt.Errorf("place the lines of %s: %w", name, err)
	}
	var out []byte
	done, base := 0, filepath.Base(name)
	for _, at := range starts {
		var mark *Mark
		for len(marks) > 0 && marks[0].Line <= at.line {
			mark, marks = &marks[0], marks[1:]
		}
		if mark == nil || !plain.MatchString(mark.Base) {
			continue
		}
		file := "" // the same as before
		if mark.Base != base {
			// A relative path would begin in the folder of the overlay.
			file, base = filepath.Join(filepath.Dir(name), mark.Base), mark.Base
		}
		out = append(out, source[done:at.offset]...)
		out = fmt.Appendf(out, "/*line %s:%d:1*/", file, mark.At+at.line-mark.Line)
		done = at.offset
	}
	return append(out, source[done:]...), nil
}

// firstTokens lists the first tokens of the lines behind the imports. Before, there is no code.
func firstTokens(source []byte) ([]lexeme, error) {
	files := token.NewFileSet()
	head, err := parser.ParseFile(files, "", source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	from := files.File(head.FileStart).Offset(endOfImports(head))
	var list []lexeme
	last := 0
	for _, t := range tokens(source) {
		if t.line > last && t.offset >= from {
			list = append(list, t)
		}
		last = t.line + strings.Count(t.text, "\n")
	}
	return list, nil
}

func endOfImports(head *ast.File) token.Pos {
	end := head.Name.End()
	for _, decl := range head.Decls {
		end = max(end, decl.End())
	}
	return end
}

// A lexeme is a token where it stands.
type lexeme struct {
	line, offset int
	text         string
}

// tokens lists the tokens of a source; comments and semicolons that line ends stand for are left out.
func tokens(source []byte) []lexeme {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	var list []lexeme
	for {
		pos, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return list
		case kind == token.SEMICOLON && text == "\n":
			continue
		case text == "":
			text = kind.String()
		}
		list = append(list, lexeme{file.PositionFor(pos, false).Line, file.Offset(pos), text})
	}
}
