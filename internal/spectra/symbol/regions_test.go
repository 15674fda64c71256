package symbol_test

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// TestRegions: regions are in the order of the source, whatever node they belong to. Each is called by its first word.
func TestRegions(t *testing.T) {
	word := regexp.MustCompile(`[a-z]+`)
	for _, c := range []struct{ reason, body, want string }{
		{"a chain of branches", "body(); if 1 > 2 {one()} else if 3 > 4 {two()} else if 5 > 6 {three()} else {four()}",
			"body one if two if three four"},
		{"literals in a condition and before it", "body(); if x := func() {one()}; func() bool {two()}() {three()}",
			"body one two three"},
		{"cases", "body(); switch 1 { case 1: one()\ncase 2: two()\ndefault: three(); if 1 == 2 {four()} }",
			"body one two three four"},
		{"a literal in the line of a case", "body(); switch 1 { case 1: one()\ncase func() int {two()}(): three() }",
			"body one two three"},
		{"a literal in a loop", "body(); for range 3 {one(); func() {two()}()}; {three()}", "body one two three"},
	} {
		source := "package p; func f() {" + c.body + "}"
		syntax, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		var got []string
		for _, r := range symbol.Regions(syntax) {
			got = append(got, word.FindString(source[r.Open-syntax.FileStart:r.Close-syntax.FileStart]))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: regions %s, want %s", c.reason, text, c.want)
		}
	}
}
