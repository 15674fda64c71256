package page

import "github.com/spectradiff/spectradiff/internal/spectra"

// meanings says what tiers mean.
var meanings = map[spectra.Tier]string{
	spectra.TierCrash:          "a panic, exit, hang or deadlock where there was none, or the reverse",
	spectra.TierError:          "an error where there was none, or the reverse",
	spectra.TierValue:          "a result, an argument, an output or a file differs",
	spectra.TierLatent:         "a value differs that outlives the call, and no output shows it",
	spectra.TierInternal:       "every call from outside begins and ends alike; inside, values differ",
	spectra.TierText:           "only the wording of an error, of a panic or of a log line differs",
	spectra.TierCalls:          "no value differs, other functions are called",
	spectra.TierPotential:      "seen only by calling an unexported function directly",
	spectra.TierNondeterminism: "new varies from run to run where old does not",
}

// reaches says what reaches mean.
var reaches = map[spectra.Reach]string{
	spectra.Visible: "a caller sees it",
	spectra.Masked:  "no output shows it",
}

// classOf returns the class of a tier in the style sheet: how loud it is.
func classOf(tier spectra.Tier) string {
	switch tier {
	case spectra.TierCrash, spectra.TierError, spectra.TierValue, spectra.Tier(spectra.Visible):
		return "loud"
	case spectra.TierCalls, spectra.TierPotential:
		return "quiet"
	}
	return "middle"
}

// tierWords lists the tiers with their meanings, the worst first.
func tierWords() (list []fact) {
	for _, tier := range append(spectra.Tiers(), spectra.TierNondeterminism) {
		list = append(list, fact{string(tier), meanings[tier]})
	}
	return list
}

// words explains the other words of the page.
var words = []fact{
	{"finding, root", "the change in the code from which deviations come"},
	{"deviation", "an execution of a function that differs between old and new"},
	{"container", "an execution that begins alike and ends differently: something deviated inside"},
	{"follower", "an execution that begins differently already: something deviated before"},
	{"visible, masked", "a caller sees it, or no output shows it"},
	{"confirmed", "old with the change alone shows the same, and new without it does not"},
	{"accepted", "somebody has seen it and wants what it does: .spectradiff/accepted.json says who and why"},
	{"likely", "the recorded values point to the change; it was not proven"},
	{"sequence", "calls that were made in order on both versions"},
	{"recv, arg, ret", "in the path of a value: the receiver, a parameter, a result"},
}
