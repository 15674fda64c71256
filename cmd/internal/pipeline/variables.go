package pipeline

// This file compares the package variables once, as initialisation leaves them. Those that differ
// already then are reported as such and not at every state; those that differ between two runs of
// one version are not compared at all.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/judge"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// An initial is what the package variables are before any call.
type initial struct {
	differing []differing
	unstable  []unstableVariable
	dropped   map[int]bool // by their indexes: not compared at every state
}

// A differing is a variable whose value after initialisation differs.
type differing struct {
	name     string // in old
	old, new spectra.State
}

// An unstableVariable differs between two runs of one version, before any call.
type unstableVariable struct {
	name string // in old
	in   spectra.Side
}

// compareVariables reads the variables of both versions under several seeds.
func compareVariables(ctx context.Context, t *task, b *built, p *env.Players) (initial, error) {
	t.env.Report("comparing package variables", 0, 0)
	var runs spectra.Pair[[][]replay.Variable]
	for _, s := range spectra.Sides() {
		for _, seed := range append([]uint64{wire.MainSeed}, judge.OtherSeeds(b.patched())...) {
			variables, err := p.Player(s, 0).Variables(ctx, seed)
			if err != nil {
				return initial{}, err
			}
			*runs.Of(s) = append(*runs.Of(s), variables)
		}
	}
	return settleVariables(b.common.Variables(), runs), nil
}

// settleVariables compares the first runs of both versions, where none of the runs of a version differ.
func settleVariables(names []string, runs spectra.Pair[[][]replay.Variable]) initial {
	in := initial{dropped: map[int]bool{}}
	for i, name := range names {
		old, new := runs.Old[0][i], runs.New[0][i]
		in.dropped[i] = true
		switch {
		case !old.Present || !new.Present:
		case varies(runs.Old, i):
			in.unstable = append(in.unstable, unstableVariable{name, spectra.Old})
		case varies(runs.New, i):
			in.unstable = append(in.unstable, unstableVariable{name, spectra.New})
		case !old.State.Truncated && !new.State.Truncated && old.State.Digest != new.State.Digest:
			in.differing = append(in.differing, differing{name, old.State, new.State})
		default:
			delete(in.dropped, i)
		}
	}
	return in
}

// varies reports whether a variable differs between runs of one version.
func varies(runs [][]replay.Variable, i int) bool {
	return slices.ContainsFunc(runs, func(run []replay.Variable) bool {
		return run[i].State.Digest != runs[0][i].State.Digest
	})
}
