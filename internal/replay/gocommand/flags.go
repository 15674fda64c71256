package gocommand

import (
	"slices"
	"strings"
)

// WithFlag returns the value of GOFLAGS with a flag of the form -name=value in place of its other values.
func WithFlag(flags, flag string) string {
	name, _ := cutFlag(flag)
	rest, _ := WithoutFlags(flags, "-"+name)
	return Join(append(splitFlags(rest), flag))
}

// WithoutFlags returns the value of GOFLAGS without the flags of some names, and the removed flags. Names are written
// with one dash.
func WithoutFlags(flags string, names ...string) (rest string, had []string) {
	list := slices.DeleteFunc(splitFlags(flags), func(f string) bool {
		name, _ := cutFlag(f)
		if !slices.Contains(names, "-"+name) {
			return false
		}
		had = append(had, "-"+name)
		return true
	})
	return Join(list), had
}

// Flags returns the value of GOFLAGS in an environment.
func Flags(env []string) string { return valueOf(env, "GOFLAGS") }

// Tags lists the build tags that a value of GOFLAGS names. Of several -tags flags the last one counts.
func Tags(flags string) []string {
	values := Values(flags, "tags")
	if len(values) == 0 {
		return nil
	}
	return strings.FieldsFunc(values[len(values)-1], func(r rune) bool { return r == ',' || r == ' ' })
}

// Values lists those that a flag has in a value of GOFLAGS.
func Values(flags, name string) (values []string) {
	for _, flag := range splitFlags(flags) {
		if of, value := cutFlag(flag); of == name {
			values = append(values, value)
		}
	}
	return values
}

// detectors lists Go's detectors that a value of GOFLAGS turns on. They are tags, too.
func detectors(flags string) []string {
	var on []string
	for _, flag := range splitFlags(flags) {
		name, value := cutFlag(flag)
		if slices.Contains([]string{"race", "msan", "asan"}, name) && value != "false" {
			on = append(on, name)
		}
	}
	return on
}

// cutFlag returns the name of a flag, without its dashes, and its value, "" if it has none.
func cutFlag(flag string) (name, value string) {
	name, value, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-"), "=")
	return name, value
}

const space = " \t\n\r"

// splitFlags splits a value of GOFLAGS into flags without quotes. Flags are separated by spaces. A flag with spaces is
// quoted as a whole, in single or double quotes, and can't contain the same quote. A quote without an end goes to the
// end of the text, which the go command reports as an error.
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

// Join returns flags as one text that the go command splits again: a value of GOFLAGS, or of -ldflags.
func Join(flags []string) string {
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
