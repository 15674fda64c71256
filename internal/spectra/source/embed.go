package source

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// embedded reports whether a //go:embed line of the module embeds a file.
func (s *side) embedded(name string) bool {
	if s.embeds == nil {
		s.embeds = s.embedPatterns()
	}
	for _, pattern := range s.embeds {
		// A pattern that matches a folder takes what is in it.
		for at := name; at != "."; at = path.Dir(at) {
			if ok, err := path.Match(pattern, at); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// embedPatterns returns all patterns as seen from the module's folder; never nil.
func (s *side) embedPatterns() []string {
	patterns := []string{}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if !strings.HasSuffix(name, ".go") || within(name, "testdata") {
			continue
		}
		text, err := s.content(name)
		if err != nil || !bytes.Contains(text, []byte("//go:embed ")) {
			continue // an unreadable file was reported when it was compared
		}
		for line := range bytes.Lines(text) {
			args, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("//go:embed "))
			if !ok {
				continue
			}
			for _, arg := range embedArguments(string(args)) {
				patterns = append(patterns, path.Join(path.Dir(name), strings.TrimPrefix(arg, "all:")))
			}
		}
	}
	return patterns
}

// embedArguments splits the arguments of a //go:embed line; quoted ones may hold spaces.
func embedArguments(line string) []string {
	var all []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			if arg, err := strconv.Unquote(quoted); err == nil {
				all = append(all, arg)
			}
			line = line[len(quoted):]
			continue
		}
		arg, rest, _ := strings.Cut(line, " ")
		all = append(all, arg)
		line = rest
	}
	return all
}
