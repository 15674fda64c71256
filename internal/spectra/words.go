package spectra

import "slices"

// A Change is the kind of a change of a declaration, spelled as in reports.
type Change string

// The kinds of change.
const (
	ChangeModified   Change = "modified"
	ChangeAdded      Change = "added"
	ChangeRemoved    Change = "removed"
	ChangeRenamed    Change = "renamed"
	ChangeSignature  Change = "signature" // structural changes only
	ChangeType       Change = "type"
	ChangeVariable   Change = "variable" // or constant
	ChangeDependency Change = "dependency"
	ChangeUnknown    Change = "unknown"
)

// A Kind is the kind of a deviation, spelled as in reports.
type Kind string

// The kinds of deviation.
const (
	KindContainer      Kind = "container" // equal entry states, different exit states
	KindFollower       Kind = "follower"  // different entry states
	KindNewOnly        Kind = "new-only"
	KindOldOnly        Kind = "old-only"
	KindPanic          Kind = "panic"          // one side ends by a panic, or both by different ones
	KindExit           Kind = "exit"           // process end, goroutine end or being blocked differs
	KindNondeterminism Kind = "nondeterminism" // only new differs from run to run
)

// A Tier is the degree of harm of a deviation or a finding, spelled as in reports.
type Tier string

// The tiers, the worst first. TierNondeterminism ranks with TierValue where an output shows it, else with TierLatent.
const (
	TierCrash     Tier = "crash"     // a panic, exit, hang or deadlock where there was none, or the reverse
	TierError     Tier = "error"     // an error where there was none, or the reverse
	TierValue     Tier = "value"     // a result, an argument, an output or a file
	TierLatent    Tier = "latent"    // a value that outlives the driven call, and that no output shows
	TierInternal  Tier = "internal"  // every driven call begins and ends alike; inside, values differ
	TierText      Tier = "text"      // only the wording of an error, of a panic or of a log line
	TierCalls     Tier = "calls"     // no value of any matched execution differs, other functions are called
	TierPotential Tier = "potential" // seen only by calling an unexported function directly

	TierNondeterminism Tier = "nondeterminism" // new varies from run to run where old does not
)

// Tiers lists the tiers that have a rank of their own, the worst first.
func Tiers() []Tier {
	return []Tier{
		TierCrash, TierError, TierValue, TierLatent, TierInternal, TierText, TierCalls, TierPotential,
	}
}

// Harm is a smaller number for what is worse. A tier without a rank is judged by the reach.
func (t Tier) Harm(reach Reach) int {
	if i := slices.Index(Tiers(), t); i >= 0 {
		return i
	}
	if reach == Visible {
		return slices.Index(Tiers(), TierValue)
	}
	return slices.Index(Tiers(), TierLatent)
}

// HarmBeforeCalls is the harm of a package variable that differs before any call, while no call showed it. If it is
// masked, it comes behind all that calls showed.
func (t Tier) HarmBeforeCalls(reach Reach) int {
	if reach == Visible {
		return t.Harm(reach)
	}
	return max(t.Harm(reach), TierText.Harm(Masked))
}

// Quiet reports whether a tier is no deviation by itself: no value of any execution differs.
func (t Tier) Quiet(reach Reach) bool { return t.Harm(reach) >= TierCalls.Harm(Masked) }

// A Reach says whether a deviation arrives at an output.
type Reach string

// The two reaches.
const (
	Visible Reach = "visible"
	Masked  Reach = "masked"
)

// A Confidence says whether a cause was proven.
type Confidence string

// The two confidences.
const (
	Confirmed Confidence = "confirmed"
	Likely    Confidence = "likely"
)

// A Purpose is what the subject of a commit says of it, if that is to leave behaviour as it is, spelled as in reports.
type Purpose string

// The purposes of commits that should change nothing that callers meet.
const (
	PurposeRefactoring Purpose = "refactoring"
	PurposeCleanup     Purpose = "cleanup"
	PurposeTypo        Purpose = "typo"
	PurposeDocs        Purpose = "docs"
	PurposeBump        Purpose = "bump"
	PurposePerformance Purpose = "performance"
	PurposeTests       Purpose = "tests"
)
