package summary

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/contract"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// reportContracts lists what is broken in a report that has its roots already. Played is nil if nothing was played.
func reportContracts(r *report.Report, broken []contract.Broken, played *judge.Played) {
	for _, b := range broken {
		c := report.Contract{
			Contract: string(b.Contract), Function: string(b.Function), Detail: b.Detail, Sequence: b.Sequence.String(),
		}
		c.Sides = append(c.Sides, b.Sides()...)
		if played != nil && b.On != spectra.Both(true) {
			c.Root = rankOf(r, deviating(played, c.Sequence))
		}
		r.Contracts = append(r.Contracts, c)
	}
}

// deviating returns the functions in which a sequence begins to deviate.
func deviating(played *judge.Played, text string) []string {
	for _, s := range played.Suspects {
		if played.Sequences[s.Index].String() == text {
			return s.Functions()
		}
	}
	return nil
}

// rankOf returns the rank of the first root in one of some functions, 0 if there is none.
func rankOf(r *report.Report, functions []string) int {
	for _, root := range r.Roots {
		if slices.Contains(functions, root.Function) || slices.ContainsFunc(root.Places, func(p report.Place) bool {
			return slices.Contains(functions, p.Function)
		}) {
			return root.Rank
		}
	}
	return 0
}
