package noise

import "github.com/spectradiff/spectradiff/spectra"

// This file unites all that is known to be unstable.

// A Scope says where something was seen to be unstable.
type Scope uint8

// The scopes.
const (
	Sequence    Scope = iota // in the sequence that is compared
	Suspects                 // in any of the sequences that were judged
	Calibration              // in the sample that was played before the comparison

	scopes int = iota
)

// Known is all that is known to be unstable when one sequence is compared. It is a value: methods
// return another one and leave theirs as it is. In the zero Known nothing is known, and functions
// have the same names in both versions.
//
// What it knows does not depend on the order in which it learned. Masks that are handed in are
// copied, and those that come out belong to the caller.
type Known struct {
	names    names
	expected *Mask // never compared, whatever was shown; in the new version's names
	doubts   *Mask // in the new version's names
	shown    [scopes]shown
}

// shown is what was seen in one scope.
type shown struct {
	own     spectra.Pair[*Mask] // in each version's own names
	renamed *Mask               // own.Old in the new version's names
}

// For returns a Known that has seen nothing. common maps the functions of both versions by their new
// names to their old ones, no two to the same; nil: their names are the same. expected is what is
// never compared although it is stable, in the new version's names: calls that follow from another
// representation of a type.
func For(common map[spectra.Symbol]spectra.Symbol, expected *Mask) Known {
	return Known{names: newNames(common), expected: union(expected)}
}

// With returns k that has also seen something to be unstable in one version, in that version's own
// names.
func (k Known) With(scope Scope, side spectra.Side, unstable *Mask) Known {
	seen := &k.shown[scope]
	own := seen.own.Of(side)
	*own = grown(*own, unstable)
	if side == spectra.Old {
		seen.renamed = grown(seen.renamed, k.names.rename(unstable))
	}
	return k
}

// Adopt returns k in which what was shown in some scopes counts as shown in this sequence. It is for
// where chance decides every run, so that one sequence alone shows too little.
func (k Known) Adopt(from ...Scope) Known {
	for _, scope := range from {
		for _, side := range spectra.Sides() {
			k = k.With(Sequence, side, k.Of(scope, side))
		}
	}
	return k
}

// Doubt returns k in which some sites, in the new version's names, may or may not be new in being
// unstable. They are not Brought.
func (k Known) Doubt(sites *Mask) Known {
	k.doubts = grown(k.doubts, sites)
	return k
}

// Of returns what one version showed, in its own names.
func (k Known) Of(scope Scope, side spectra.Side) *Mask {
	return union(*k.shown[scope].own.Of(side))
}

// Shown returns what either version showed, in the new version's names. Of a site that both showed,
// the reason is the old one's.
func (k Known) Shown(scope Scope) *Mask {
	seen := &k.shown[scope]
	return union(seen.renamed, seen.own.New)
}

// Size returns how many sites the two versions showed; one that both showed counts twice.
func (k Known) Size(scope Scope) int {
	own := &k.shown[scope].own
	return own.Old.Size() + own.New.Size()
}

// Hidden returns what a comparison of this sequence leaves out: what either version showed in it, what
// is expected, and further sites, all in the new version's names.
func (k Known) Hidden(further ...*Mask) *Mask {
	hidden := k.Shown(Sequence)
	hidden.Union(further...)
	hidden.Union(k.expected)
	return hidden
}

// Elsewhere returns what either version showed in other sequences, in the new version's names. It may
// vary in this one too, without having shown it.
func (k Known) Elsewhere() *Mask {
	suspects, calibration := &k.shown[Suspects], &k.shown[Calibration]
	return union(calibration.renamed, suspects.renamed, calibration.own.New, suspects.own.New)
}

// Brought returns what only the new version is unstable in, as far as anything is known: what it
// showed in this sequence, without what the old version showed anywhere and without doubts.
func (k Known) Brought() *Mask {
	var old Mask
	for i := range k.shown {
		old.Union(k.shown[i].renamed)
	}
	old.Union(k.doubts)
	return k.shown[Sequence].own.New.Without(&old)
}

// Unsure returns the part of Brought that was seen under fewer seeds than it takes to believe it.
func (k Known) Unsure(seen Tally, least int) *Mask {
	unsure := &Mask{}
	for site, reason := range k.Brought().all {
		if seen.Times(site) < least {
			unsure.Add(site, reason)
		}
	}
	return unsure
}

// union returns a new mask with the sites of all.
func union(all ...*Mask) *Mask {
	united := &Mask{}
	united.Union(all...)
	return united
}

// grown returns have with the sites of more. It is have itself where that has them all, and never
// more itself.
func grown(have, more *Mask) *Mask {
	for site := range more.all {
		if !have.Has(site) {
			return union(have, more)
		}
	}
	return have
}
