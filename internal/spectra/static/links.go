package static

import (
	"os"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Links is what a package shares through linker names, assembly and cgo.
type Links struct {
	Names    map[string]string // local name → full name, of go:linkname with two names
	Exported []string          // functions that C code or, by linker name, another package may call
	Assembly []string          // names that assembly sources mention
}

var symbolPattern = regexp.MustCompile(`·(\w+)`)

// linksOf reads the directives and the assembly sources of a package.
func linksOf(pkg *packages.Package) Links {
	l := Links{Names: map[string]string{}}
	for _, f := range pkg.Syntax {
		for _, group := range f.Comments {
			for _, c := range group.List {
				l.directive(strings.Fields(c.Text))
			}
		}
	}
	for _, name := range pkg.OtherFiles {
		if !strings.HasSuffix(name, ".s") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			continue // a file that can't be read can't be built either, and the build reports that
		}
		for _, match := range symbolPattern.FindAllSubmatch(src, -1) {
			l.Assembly = append(l.Assembly, string(match[1]))
		}
	}
	return l
}

func (l *Links) directive(words []string) {
	switch {
	case len(words) < 2:
	case words[0] == "//go:linkname" && len(words) > 2:
		l.Names[words[1]] = words[2]
		l.Exported = append(l.Exported, words[1])
	case words[0] == "//go:linkname", words[0] == "//export":
		l.Exported = append(l.Exported, words[1])
	}
}
