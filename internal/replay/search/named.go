package search

import (
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// likelyFirst divides tests in the order in which they run: first those in packages that changed that are named like
// what changed there, or like its file, then the others of these packages, then all others. The time may be over before
// all have run on both versions.
func (in Input) likelyFirst(tests []suite.Test) [][]suite.Test {
	return byLikeness(tests, in.Drivers.Plan.ChangedDeclarations(), func(path string) string {
		return in.Drivers.Plan.Common.Old(path)
	})
}

// byLikeness is likelyFirst for changes. Old returns what a package is called in old, whose tests they are.
func byLikeness(tests []suite.Test, changes []source.Change, old func(path string) string) [][]suite.Test {
	named := map[string][]string{} // package → what changed in it
	for _, c := range changes {
		file := path.Base(c.File)
		of := old(c.Package)
		named[of] = append(named[of], joined(c.Symbol.Name()), joined(strings.TrimSuffix(file, path.Ext(file))))
	}
	ranked := make([][]suite.Test, 3)
	for _, t := range tests {
		names, changed := named[suite.Tested(t.Package)]
		switch {
		case slices.ContainsFunc(names, func(name string) bool { return alike(subject(t.Expr), name) }):
			ranked[0] = append(ranked[0], t)
		case changed:
			ranked[1] = append(ranked[1], t)
		default:
			ranked[2] = append(ranked[2], t)
		}
	}
	return ranked
}

// subject returns what a test is about, by its name.
func subject(test string) string {
	for _, kind := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
		if rest, ok := strings.CutPrefix(test, kind); ok {
			return joined(rest)
		}
	}
	return joined(test)
}

// joined returns a name in small letters and without what separates words.
func joined(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// alike reports whether one of two names holds the other one, which says something.
func alike(x, y string) bool {
	const telling = 4
	return len(y) >= telling && strings.Contains(x, y) || len(x) >= telling && strings.Contains(y, x)
}
