package positions_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
	"github.com/spectradiff/spectradiff/internal/spectra/positions"
)

// version type-checks the files of one side of an archive.
func version(t *testing.T, archive *txtar.Archive, s spectra.Side) positions.Package {
	t.Helper()
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg := positions.Package{Path: "m", Fset: token.NewFileSet(), Info: info}
	var files []*ast.File
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, string(s)+"/")
		if !ok {
			continue
		}
		name = "/m/" + name
		syntax, err := parser.ParseFile(pkg.Fset, name, f.Data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, syntax)
		pkg.Files = append(pkg.Files, positions.File{Name: name, Source: f.Data, Syntax: syntax})
	}
	config := types.Config{Importer: importer.Default()}
	if _, err := config.Check(pkg.Path, pkg.Fset, files, pkg.Info); err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestPlaced: the comment "// at FILE:LINE" behind a line of new says where the compiler has to see it.
func TestPlaced(t *testing.T) {
	goldentest.Each(t, "testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		of := spectra.MakePair(func(s spectra.Side) positions.Package { return version(t, archive, s) })
		inOld := func(s spectra.Symbol) spectra.Symbol {
			return spectra.Symbol(strings.ReplaceAll(string(s), "Renamed", "Before"))
		}
		marks := positions.Find(of, inOld)
		for _, f := range of.New.Files {
			placed, err := positions.Place(f.Name, f.Source, marks[f.Name])
			if err != nil {
				t.Fatal(err)
			}
			check(t, f.Name, placed)
		}
	})
}

// check compares the positions of a placed source with its comments.
func check(t *testing.T, name string, placed []byte) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, placed, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v\n%s", err, placed)
	}
	checked := 0
	for _, group := range file.Comments {
		for _, c := range group.List {
			want, ok := strings.CutPrefix(c.Text, "// at ")
			if !ok {
				continue
			}
			checked++
			at := fset.Position(c.Pos())
			if got := fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line); got != want {
				t.Errorf("%s:%d is placed at %s, want %s", name, fset.PositionFor(c.Pos(), false).Line, got, want)
			}
		}
	}
	if checked == 0 {
		t.Errorf("%s says nowhere where it has to be placed", name)
	}
}

// tokens lists the tokens of a source with their lines; comments are left out.
func tokens(source []byte) (list []string) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return list
		}
		list = append(list, fmt.Sprint(file.PositionFor(pos, false).Line, kind, text))
	}
}

// FuzzPlace: directives change no token and no line, whatever the source.
func FuzzPlace(f *testing.F) {
	f.Add([]byte("package m\n\nimport \"fmt\"\n\nfunc F() {\n\tfmt.Println(`a\nb`, 1)\n}\n"), 3)
	f.Add([]byte("package m; import `a`\nvar x = `\n` + `\n`\n\n/* c\n */ var y int\n"), 1)
	f.Fuzz(func(t *testing.T, source []byte, step int) {
		if _, err := parser.ParseFile(token.NewFileSet(), "", source, 0); err != nil || step < 1 || step > 100 {
			return
		}
		var marks []positions.Mark
		for line := step; line < bytes.Count(source, []byte("\n")); line += step {
			marks = append(marks, positions.Mark{Line: line, Base: []string{"m.go", "n.go"}[line%2], At: 1000 * line})
		}
		placed, err := positions.Place("/m/m.go", source, marks)
		if err != nil {
			t.Fatal(err)
		}
		if before, after := tokens(source), tokens(placed); !slices.Equal(before, after) {
			t.Errorf("tokens were\n%q\nand are\n%q", before, after)
		}
	})
}
