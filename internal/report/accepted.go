package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Acceptance says that somebody has seen a root and wants what it does.
type Acceptance struct {
	Reason string `json:"reason"`
	Author string `json:"author,omitempty"`
	Date   string `json:"date,omitempty"` // 2006-01-02
}

// A Stale is an acceptance of a root that this comparison did not show, although it ran the function.
type Stale struct {
	Fingerprint string `json:"fingerprint"`
	Function    string `json:"function"`
	Acceptance
}

// Accept marks the roots that are accepted by their fingerprints, notes which acceptances are stale, and decides
// verdict and exit status anew.
func (r *Report) Accept(accepted map[string]Acceptance, stale []Stale) error {
	for i := range r.Roots {
		r.Roots[i].Accepted = nil
		if a, ok := accepted[r.Roots[i].Fingerprint]; ok {
			r.Roots[i].Accepted = &a
		}
	}
	r.AcceptedStale = nil
	if len(stale) > 0 {
		r.AcceptedStale = sortedSet(stale, compareStale)
	}
	if err := r.Decide(r.Settings.FailOn); err != nil {
		return err
	}
	return r.Validate()
}

func compareStale(x, y Stale) int { return cmp.Compare(x.Fingerprint, y.Fingerprint) }

// Ran returns the changed functions whose roots this comparison would have shown, as far as one run can tell. A run
// that ended early, that lost much, or that ran some tests only, can't tell of any. Of types, variables and modules
// none can.
func (r *Report) Ran() map[string]bool {
	ran := map[string]bool{}
	if r.Partial != nil || r.Settings.Run != "" || r.Replay.Sequences == 0 || r.lostTooMuch() {
		return ran
	}
	for _, f := range r.changedInBoth() {
		ran[f] = true
	}
	for _, f := range r.Subject.Unreached {
		delete(ran, f)
	}
	return ran
}

// changedInBoth returns the changed functions that both versions have: whether others ran is not known.
func (r *Report) changedInBoth() []string {
	one := map[string]bool{}
	for _, s := range r.Structural {
		one[s.Function] = one[s.Function] || s.Change == spectra.ChangeAdded || s.Change == spectra.ChangeRemoved
	}
	return slices.DeleteFunc(slices.Clone(r.Subject.ChangedFunctions), func(f string) bool {
		return one[f] || one[spectra.Symbol(f).Package()]
	})
}

// FunctionsRun returns how many of the changed functions that both versions have ran, and how many there are.
func (r *Report) FunctionsRun() (ran, of int) {
	for _, f := range r.changedInBoth() {
		of++
		if r.Replay.Sequences > 0 && !slices.Contains(r.Subject.Unreached, f) {
			ran++
		}
	}
	return ran, of
}

// checkAccepted checks what is accepted, and that stale acceptances are none of it.
func (r *Report) checkAccepted() error {
	shown := map[string]bool{}
	for _, root := range r.Roots {
		shown[root.Fingerprint] = true
		if root.Accepted != nil && root.Accepted.Reason == "" {
			return fmt.Errorf("root %d is accepted without a reason", root.Rank)
		}
	}
	for i, stale := range r.AcceptedStale {
		switch {
		case stale.Fingerprint == "" || stale.Function == "":
			return fmt.Errorf("stale acceptance %d has no fingerprint or no function", i+1)
		case shown[stale.Fingerprint]:
			return fmt.Errorf("stale acceptance %s is of a root that is there", stale.Fingerprint)
		}
	}
	if !slices.IsSortedFunc(r.AcceptedStale, compareStale) {
		return fmt.Errorf("stale acceptances are not in order")
	}
	return nil
}

// Open returns the roots of a list that nobody accepted.
func Open(roots []Root) []Root {
	accepted := func(root Root) bool { return root.Accepted != nil }
	if !slices.ContainsFunc(roots, accepted) {
		return roots
	}
	return slices.DeleteFunc(slices.Clone(roots), accepted)
}
