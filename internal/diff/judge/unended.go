package judge

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// CutUnended cuts a recording of a run that never ends, so that it doesn't show when the run was killed. It needs a
// second recording of the same run, and keeps of the first what happened before the place where the second went on. An
// execution that both have open does not end however long one waits. Of its callees, only as many are kept as in like,
// which is the other version's recording. A killed process can't tell its results, files and printed text; they are
// copied from like, so that they compare as equal. The result shares executions with the arguments, which stay as they
// are.
func CutUnended(first, second, like *spectra.Spectrum) *spectra.Spectrum {
	out := *first
	out.Stdout, out.Stderr, out.Files, out.StubCalls = like.Stdout, like.Stderr, like.Files, like.StubCalls
	out.Steps = slices.Clone(first.Steps)
	last := lastRan(first)
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

// unfinishedCalls cuts the callees of an execution that both recordings have open.
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

// OpenExecutions returns the executions of the last statement that had not ended when the run was killed, outermost
// first.
func OpenExecutions(s *spectra.Spectrum) []*spectra.Execution {
	if last := lastRan(s); last >= 0 {
		return openCalls(s.Steps[last].Calls)
	}
	return nil
}

func openCalls(calls []*spectra.Execution) []*spectra.Execution {
	for _, e := range slices.Backward(calls) {
		if e.How == spectra.Open && !e.Go {
			return append([]*spectra.Execution{e}, openCalls(e.Children)...)
		}
	}
	return nil
}
