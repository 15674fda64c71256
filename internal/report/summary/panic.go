package summary

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	// A panic as an outcome has it, with the text of its error: "type: type(error "text")", or "string: text".
	errorPanic  = regexp.MustCompile(`^\S+: \S+\(error (".*")\)$`)
	stringPanic = regexp.MustCompile(`(?s)^string: (.*)$`)

	// The runtime's errors as states have them.
	errorString = regexp.MustCompile(`^runtime\.errorString\((".*")\)$`)
	boundsError = regexp.MustCompile(`^runtime\.boundsError\{code: (\d+), signed: \w+, x: (-?\d+), y: (-?\d+)\}$`)
)

// outOfRange are the words of the runtime for the first codes of runtime.boundsError.
var outOfRange = []string{
	"index out of range [%s] with length %s", "slice bounds out of range [:%s] with length %s",
	"slice bounds out of range [:%s] with capacity %s", "slice bounds out of range [%s:%s]",
}

// asGoPrints returns the value of a panic in the words in which Go prints it, where these say more than its type.
func asGoPrints(value string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(value, crashPrefix), panicPrefix)
	if words := wordsOf(rest); words != "" {
		return strings.TrimSuffix(value, rest) + words
	}
	return value
}

// panicWidth bounds the words of a panic in a sentence.
const panicWidth = 100

// panicWords returns the words of a panic for a sentence.
func panicWords(value string) string { return shorten(asGoPrints(value), panicWidth) }

// panicPrefix begins the way in which an execution ended that panicked.
const panicPrefix = "panic: "

// crashPrefix begins the way in which a run ended that crashed.
const crashPrefix = "crashed: "

// wordsOf returns the words for the value of a panic, "" if there are no better ones.
func wordsOf(value string) string {
	if m := errorPanic.FindStringSubmatch(value); m != nil {
		if text, err := strconv.Unquote(m[1]); err == nil {
			return text
		}
	}
	if m := stringPanic.FindStringSubmatch(value); m != nil {
		return strconv.Quote(m[1])
	}
	if m := errorString.FindStringSubmatch(value); m != nil {
		if text, err := strconv.Unquote(m[1]); err == nil {
			return "runtime error: " + text
		}
	}
	if m := boundsError.FindStringSubmatch(value); m != nil {
		code, err := strconv.Atoi(m[1])
		switch {
		case err != nil || code >= len(outOfRange):
			return "runtime error: slice bounds out of range"
		case code == 0 && strings.HasPrefix(m[2], "-"):
			return fmt.Sprintf("runtime error: index out of range [%s]", m[2])
		}
		return "runtime error: " + fmt.Sprintf(outOfRange[code], m[2], m[3])
	}
	return ""
}
