package reporttest

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Series is a series with everything that formats print: pairs that deviate, with marks, accepted roots and more roots
// than are shown, one that does not, one of which too little ran, one that ended early, and one that was not compared.
func Series(t testing.TB) *series.Series {
	came, went := Full(t), Full(t)
	went.Roots[2].Values = nil
	for _, d := range came.Roots[2].Values {
		went.Roots[2].Values = append(went.Roots[2].Values, report.Difference{
			Function: d.Function, Path: d.Path, Old: d.New, New: d.Old, Output: d.Output,
		})
	}
	why := report.Acceptance{Reason: "as we want it"}
	if err := went.Accept(map[string]report.Acceptance{went.Roots[0].Fingerprint: why}, nil); err != nil {
		t.Fatal(err)
	}
	early := Many(t, 2, spectra.TierLatent)
	early.Partial = &report.Partial{Reason: report.TimedOut, Stage: "confirm", Undone: []string{"proofs"}}
	decide(t, early, report.FailAny)
	var pairs []series.Pair
	names := []string{"v1.2.0", "v1.3.0", "v1.4.0", "v1.5.0", "v1.6.0", "v1.7.0"}
	for i, r := range []*report.Report{
		came, finished(t, base(), report.FailAny), NotReached(t, report.FailAny), went, early,
	} {
		r.Old.Revision, r.New.Revision = names[i], names[i+1]
		r.Stages = []report.Stage{{Name: "load", Seconds: 1.5}, {Name: "build", Seconds: float64(i)}}
		pairs = append(pairs, series.Compared(r, r))
		pairs[i].Report = "reports/" + names[i] + ".." + names[i+1] + ".json"
	}
	const broken = "new version (v2.0.0): m.go:3:1: syntax error"
	failed := series.Failed(early.New, report.Revision{Revision: "v2.0.0"}, broken)
	return series.Make(came.Tool, &came.Settings, append(pairs, failed), false)
}
