package report

import (
	"cmp"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Quiet reports whether a root is no deviation by itself: no value of any execution differs.
func (r *Root) Quiet() bool { return r.Tier.Quiet(r.Reach) }

// CompareHarm orders roots by their tiers, the worst first, and those of a tier that need a negative integer behind the
// others. A package variable that differs before any call, while no call showed it, comes behind all that calls showed.
// Last are roots that need a method of a nil pointer, then those that only tests show which came with the change, and
// those of calls from inside packages.
func CompareHarm(x, y Root) int {
	return cmp.Or(cmp.Compare(x.place(), y.place()), cmp.Compare(x.harm(), y.harm()), x.odd()-y.odd())
}

// place returns where a root stands whatever its harm: what callers meet comes first.
func (r *Root) place() int {
	switch {
	case r.Tier == spectra.TierPotential:
		return 3
	case r.Only:
		return 2
	case r.OnNil:
		return 1
	}
	return 0
}

// odd returns where a root stands among those of its harm.
func (r *Root) odd() int {
	if r.OnNegative {
		return 1
	}
	return 0
}

func (r *Root) harm() int {
	if r.Change == spectra.ChangeVariable && r.Sequences == 0 {
		return r.Tier.HarmBeforeCalls(r.Reach)
	}
	return r.Tier.Harm(r.Reach)
}
