package gocommand

// This file reads and writes GOFLAGS: flags separated by spaces. One that has spaces is in single or double
// quotes as a whole, and can't have the same quote within.

import (
	"slices"
	"strings"
)

// WithFlag returns the value of GOFLAGS with a flag of the form -name=value in place of any other value
// of it.
func WithFlag(flags, flag string) string {
	name, _, _ := strings.Cut(flag, "=")
	list := slices.DeleteFunc(splitFlags(flags), func(f string) bool {
		f = strings.Replace(f, "--", "-", 1)
		return f == name || strings.HasPrefix(f, name+"=")
	})
	return joinFlags(append(list, flag))
}

const space = " \t\n\r"

// splitFlags returns the flags without quotes. A quote that does not end goes to the end of the text: the go
// command refuses it, and says so.
func splitFlags(text string) []string {
	var flags []string
	for {
		if text = strings.TrimLeft(text, space); text == "" {
			return flags
		}
		end, rest := strings.IndexAny(text, space), ""
		if quote := text[0]; quote == '\'' || quote == '"' {
			text = text[1:]
			end = strings.IndexByte(text, quote)
			rest = text[min(len(text), end+1):]
		}
		if end < 0 {
			end, rest = len(text), ""
		} else if rest == "" {
			rest = text[min(len(text), end+1):]
		}
		flags = append(flags, text[:end])
		text = rest
	}
}

func joinFlags(flags []string) string {
	for i, f := range flags {
		switch {
		case !strings.ContainsAny(f, space+`'"`):
		case !strings.Contains(f, "'"):
			flags[i] = "'" + f + "'"
		default:
			flags[i] = `"` + f + `"`
		}
	}
	return strings.Join(flags, " ")
}
