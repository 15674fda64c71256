package api

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/parser"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of reading for one package.
const (
	maxSample      = 2 << 10 // bytes of a text
	maxSampleFile  = 1 << 20 // bytes of a file
	maxSampleFiles = 200
	maxSampleDepth = 5
	maxSamples     = 5000 // texts
	maxParts       = 2000 // texts from one file
)

// samples returns the texts in the files that the tests of a folder are likely to read, sorted.
func samples(dir string) []string {
	r := sampleReader{files: maxSampleFiles, found: map[string]bool{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if entry.IsDir() && holdsSamples(entry.Name()) {
			r.folder(filepath.Join(dir, entry.Name()), maxSampleDepth)
		}
	}
	return spread(slices.Sorted(maps.Keys(r.found)), maxSamples)
}

// holdsSamples reports whether a folder beside a package is for its tests: the go command ignores it, or it has one of
// the usual names.
func holdsSamples(name string) bool {
	usual := []string{"test", "tests", "fixtures", "examples", "spec", "specs", "corpus", "samples"}
	return name == "testdata" || strings.HasPrefix(name, "_") || slices.Contains(usual, name)
}

// spread returns most elements of a list at equal distances, or all if it has no more.
func spread(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	chosen := make([]string, most)
	for i := range chosen {
		chosen[i] = list[i*len(list)/most]
	}
	return chosen
}

// A sampleReader reads files of one package.
type sampleReader struct {
	files int // number of files that may still be read
	found map[string]bool
}

func (r *sampleReader) folder(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil || depth == 0 {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case entry.IsDir():
			r.folder(path, depth-1)
		case r.files > 0 && filepath.Ext(path) != ".go":
			r.file(path, entry)
		}
	}
}

func (r *sampleReader) file(path string, entry fs.DirEntry) {
	info, err := entry.Info()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxSampleFile {
		return
	}
	r.files--
	content, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(content) || slices.Contains(content, 0) {
		return
	}
	text := string(content)
	list := parts(text)
	if list == nil {
		list = []string{text}
	}
	for _, part := range spread(list, maxParts) {
		if len(part) <= maxSample {
			r.found[part] = true
		}
	}
}

// parts returns the texts within a file: the arguments of a fuzz test, the strings in JSON, or the sections between
// separating lines.
func parts(text string) []string {
	if rest, ok := strings.CutPrefix(text, "go test fuzz v1\n"); ok {
		return fuzzArguments(rest)
	}
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		return jsonTexts(value)
	}
	if len(text) <= maxSample {
		return nil
	}
	list := sections(text, isSeparator)
	if len(list) == 1 {
		list = sections(text, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	return list
}

// fuzzArguments returns the texts of a corpus entry, which has the conversion of a literal in each line.
func fuzzArguments(lines string) []string {
	var list []string
	for line := range strings.Lines(lines) {
		e, err := parser.ParseExpr(strings.TrimSpace(line))
		call, ok := e.(*ast.CallExpr)
		if err != nil || !ok || len(call.Args) != 1 {
			continue
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			if v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0); v.Kind() == constant.String {
				list = append(list, constant.StringVal(v))
			}
		}
	}
	return list
}

// jsonTexts returns the strings in a decoded value without names, in their order.
func jsonTexts(value any) []string {
	var list []string
	switch value := value.(type) {
	case string:
		if value != "" {
			list = append(list, value)
		}
	case []any:
		for _, elem := range value {
			list = append(list, jsonTexts(elem)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			list = append(list, jsonTexts(value[name])...)
		}
	}
	return list
}

// sections returns the texts between separating lines.
func sections(text string, separates func(line string) bool) []string {
	var list []string
	var section strings.Builder
	end := func() {
		if s := section.String(); strings.TrimSpace(s) != "" {
			list = append(list, s)
		}
		section.Reset()
	}
	for line := range strings.Lines(text) {
		if separates(line) {
			end()
			continue
		}
		section.WriteString(line)
	}
	end()
	return list
}

// minSeparator is the minimum length of a separating line.
const minSeparator = 8

// isSeparator reports whether a line only separates: a long line of few different signs, or the name of a file in an
// archive.
func isSeparator(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") {
		return true
	}
	signs := map[rune]bool{}
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
		signs[r] = true
	}
	return len(line) >= minSeparator && len(signs) <= 3
}
