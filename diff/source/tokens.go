package source

// This file turns source into what counts of it: tokens, without comments and layout.

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// importNames maps the names that packages have in a file to their paths.
type importNames map[string]string

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

func namesOf(file *ast.File) importNames {
	names := importNames{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := guessName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	return names
}

// guessName is the usual name of the package with a path.
func guessName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && versionElement.MatchString(last) {
		last = elements[len(elements)-2]
	}
	if at := strings.Index(last, ".v"); at > 0 {
		last = last[:at]
	}
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	return strings.ReplaceAll(last, "-", "_")
}

// tokens returns the tokens of a piece of source, one a line. The commas and semicolons that only
// depend on line breaks are left out; package names stand as paths.
func tokens(text []byte, names importNames) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(text)), text, func(token.Position, string) {}, 0)
	var out strings.Builder
	var held string // a separator that counts only if something other than a closing bracket follows
	last := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		switch tok {
		case token.SEMICOLON, token.COMMA:
			held = tok.String() + "\n"
			last = tok
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
		default:
			out.WriteString(held)
		}
		held = ""
		if lit == "" {
			lit = tok.String()
		}
		if path, ok := names[lit]; ok && tok == token.IDENT && last != token.PERIOD && nextIsPeriod(s) {
			lit = strconv.Quote(path)
		}
		out.WriteString(lit)
		out.WriteByte('\n')
		last = tok
	}
}

// nextIsPeriod looks one token ahead in a copy of the scanner.
func nextIsPeriod(ahead scanner.Scanner) bool {
	_, tok, _ := ahead.Scan()
	return tok == token.PERIOD
}

// directives returns the comment lines that the compiler reads.
func directives(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	var out strings.Builder
	for _, c := range group.List {
		if strings.HasPrefix(c.Text, "//go:embed") || strings.HasPrefix(c.Text, "//go:linkname") {
			out.WriteString(c.Text)
			out.WriteByte('\n')
		}
	}
	return out.String()
}
