// Package ignore decides which paths git ignores, as gitignore(5) describes it.
//
// Input: ignore files, and a slash-separated path relative to the working tree's root. Output: whether the files ignore
// that path. Only the path itself is matched: everything below an ignored folder is ignored too, which callers must
// handle. The package reads ignore files and nothing else. Other files of git have the same patterns (Glob).
//
// The matcher of go-git is not used. It knows no "**" inside a pattern's element and no escapes, and it tries every
// pattern of the repository on every path.
package ignore

import (
	"fmt"
	"os"
	"strings"
)

// pattern is one line of an ignore file.
type pattern struct {
	Glob
	negated bool
}

// A Glob matches paths below the folder of the file in which it stands.
type Glob struct {
	glob       string
	folderOnly bool
	anchored   bool // matches the path relative to that folder, else only the last element
}

// A File holds the patterns of one ignore file. They apply to paths below its base.
type File struct {
	base     string // slash-separated with a final slash, "" = root
	patterns []pattern
}

// Read reads an ignore file whose patterns apply to paths below base. It reports false for a file that can't
// be read or has no patterns.
func Read(name, base string) (File, bool) {
	data, err := ReadText(name)
	if err != nil {
		return File{}, false
	}
	file := File{base: base}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if p, ok := parse(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")); ok {
			file.patterns = append(file.patterns, p)
		}
	}
	return file, len(file.patterns) > 0
}

// maxSize is the maximum size of an ignore file, in bytes.
const maxSize = 8 << 20

// ReadText returns the content of a regular file, possibly behind a link. It opens nothing else: a device never ends,
// and a named pipe waits.
func ReadText(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fmt.Errorf("%s is no regular file of at most %d bytes", name, maxSize)
	}
	return os.ReadFile(name)
}

func parse(line string) (pattern, bool) {
	var p pattern
	line = trimSpaces(line)
	if line == "" || line[0] == '#' {
		return p, false
	}
	if line[0] == '!' {
		p.negated = true
		line = line[1:]
	}
	p.Glob = ParseGlob(line)
	return p, p.glob != ""
}

// ParseGlob returns the glob of a text. The empty text matches nothing that has a name.
func ParseGlob(text string) (g Glob) {
	text, g.folderOnly = strings.CutSuffix(text, "/")
	for strings.Contains(text, "***") { // more stars mean the same as two
		text = strings.ReplaceAll(text, "***", "**")
	}
	g.anchored = strings.Contains(text, "/")
	g.glob = strings.TrimPrefix(text, "/")
	return g
}

// trimSpaces cuts trailing spaces that are not escaped.
func trimSpaces(line string) string {
	for strings.HasSuffix(line, " ") {
		cut := line[:len(line)-1]
		slashes := len(cut) - len(strings.TrimRight(cut, `\`))
		if slashes%2 == 1 {
			break
		}
		line = cut
	}
	return line
}

// Ignored reports whether ignore files ignore a path. Later files and later patterns take precedence: the
// last pattern that matches decides.
func Ignored(files []File, path string, folder bool) bool {
	for i := len(files) - 1; i >= 0; i-- {
		rel, below := strings.CutPrefix(path, files[i].base)
		if !below {
			continue
		}
		patterns := files[i].patterns
		for j := len(patterns) - 1; j >= 0; j-- {
			if patterns[j].Matches(rel, folder) {
				return !patterns[j].negated
			}
		}
	}
	return false
}

// Matches reports whether the glob matches a path that is relative to its folder.
func (g Glob) Matches(rel string, folder bool) bool {
	if g.folderOnly && !folder {
		return false
	}
	if !g.anchored {
		return globMatch(g.glob, rel[strings.LastIndex(rel, "/")+1:])
	}
	// git compares the text before the first wildcard literally, so "**" counts as a whole element right after it:
	// "a**/b" is "a" and "**/b".
	text := strings.IndexAny(g.glob, `*?[\`)
	if text < 0 {
		return g.glob == rel
	}
	rest, ok := strings.CutPrefix(rel, g.glob[:text])
	return ok && globMatch(g.glob[text:], rest)
}

// globMatch matches like git's wildmatch with its flag for paths: "*" and "?" match within an element of the path, and
// "**" as a whole element matches any number of elements.
func globMatch(glob, name string) bool {
	if glob == "**" {
		return true
	}
	if rest, ok := strings.CutPrefix(glob, "**/"); ok {
		return anyDepth(rest, name)
	}
	return tailMatch(glob, name)
}

// tailMatch is globMatch for the rest of a pattern, where "**/" is special only after a slash.
func tailMatch(glob, name string) bool {
	for glob != "" {
		if done, matched := spanMatch(glob, name); done {
			return matched
		}
		if glob[0] == '*' {
			return starMatch(strings.TrimLeft(glob, "*"), name)
		}
		if name == "" {
			return false
		}
		size, ok := oneMatch(glob, name[0])
		if !ok {
			return false
		}
		glob, name = glob[size:], name[1:]
	}
	return name == ""
}

// spanMatch matches "/**/rest" and "/**" at the front of a glob. done is false if there is neither.
func spanMatch(glob, name string) (done, matched bool) {
	if glob == "/**" {
		return true, len(name) > 1 && name[0] == '/'
	}
	rest, ok := strings.CutPrefix(glob, "/**/")
	if !ok {
		return false, false
	}
	return true, name != "" && name[0] == '/' && anyDepth(rest, name[1:])
}

// anyDepth matches a glob against name, and against the rest of name after each slash.
func anyDepth(glob, name string) bool {
	for {
		if globMatch(glob, name) {
			return true
		}
		_, after, ok := strings.Cut(name, "/")
		if !ok {
			return false
		}
		name = after
	}
}

// starMatch matches rest, the pattern after a star, against the ends of name that remain when the star matches anything
// but slashes.
func starMatch(rest, name string) bool {
	for i := 0; ; i++ {
		if tailMatch(rest, name[i:]) {
			return true
		}
		if i == len(name) || name[i] == '/' {
			return false
		}
	}
}

// oneMatch matches one byte with the first piece of a glob and returns that piece's length.
func oneMatch(glob string, c byte) (size int, ok bool) {
	switch glob[0] {
	case '?':
		return 1, c != '/'
	case '[':
		return classMatch(glob, c)
	case '\\':
		if len(glob) > 1 {
			return 2, glob[1] == c
		}
		return 1, false
	}
	return 1, glob[0] == c
}

// classMatch matches a byte with "[a-z]", "[!a-z]" or "[^a-z]" at the front of a glob. A class without an end matches
// nothing.
func classMatch(glob string, c byte) (size int, ok bool) {
	i := 1
	negated := i < len(glob) && (glob[i] == '!' || glob[i] == '^')
	if negated {
		i++
	}
	matched := false
	for first := true; i < len(glob); first = false {
		if glob[i] == ']' && !first {
			return i + 1, matched != negated && c != '/'
		}
		if name, rest, ok := namedClass(glob[i:]); ok {
			matched = matched || inClass(name, c)
			i = len(glob) - len(rest)
			continue
		}
		low := glob[i]
		if low == '\\' && i+1 < len(glob) {
			i++
			low = glob[i]
		}
		high := low
		if i+2 < len(glob) && glob[i+1] == '-' && glob[i+2] != ']' {
			i += 2
			high = glob[i]
			if high == '\\' && i+1 < len(glob) {
				i++
				high = glob[i]
			}
		}
		matched = matched || low <= c && c <= high
		i++
	}
	return len(glob), false
}

// namedClass splits "[:alpha:]…".
func namedClass(glob string) (name, rest string, ok bool) {
	inner, ok := strings.CutPrefix(glob, "[:")
	if !ok {
		return "", "", false
	}
	return strings.Cut(inner, ":]")
}

func inClass(name string, c byte) bool {
	lower, upper, digit := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
	switch name {
	case "alpha":
		return lower || upper
	case "lower":
		return lower
	case "upper":
		return upper
	case "digit":
		return digit
	case "alnum":
		return lower || upper || digit
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	case "space":
		return c == ' ' || '\t' <= c && c <= '\r'
	case "punct":
		return ' ' < c && c < 0x7f && !(lower || upper || digit)
	}
	return false
}
