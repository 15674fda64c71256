package instrument

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

// A lexeme is a token of a source, with its physical line.
type lexeme struct {
	line int
	tok  token.Token
	text string
}

func lexemes(t testing.TB, name string, src []byte) []lexeme {
	t.Helper()
	set := token.NewFileSet()
	file := set.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(pos token.Position, msg string) { t.Errorf("%s: %s", pos, msg) }, scanner.ScanComments)
	var list []lexeme
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return list
		}
		if tok != token.SEMICOLON { // semicolons that the scanner adds move with the probes
			list = append(list, lexeme{file.PositionFor(pos, false).Line, tok, text})
		}
	}
}

// checkSources checks that instrumented files parse and have the lines of the original. Every original
// token must stand in order and on its line. Only blank names may have become names.
func checkSources(t testing.TB, pkgs []*packages.Package, list []*Package) {
	t.Helper()
	for _, p := range list {
		for _, pkg := range pkgs {
			if pkg.PkgPath != p.Path {
				continue
			}
			for i, name := range pkg.CompiledGoFiles {
				if src, ok := p.Files[name]; ok {
					checkSource(t, name, original(t, pkg, pkg.Syntax[i], name), src)
				}
			}
		}
	}
}

func checkSource(t testing.TB, name string, old, src []byte) {
	t.Helper()
	if _, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got, want := bytes.Count(src, []byte("\n")), bytes.Count(old, []byte("\n")); got != want {
		t.Errorf("%s: %d lines, %d before", name, got, want)
	}
	rest := lexemes(t, name, src)
	for _, want := range lexemes(t, name, old) {
		found := false
		for !found && len(rest) > 0 && rest[0].line <= want.line {
			found = rest[0] == want || rest[0].line == want.line && rest[0].tok == token.IDENT &&
				renamed(want.text, rest[0].text)
			rest = rest[1:]
		}
		if !found {
			t.Fatalf("%s:%d: token %v %q was lost or moved", name, want.line, want.tok, want.text)
		}
	}
}

// renamed reports whether a probe replaced a blank name, or the name of a main package.
func renamed(old, name string) bool {
	return old == "_" && bytes.HasPrefix([]byte(name), []byte("zspectra")) || old == "main" && name == mainName
}

func original(t testing.TB, pkg *packages.Package, f *ast.File, name string) []byte {
	t.Helper()
	src := moduletest.Read(t, name)
	if len(src) != pkg.Fset.File(f.FileStart).Size() {
		t.Fatalf("%s changed", name)
	}
	return src
}
