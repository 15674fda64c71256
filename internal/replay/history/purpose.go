package history

import (
	"regexp"
	"slices"
	"strings"
)

// A Purpose is what the subject of a commit says of it, if that is to leave behaviour as it is.
type Purpose string

// The purposes of commits that should change nothing that callers meet.
const (
	Refactoring Purpose = "refactoring"
	Cleanup     Purpose = "cleanup"
	Typo        Purpose = "typo"
	Docs        Purpose = "docs"
	Bump        Purpose = "bump"
	Performance Purpose = "performance"
	Tests       Purpose = "tests"
)

// PurposeOf reads the subject of a commit; "": it says nothing of the kind, or that behaviour changes, too. What is not
// clear is read as nothing: a purpose stands in a report against the author's own result.
func PurposeOf(subject string) Purpose {
	text := strings.ToLower(strings.TrimSpace(subject))
	text = strings.ReplaceAll(numbers.ReplaceAllString(text, ""), "go fix", "gofix")
	text = harmless.ReplaceAllString(text, "harmless ${what}")
	text = tag.ReplaceAllString(text, "$1: ")
	about := scope.FindStringSubmatch(text)
	if about != nil && slices.Contains([]Purpose{Docs, Tests}, named(about)) {
		text = adds.ReplaceAllString(text, "")
	}
	if grouped.MatchString(text) {
		return Bump
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
func named(about []string) Purpose {
	purpose := scopes[about[1]]
	switch {
	case purpose != "":
		return purpose
	case strings.HasPrefix(about[2], "(deps"):
		return Bump
	case testFolder.MatchString(about[1]):
		return Tests
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
var scopes = map[string]Purpose{
	"refactor": Refactoring, "refactoring": Refactoring,
	"cleanup": Cleanup, "style": Cleanup, "lint": Cleanup,
	"typo": Typo, "typos": Typo,
	"doc": Docs, "docs": Docs, "documentation": Docs, "readme": Docs, "changelog": Docs, "godoc": Docs,
	"bump": Bump, "deps": Bump, "dependency": Bump, "dependencies": Bump, "go.mod": Bump,
	"perf": Performance, "performance": Performance,
	"test": Tests, "tests": Tests,
}

// phrases are the beginnings of subjects, behind what stands before a colon. The first that fits counts.
var phrases = []struct {
	purpose Purpose
	form    *regexp.Regexp
}{
	{Typo, regexp.MustCompile(`^(harmless |more |minor )?(typos?|spelling|misspell\w*|grammar)\b`)},
	{Tests, regexp.MustCompile(`^harmless ((unit[- ])?tests?|benchmarks?)\b`)},
	{Tests, regexp.MustCompile(`^(update|improve|extend|expand|skip|unskip|deflake|parallelize|speed up|clean ?up|` +
		`refactor|simplify|remove) ([\w-]+ )?(unit[- ])?tests?( cases?| coverage| helpers?)?` +
		`( (for|of|to|in|on|with)\b|$)`)},
	{Cleanup, regexp.MustCompile(`^harmless (lint|gofmt|formatting|whitespace|indentation)`)},
	{Docs, regexp.MustCompile(`^harmless`)},
	{Docs, regexp.MustCompile(`^(update|improve|clarify|reword|rephrase|expand|polish|tweak|remove|rewrite)s?d? ` +
		`([\w./-]+ )?(docs|documentation|readme|changelogs?|comments?|godocs?|docstrings?)\b`)},
	{Bump, regexp.MustCompile(`^bump(s|ed|ing)? `)},
	{Bump, regexp.MustCompile(`^(update|upgrade)s? (\S+ )?(deps|dependency|dependencies)\b`)},
	{Bump, regexp.MustCompile(`^(update|upgrade)s? [\w./-]+( version)?( from \S+)? to v?\d+(\.\d+)+\S*$`)},
	{Performance, regexp.MustCompile(`^(speed up|(micro-?)?optimi[sz](e|es|ed|ing)) `)},
	{Performance, regexp.MustCompile(`^(improve|increase)s? ([\w-]+ ){0,4}performance\b`)},
	{Performance, regexp.MustCompile(`^(reduce|avoid|eliminate|save)s? ([\w-]+ ){0,4}alloc(ation)?s?\b`)},
	{Refactoring, regexp.MustCompile(`^(refactor(s|ed|ing)?|rename[sd]?|unexport|inline|deduplicate|restructure) `)},
	{Refactoring, regexp.MustCompile("^(move[sd]?|extract) ([\\w.()*,`/-]+ ){1,6}(to|into|out of|from) ")},
	{Cleanup, regexp.MustCompile(`^(minor |small |code |some )*(cleanups?|clean-ups?)( (of|in|from|for) |$)`)},
	{Cleanup, regexp.MustCompile(`^([\w-]+ ){0,2}cleanups$`)},
	{Cleanup, regexp.MustCompile(`^((run|apply|use) )?` +
		`(gofmt|gofumpt|goimports|lint|linting|modernize|gofix|go (fmt|vet|mod tidy))\b`)},
	{Cleanup, regexp.MustCompile(`^(simplify|simplifies|simplified|prettify|reformat|tidy up) `)},
	{Cleanup, regexp.MustCompile(`^(clean ?up|cleans up) ([\w.-]+ ){0,2}` +
		`(code|imports?|names?|naming|comments?|variables?|style|todos?|functions?|methods?|calculations?)\b`)},
	{Cleanup, regexp.MustCompile(`^(remove|delete|drop)s?d? (the |some |an? )?` +
		`(unused|dead|redundant|unnecessary|duplicate) ([\w-]+ )?(code|functions?|methods?|helpers?|variables?|` +
		`parameters?|arguments?|imports?|constants?|types?|fields?|conversions?)\b`)},
}
