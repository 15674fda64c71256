package search

import (
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// likelyFirst divides tests in the order in which they run: first those in packages that changed that are named like
// what changed there, or like its file, then the others of these packages, then all others. The time may be over before
// all have run on both versions.
func (in Input) likelyFirst(tests []suite.Test) [][]suite.Test {
	named := map[string][]string{}
	for _, c := range in.Drivers.Plan.ChangedDeclarations() {
		file, of := path.Base(c.File), in.Drivers.Plan.Common.Old(c.Package) // whose tests they are
		named[of] = append(named[of], c.Symbol.Name(), strings.TrimSuffix(file, path.Ext(file)))
	}
	return byLikeness(tests, named)
}

// byLikeness is likelyFirst for the names of what changed in packages.
func byLikeness(tests []suite.Test, named map[string][]string) [][]suite.Test {
	ranked := make([][]suite.Test, 3)
	for _, t := range tests {
		names, changed := named[suite.Tested(t.Package)]
		switch {
		case slices.ContainsFunc(names, func(name string) bool { return alike(subject(t.Expr), joined(name)) }):
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
