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
	Same       Verdict = "same"        // the change ran and no deviation was seen, or there was nothing to compare
	Deviates   Verdict = "deviates"    // at least one finding, or only accepted ones and nothing that is worse
	NotReached Verdict = "not-reached" // no deviation was seen, but none or too little of the change ran
	Incomplete Verdict = "incomplete"  // no deviation was seen, and too many sequences that run the change were lost
)

// FailOn is which deviations lead to exit status 1: those of a tier and worse ones, or one of the values below.
type FailOn string

// The values of --fail-on beside tiers.
const (
	FailAny        FailOn = "any"         // all but TierCalls and TierPotential
	FailVisible    FailOn = "visible"     // what a caller sees of any tier but TierCalls and TierPotential
	FailNotReached FailOn = "not-reached" // as FailAny, and that the change was not reached
	FailNone       FailOn = "none"
)

// A change was reached if enoughReached of its statements ran, those in functions that only one version has left aside.
// Up to fewLost of the sequences may be lost: a limit ended them, or the time of the run was over.
const (
	enoughReached = 0.5
	fewLost       = 0.1
)

// ParseFailOn checks a value of --fail-on.
func ParseFailOn(text string) (FailOn, error) {
	switch failOn := FailOn(text); failOn {
	case FailAny, FailVisible, FailNotReached, FailNone:
		return failOn, nil
	}
	tiers := append(spectra.Tiers(), spectra.TierNondeterminism)
	if slices.Contains(tiers, spectra.Tier(text)) {
		return FailOn(text), nil
	}
	return "", fmt.Errorf("unknown value %q: want any, visible, not-reached, none or a tier: %s", text, listed(tiers))
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
	case FailAny, FailNotReached, "":
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

// decision returns the verdict and the exit status. A run that was interrupted, or of which shards are missing, has the
// status of trouble. A missing fail_on stands for any, as the contract says. Accepted roots decide nothing: they hide
// neither another one nor that too little was compared. But versions of which one root is known are not the same.
func (r *Report) decision() (Verdict, int) {
	found, fails, accepted := r.findings()
	switch {
	case r.cutOff() && (found || fails):
		return Deviates, 2
	case fails:
		return Deviates, 1
	case found:
		return Deviates, 0
	case r.lostTooMuch(), r.cutOff(), r.nothing():
		return Incomplete, 2
	case !r.Reached() && r.Settings.FailOn == FailNotReached:
		return NotReached, 1
	case !r.Reached():
		return NotReached, 0
	case accepted:
		return Deviates, 0
	}
	return Same, 0
}

// cutOff reports whether something is missing that was to be in the report, whatever its limits.
func (r *Report) cutOff() bool {
	return r.Partial != nil && (r.Partial.Reason == Interrupted || r.Partial.Reason == Missing)
}

// nothing reports whether the run, or that of a module, ended before anything was compared.
func (r *Report) nothing() bool {
	return r.Partial != nil && r.Replay.Sequences == 0 ||
		slices.ContainsFunc(r.Modules, func(m Module) bool { return m.of().nothing() })
}

// lostTooMuch reports whether the change could not be compared because of lost sequences. A few don't matter if none of
// them seemed to deviate: if only they ran the change, it was not reached.
func (r *Report) lostTooMuch() bool {
	if len(r.Modules) > 0 {
		return slices.ContainsFunc(r.Modules, func(m Module) bool { return m.Failed != "" || m.of().lostTooMuch() })
	}
	return r.Replay.Unjudged > 0 || float64(r.Replay.Incomplete) > fewLost*float64(r.Replay.Sequences)
}

// Reached reports whether enough of the change ran, or there is nothing to run of it.
func (r *Report) Reached() bool {
	if len(r.Modules) > 0 {
		return !slices.ContainsFunc(r.Modules, func(m Module) bool { return !m.of().Reached() })
	}
	if of := &r.Subject; r.Replay.Sequences == 0 { // where nothing was loaded, the change concerns no package
		return of.OnlyAdds || of.Unchanged != "" || of.Loaded == nil && len(of.ChangedFunctions) == 0
	}
	if ran := r.Generation.ComparableStatementCoverage; ran != nil {
		return *ran >= enoughReached
	}
	if len(r.Subject.Unapplied)+len(r.Subject.Unmentioned) > 0 {
		return false
	}
	if ran := r.Generation.ConcernedStatementCoverage; ran != nil {
		return *ran > 0
	}
	ran := r.Generation.ChangedStatementCoverage
	return len(r.Subject.Unreached) == 0 || ran != nil && *ran >= enoughReached
}

// ReachedAll reports whether all of the change ran.
func (r *Report) ReachedAll() bool {
	ran := r.Generation.ChangedStatementCoverage
	return r.Partial == nil && r.Replay.Sequences > 0 && ran != nil && *ran == 1
}

// findings reports of roots that nobody accepted whether any is more than another call, and whether one leads to exit
// status 1. Accepted is whether any of the others is more than another call.
func (r *Report) findings() (found, fails, accepted bool) {
	for i := range r.Roots {
		root := &r.Roots[i]
		if root.Accepted != nil {
			accepted = accepted || !root.Quiet()
			continue
		}
		found = found || !root.Quiet()
		fails = fails || r.Fails(root)
	}
	return found, fails, accepted
}

// Fails reports whether a root leads to exit status 1: none does that was accepted.
func (r *Report) Fails(root *Root) bool {
	return root.Accepted == nil && r.Settings.FailOn.fails(root.Tier, root.Reach)
}
