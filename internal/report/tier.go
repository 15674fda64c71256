package report

import (
	"cmp"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Quiet reports whether a root is no deviation by itself: no value of any execution differs.
func (r *Root) Quiet() bool { return r.Tier.Quiet(r.Reach) }

// CompareHarm orders roots by their tiers, the worst first. A package variable that differs before any call, while no
// call showed it, comes behind all that calls showed.
func CompareHarm(x, y Root) int { return cmp.Compare(x.harm(), y.harm()) }

func (r *Root) harm() int {
	if r.Change == spectra.ChangeVariable && r.Sequences == 0 {
		return r.Tier.HarmBeforeCalls(r.Reach)
	}
	return r.Tier.Harm(r.Reach)
}
