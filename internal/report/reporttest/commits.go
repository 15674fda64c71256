package reporttest

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Commits is Full, of which commits are known: one that says it refactors brought in two roots, two on the way changed
// a value twice, new lacks one, a root came with one of three, and no commit was asked of another.
func Commits(t testing.TB) *report.Report {
	r := Full(t)
	introduce(r)
	return finished(t, r, report.FailAny)
}

// hash returns a hash that begins with some hex digits.
func hash(begin string) string { return begin + strings.Repeat("0", 40-len(begin)) }

// introduce adds commits to a report with five roots or more.
func introduce(r *report.Report) {
	refactoring, twice, lacking := hash("4f2a9c1e8b07"), hash("9c1e8b074f2a"), hash("b074f2a9c1e8")
	r.Commits = &report.Commits{
		Count: 412, Distinct: 38, Asked: 9, Remembered: 4,
		Untestable: []report.Untestable{
			{Hash: hash("11aa22bb33cc"), Reason: "it does not build: cart.go:3:8: undefined: sum"},
			{Hash: hash("22bb33cc44dd"), Reason: "it does not build: cart.go:3:8: undefined: sum"},
		},
		List: []report.Commit{
			{
				Hash: twice, Subject: "price: round half to even", Author: "Bob <bob@example.com>",
				Date: "2024-02-29T23:59:59Z",
			}, {
				Hash: lacking, Subject: "Hotfix for |odd| `carts` (#77)", Author: "Zoë", PullRequest: 77,
				Date: "2024-03-01T08:00:00+01:00", Lacking: true,
			}, {
				Hash: refactoring, Subject: "refactor: split parse loop", Author: "Jane Doe", PullRequest: 1234,
				Date: "2024-05-03T10:11:12+02:00", Purpose: spectra.PurposeRefactoring,
			},
		},
		Unasked: []report.Unasked{{Root: 5, Reason: "what it shows varies from run to run"}},
	}
	r.Roots[0].Introduced = []report.Introduction{{Commit: lacking, Before: "no panic", After: `panic: "no items"`}}
	r.Roots[1].Introduced = []report.Introduction{{Commit: refactoring, Before: "nil", After: `errors.New("empty")`}}
	r.Roots[2].Introduced = []report.Introduction{
		{Commit: twice, Before: "1200", After: "1190"}, {Commit: refactoring, Before: "1190", After: "1180"},
	}
	r.Roots[3].Introduced = []report.Introduction{{
		Among:  []string{hash("11aa22bb33cc"), hash("22bb33cc44dd"), hash("33cc44dd55ee")},
		Before: "5", After: "10",
	}}
}
