package pipeline

// This file compares the package variables once, as initialisation leaves them. Those that differ
// already then are reported as such and not at every state; those that differ between two runs of
// one version are not compared at all.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// An initial is a variable whose value after initialisation differs.
type initial struct {
	name     string // in old
	old, new spectra.State
}

func (r *run) variables(ctx context.Context) error {
	r.progress("comparing package variables", 0, 0)
	states := map[*side][][]replay.Variable{}
	for _, s := range []*side{r.old, r.new} {
		for _, seed := range append([]uint64{mainSeed}, r.seeds()...) {
			variables, err := r.player(s, 0).Variables(ctx, seed)
			if err != nil {
				return err
			}
			states[s] = append(states[s], variables)
		}
	}
	dropped := map[int]bool{}
	for i, name := range r.old.build.compare.Vars {
		old, new := states[r.old], states[r.new]
		switch {
		case !old[0][i].Present || !new[0][i].Present:
			dropped[i] = true
		case unstable(old, i):
			dropped[i] = true
			r.unstableVariable(name, "old")
		case unstable(new, i):
			dropped[i] = true
			r.unstableVariable(name, "new")
		case old[0][i].State.Truncated || new[0][i].State.Truncated:
		case old[0][i].State.Digest != new[0][i].State.Digest:
			dropped[i] = true
			r.initial = append(r.initial, initial{name, old[0][i].State, new[0][i].State})
		}
	}
	for _, s := range []*side{r.old, r.new} {
		for symbol, list := range s.build.compare.Touches {
			s.build.compare.Touches[symbol] = slices.DeleteFunc(slices.Clone(list), func(i int) bool { return dropped[i] })
		}
	}
	return nil
}

func unstable(runs [][]replay.Variable, i int) bool {
	return slices.ContainsFunc(runs, func(run []replay.Variable) bool { return run[i].State.Digest != runs[0][i].State.Digest })
}

func (r *run) unstableVariable(name, version string) {
	r.report.Noise.Sites = append(r.report.Noise.Sites, report.NoiseSite{
		Function: name, Reason: "differs between two runs of the " + version + " version, before any call",
	})
}
