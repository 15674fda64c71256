package spectradiff_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxFunction = 80
	maxFile     = 500
	maxPackage  = 2500
	maxLine     = 120 // columns: a rune is one, a tab is tabWidth
	tabWidth    = 4
)

// sizes complains about functions, files and packages that are too long, without tests, and about
// exceptions that no package needs.
func sizes(all []source, oversized map[string]string) []string {
	var complaints []string
	packages := map[string]int{}
	for _, source := range product(all) {
		line := func(pos token.Pos) int { return source.fileSet.Position(pos).Line }
		lines := strings.Count(source.text, "\n")
		packages[source.folder] += lines
		if lines > maxFile {
			complaints = append(complaints, fmt.Sprintf("%s has %d lines, at most %d are allowed: "+
				"split it by what it does", source.name, lines, maxFile))
		}
		for _, declaration := range source.file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := line(function.End()) - line(function.Pos()) + 1; lines > maxFunction {
				complaints = append(complaints, fmt.Sprintf("%s: %s has %d lines, at most %d are allowed",
					source.name, function.Name.Name, lines, maxFunction))
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		if lines := packages[folder]; lines > maxPackage && oversized[folder] == "" {
			complaints = append(complaints, fmt.Sprintf("package %s has %d lines, at most %d are allowed: "+
				"split it by the questions it answers", folder, lines, maxPackage))
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(oversized)) {
		if packages[folder] <= maxPackage {
			complaints = append(complaints, folder+" is listed as oversized and is not: take it out of the list")
		}
	}
	return complaints
}

// wideLines complains about lines that are too wide, in every Go file. It leaves out lines with
// directives, which can't be broken, and with addresses, which should not be.
func wideLines(all []source) []string {
	var complaints []string
	for _, source := range all {
		number := 0
		for line := range strings.Lines(source.text) {
			number++
			line = strings.TrimSuffix(line, "\n")
			width := utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
			unbreakable := strings.HasPrefix(strings.TrimSpace(line), "//go:") || strings.Contains(line, "://")
			if width > maxLine && !unbreakable {
				complaints = append(complaints, fmt.Sprintf("%s:%d has %d columns, at most %d are allowed",
					source.name, number, width, maxLine))
			}
		}
	}
	return complaints
}

// packageNames complains about packages whose names mean nothing, and about packages without a contract.
func packageNames(all []source) []string {
	banned := []string{"util", "utils", "common", "helper", "helpers", "misc", "pkg", "base", "shared", "types"}
	var complaints []string
	commented := map[string]bool{}
	for _, source := range product(all) {
		_, seen := commented[source.folder]
		for _, element := range strings.Split(source.folder, "/") {
			hidden := element == "internal" && !below(source.folder, "cmd/internal")
			if !seen && (hidden || slices.Contains(banned, element)) {
				complaints = append(complaints, fmt.Sprintf("%s: no package is called %s", source.folder, element))
			}
		}
		contract := source.file.Doc != nil && len(source.file.Doc.List) >= 4
		commented[source.folder] = commented[source.folder] || contract
	}
	for _, folder := range slices.Sorted(maps.Keys(commented)) {
		if !commented[folder] {
			complaints = append(complaints, folder+" has no package comment that says what goes in, "+
				"what comes out and what always holds")
		}
	}
	return complaints
}

func TestSizes(t *testing.T)        { require(t, sizes(sources(t), oversized)) }
func TestLines(t *testing.T)        { require(t, wideLines(everything(t))) }
func TestPackageNames(t *testing.T) { require(t, packageNames(sources(t))) }
