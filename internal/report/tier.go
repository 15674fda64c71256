package report

import (
	"cmp"
	"slices"
)

// Tier is the harm that a finding does.
type Tier string

// The tiers, the worst first; TierNondeterminism stands with TierValue where an output shows it, else with TierLatent.
const (
	TierCrash     Tier = "crash"     // a new panic, exit, hang or deadlock
	TierError     Tier = "error"     // an error where there was none, or the reverse
	TierValue     Tier = "value"     // a result, an argument, an output or a file
	TierLatent    Tier = "latent"    // a value that outlives the driven call, and that no output shows
	TierInternal  Tier = "internal"  // driven calls begin and end alike, inside values differ
	TierText      Tier = "text"      // only the wording of an error or a log line
	TierCalls     Tier = "calls"     // no value differs, other functions are called
	TierPotential Tier = "potential" // seen only by calling an unexported function directly

	TierNondeterminism Tier = "nondeterminism" // new varies from run to run where old does not
)

var tiers = []Tier{
	TierCrash, TierError, TierValue, TierLatent, TierInternal, TierText, TierCalls, TierPotential,
}

// harm is a smaller number for what is worse. What has no tier that is known here is judged by whether it is seen.
func (t Tier) harm(reach Reach) int {
	if i := slices.Index(tiers, t); i >= 0 {
		return i
	}
	if reach == Visible {
		return slices.Index(tiers, TierValue)
	}
	return slices.Index(tiers, TierLatent)
}

// Quiet reports whether a root is no deviation by itself: no value of any execution differs.
func (r *Root) Quiet() bool { return r.Tier.quiet(r.Reach) }

func (t Tier) quiet(reach Reach) bool { return t.harm(reach) >= TierCalls.harm(Masked) }

// CompareHarm orders roots by their tiers, the worst first. A package variable that differs before any call, while no
// call showed it, comes behind all that calls showed.
func CompareHarm(x, y Root) int { return cmp.Compare(x.harm(), y.harm()) }

func (r *Root) harm() int {
	harm := r.Tier.harm(r.Reach)
	if r.Change == Variable && r.Sequences == 0 && r.Reach == Masked {
		harm = max(harm, TierText.harm(Masked))
	}
	return harm
}
