package redact

import (
	"regexp"
	"strconv"
	"strings"
)

// A form is what secrets of a kind look like, whatever their names are. What the first group matches is the secret; if
// there is none, all of it.
type form struct {
	hints   []string // one of them is in each such text, so that most texts need not be searched
	pattern *regexp.Regexp
	reason  string
}

var forms = []form{
	{[]string{"eyJ"}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`),
		"a JSON web token: eyJ is {\" in base 64"},
	{[]string{"AKIA", "ASIA"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`), "an access key of AWS"},
	{[]string{"gh"}, regexp.MustCompile(`\bgh[oprsu]_[A-Za-z0-9]{20,}`), "a token of GitHub"},
	{[]string{"github_pat_"}, regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{20,}`), "a fine-grained token of GitHub"},
	{[]string{"glpat-"}, regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`), "a token of GitLab"},
	{[]string{"xox"}, regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`), "a token of Slack"},
	{[]string{"hooks.slack.com"}, regexp.MustCompile(`hooks\.slack\.com/services/([A-Za-z0-9/]{20,})`),
		"who knows the address of a hook of Slack can write there"},
	{[]string{"AIza"}, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`), "an API key of Google"},
	{[]string{"k_live_"}, regexp.MustCompile(`\b[rs]k_live_[A-Za-z0-9]{16,}`), "a key of Stripe"},
	{[]string{"npm_"}, regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}`), "a token of npm"},
	{[]string{"://"}, regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'‹]*:([^\s/@"'‹›]+)@`),
		"a password in a URL; the user's name stays"},
	{[]string{"earer ", "asic ", "EARER ", "ASIC "}, regexp.MustCompile(
		`\b(?i:bearer|basic) +([A-Za-z+/=._~-]*[0-9=][A-Za-z0-9+/=._~-]{7,})`),
		"what follows in an Authorization header; with a digit, because \"basic authentication\" is a word"},
}

// privateKeys replaces private keys in PEM or OpenPGP's form. One that was cut ends where its base 64 does. They are no
// form of the table, because an expression would read all that follows for each key that has no end.
func (p *pass) privateKeys(text string) string {
	var out strings.Builder
	at := 0
	begins := keyBegins.FindAllStringIndex(text, -1)
	for i, begin := range begins {
		next := len(text)
		if i+1 < len(begins) {
			next = begins[i+1][0]
		}
		rest := text[begin[1]:next]
		end := keyEnds.FindStringIndex(rest)
		if end == nil {
			end = base64.FindStringIndex(rest)
		}
		out.WriteString(text[at:begin[0]] + p.secret(text[begin[0]:begin[1]+end[1]]))
		at = begin[1] + end[1]
	}
	return out.String() + text[at:]
}

var (
	keyBegins = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`)
	keyEnds   = regexp.MustCompile(`-----END [A-Z0-9 ]+-----`)
	base64    = regexp.MustCompile(`^[A-Za-z0-9+/=\s\\]*`)
)

// shapes replaces what looks like a secret.
func (p *pass) shapes(text string) string {
	if strings.Contains(text, "PRIVATE KEY") {
		text = p.privateKeys(text)
	}
	for i := range forms {
		if f := &forms[i]; hinted(text, f.hints) {
			text = p.matching(text, f.pattern)
		}
	}
	for _, pattern := range p.rules.Values {
		text = p.matching(text, pattern)
	}
	return text
}

func hinted(text string, hints []string) bool {
	for _, hint := range hints {
		if strings.Contains(text, hint) {
			return true
		}
	}
	return false
}

// matching replaces what a pattern matches. Tokens stay.
func (p *pass) matching(text string, pattern *regexp.Regexp) string {
	var out strings.Builder
	at := 0
	for _, found := range pattern.FindAllStringSubmatchIndex(text, -1) {
		start, end := found[0], found[1]
		if len(found) > 2 && found[2] >= 0 {
			start, end = found[2], found[3]
		}
		value := text[start:end]
		if len(value) < least || strings.Contains(value, opening) || placeholder.MatchString(value) ||
			matches(p.rules.Keep, value) {
			continue
		}
		out.WriteString(text[at:start] + p.secret(value))
		at = end
	}
	return out.String() + text[at:]
}

// least is how many bytes a secret has. Shorter ones protect nothing, and are parts of too many words.
const least = 4

// named returns what stands for a value whose name has a class.
func (p *pass) named(value string, of class) (out string, replaced bool) {
	scheme := schemes.FindString(value)
	value = value[len(scheme):]
	if len(value) < least || isToken(value) || of == plain || of == maybe && !random(value) || idle(value) ||
		isName(value) || matches(p.rules.Keep, value) {
		return scheme + value, false
	}
	return scheme + p.secret(value), true
}

// isName reports whether a value is a name of the table: such texts are names of fields and placeholders.
func isName(value string) bool {
	if len(value) > longestName || strings.ContainsAny(value, "0123456789") {
		return false
	}
	_, found := byEnd[strings.Join(wordsOf(value), "")]
	return found
}

// schemes stand before the credentials in a header.
var schemes = regexp.MustCompile(`^(?i:bearer|basic|digest|token|apikey) +`)

// placeholder is what stands for a value that is filled in, or was hidden already.
var placeholder = regexp.MustCompile(`^(\$\{?\w+\}?|\*+|[xX]+|%[a-z]|<[\w -]+>|\{\{.*\}\}|REDACTED|\[REDACTED\])$`)

// idle reports whether a text tells nothing: it is filled in later, or no text.
func idle(value string) bool {
	switch value {
	case "true", "false", "null", "none", "func", "zero", "(none)", "<nil>", "undefined", "executed":
		return true
	}
	_, err := strconv.ParseFloat(value, 64)
	return err == nil || placeholder.MatchString(value)
}

// random reports whether a text looks drawn at random, and not like a word, an operator or a number of a language:
// eight characters or more of those that credentials are made of, with a letter and a digit.
func random(value string) bool {
	return credential.MatchString(value) && strings.ContainsAny(value, "0123456789") && letters.MatchString(value) &&
		!number.MatchString(value)
}

var (
	credential = regexp.MustCompile(`^[A-Za-z0-9_+=~-][A-Za-z0-9_+/=.~-]{7,}$`)
	letters    = regexp.MustCompile(`[A-Za-z]`)
	number     = regexp.MustCompile(`^[+-]?(0[xXbBoO][0-9A-Fa-f_.]+|[0-9][0-9_.]*)([eEpP][+-]?[0-9]+)?i?$`)
)
