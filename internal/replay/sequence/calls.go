package sequence

import (
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// OfExecutions returns the executions of some functions in a spectrum as calls, in the order of time, each call once.
// It skips executions that can't be written as a call, see OfExecution.
func OfExecutions(s *spectra.Spectrum, functions map[spectra.Symbol]bool) []Statement {
	var list []Statement
	seen := map[string]bool{}
	var visit func(executions []*spectra.Execution)
	visit = func(executions []*spectra.Execution) {
		for _, e := range executions {
			if e.Point != nil && functions[e.Point.Symbol] {
				q, err := OfExecution(e)
				if text := q.String(); err == nil && !seen[text] {
					seen[text] = true
					list = append(list, q.Statements[0])
				}
			}
			visit(e.Children)
		}
	}
	for _, step := range s.Steps {
		visit(step.Calls)
	}
	visit(s.Stray)
	return list
}
