package proof

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/ddmin"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// beside looks for an effect of the example that the root's own change leads to, where another change made the worst
// output of the same call: this one shows beside that, and is a root as well.
func (p *prover) beside(ctx context.Context, own []int) error {
	alone, err := p.try(ctx, p.only(own), fully)
	if err != nil {
		return err
	}
	effects := slices.DeleteFunc(alone.Effects(), func(e diff.Effect) bool {
		return e.Tier == spectra.TierCalls || !p.of.Example.Case.Comparison.HasEffect(e)
	})
	if len(effects) == 0 {
		return nil
	}
	worst := slices.MinFunc(effects, diff.Effect.Compare)
	p.Effect = &worst
	if stays, err := p.shows(ctx, p.without(own), fully); err != nil || stays {
		p.Effect = nil
		return err
	}
	p.Sufficient, p.Necessary = true, true
	return nil
}

// search looks for the fewest units that show the effect, where the root's own does not do so alone: first without it,
// then with it; first among those that the example runs. Each trial is played once, and what is found as others are. It
// returns the ones that do.
func (p *prover) search(ctx context.Context, own []int) ([]int, error) {
	with, found, err := p.find(ctx, own)
	list := slices.Concat(with, found)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if p.Sufficient, err = p.shows(ctx, p.only(list), fully); err != nil || !p.Sufficient {
		p.Reason = "some changes show it together, but not in every run"
		return nil, err
	}
	if with != nil {
		p.With = p.names(found)
	} else {
		p.Instead = p.names(found)
	}
	return list, nil
}

// find returns the fewest units that show the effect, those that go with others apart.
func (p *prover) find(ctx context.Context, own []int) (with, found []int, err error) {
	for _, run := range []bool{true, false} {
		candidates := p.others(run)
		for _, with := range [][]int{nil, own} {
			enough, err := p.together(ctx, with, candidates)
			if err != nil {
				return nil, nil, err
			}
			if enough {
				try := func(some []int) (bool, error) { return p.together(ctx, with, some) }
				found, err = ddmin.Fewest(candidates, try)
				return with, found, err
			}
		}
	}
	p.Unfit = p.unit < 0
	p.Reason = "old does not show it with this change, alone or with others"
	if p.unit < 0 {
		p.Reason = p.unswitched()
	}
	return nil, nil, nil
}

// names lists what changed in units: all members are switched at once, so nothing tells which of them it takes. Those
// that do but call others count only if all do.
func (p *prover) names(units []int) (list []spectra.Symbol) {
	for _, i := range units {
		edited := slices.DeleteFunc(slices.Clone(p.Units[i]), func(s spectra.Symbol) bool { return p.Adapted[s] })
		if len(edited) == 0 {
			edited = p.Units[i][:1]
		}
		list = append(list, edited...)
	}
	return list
}

// together reports whether units show the effect with others.
func (p *prover) together(ctx context.Context, units, others []int) (bool, error) {
	if len(units)+len(others) == 0 {
		return false, nil
	}
	return p.shows(ctx, p.only(slices.Concat(units, others)), once)
}

// ran returns the functions that the example runs, in either version.
func (p *prover) ran() map[spectra.Symbol]bool {
	ran := map[spectra.Symbol]bool{}
	p.of.Example.Case.Comparison.Root.Walk(func(n *diff.Node) bool {
		ran[n.Function.Declared()] = true
		for _, h := range n.Hidden {
			ran[h.Execution.Symbol.Declared()] = true
		}
		return true
	})
	return ran
}

// others lists the units beside the root's own: all, or those with a function that the example runs.
func (p *prover) others(run bool) (list []int) {
	var ran map[spectra.Symbol]bool
	if run {
		ran = p.ran()
	}
	for i, unit := range p.Units {
		if i != p.unit && (!run || slices.ContainsFunc(unit, func(s spectra.Symbol) bool { return ran[s] })) {
			list = append(list, i)
		}
	}
	return list
}

// also looks for the fewest other units by which new shows the effect without the cause: it does not without these as
// well, and with the cause and without these it does.
func (p *prover) also(ctx context.Context, own []int) error {
	p.Reason = "new shows it without this change, too"
	if p.of.Effect.Tier == spectra.TierNondeterminism { // which may not show by chance
		return nil
	}
	for _, run := range []bool{true, false} {
		candidates := slices.DeleteFunc(p.others(run), func(i int) bool { return slices.Contains(own, i) })
		enough := func(some []int) (bool, error) { return p.decides(ctx, own, some, once) }
		is, err := enough(candidates)
		if err == nil && !is {
			continue
		}
		found := candidates
		if err == nil {
			found, err = ddmin.Fewest(candidates, enough)
		}
		if err == nil {
			is, err = p.decides(ctx, own, found, fully)
		}
		switch {
		case untellable(err): // what is known of the change itself stays
			return nil
		case err == nil && is:
			p.Also, p.Reason = p.names(found), ""
		}
		return err
	}
	return nil
}

// decides reports whether new without some units shows the effect exactly if it has the cause.
func (p *prover) decides(ctx context.Context, own, some []int, how thoroughness) (bool, error) {
	if len(some) == 0 {
		return false, nil
	}
	without, err := p.shows(ctx, p.without(slices.Concat(own, some)), how)
	if err != nil || without {
		return false, err
	}
	return p.shows(ctx, p.without(some), how)
}
