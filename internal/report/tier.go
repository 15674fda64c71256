package report

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

var tiers = spectra.Tiers()

// harm is a smaller number for what is worse. What has no tier that is known here is judged by whether it is seen.
func harm(t spectra.Tier, reach spectra.Reach) int {
	if i := slices.Index(tiers, t); i >= 0 {
		return i
	}
	if reach == spectra.Visible {
		return slices.Index(tiers, spectra.TierValue)
	}
	return slices.Index(tiers, spectra.TierLatent)
}

// Quiet reports whether a root is no deviation by itself: no value of any execution differs.
func (r *Root) Quiet() bool { return quiet(r.Tier, r.Reach) }

func quiet(t spectra.Tier, reach spectra.Reach) bool {
	return harm(t, reach) >= harm(spectra.TierCalls, spectra.Masked)
}

// CompareHarm orders roots by their tiers, the worst first. A package variable that differs before any call, while no
// call showed it, comes behind all that calls showed.
func CompareHarm(x, y Root) int { return cmp.Compare(x.harm(), y.harm()) }

func (r *Root) harm() int {
	worst := harm(r.Tier, r.Reach)
	if r.Change == spectra.ChangeVariable && r.Sequences == 0 && r.Reach == spectra.Masked {
		worst = max(worst, harm(spectra.TierText, spectra.Masked))
	}
	return worst
}
