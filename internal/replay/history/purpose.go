package history

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The purposes, as the tables below write them.
const (
	refactoring = spectra.PurposeRefactoring
	cleanup     = spectra.PurposeCleanup
	typo        = spectra.PurposeTypo
	docs        = spectra.PurposeDocs
	bump        = spectra.PurposeBump
	performance = spectra.PurposePerformance
	tests       = spectra.PurposeTests
)

// PurposeOf reads the subject of a commit; "": it says nothing of the kind, or that behaviour changes, too. What is not
// clear is read as nothing: a purpose stands in a report against the author's own result.
func PurposeOf(subject string) spectra.Purpose {
	text := strings.ToLower(strings.TrimSpace(subject))
	text = strings.ReplaceAll(numbers.ReplaceAllString(text, ""), "go fix", "gofix")
	text = harmless.ReplaceAllString(text, "harmless ${what}")
	text = tag.ReplaceAllString(text, "$1: ")
	about := scope.FindStringSubmatch(text)
	if about != nil && slices.Contains([]spectra.Purpose{docs, tests}, named(about)) {
		text = adds.ReplaceAllString(text, "")
	}
	if grouped.MatchString(text) {
		return bump
	}
	if behaves.MatchString(text) {
		return ""
	}
	text = branch.ReplaceAllString(text, "")
	for about := scope.FindStringSubmatch(text); about != nil; about = scope.FindStringSubmatch(text) {
		if purpose := named(about); purpose != "" {
			return purpose
		}
		text = text[len(about[0]):]
	}
	for _, p := range phrases {
		if p.form.MatchString(text) {
			return p.purpose
		}
	}
	return ""
}

// named returns the purpose that stands before the colon of a subject, if one does.
func named(about []string) spectra.Purpose {
	purpose := scopes[about[1]]
	switch {
	case purpose != "":
		return purpose
	case strings.HasPrefix(about[2], "(deps"):
		return bump
	case testFolder.MatchString(about[1]):
		return tests
	}
	return ""
}

var (
	// numbers are those of pull requests.
	numbers = regexp.MustCompile(`( *\(#\d+\))+$`)

	// tag is what some write in the place of a scope: "[docs] ...".
	tag = regexp.MustCompile(`^\[(docs?|refactor|refactoring|cleanup|style|lint|typos?|perf|performance|tests?|` +
		`deps|bump)\]:? *`)

	// grouped matches what a machine calls an upgrade of several dependencies, whatever the name of the group says.
	grouped = regexp.MustCompile(`^(\w+\(deps[\w-]*\): )?bump the [\w./-]+ group\b`)

	// branch is that of a backport.
	branch = regexp.MustCompile(`^\[[^\]]*\] *`)

	// scope matches what stands before a colon: "refactor(init): ", "all, net/http: ".
	scope = regexp.MustCompile("^([\\w*.`/{}|+-]+(?:, ?[\\w*.`/{}|+-]+)*) ?(\\([^)]*\\))?: *")

	testFolder = regexp.MustCompile(`(^|/)tests?(/|$)`)
	adds       = regexp.MustCompile(`\badd(s|ed|ing)?\b`)

	// harmless matches what is fixed or added without another behaviour. It says nothing of the rest of a subject.
	harmless = regexp.MustCompile(`\b(fix|fixes|fixed|fixing|correct|corrected|add|adds|added)` +
		`( (a|an|the|some|few|more|missing|minor|small|various|several|new|unit|regression|integration|flaky|\d+))*` +
		` (?P<what>typos?|spelling|misspell\w*|grammar|comments?|docs|documentation|docstrings?|godocs?|readme|` +
		`changelogs?|lint\w*|gofmt|benchmarks?|((code )?formatting|whitespace|indentation)$|` +
		`(unit[- ])?tests?( cases?| coverage)?( (for|of|to|in|on|with|that)|$))\b`)

	// behaves matches words that say that behaviour changes, whatever else a subject says.
	behaves = regexp.MustCompile(`!:|\b(fix|fixes|fixed|fixing|bugs?|bugfix|bugfixes|hotfix|feat|feature|` +
		`(add|support|revert|implement|allow|prevent|crash)(s|es|ed|ing)?|` +
		`(introduc|enabl|disabl|ensur|handl)(e|es|ed|ing)|` +
		`deprecat\w*|security|vulnerabilit\w*|cves?|regressions?|breaking|panics?|races?|leaks?|deadlocks?|incorrect|` +
		`behaviou?rs?|merge|merged|flags?|option|move to)\b`)
)

// scopes are the words before a colon that name a purpose.
var scopes = map[string]spectra.Purpose{
	"refactor": refactoring, "refactoring": refactoring,
	"cleanup": cleanup, "style": cleanup, "lint": cleanup,
	"typo": typo, "typos": typo,
	"doc": docs, "docs": docs, "documentation": docs, "readme": docs, "changelog": docs, "godoc": docs,
	"bump": bump, "deps": bump, "dependency": bump, "dependencies": bump, "go.mod": bump,
	"perf": performance, "performance": performance,
	"test": tests, "tests": tests,
}

// phrases are the beginnings of subjects, behind what stands before a colon. The first that fits counts.
var phrases = []struct {
	purpose spectra.Purpose
	form    *regexp.Regexp
}{
	{typo, regexp.MustCompile(`^(harmless |more |minor )?(typos?|spelling|misspell\w*|grammar)\b`)},
	{tests, regexp.MustCompile(`^harmless ((unit[- ])?tests?|benchmarks?)\b`)},
	{tests, regexp.MustCompile(`^(update|improve|extend|expand|skip|unskip|deflake|parallelize|speed up|clean ?up|` +
		`refactor|simplify|remove) ([\w-]+ )?(unit[- ])?tests?( cases?| coverage| helpers?)?` +
		`( (for|of|to|in|on|with)\b|$)`)},
	{cleanup, regexp.MustCompile(`^harmless (lint|gofmt|formatting|whitespace|indentation)`)},
	{docs, regexp.MustCompile(`^harmless`)},
	{docs, regexp.MustCompile(`^(update|improve|clarify|reword|rephrase|expand|polish|tweak|remove|rewrite)s?d? ` +
		`([\w./-]+ )?(docs|documentation|readme|changelogs?|comments?|godocs?|docstrings?)\b`)},
	{bump, regexp.MustCompile(`^bump(s|ed|ing)? `)},
	{bump, regexp.MustCompile(`^(update|upgrade)s? (\S+ )?(deps|dependency|dependencies)\b`)},
	{bump, regexp.MustCompile(`^(update|upgrade)s? [\w./-]+( version)?( from \S+)? to v?\d+(\.\d+)+\S*$`)},
	{performance, regexp.MustCompile(`^(speed up|(micro-?)?optimi[sz](e|es|ed|ing)) `)},
	{performance, regexp.MustCompile(`^(improve|increase)s? ([\w-]+ ){0,4}performance\b`)},
	{performance, regexp.MustCompile(`^(reduce|avoid|eliminate|save)s? ([\w-]+ ){0,4}alloc(ation)?s?\b`)},
	{refactoring, regexp.MustCompile(`^(refactor(s|ed|ing)?|rename[sd]?|unexport|inline|deduplicate|restructure) `)},
	{refactoring, regexp.MustCompile("^(move[sd]?|extract) ([\\w.()*,`/-]+ ){1,6}(to|into|out of|from) ")},
	{cleanup, regexp.MustCompile(`^(minor |small |code |some )*(cleanups?|clean-ups?)( (of|in|from|for) |$)`)},
	{cleanup, regexp.MustCompile(`^([\w-]+ ){0,2}cleanups$`)},
	{cleanup, regexp.MustCompile(`^((run|apply|use) )?` +
		`(gofmt|gofumpt|goimports|lint|linting|modernize|gofix|go (fmt|vet|mod tidy))\b`)},
	{cleanup, regexp.MustCompile(`^(simplify|simplifies|simplified|prettify|reformat|tidy up) `)},
	{cleanup, regexp.MustCompile(`^(clean ?up|cleans up) ([\w.-]+ ){0,2}` +
		`(code|imports?|names?|naming|comments?|variables?|style|todos?|functions?|methods?|calculations?)\b`)},
	{cleanup, regexp.MustCompile(`^(remove|delete|drop)s?d? (the |some |an? )?` +
		`(unused|dead|redundant|unnecessary|duplicate) ([\w-]+ )?(code|functions?|methods?|helpers?|variables?|` +
		`parameters?|arguments?|imports?|constants?|types?|fields?|conversions?)\b`)},
}
