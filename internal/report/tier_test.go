package report_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// TestFailOnTier: a tier stands for itself and all that is worse.
func TestFailOnTier(t *testing.T) {
	order := []report.Tier{
		report.TierCrash, report.TierError, report.TierValue, report.TierLatent, report.TierInternal, report.TierText,
		report.TierCalls, report.TierPotential,
	}
	for at, tier := range order {
		r := &report.Report{}
		one := root("m.F", report.Masked)
		one.Tier = tier
		r.Add(one)
		for limit, failOn := range order {
			finish(t, r, report.FailOn(failOn))
			if want := at <= limit; (r.Exit == 1) != want {
				t.Errorf("a root of tier %s, --fail-on %s: exit %d", tier, failOn, r.Exit)
			}
		}
		finish(t, r, report.FailAny)
		if quiet := tier == report.TierCalls || tier == report.TierPotential; (r.Verdict == report.Same) != quiet {
			t.Errorf("a root of tier %s: verdict %s", tier, r.Verdict)
		}
	}
}

// TestOrderOfHarm: what varies from run to run stands where its reach puts it. Reports of versions that knew no tiers
// have another order.
func TestOrderOfHarm(t *testing.T) {
	for _, c := range []struct {
		reason, first, second string
		valid                 bool
	}{
		{"a crash before an error", "crash", "error", true},
		{"an error before a crash", "error", "crash", false},
		{"what varies, unseen, before a value", "nondeterminism", "value", false},
		{"what varies, unseen, behind a value", "value", "nondeterminism", true},
		{"of an earlier version", "", "", true},
	} {
		r := &report.Report{}
		for i, tier := range []string{c.first, c.second} {
			one := root("m.F", report.Masked)
			one.Tier = report.Tier(tier)
			if tier == "" && i == 1 {
				one.Reach = report.Visible
			}
			r.Add(one)
		}
		err := r.Finish(report.FailAny)
		if (err == nil) != c.valid || err != nil && !strings.Contains(err.Error(), "order of harm") {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// TestVariableWithoutCalls: what only the initial value of an unexported variable shows stands behind what calls show.
func TestVariableWithoutCalls(t *testing.T) {
	variable, text, calls := root("m.v", report.Masked), root("m.F", report.Visible), root("m.G", report.Masked)
	variable.Change, variable.Tier, variable.Sequences = report.Variable, report.TierLatent, 0
	text.Tier, calls.Tier = report.TierText, report.TierCalls
	if report.CompareHarm(text, variable) > 0 || report.CompareHarm(variable, calls) >= 0 {
		t.Error("a variable that no call shows does not stand between text and calls")
	}
	if variable.Sequences = 1; report.CompareHarm(variable, text) >= 0 {
		t.Error("a variable that a call shows stands behind a text")
	}
	exported := root("m.V", report.Visible)
	exported.Change, exported.Tier = report.Variable, report.TierValue
	if report.CompareHarm(exported, text) >= 0 {
		t.Error("a variable that callers can see stands behind a text")
	}
}
