package touch

// This file enters what linker names, assembly and cgo connect.

import (
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/spectra"
)

// bodyless enters a call of a function of the module that has no body: it is the function whose
// linker name it has, or is written in assembly or C, which may use what they mention.
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

// functionNamed is the node of a function that may not exist: then nothing follows from it.
func (w *graphWalk) functionNamed(path, name string) int {
	n, _ := w.add("function " + string(spectra.Symbol(path+"."+name)))
	return n
}
