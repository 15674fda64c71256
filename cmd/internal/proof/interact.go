package proof

// This file finds which changes lead to an effect only together.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/spectra"
)

// interact looks for the fewest other units with which the root's unit shows the effect: those that the example runs,
// made fewer by delta debugging.
func (p *prover) interact(ctx context.Context) error {
	others := p.others(true)
	for _, candidates := range [][]int{others, p.others(false)} {
		enough, err := p.together(ctx, candidates)
		if err != nil {
			return err
		}
		if !enough {
			continue
		}
		if others, err = p.fewest(ctx, candidates); err != nil {
			return err
		}
		if alone, err := p.shows(ctx, p.only(others...)); err != nil || alone && len(others) > 0 {
			p.Reason = "this change alone does not show it, but " + p.name(others) + " does"
			return err
		}
		p.Sufficient = true
		for _, i := range others {
			p.With = append(p.With, p.Units[i][0])
		}
		return nil
	}
	p.Reason = "this change alone does not show it, nor together with others"
	return nil
}

func (p *prover) name(units []int) string {
	text := spectra.Symbol(p.Units[units[0]][0]).Short()
	if len(units) > 1 {
		return text + " with others"
	}
	return text
}

// together reports whether the root's unit shows the effect with others.
func (p *prover) together(ctx context.Context, others []int) (bool, error) {
	return p.shows(ctx, p.only(append([]int{p.unit}, others...)...))
}

// others lists the units beside the root's own: all, or those with a function that the example runs.
func (p *prover) others(run bool) (list []int) {
	ran := map[spectra.Symbol]bool{}
	var visit func(n *diff.Node)
	visit = func(n *diff.Node) {
		ran[n.Function.Declared()] = true
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(p.root.Comparison.Root)
	for i, unit := range p.Units {
		if i != p.unit && (!run || slices.ContainsFunc(unit, func(s spectra.Symbol) bool { return ran[s] })) {
			list = append(list, i)
		}
	}
	return list
}

// fewest leaves out of units that show the effect together with the root's own as many as it can: ddmin, with
// complements only, because a part that is enough by itself is found as the complement of the others.
func (p *prover) fewest(ctx context.Context, units []int) ([]int, error) {
	for n := min(2, len(units)); n > 0 && len(units) > 0; {
		smaller := false
		for part := range n {
			from, to := part*len(units)/n, (part+1)*len(units)/n
			rest := slices.Concat(units[:from], units[to:])
			enough, err := p.together(ctx, rest)
			if err != nil {
				return nil, err
			}
			if enough {
				units, smaller = rest, true
				break
			}
		}
		switch {
		case smaller:
			n = min(max(n-1, 2), len(units))
		case n >= len(units):
			return units, nil
		default:
			n = min(2*n, len(units))
		}
	}
	return units, nil
}
