package instrument

// This file reads what connects code behind the compiler's back: linker names, assembly, cgo.

import (
	"os"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/spectra"
)

// linked is what a package shares by linker names.
type linked struct {
	names    map[string]string // local name → full name, of go:linkname with two names
	exported []string          // functions that C code or, by linker name, another package may call
	assembly []string          // names that assembly sources mention
}

var symbolPattern = regexp.MustCompile(`·(\w+)`)

// linksOf reads the directives and the assembly sources of a package.
func linksOf(pkg *packages.Package) linked {
	l := linked{names: map[string]string{}}
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
			continue // a file that can't be read can't be built either: the build reports it
		}
		for _, match := range symbolPattern.FindAllSubmatch(src, -1) {
			l.assembly = append(l.assembly, string(match[1]))
		}
	}
	return l
}

func (l *linked) directive(words []string) {
	switch {
	case len(words) < 2:
	case words[0] == "//go:linkname" && len(words) > 2:
		l.names[words[1]] = words[2]
		l.exported = append(l.exported, words[1])
	case words[0] == "//go:linkname", words[0] == "//export":
		l.exported = append(l.exported, words[1])
	}
}

// bodyless enters a call of a function of the module that has no body: it is the function whose
// linker name it has, or is written in assembly or C, which may use what they mention.
func (w *graphWalk) bodyless(node int, fn *ssa.Function, path string) {
	l := w.links[path]
	if other := l.names[fn.Name()]; other != "" {
		n, _ := w.add("function " + other)
		w.edge(node, n)
		return
	}
	n, fresh := w.add("linked " + path)
	w.edge(node, n)
	if !fresh {
		return
	}
	for _, name := range l.assembly {
		w.touch(n, path+"."+name)
		w.edge(n, w.functionNamed(path, name))
	}
	for _, name := range l.exported {
		w.edge(n, w.functionNamed(path, name))
	}
}

// functionNamed is the node of a function that may not exist: then nothing follows from it.
func (w *graphWalk) functionNamed(path, name string) int {
	n, _ := w.add("function " + string(spectra.Symbol(path+"."+name)))
	return n
}
