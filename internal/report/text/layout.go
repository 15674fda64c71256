package text

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Escape sequences of the colours in use.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

func (p *printer) paint(color, text string) string {
	if !p.color || color == "" || text == "" {
		return text
	}
	return color + text + reset
}

// line prints one line and never breaks it.
func (p *printer) line(indent, text string) {
	p.out.WriteString(strings.TrimRight(indent+text, " ") + "\n")
}

func (p *printer) blank() { p.out.WriteString("\n") }

func (p *printer) heading(text string) {
	p.blank()
	p.line("", p.paint(bold, text))
}

// prose prints text wrapped at spaces. A word that is too long stands alone on its line.
func (p *printer) prose(first, rest, text string) {
	p.wrapped(first, rest, text, strings.Fields)
}

// code prints a statement wrapped at spaces outside of quotes.
func (p *printer) code(first, rest, text string) {
	p.wrapped(first, rest, text, Words)
}

func (p *printer) wrapped(first, rest, text string, split func(string) []string) {
	for i, line := range wrap(text, p.width-textWidth(rest), split) {
		if i == 0 {
			p.line(first, line)
		} else {
			p.line(rest, line)
		}
	}
}

// wrap puts the words of a text into lines of at most room columns where it can.
func wrap(text string, room int, split func(string) []string) []string {
	if textWidth(text) <= room {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range split(text) {
		switch {
		case line == "":
			line = word
		case textWidth(line)+1+textWidth(word) <= room:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// Words splits a text at spaces. Text in double quotes stays together.
func Words(text string) []string {
	var all []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ' ' && !quoted:
			if i > start {
				all = append(all, text[start:i])
			}
			start = i + 1
		}
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// textWidth counts columns without escape sequences. Ambiguous characters count as one.
func textWidth(text string) int {
	if strings.Contains(text, "\x1b") {
		text = escape.ReplaceAllString(text, "")
	}
	width := 0
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

// runeWidth ignores the locale, which runewidth's own default would take into account.
func runeWidth(r rune) int {
	return narrow.RuneWidth(r)
}

var narrow = &runewidth.Condition{}

// clean escapes everything that a terminal would not print as it is, including invalid UTF-8.
func clean(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case !unprintable(r):
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// moduleBase returns the likely name of a module's root package.
func moduleBase(module string) string {
	base := path.Base(module)
	if versionSuffix.MatchString(base) && strings.Contains(module, "/") {
		base = path.Base(path.Dir(module))
	}
	return dotVersion.ReplaceAllString(base, "")
}

var (
	versionSuffix = regexp.MustCompile(`^v[0-9]+$`)
	dotVersion    = regexp.MustCompile(`\.v[0-9]+$`)
)

// short removes the module's path from every symbol and type in a text: "example.com/m/pkg.F" becomes
// "pkg.F", and "example.com/m.F" becomes "m.F". Types of the driver are named without a package: a test declares them.
// What stands in quotes is a value, and stays.
func (p *printer) short(text string) string {
	text = strings.ReplaceAll(text, "zspectra/driver.", "")
	if p.report.Subject.Module == "" {
		return text
	}
	var out strings.Builder
	for from := 0; ; {
		i := strings.IndexAny(text[from:], "\"'`")
		if i < 0 {
			return out.String() + p.shortNames(text)
		}
		from += i
		value, err := strconv.QuotedPrefix(text[from:])
		if err != nil { // an apostrophe, or a value that was cut
			from++
			continue
		}
		out.WriteString(p.shortNames(text[:from]) + value)
		text, from = text[from+len(value):], 0
	}
}

// shortNames does that in a text without values.
func (p *printer) shortNames(text string) string {
	module := p.report.Subject.Module
	var out strings.Builder
	for {
		i := strings.Index(text, module)
		if i < 0 {
			return out.String() + text
		}
		before, after := text[:i], text[i+len(module):]
		out.WriteString(before)
		switch {
		case endsInPath(before):
			out.WriteString(module)
		case strings.HasPrefix(after, "/"):
			after = after[1:]
		case strings.HasPrefix(after, "."):
			out.WriteString(p.base)
		default:
			out.WriteString(module)
		}
		text = after
	}
}

// endsInPath reports whether an import path could continue after this text.
func endsInPath(text string) bool {
	if text == "" {
		return false
	}
	last := rune(text[len(text)-1])
	return strings.ContainsRune("_-./~", last) || unicode.IsLetter(last) || unicode.IsDigit(last)
}
