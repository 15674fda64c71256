// Package known lists pairs of released module versions whose difference is known.
//
// In: nothing. Out: the pairs, each with the functions that cause its differences. The functions were found by reading
// the changes, not by this tool. Tests compare the pairs, and the evaluation measures how many of the functions are
// found. The package fetches and compares nothing.
package known

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// A Pair is two released versions of a module.
type Pair struct {
	Module, Old, New string
	Roots            []string // functions, without package, any of which is the cause; none: nothing deviates visibly
	Reason           string   // for the pair
}

// Pairs lists the pairs.
func Pairs() []Pair {
	return []Pair{
		{"github.com/iancoleman/strcase", "v0.2.0", "v0.3.0", []string{"toCamelInitCase"},
			"an unexported root below two exported functions"},
		{"github.com/mattn/go-shellwords", "v1.0.10", "v1.0.11", []string{"replaceEnv", "(*Parser).Parse"},
			"a rewrite with two roots"},
		{"github.com/imdario/mergo", "v0.3.4", "v0.3.5", []string{"isEmptyValue", "deepMerge"},
			"reflection, no go.mod"},
		{"github.com/andybalholm/cascadia", "v1.3.0", "v1.3.1", []string{"(*parser).parseAttributeSelector"},
			"a panic that was mended"},
		{"github.com/hashicorp/go-version", "v1.7.0", "v1.8.0", []string{"newVersion", "parseSingle"},
			"texts of errors"},
		{"github.com/BurntSushi/toml", "v1.3.0", "v1.3.1",
			[]string{"(*parser).topLevel", "(*parser).valueInlineTable"}, "an internal value only"},
		{"github.com/robfig/cron/v3", "v3.0.0", "v3.0.1", []string{"SkipIfStillRunning"},
			"goroutines, state shared between wrappers"},
		{"github.com/hashicorp/go-version", "v1.6.0", "v1.7.0", nil, "reflection replaced"},
		{"github.com/BurntSushi/toml", "v1.3.1", "v1.3.2", nil, "a package variable became a field"},
	}
}

// Root returns the index of the first root in a report that is one of the known ones, or is a place of them; -1 = none.
func (p Pair) Root(r *report.Report) int {
	return slices.IndexFunc(r.Roots, func(root report.Root) bool {
		return slices.ContainsFunc(p.Roots, func(name string) bool {
			at := func(p report.Place) bool { return strings.HasSuffix(p.Function, "."+name) }
			return at(report.Place{Function: root.Function}) || slices.ContainsFunc(root.Places, at)
		})
	})
}
