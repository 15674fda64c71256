package suite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"regexp"
	"strings"
)

// A Match says which tests run, as -run of go test does. Nil matches all but benchmarks.
type Match struct {
	text       string
	test, part *regexp.Regexp // part is nil if all of a test runs
}

// ParseMatch parses one or two regular expressions with a slash between them: for the names of tests, and of subtests.
func ParseMatch(text string) (m *Match, err error) {
	whole, part, parts := strings.Cut(text, "/")
	m = &Match{text: text}
	if m.test, err = regexp.Compile(whole); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	if parts {
		m.part, err = regexp.Compile(part)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return m, nil
}

func (m *Match) String() string {
	if m == nil {
		return ""
	}
	return m.text
}

// Exactly returns what ParseMatch takes for one test, example or benchmark.
func Exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// benchmark begins the names of benchmarks, which run only if they are asked for by this word.
const benchmark = "Benchmark"

// Matches reports whether a test, an example or a benchmark of that name runs.
func (m *Match) Matches(name string) bool {
	if strings.HasPrefix(name, benchmark) && !strings.Contains(m.String(), benchmark) {
		return false
	}
	return m == nil || m.test.MatchString(name)
}

// Split reports whether only some subtests run.
func (m *Match) Split() bool { return m != nil && m.part != nil }

// Parts returns the subtests that run.
func (m *Match) Parts(parts []Test) (list []Test) {
	if !m.Split() {
		return parts
	}
	for _, t := range parts {
		if m.part.MatchString(t.Sub) {
			list = append(list, t)
		}
	}
	return list
}

// In reports whether test files in a folder declare a test that runs. Files that can't be read declare none.
func (m *Match) In(dir string) bool {
	for _, syntax := range skimmed(dir, parser.SkipObjectResolution) {
		for _, d := range syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && runs(d.Name.Name) && m.Matches(d.Name.Name) {
				return true
			}
		}
	}
	return false
}

// runs reports whether a function of that name in a test file may be run.
func runs(name string) bool {
	return strings.HasPrefix(name, "Test") && name != testMain || strings.HasPrefix(name, "Fuzz") ||
		strings.HasPrefix(name, "Example") || strings.HasPrefix(name, benchmark)
}
