// Package attributes says which attributes git gives a path, as gitattributes(5) describes it.
//
// Input: files of attributes, and a slash-separated path relative to the working tree's root. Output: the values of the
// path's attributes. Macros are taken apart. A line that git would not understand gives no attributes. The package
// reads files of attributes and nothing else.
//
// The matcher of go-git is not used: it matches as its ignore files do (see package ignore), and lets an attribute that
// a later line takes back stand.
package attributes

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository/ignore"
)

// Values beside those that a file of attributes spells out. An attribute that nothing is said of has none.
const (
	Set   = "+"
	Unset = "-"
)

// An assignment gives an attribute a value, "" takes back what was said before.
type assignment struct{ name, value string }

// A rule is one line of a file.
type rule struct {
	glob  ignore.Glob
	macro string // the line defines it; "": it is of the paths that the glob matches
	gives []assignment
}

// A File holds the rules of one file. They apply to paths below its base.
type File struct {
	base  string // slash-separated with a final slash, "" = root
	rules []rule
}

// Read reads a file whose rules apply to paths below base. It reports false for a file that can't be read or has no
// rules. Only files that apply everywhere define macros.
func Read(name, base string) (File, bool) {
	data, err := ignore.ReadText(name)
	if err != nil {
		return File{}, false
	}
	file := File{base: base}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if r, ok := parse(strings.Trim(line, blank)); ok && (r.macro == "" || base == "") {
			file.rules = append(file.rules, r)
		}
	}
	return file, len(file.rules) > 0
}

const blank = " \t\r\n"

func parse(line string) (r rule, ok bool) {
	if line == "" || line[0] == '#' {
		return r, false
	}
	pattern, rest := line, ""
	if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
		if pattern, err = strconv.Unquote(quoted); err != nil {
			return r, false
		}
		rest = line[len(quoted):]
	} else if end := strings.IndexAny(line, blank); end >= 0 {
		pattern, rest = line[:end], line[end:]
	}
	if macro, defines := strings.CutPrefix(pattern, "[attr]"); defines {
		r.macro = macro
	} else if r.glob = ignore.ParseGlob(pattern); strings.HasPrefix(pattern, "!") {
		return r, false
	}
	for _, word := range strings.Fields(rest) {
		a := assign(word)
		if !valid.MatchString(a.name) {
			return r, false
		}
		r.gives = append(r.gives, a)
	}
	return r, r.macro == "" || valid.MatchString(r.macro)
}

// valid matches the names of attributes.
var valid = regexp.MustCompile(`^[A-Za-z0-9_.][-A-Za-z0-9_.]*$`)

// assign returns what one word of a line says.
func assign(word string) assignment {
	name, value, given := strings.Cut(word, "=")
	switch {
	case word[0] == '-':
		return assignment{name[1:], Unset}
	case word[0] == '!':
		return assignment{name[1:], ""}
	case given:
		return assignment{name, value}
	}
	return assignment{name, Set}
}

// binary is the macro that git itself defines.
var binary = []assignment{{"diff", Unset}, {"merge", Unset}, {"text", Unset}}

// Of returns the attributes of a path that is no folder. Later files and later lines take precedence.
func Of(files []File, path string) map[string]string {
	f := finder{files: files, found: map[string]string{}}
	f.each(func(base string, r rule) {
		if rel, below := strings.CutPrefix(path, base); below && r.macro == "" && r.glob.Matches(rel, false) {
			f.give(r.gives)
		}
	})
	return f.found
}

// A finder decides attributes, from what takes precedence to what does not: what is decided stays.
type finder struct {
	files []File
	found map[string]string
}

// each calls a function with all rules, those that take precedence first.
func (f finder) each(do func(base string, r rule)) {
	for i := len(f.files) - 1; i >= 0; i-- {
		for j := len(f.files[i].rules) - 1; j >= 0; j-- {
			do(f.files[i].base, f.files[i].rules[j])
		}
	}
}

func (f finder) give(list []assignment) {
	for i := len(list) - 1; i >= 0; i-- {
		a := list[i]
		if _, decided := f.found[a.name]; decided {
			continue
		}
		if f.found[a.name] = a.value; a.value == Set {
			f.give(f.macro(a.name))
		}
	}
}

// macro returns what a macro stands for, nothing if there is none of that name.
func (f finder) macro(name string) (gives []assignment) {
	defined := false
	f.each(func(_ string, r rule) {
		if !defined && r.macro != "" && r.macro == name {
			gives, defined = r.gives, true
		}
	})
	if !defined && name == "binary" {
		return binary
	}
	return gives
}
