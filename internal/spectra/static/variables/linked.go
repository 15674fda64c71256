package variables

import (
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// bodyless adds a call of a function of the module that has no body. Either another function has its
// linker name, or it is written in assembly or C. Then it may use everything that those sources mention.
func (w *graphWalk) bodyless(node int, fn *ssa.Function, path string) {
	l := w.Links[path]
	if other := l.Names[fn.Name()]; other != "" {
		n, _ := w.add("function " + other)
		w.edge(node, n)
		return
	}
	n, fresh := w.add("linked " + path)
	w.edge(node, n)
	if !fresh {
		return
	}
	for _, name := range l.Assembly {
		w.touch(n, path+"."+name)
		w.edge(n, w.functionNamed(path, name))
	}
	for _, name := range l.Exported {
		w.edge(n, w.functionNamed(path, name))
	}
}

// functionNamed returns the node of a function by its name. If there is no such function, the node leads
// nowhere.
func (w *graphWalk) functionNamed(path, name string) int {
	n, _ := w.add("function " + string(spectra.Symbol(path+"."+name)))
	return n
}
