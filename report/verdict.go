package report

// This file decides the verdict and the exit status. No formatter does.

import "fmt"

// Verdict is the outcome of a comparison.
type Verdict string

// The verdicts.
const (
	Same        Verdict = "same"         // no deviation was seen, or there was nothing to compare
	Deviates    Verdict = "deviates"     // at least one unaccepted deviation
	NotCompared Verdict = "not-compared" // code changed, but no sequence could be played
	Incomplete  Verdict = "incomplete"   // no deviation was seen, but sequences that run changed code were not compared
)

// FailOn is which deviations lead to exit status 1.
type FailOn string

// The values of --fail-on.
const (
	FailAny     FailOn = "any"
	FailVisible FailOn = "visible"
	FailNone    FailOn = "none"
)

// ParseFailOn checks a value of --fail-on.
func ParseFailOn(text string) (FailOn, error) {
	switch failOn := FailOn(text); failOn {
	case FailAny, FailVisible, FailNone:
		return failOn, nil
	}
	return "", fmt.Errorf("unknown value %q: want any, visible or none", text)
}

// Decide sets the verdict, and the exit status for the deviations that failOn names. Accepted
// deviations never count.
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
	found, visible := r.unaccepted()
	fails := found
	switch r.Settings.FailOn {
	case FailVisible:
		fails = visible
	case FailNone:
		fails = false
	}
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

// unaccepted reports whether any finding was not accepted, and whether such a finding is visible.
func (r *Report) unaccepted() (found, visible bool) {
	for _, root := range r.Roots {
		if !root.Accepted {
			found = true
			visible = visible || root.Reach == Visible
		}
	}
	for _, deviation := range r.Deviations {
		if deviation.Root == 0 && !deviation.Accepted {
			found = true
			visible = visible || deviation.Reach == Visible
		}
	}
	return found, visible
}
