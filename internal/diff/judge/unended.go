package judge

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Cut returns what two recordings of a run that never ends have in common: the first one, up to where
// the second one went on. An execution that both have open has not ended however long it is waited for. Of what it
// called meanwhile, only as many executions are left as those of like have, which is the other version's run. What a
// killed process doesn't tell (results, files, printed text) is that of like, so that it is not compared.
func CutUnended(first, second, like *spectra.Spectrum) *spectra.Spectrum {
	out := *first
	out.Stdout, out.Stderr, out.Files, out.StubCalls = like.Stdout, like.Stderr, like.Files, like.StubCalls
	out.Steps = slices.Clone(first.Steps)
	last := -1
	for i := range out.Steps {
		if out.Steps[i].Ran {
			last = i
		}
	}
	for i := range last {
		if i < len(like.Steps) {
			out.Steps[i].Results = like.Steps[i].Results
		}
	}
	if last >= 0 && last < len(second.Steps) {
		var other []*spectra.Execution
		if last < len(like.Steps) {
			other = like.Steps[last].Calls
		}
		out.Steps[last].Calls = unfinishedCalls(first.Steps[last].Calls, second.Steps[last].Calls, other)
	}
	return &out
}

// unfinished cuts the callees of an execution that both recordings have open.
func unfinishedCalls(first, second, like []*spectra.Execution) []*spectra.Execution {
	var kept []*spectra.Execution
	wentOn := len(first) != len(second)
	for i := range min(len(first), len(second)) {
		e, other := first[i], second[i]
		if e.Symbol != other.Symbol {
			return first // they are not two recordings of one run
		}
		if e.How == spectra.Open && other.How == spectra.Open {
			open := *e
			var callees []*spectra.Execution
			if i < len(like) {
				callees = like[i].Children
			}
			open.Children = unfinishedCalls(e.Children, other.Children, callees)
			e = &open
		} else if e.How == spectra.Open || other.How == spectra.Open {
			wentOn = true
			break
		}
		kept = append(kept, e)
	}
	if wentOn {
		kept = kept[:min(len(kept), len(like))]
	}
	return kept
}

// Open returns the executions that had not ended when a run was ended, outermost first: those of the statement that
// ran last.
func OpenExecutions(s *spectra.Spectrum) []*spectra.Execution {
	var list []*spectra.Execution
	for i := len(s.Steps) - 1; i >= 0; i-- {
		if s.Steps[i].Ran {
			list = openCalls(s.Steps[i].Calls)
			break
		}
	}
	return list
}

func openCalls(calls []*spectra.Execution) []*spectra.Execution {
	for _, e := range slices.Backward(calls) {
		if e.How == spectra.Open && !e.Go {
			return append([]*spectra.Execution{e}, openCalls(e.Children)...)
		}
	}
	return nil
}
