package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Verdict is the outcome of a comparison. The report decides it together with the exit status. No formatter does.
type Verdict string

// The verdicts.
const (
	Same        Verdict = "same"         // no deviation was seen, or there was nothing to compare
	Deviates    Verdict = "deviates"     // at least one finding
	NotCompared Verdict = "not-compared" // code changed, but no sequence could be played
	Incomplete  Verdict = "incomplete"   // no deviation was seen, but sequences that run changed code were not compared
)

// FailOn is which deviations lead to exit status 1: those of a tier and worse ones, or one of the values below.
type FailOn string

// The values of --fail-on beside tiers.
const (
	FailAny     FailOn = "any"     // all but TierCalls and TierPotential
	FailVisible FailOn = "visible" // what a caller sees of any tier but TierCalls and TierPotential
	FailNone    FailOn = "none"
)

// ParseFailOn checks a value of --fail-on.
func ParseFailOn(text string) (FailOn, error) {
	switch failOn := FailOn(text); failOn {
	case FailAny, FailVisible, FailNone:
		return failOn, nil
	}
	tiers := append(spectra.Tiers(), spectra.TierNondeterminism)
	if slices.Contains(tiers, spectra.Tier(text)) {
		return FailOn(text), nil
	}
	return "", fmt.Errorf("unknown value %q: want any, visible, none or a tier: %s", text, listed(tiers))
}

func listed(tiers []spectra.Tier) string {
	var names []string
	for _, t := range tiers {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// fails reports whether a finding leads to exit status 1.
func (f FailOn) fails(t spectra.Tier, reach spectra.Reach) bool {
	switch f {
	case FailNone:
		return false
	case FailVisible:
		return reach == spectra.Visible && !t.Quiet(reach)
	case FailAny, "":
		return !t.Quiet(reach)
	}
	return t.Harm(reach) <= spectra.Tier(f).Harm(reach)
}

// Decide sets the verdict, and the exit status for the deviations that failOn names.
func (r *Report) Decide(failOn FailOn) error {
	if _, err := ParseFailOn(string(failOn)); err != nil {
		return fmt.Errorf("decide verdict: %w", err)
	}
	r.Settings.FailOn = failOn
	r.Verdict, r.Exit = r.decision()
	return nil
}

// decision returns the verdict and the exit status. A missing fail_on stands for any, as the contract
// says.
func (r *Report) decision() (Verdict, int) {
	found, fails := r.findings()
	switch {
	case fails:
		return Deviates, 1
	case found:
		return Deviates, 0
	case r.Replay.Incomplete > 0:
		return Incomplete, 2
	case r.Replay.Sequences == 0 && len(r.Subject.ChangedFunctions) > 0:
		return NotCompared, 0
	}
	return Same, 0
}

// findings reports whether any finding is more than another call, and whether one leads to exit status 1.
func (r *Report) findings() (found, fails bool) {
	for _, root := range r.Roots {
		found = found || !root.Tier.Quiet(root.Reach)
		fails = fails || r.Settings.FailOn.fails(root.Tier, root.Reach)
	}
	return found, fails
}
