package search

import (
	"path"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// leastTold is the length from which on the name of a function or type in that of a test tells what it tests.
const leastTold = 4

// nearTo returns whether a test is one of some functions, by its names: it is in their package, in the file of tests
// that belongs to theirs, as x_test.go to x.go, or called after a function or the type that has it.
func nearTo(functions []source.Change) func(*suite.Test) bool {
	files, names := map[string]map[string]bool{}, map[string][]string{}
	for _, f := range functions {
		pkg := f.Symbol.Package()
		if files[pkg] == nil {
			files[pkg] = map[string]bool{}
		}
		for _, in := range []string{f.Old.File, f.New.File} {
			if base, ok := strings.CutSuffix(path.Base(in), ".go"); ok {
				files[pkg][base+"_test.go"] = true
			}
		}
		for name := range strings.FieldsFuncSeq(f.Symbol.Declared().Short(), inNames) {
			if len(name) >= leastTold {
				names[pkg] = append(names[pkg], strings.ToLower(name))
			}
		}
	}
	return func(t *suite.Test) bool {
		pkg := t.Tests()
		if files[pkg][t.File] {
			return true
		}
		test := strings.ToLower(t.Symbol.Name())
		for _, name := range names[pkg] {
			if strings.Contains(test, name) {
				return true
			}
		}
		return false
	}
}

// inNames reports whether a letter of a symbol belongs to no name.
func inNames(r rune) bool { return strings.ContainsRune("(*).[]", r) }
