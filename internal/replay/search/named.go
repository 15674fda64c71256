package search

import (
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// A likeness tells by the names of tests how likely they are to show a change.
type likeness struct {
	names map[string][]string // of what changed in each package and of its files, by the package's path in old
	files map[string][]string // of tests that belong to these files, as x_test.go to x.go, likewise
}

// The ranks of tests: those in packages that changed that are named like what changed there, or like its file, or stand
// in the file of tests beside it; others of these packages; all others.
const (
	ofTheChange = iota
	beside
	elsewhere
	ranks
)

// likeness returns that of the tests.
func (in Input) likeness() likeness {
	l := likeness{names: map[string][]string{}, files: map[string][]string{}}
	for _, c := range in.Drivers.Plan.ChangedDeclarations() {
		of := in.Drivers.Plan.Common.Old(c.Package) // whose tests they are
		file := strings.TrimSuffix(path.Base(c.File), path.Ext(c.File))
		l.names[of] = append(l.names[of], c.Symbol.Name(), file)
		if receiver, _, ok := strings.Cut(c.Symbol.Short(), "."); ok {
			l.names[of] = append(l.names[of], strings.Trim(receiver, "(*)"))
		}
		l.files[of] = append(l.files[of], file+"_test.go")
	}
	return l
}

// rank returns the rank of a test.
func (l likeness) rank(t *suite.Test) int {
	names, changed := l.names[suite.Tested(t.Package)]
	switch {
	case slices.Contains(l.files[suite.Tested(t.Package)], t.File),
		slices.ContainsFunc(names, func(name string) bool { return alike(subject(t.Expr), joined(name)) }):
		return ofTheChange
	case changed:
		return beside
	}
	return elsewhere
}

// likelyFirst divides tests by their ranks, in the order in which they run: the time may be over before all have run on
// both versions.
func (l likeness) likelyFirst(tests []suite.Test) [][]suite.Test {
	ranked := make([][]suite.Test, ranks)
	for _, t := range tests {
		rank := l.rank(&t)
		ranked[rank] = append(ranked[rank], t)
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
