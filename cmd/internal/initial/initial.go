// Package initial compares the package variables once, as initialisation leaves them.
//
// In: players for both versions, the names of the variables that both have, and seeds. Out: which of them differ before
// any call, and which differ between two runs of one version; neither are compared at every state. Everything is in the
// order of the names. No sequence is played here.
package initial

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
)

// Values is what the package variables are before any call.
type Values struct {
	Differing []Differing
	Unstable  []Unstable
	Dropped   map[int]bool // by their indexes: not compared at every state
}

// A Differing is a variable whose value after initialisation differs.
type Differing struct {
	Name   string // in old
	States spectra.Pair[spectra.State]
}

// An Unstable is a variable that differs between two runs of one version.
type Unstable struct {
	Name string // in old
	In   spectra.Side
}

// Compare reads the variables of both versions under some seeds, of which the first is the main one.
func Compare(ctx context.Context, p *env.Players, names []string, seeds []uint64) (Values, error) {
	var runs spectra.Pair[[][]replay.Variable]
	for _, s := range spectra.Sides() {
		for _, seed := range seeds {
			variables, err := p.Player(s, 0).Variables(ctx, seed)
			if err != nil {
				return Values{}, err
			}
			*runs.Of(s) = append(*runs.Of(s), variables)
		}
	}
	return settle(names, runs), nil
}

// settle compares the first runs of both versions, where none of the runs of a version differ.
func settle(names []string, runs spectra.Pair[[][]replay.Variable]) Values {
	in := Values{Dropped: map[int]bool{}}
	for i, name := range names {
		old, new := runs.Old[0][i], runs.New[0][i]
		in.Dropped[i] = true
		switch {
		case !old.Present || !new.Present:
		case varies(runs.Old, i):
			in.Unstable = append(in.Unstable, Unstable{name, spectra.Old})
		case varies(runs.New, i):
			in.Unstable = append(in.Unstable, Unstable{name, spectra.New})
		case !old.State.Truncated && !new.State.Truncated && old.State.Digest != new.State.Digest:
			states := spectra.Pair[spectra.State]{Old: old.State, New: new.State}
			in.Differing = append(in.Differing, Differing{name, states})
		default:
			delete(in.Dropped, i)
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
