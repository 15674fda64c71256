package redact

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A mode is how a text is read.
type mode int

const (
	data   mode = iota // files, outputs and what is in literals: values may stand without quotes
	values             // values as the tool prints them, sequences: whatever is in parentheses behind a type is a value
	source             // lines of Go: what a function is called with is no value of what its result is assigned to
)

// deepest is how many literals can lie in each other.
const deepest = 8

// text returns a text without its secrets. of is the class of the whole text.
func (p *pass) text(text string, how mode, of class) string { return p.level(text, how, of, 0) }

func (p *pass) level(text string, how mode, of class, depth int) string {
	if p.vault == nil {
		p.tokens = append(p.tokens, tokenForm.FindAllString(text, -1)...)
	}
	s := &scan{pass: p, text: text, how: how, depth: depth, open: []class{of}}
	out := p.shapes(s.run())
	if p.vault != nil {
		out = p.repeats(out)
	}
	return out
}

// A scan reads a text once, from left to right.
type scan struct {
	*pass

	text  string
	how   mode
	depth int
	open  []class // of each open bracket, below it that of the text

	out     strings.Builder
	written int // up to here
	line    int // the beginning of the line
	header  int // the last place of a header
	wordEnd int // of the word that was read last

	// Up to here no quote of a kind has an end.
	endless [256]int
}

func (s *scan) run() string {
	for i := 0; i < len(s.text); {
		next := i + 1
		switch c := s.text[i]; c {
		case '\n':
			s.line = i + 1
		case '"', '`', '\'':
			next = s.literal(i)
		case '[', '{', '(':
			s.open = append(s.open, s.inherits(i))
		case ']', '}', ')':
			if len(s.open) > 1 {
				s.open = s.open[:len(s.open)-1]
			}
		case ':', '=':
			next = s.bare(i)
		case '-':
			next = s.flag(i)
		case opening[0]:
			if found := tokenForm.FindStringIndex(s.text[i:min(len(s.text), i+100)]); found != nil && found[0] == 0 {
				next = i + found[1]
			}
		}
		i = next
	}
	return s.out.String() + s.text[s.written:]
}

// put writes something in the place of a part.
func (s *scan) put(start, end int, instead string) {
	s.out.WriteString(s.text[s.written:start] + instead)
	s.written = end
}

// inherits returns the class of what is in the bracket at i, or of the literal there.
func (s *scan) inherits(i int) class {
	parent := s.open[len(s.open)-1]
	if name := s.nameBefore(i); name != "" {
		return s.child(parent, name)
	}
	return parent
}

// literal reads the literal that begins at i, and returns where the text goes on.
func (s *scan) literal(i int) int {
	quote := s.text[i]
	if i < s.endless[quote] || quote == '\'' && i > 0 && isWord(rune(s.text[i-1])) {
		return i + 1
	}
	end, cut := closes(s.text, i)
	if end < 0 {
		s.endless[quote] = -end
		return i + 1
	}
	inner := s.text[i+1 : end]
	rest := ""
	if cut {
		inner, rest = withoutEllipsis(inner)
	} else {
		rest, end = string(quote), end+1
	}
	value, spelled := unquoted(inner, quote)
	instead, replaced := s.instead(value, i, end)
	if !replaced && s.depth < deepest {
		instead = s.level(value, data, plain, s.depth+1)
	}
	if instead != value {
		if spelled {
			instead = strconv.Quote(instead)
			instead = instead[1 : len(instead)-1]
		}
		s.put(i, end, string(quote)+instead+rest)
	}
	return end
}

// instead returns what stands for a literal, if its name says that it is a secret, or if it is one that is known.
func (s *scan) instead(value string, i, end int) (string, bool) {
	if instead, replaced := s.named(value, s.inherits(i)); replaced {
		return instead, true
	}
	isKey := strings.HasPrefix(strings.TrimLeft(s.text[end:min(len(s.text), end+4)], " ]"), ":")
	if s.vault != nil && len(value) >= repeated && s.known[value] && !isKey {
		return s.secret(value), true
	}
	return value, false
}

// closes returns where the literal that begins at i ends. A literal of the last line that has no end was cut. Else, if
// it has no end, the result is the negative offset up to which there is none.
func closes(text string, i int) (end int, cut bool) {
	quote := text[i]
	for j := i + 1; j < len(text); j++ {
		switch c := text[j]; {
		case c == quote:
			return j, false
		case c == '\\' && quote == '"':
			j++
		case c == '\n' && quote != '`':
			return -j, false
		}
	}
	if quote == '"' {
		return len(text), true
	}
	return -len(text), false
}

func withoutEllipsis(text string) (before, ellipsis string) {
	for _, ellipsis := range []string{"…", "..."} {
		if before, found := strings.CutSuffix(text, ellipsis); found {
			return before, ellipsis
		}
	}
	return text, ""
}

// unquoted returns what a literal holds, and whether that has to be quoted again. Of one that was cut inside an escape
// sequence the rest of that is left out of the value only if the value is replaced.
func unquoted(inner string, quote byte) (value string, spelled bool) {
	if quote != '"' || !strings.Contains(inner, `\`) {
		return inner, quote == '"' && strconv.Quote(inner) == `"`+inner+`"`
	}
	value, err := strconv.Unquote(`"` + inner + `"`)
	if err != nil {
		return inner, false
	}
	return value, true
}

// window is how far names lie before their values, at most.
const window = 256

// nameBefore returns the name of what begins at i, "" if it has none.
func (s *scan) nameBefore(i int) string {
	before := strings.TrimRight(s.text[max(0, i-window):i], " \t")
	if before == "" {
		return ""
	}
	if name := handed(before); name != "" {
		return name
	}
	before = s.withoutTypes(before, s.text[i] == '{')
	named := false
	for _, separator := range []string{":=", "==", "!=", "=>", ":", "="} {
		if rest, found := strings.CutSuffix(before, separator); found {
			before, named = rest, true
			break
		}
	}
	name, rest := lastName(strings.TrimRight(before, " \t\\"))
	if named && (name == "string" || name == "[]byte") { // const name string = "…"
		name, _ = lastName(strings.TrimRight(rest, " \t"))
	}
	if named || strings.HasPrefix(name, "--") { // a flag and its value
		return name
	}
	return ""
}

// withoutTypes removes what stands between a name and its value: a type, an address.
func (s *scan) withoutTypes(before string, braces bool) string {
	if braces {
		before = strings.TrimRightFunc(before, inType)
	}
	for range 3 {
		rest, found := strings.CutSuffix(strings.TrimRight(before, "&* \t"), "(")
		if !found {
			break
		}
		of := strings.TrimRightFunc(rest, inType)
		switch rest[len(of):] {
		case "[]byte", "[]rune", "string":
		default:
			if s.how != values {
				return before
			}
		}
		before = of
	}
	return strings.TrimRight(before, "&* \t")
}

func inType(r rune) bool { return isWord(r) || strings.ContainsRune("./*[]-&", r) }

// handed returns the name that a call is handed before a value, such as that of a header, and a flag before its value
// in a list of arguments.
func handed(before string) string {
	rest, found := strings.CutSuffix(before, `",`)
	if !found {
		return ""
	}
	start := strings.LastIndexByte(rest, '"')
	name := rest[start+1:]
	if start < 0 || strings.HasPrefix(name, "-") {
		return name
	}
	of := call.FindStringSubmatch(rest[max(0, start-longestCall):start])
	switch {
	case of == nil:
	case setters[of[1]]:
		return name
	case passwordCalls[of[1]]:
		return "password"
	}
	return ""
}

const longestCall = 32

var (
	call    = regexp.MustCompile(`(\w+)\((?:v\d+(?:\.\d+)?, )?$`)
	setters = map[string]bool{
		"Set": true, "Setenv": true, "Add": true, "Put": true, "Header": true, "SetHeader": true, "AddHeader": true,
		"WithHeader": true, "WithValue": true, "setenv": true,
	}
	passwordCalls = map[string]bool{"SetBasicAuth": true, "UserPassword": true}
)

// lastName returns the name at the end of a text, and what is before it. A name is a word with its dots and hyphens,
// or a quoted text, perhaps in brackets.
func lastName(before string) (name, rest string) {
	before = strings.TrimSuffix(before, "]")
	if before == "" {
		return "", ""
	}
	if quote := before[len(before)-1]; quote == '"' || quote == '\'' || quote == '`' {
		before = strings.TrimSuffix(before[:len(before)-1], `\`)
		start := strings.LastIndexByte(before, quote)
		return before[start+1:], before[:max(0, start)]
	}
	start := len(before)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(before[:start])
		if !isWord(r) && r != '.' && r != '-' {
			break
		}
		start -= size
	}
	return before[start:], before[:start]
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
