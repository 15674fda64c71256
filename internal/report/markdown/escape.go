package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// plain matches words that mean nothing to GitHub and GitLab but themselves: lower-case words, small numbers, shares.
// All others are written as code, in which neither looks for markup, mentions or references.
var plain = regexp.MustCompile(`^(` + word + `[.,;:]?|` + number + `[,;:]?|\(` + number + `\)[,;:]?|…)$`)

const word = `\(?[A-Za-z][a-z']*(-[a-z]+)*\)?`

const number = `([0-9]{1,3}(,[0-9]{3})*|[0-9]{1,3}(\.[0-9])?%)`

// hash matches a word that may be the name of a commit, which both turn into links.
var hash = regexp.MustCompile(`^\(?[0-9a-fA-F]{7,}`)

// rich writes a sentence of at most so many characters that may hold recorded values. What is not a plain word becomes
// code, neighbours in one piece.
func rich(sentence string, width int) string {
	var out, code []string
	flush := func(end string) {
		if len(code) > 0 {
			out = append(out, span(strings.Join(code, " "))+end)
			code = nil
		}
	}
	for words := text.Words(text.Clean(spectra.Shorten(sentence, width))); len(words) > 0; {
		n := bracketed(words)
		word := strings.Join(words[:n], " ")
		words = words[n:]
		if plain.MatchString(word) && !hash.MatchString(word) {
			flush("")
			out = append(out, word)
			continue
		}
		body := strings.TrimRight(word, ",;:")
		if body == "" || len(word)-len(body) > 1 {
			body = word
		}
		code = append(code, body)
		if body != word {
			flush(word[len(body):])
		}
	}
	flush("")
	return strings.Join(out, " ")
}

// bracketed returns how many words are one value: up to the one that closes the brackets of the first, or that is cut
// off. It is 1 where none is.
func bracketed(words []string) int {
	depth := 0
	for i, word := range words {
		quoted, escaped := false, false
		for _, c := range word {
			switch {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '{', c == '[':
				depth++
			case c == '}', c == ']':
				depth--
			}
		}
		if depth <= 0 || strings.HasSuffix(strings.TrimRight(word, `"`), "…") {
			return i + 1
		}
	}
	return 1
}

// upper begins a sentence of the terminal format with a capital letter.
func upper(sentence string) string {
	if sentence != "" && 'a' <= sentence[0] && sentence[0] <= 'z' {
		return strings.ToUpper(sentence[:1]) + sentence[1:]
	}
	return sentence
}

// span writes a text as code inside of a line. It is empty for an empty one.
func span(code string) string {
	if code == "" {
		return ""
	}
	code = backquotes.ReplaceAllString(text.Clean(code), longest)
	quote := strings.Repeat("`", ticks(code)+1)
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") ||
		strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") {
		code = " " + code + " "
	}
	return quote + code + quote
}

// fence writes lines as a block of code of a language. GitLab looks for commands where a line begins with a
// slash, and scripts for our mark: no line of code begins with a slash or an angle bracket.
func fence(language string, lines []string) string {
	var body strings.Builder
	most := 2
	for _, line := range lines {
		line = backquotes.ReplaceAllString(spectra.Shorten(line, maxLine), longest)
		line = strings.ReplaceAll(text.Printable(line), "\n", " ")
		if strings.HasPrefix(line, "/") || strings.HasPrefix(line, "<") {
			line = " " + line
		}
		most = max(most, ticks(line))
		body.WriteString(line + "\n")
	}
	quote := strings.Repeat("`", most+1)
	return fmt.Sprintf("%s%s\n%s%s", quote, language, body.String(), quote)
}

// backquotes matches more backquotes in a row than readers of Markdown are known to count, and longest stands for them.
var backquotes = regexp.MustCompile("`{9,}")

const longest = "````````…"

// ticks is the length of the longest run of backquotes.
func ticks(code string) int {
	most, run := 0, 0
	for i := range len(code) {
		if code[i] != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// linked returns an address as a link.
func linked(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") || len(address) > maxLink {
		const text = "link %.80q: want an address that begins with https:// or http:// and has at most %d bytes"
		return "", fmt.Errorf(text, address, maxLink)
	}
	var target strings.Builder
	for i := range len(address) {
		if c := address[i]; strings.IndexByte(inAddress, c) >= 0 {
			target.WriteByte(c)
		} else {
			fmt.Fprintf(&target, "%%%02X", c)
		}
	}
	return "[The whole report](" + target.String() + ")", nil
}

// inAddress are the bytes of an address that mean nothing in Markdown or HTML.
const inAddress = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@$+,;=%&"
