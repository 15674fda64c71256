// Package finding says of a root what formats for other programs have in common: how loud it is, by which rule, where.
//
// In: roots and positions of a finished report. Out: levels, rules, and files and lines that other programs may be
// given. A file is always below the folder from which the report names files, and a line is always one that a file
// can have. What is not so, or not known, is absent. The package words nothing: that is text.Phrases.
package finding

import (
	"io/fs"
	"math"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The tool, as formats name it.
const (
	Tool = "spectradiff"
	URL  = "https://github.com/spectradiff/spectradiff"
)

// A Level is how loud a root is.
type Level int

// The levels.
const (
	Note Level = iota
	Warning
	Error
)

// A Rule describes a tier.
type Rule struct {
	Tier  spectra.Tier
	Level Level
	Short string // a phrase
	Full  string // sentences
}

// Rules lists all tiers, in the order of the contract.
func Rules() []Rule {
	return []Rule{
		{spectra.TierCrash, Error, "a crash where there was none, or the reverse",
			"Only one of the two versions panics, exits, hangs or deadlocks here."},
		{spectra.TierError, Error, "an error where there was none, or the reverse",
			"Only one of the two versions returns an error here."},
		{spectra.TierValue, Error, "another value that a caller sees",
			"A result, an argument, an output or a file differs between the two versions."},
		{spectra.TierLatent, Warning, "another value that stays, and that no output shows",
			"A value that outlives the call differs between the two versions. No output shows it yet."},
		{spectra.TierInternal, Warning, "other values inside of calls that begin and end alike",
			"Every driven call begins and ends alike. Inside of some, values differ between the two versions."},
		{spectra.TierText, Note, "another wording",
			"Only the wording of an error, of a panic or of a log line differs between the two versions."},
		{spectra.TierCalls, Note, "other functions are called, no value differs",
			"No value differs between the two versions. Other functions are called, or more or less often."},
		{spectra.TierPotential, Note, "another value that only calls from inside of the package show",
			"The two versions differ where an unexported function is called directly. No exported call showed it."},
		{spectra.TierNondeterminism, Warning, "the new version varies from run to run",
			"The new version does not always do the same, and the old one does."},
	}
}

// LevelOf returns the level of a root. One whose tier has no rule is judged by its reach, as by report.CompareHarm.
func LevelOf(root *report.Root) Level {
	for _, rule := range Rules() {
		if rule.Tier == root.Tier {
			return rule.Level
		}
	}
	if root.Reach == spectra.Visible {
		return Error
	}
	return Warning
}

// maxLine is the last line that all formats can name, maxFile how long a name can be that a system opens.
const (
	maxLine = math.MaxInt32
	maxFile = 4096
)

// Place returns the file of a position, or "" if it is not known or not below the root; and its first and last line,
// or 0 for what is not known.
func Place(at *report.Position) (file string, first, last int) {
	if at == nil || len(at.File) > maxFile || at.File == "." || !fs.ValidPath(at.File) {
		return "", 0, 0
	}
	if at.Line < 1 || at.Line > maxLine {
		return at.File, 0, 0
	}
	if at.EndLine < at.Line || at.EndLine > maxLine {
		return at.File, at.Line, 0
	}
	return at.File, at.Line, at.EndLine
}

// Old reports whether a position is in the old version.
func Old(at *report.Position) bool { return at != nil && at.Side == spectra.Old }
