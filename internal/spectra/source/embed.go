package source

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// embedded reports whether a //go:embed line of the module embeds a file, outside of tests.
func (s *side) embedded(name string) bool {
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

// addEmbeds adds the patterns of a file, as seen from the module's folder.
func (s *side) addEmbeds(name string, text []byte) {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || within(name, "testdata") ||
		!bytes.Contains(text, []byte("//go:embed ")) {
		return
	}
	for line := range bytes.Lines(text) {
		args, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("//go:embed "))
		if !ok {
			continue
		}
		for _, arg := range embedArguments(string(args)) {
			s.embeds = append(s.embeds, path.Join(path.Dir(name), strings.TrimPrefix(arg, "all:")))
		}
	}
}

// readEmbeds adds the patterns of all files. One that can't be read has none.
func (s *side) readEmbeds() {
	for name := range s.files {
		if path.Ext(name) != ".go" {
			continue
		}
		if text, err := s.content(name); err == nil {
			s.addEmbeds(name, text)
		}
	}
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
