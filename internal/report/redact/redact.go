// Package redact replaces the secrets in the texts of a report by tokens, so that a report can be shown to people who
// may not know them.
//
// In: a finished report, and rules beside the built-in ones. Out: another report. A value is a secret if its name says
// so (names.go lists the names of fields, keys, flags, variables and headers, each with a reason), or if it looks like
// one whatever its name (values.go). It is replaced there, and wherever else the report repeats it as a whole literal,
// inside a text if it is long, or cut at an ellipsis.
//
// What always holds: equal secrets have equal tokens in one report, different ones have different tokens, so what
// differs in a secret alone still differs. Numbers and booleans stay, and so do names, places, paths of noise and all
// that Validate checks. Redacting again changes nothing. The same report and rules lead to the same bytes. The report
// that was handed over is not changed.
//
// What it does not do: find a secret that has neither a telling name nor a known form. It reads texts, not types, so it
// may take a harmless value for a secret, and Rules.Keep names those.
//
// A token is ‹secret:› with three hexadecimal digits of an HMAC (SHA-256), or more of them where two secrets would have
// the same. Its key is made of all secrets of the report and of the two commits, so no table made in advance holds a
// token, and whoever wants to check a guess has to guess all secrets of the report at once. A report with a single
// secret remains the weak case: three digits tell those who guess it that 4095 of 4096 wrong guesses are wrong. That
// helps them little with a random key, and leaves two or three of a list of 10,000 common passwords. It is the price of
// tokens that depend on the values alone; four digits would leave one.
package redact

import (
	"index/suffixarray"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// Rules are what a user adds to the built-in rules. The zero value adds nothing.
type Rules struct {
	Names  []*regexp.Regexp // names of values that are secrets
	Values []*regexp.Regexp // values that are secrets; with a group, what the first one matches
	Keep   []*regexp.Regexp // names and values that are none, whatever the other rules say
}

// Redact returns the report without its secrets.
func Redact(r *report.Report, rules Rules) *report.Report {
	return All([]*report.Report{r}, rules, "")[0]
}

// All returns reports of the same two commits without their secrets. Equal secrets have equal tokens in all of them.
// Prefix are hexadecimal digits with which those of all tokens begin: other reports, with another prefix of the same
// length, have none of these tokens. It says nothing of a secret.
func All(reports []*report.Report, rules Rules, prefix string) (redacted []*report.Report) {
	look := &pass{rules: rules, found: map[string]bool{}}
	for _, r := range reports {
		texts{look}.report(r)
	}
	known := slices.Sorted(maps.Keys(look.found))
	key := append([]string{reports[0].Old.Commit, reports[0].New.Commit}, known...)
	replace := &pass{rules: rules, vault: newVault(key, look.tokens, prefix), known: look.found}
	replace.remember(known)
	for _, r := range reports {
		redacted = append(redacted, texts{replace}.report(r))
	}
	return redacted
}

// A pass looks for secrets, or replaces them.
type pass struct {
	rules Rules

	found  map[string]bool // secrets, of a pass that looks for them
	tokens []string        // that the report has already

	vault *vault // of a pass that replaces them
	known map[string]bool
	long  *strings.Replacer  // known ones that are replaced wherever they stand
	parts *suffixarray.Index // known ones, for parts of them
}

// Known secrets are replaced where no name says so, if they have so many bytes: shorter ones are common words.
const (
	repeated = 6  // as a whole literal, or cut
	inside   = 12 // inside a text
)

// secret returns what stands for a secret.
func (p *pass) secret(value string) string {
	if p.vault == nil {
		p.found[value] = true
		return value
	}
	return p.vault.token(value)
}

// remember prepares what replaces known secrets.
func (p *pass) remember(known []string) {
	var pairs []string
	var all strings.Builder
	slices.SortStableFunc(known, func(x, y string) int { return len(y) - len(x) }) // the longest that fits
	for _, value := range known {
		if len(value) < repeated {
			continue
		}
		spelled := strconv.Quote(value)
		spelled = spelled[1 : len(spelled)-1]
		all.WriteString(value + "\x00" + spelled + "\x00")
		if len(value) >= inside && strings.ContainsAny(value, "0123456789") {
			pairs = append(pairs, value, p.vault.token(value))
			if spelled != value {
				pairs = append(pairs, spelled, p.vault.token(value))
			}
		}
	}
	if len(pairs) > 0 {
		p.long = strings.NewReplacer(pairs...)
	}
	if all.Len() > 0 {
		p.parts = suffixarray.New([]byte(all.String()))
	}
}

// repeats replaces known secrets inside a text, and parts of them beside an ellipsis.
func (p *pass) repeats(text string) string {
	if p.long != nil {
		text = p.long.Replace(text)
	}
	if p.parts == nil || !strings.Contains(text, "…") && !strings.Contains(text, "...") {
		return text
	}
	pieces := split(text)
	for i, piece := range pieces {
		cut := i > 0 && isEllipsis(pieces[i-1]) || i+1 < len(pieces) && isEllipsis(pieces[i+1])
		if cut && len(piece) >= least && !isEllipsis(piece) && len(p.parts.Lookup([]byte(piece), 1)) > 0 {
			pieces[i] = p.secret(piece)
		}
	}
	return strings.Join(pieces, "")
}

// ends are what a cut literal lies between.
var ends = regexp.MustCompile("…|\\.\\.\\.|[\"`]")

// split cuts a text before and behind each ellipsis and quote.
func split(text string) []string {
	var pieces []string
	at := 0
	for _, found := range ends.FindAllStringIndex(text, -1) {
		pieces = append(pieces, text[at:found[0]], text[found[0]:found[1]])
		at = found[1]
	}
	return append(pieces, text[at:])
}

func isEllipsis(text string) bool { return text == "…" || text == "..." }
