package report_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestFailOnTier: a tier stands for itself and all that is worse.
func TestFailOnTier(t *testing.T) {
	order := []spectra.Tier{
		spectra.TierCrash, spectra.TierError, spectra.TierValue, spectra.TierLatent, spectra.TierInternal,
		spectra.TierText,
		spectra.TierCalls, spectra.TierPotential,
	}
	for at, tier := range order {
		r := &report.Report{}
		one := root("m.F", spectra.Masked)
		one.Tier = tier
		r.Add(one)
		for limit, failOn := range order {
			finish(t, r, report.FailOn(failOn))
			if want := at <= limit; (r.Exit == 1) != want {
				t.Errorf("a root of tier %s, --fail-on %s: exit %d", tier, failOn, r.Exit)
			}
		}
		finish(t, r, report.FailAny)
		if quiet := tier == spectra.TierCalls || tier == spectra.TierPotential; (r.Verdict == report.Same) != quiet {
			t.Errorf("a root of tier %s: verdict %s", tier, r.Verdict)
		}
	}
}

// TestFailOnNondeterminism: what varies from run to run is as bad as a value where a caller sees it, else as what
// stays.
func TestFailOnNondeterminism(t *testing.T) {
	for _, c := range []struct {
		tier  spectra.Tier
		reach spectra.Reach
		fails bool
	}{
		{spectra.TierNondeterminism, spectra.Visible, true},
		{spectra.TierNondeterminism, spectra.Masked, true},
		{spectra.TierError, spectra.Visible, true},
		{spectra.TierInternal, spectra.Masked, false},
		{spectra.TierText, spectra.Visible, false},
	} {
		r := &report.Report{}
		one := root("m.F", c.reach)
		one.Tier = c.tier
		r.Add(one)
		finish(t, r, report.FailOn(spectra.TierNondeterminism))
		if (r.Exit == 1) != c.fails {
			t.Errorf("tier %s, %s: exit %d", c.tier, c.reach, r.Exit)
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
			one := root("m.F", spectra.Masked)
			one.Tier = spectra.Tier(tier)
			if tier == "" && i == 1 {
				one.Reach = spectra.Visible
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
	variable, text, calls := root("m.v", spectra.Masked), root("m.F", spectra.Visible), root("m.G", spectra.Masked)
	variable.Change, variable.Tier, variable.Sequences = spectra.ChangeVariable, spectra.TierLatent, 0
	text.Tier, calls.Tier = spectra.TierText, spectra.TierCalls
	if report.CompareHarm(text, variable) > 0 || report.CompareHarm(variable, calls) >= 0 {
		t.Error("a variable that no call shows does not stand between text and calls")
	}
	if variable.Sequences = 1; report.CompareHarm(variable, text) >= 0 {
		t.Error("a variable that a call shows stands behind a text")
	}
	exported := root("m.V", spectra.Visible)
	exported.Change, exported.Tier = spectra.ChangeVariable, spectra.TierValue
	if report.CompareHarm(exported, text) >= 0 {
		t.Error("a variable that callers can see stands behind a text")
	}
}

// TestCompareHarm: what callers meet comes first, whatever it does to others.
func TestCompareHarm(t *testing.T) {
	var order []report.Root
	for _, change := range []func(*report.Root){
		func(r *report.Root) { r.Tier = spectra.TierCrash },
		func(r *report.Root) { r.OnNegative = true },
		func(r *report.Root) { r.Tier = spectra.TierCalls },
		func(r *report.Root) { r.OnNil = true },
		func(r *report.Root) { r.Only = true },
		func(r *report.Root) { r.Tier = spectra.TierPotential },
	} {
		one := root("m.F", spectra.Visible)
		one.Tier = spectra.TierCrash
		change(&one)
		order = append(order, one)
	}
	for i, x := range order {
		for j, y := range order {
			if got := report.CompareHarm(x, y); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%d and %d compare as %d", i, j, got)
			}
		}
	}
}
