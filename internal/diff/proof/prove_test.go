package proof_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestInternalError: where building programs panics, as here for want of call graphs, findings stay as they are, and
// one warning says why.
func TestInternalError(t *testing.T) {
	p := &plan.Plan{Sides: spectra.MakePair(func(spectra.Side) plan.Side {
		return plan.Side{Target: &load.Version{Module: "example.com/m"}}
	})}
	found := example("m.F", "2")
	in := proof.Input{
		Drivers: &drivers.Drivers{Plan: p, Tools: drivers.Tools{Workers: &replay.Workers{Jobs: 1}}},
		Judged: &judge.Judged{
			Played: &judge.Played{Subject: &judge.Subject{}}, Findings: []*diff.Finding{found},
		},
	}
	findings, warnings, err := in.Prove(t.Context())
	if err != nil || len(findings) != 1 || findings[0].Confirmed() {
		t.Errorf("got %v, %v, want the finding, not proven", findings, err)
	}
	const want = "what changed in example.com/m is not proven: internal error while building both versions of: "
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0], want) {
		t.Errorf("got %q, want one that begins %q, and that nothing is proven", warnings, want)
	}
}
