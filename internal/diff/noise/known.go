package noise

import "github.com/spectradiff/spectradiff/internal/spectra"

// A Scope is the set of runs in which something was seen to be unstable.
type Scope uint8

// The scopes.
const (
	Sequence    Scope = iota // runs of the sequence that is compared
	Suspects                 // runs of all sequences that seemed to deviate
	Calibration              // runs of the sample that was played before the comparison

	scopes int = iota
)

// Known is all that is known to be unstable when one sequence is compared. It is a value: its methods return
// another Known and don't change theirs. The zero Known knows nothing, and functions have the same names in
// both versions.
//
// It is there for three sets of sites: what a comparison has to leave out (Hidden), what became unstable with
// the new version and is therefore a change (Introduced), and what may vary though it did not here (Elsewhere).
//
// The order in which sites are added doesn't matter. Masks that are passed in are copied, and masks that are
// returned belong to the caller.
type Known struct {
	names    names
	expected *Mask // never compared, whatever varies; in the new version's names
	doubts   *Mask // sites that Introduced leaves out; in the new version's names
	shown    [scopes]shown
}

// shown has the sites that were seen in one scope.
type shown struct {
	own     spectra.Pair[*Mask] // in each version's own names
	renamed *Mask               // own.Old in the new version's names
}

// For returns a Known without any sites that were seen to be unstable. common maps the functions of both
// versions by their new names to their old ones, no two to the same; nil: their names are the same. expected
// is what is never compared although it is stable, in the new version's names: calls that follow from another
// representation of a type.
func For(common map[spectra.Symbol]spectra.Symbol, expected *Mask) Known {
	return Known{names: newNames(common), expected: union(expected)}
}

// With returns k with more sites that were unstable in one version, in that version's own names.
func (k Known) With(scope Scope, side spectra.Side, unstable *Mask) Known {
	seen := &k.shown[scope]
	own := seen.own.Of(side)
	*own = grown(*own, unstable)
	if side == spectra.Old {
		seen.renamed = grown(seen.renamed, k.names.rename(unstable))
	}
	return k
}

// Adopt returns k in which the sites of some scopes count as unstable in this sequence too. Use it where runs
// can't be repeated by a seed, so that a few runs of one sequence show too little.
func (k Known) Adopt(from ...Scope) Known {
	for _, scope := range from {
		for _, side := range spectra.Sides() {
			k = k.With(Sequence, side, k.Of(scope, side))
		}
	}
	return k
}

// Doubt returns k in which it is uncertain whether some sites became unstable with the new version. They are
// given in the new version's names, and Introduced leaves them out.
func (k Known) Doubt(sites *Mask) Known {
	k.doubts = grown(k.doubts, sites)
	return k
}

// Without returns k in which further sites are never compared, given in the names of one version: those that are chosen
// by their names in the new version.
func (k Known) Without(side spectra.Side, sites *Mask, chosen func(Site) bool) Known {
	if side == spectra.Old {
		sites = k.names.rename(sites)
	}
	left := &Mask{}
	for site, reason := range sites.all {
		if chosen(site) {
			left.Add(site, reason)
		}
	}
	k.expected = grown(k.expected, left)
	return k
}

// Of returns the sites that were unstable in one version, in its own names.
func (k Known) Of(scope Scope, side spectra.Side) *Mask {
	return union(*k.shown[scope].own.Of(side))
}

// Shown returns the sites that were unstable in either version, in the new version's names. A site that was unstable in
// both has the reason of the old version.
func (k Known) Shown(scope Scope) *Mask {
	seen := &k.shown[scope]
	return union(seen.renamed, seen.own.New)
}

// Size returns the number of sites of a scope; one that was unstable in both versions counts twice.
func (k Known) Size(scope Scope) int {
	own := &k.shown[scope].own
	return own.Old.Size() + own.New.Size()
}

// Hidden returns what a comparison of this sequence leaves out: what was unstable in it in either version,
// what is expected, and further sites. All are in the new version's names.
func (k Known) Hidden(further ...*Mask) *Mask {
	hidden := k.Shown(Sequence)
	hidden.Union(further...)
	hidden.Union(k.expected)
	return hidden
}

// Elsewhere returns the sites that were unstable in other sequences, in the new version's names. It may be unstable in
// this sequence too, and the few runs of it just didn't show it.
func (k Known) Elsewhere() *Mask {
	suspects, calibration := &k.shown[Suspects], &k.shown[Calibration]
	return union(calibration.renamed, suspects.renamed, calibration.own.New, suspects.own.New)
}

// Introduced returns the sites that became unstable with the new version, in its names: the sites that were unstable in
// this sequence in the new version, without those that have a part in common with a site that was unstable in the old
// version in any scope, and without doubts. A comparison hides these sites like others, and reports that they are
// unstable as a deviation, see diff.Options.
func (k Known) Introduced() *Mask {
	var old Mask
	for i := range k.shown {
		old.Union(k.shown[i].renamed)
	}
	old.Union(k.doubts)
	return k.shown[Sequence].own.New.Without(&old)
}

// Unsure returns the part of Introduced that was unstable under fewer than least seeds.
func (k Known) Unsure(seen Tally, least int) *Mask {
	unsure := &Mask{}
	for site, reason := range k.Introduced().all {
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

// grown returns a mask with the sites of have and more: have itself if it has all of them already, else a new
// one.
func grown(have, more *Mask) *Mask {
	for site := range more.all {
		if !have.Has(site) {
			return union(have, more)
		}
	}
	return have
}
