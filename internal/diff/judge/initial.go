package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// InitialValues is the comparison of the package variables before any call, as initialisation leaves them. Variables
// that differ between the versions, or between two runs of one version, are reported here once, and are not compared at
// every state.
type InitialValues struct {
	Differing []DifferingVariable
	Unstable  []UnstableVariable
	Dropped   map[int]bool // by their indexes: not compared at every state

	Ran spectra.Pair[map[uint32]bool] // the blocks that ran before any call
}

// Names returns the names of the variables that differ.
func (v InitialValues) Names() (names []string) {
	for _, of := range v.Differing {
		names = append(names, of.Name)
	}
	return names
}

// A DifferingVariable has different values in both versions after initialisation.
type DifferingVariable struct {
	Name   string // in old
	States spectra.Pair[spectra.State]
}

// An UnstableVariable has different values in two runs of one version.
type UnstableVariable struct {
	Name string // in old
	In   spectra.Side
}

// CompareInitial compares the package variables of both versions after initialisation, before any call. The names are
// those of the variables that both versions have. They are read under the main seed, under which the versions are
// compared, and under the others. The argument patched is as in Subject. The result is in the order of the names. No
// sequence is played. The error is a *replay.Uninitialised where a package can't be initialised.
func CompareInitial(
	ctx context.Context, p *replay.Players, names []string, patched bool,
) (InitialValues, error) {
	seeds := append([]uint64{wire.MainSeed}, otherSeeds(patched)...)
	var runs spectra.Pair[[][]replay.Variable]
	var failed spectra.Pair[error]
	ran := spectra.MakePair(func(spectra.Side) map[uint32]bool { return map[uint32]bool{} })
	for _, s := range spectra.Sides() {
		for _, seed := range seeds {
			of, err := p.Player(s, 0).Initialised(ctx, seed)
			if err != nil {
				*failed.Of(s) = err
				break
			}
			*runs.Of(s) = append(*runs.Of(s), of.Variables)
			for _, block := range of.Ran {
				(*ran.Of(s))[block] = true
			}
		}
	}
	if err := cmp.Or(failed.Old, failed.New); err != nil {
		return InitialValues{}, inBoth(failed, err)
	}
	in := settleInitial(names, runs)
	in.Ran = ran
	return in, nil
}

// inBoth returns the error of a package that can't be initialised in either version; else the given one.
func inBoth(failed spectra.Pair[error], other error) error {
	var old, new *replay.Uninitialised
	if errors.As(failed.Old, &old) && errors.As(failed.New, &new) && old.Package == new.Package {
		both := *old
		both.InBoth = true
		return &both
	}
	return other
}

// settleInitial compares the first runs of both versions, except for variables that differ between runs of one version.
func settleInitial(names []string, runs spectra.Pair[[][]replay.Variable]) InitialValues {
	in := InitialValues{Dropped: map[int]bool{}}
	for i, name := range names {
		old, new := runs.Old[0][i], runs.New[0][i]
		in.Dropped[i] = true
		switch {
		case !old.Present || !new.Present:
		case variesInitially(runs.Old, i):
			in.Unstable = append(in.Unstable, UnstableVariable{name, spectra.Old})
		case variesInitially(runs.New, i):
			in.Unstable = append(in.Unstable, UnstableVariable{name, spectra.New})
		case !old.State.Truncated && !new.State.Truncated && old.State.Digest != new.State.Digest:
			states := spectra.Pair[spectra.State]{Old: old.State, New: new.State}
			in.Differing = append(in.Differing, DifferingVariable{name, states})
		default:
			delete(in.Dropped, i)
		}
	}
	return in
}

// variesInitially reports whether a variable differs between runs of one version.
func variesInitially(runs [][]replay.Variable, i int) bool {
	return slices.ContainsFunc(runs, func(run []replay.Variable) bool {
		return run[i].State.Digest != runs[0][i].State.Digest
	})
}
