package report

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// uniteRoots returns the roots of several shards, each once. Roots are the same that have the same fingerprint. One
// shard may have seen that several places are one decision, of which another one saw a place alone: that is the same
// root, too. Drive is the order in which drivers are listed.
func uniteRoots(list []rooted, drive []string) (all []rooted) {
	for _, group := range sameRoots(list) {
		root := group[0]
		if len(group) > 1 {
			root = uniteRoot(group, drive)
		}
		all = append(all, root)
	}
	return all
}

// sameRoots puts the roots of a list that are the same together, in the order of the first ones.
func sameRoots(list []rooted) (groups [][]rooted) {
	first := make([]int, len(list)) // of the same root; itself: it is the first
	find := func(i int) int {
		for first[i] != i {
			i = first[i]
		}
		return i
	}
	named := map[string]int{}
	join := func(i int, name string) {
		other, known := named[name]
		if !known {
			named[name] = i
			return
		}
		x, y := find(i), find(other)
		first[max(x, y)] = min(x, y)
	}
	for i, r := range list {
		first[i] = i
		join(i, r.Fingerprint)
		for _, p := range r.Places {
			if at := p.name(); at != "" {
				join(i, at)
			}
		}
	}
	for i, r := range list {
		if at := r.asPlace().name(); at != "" {
			if _, known := named[at]; known {
				join(i, at)
			}
		}
	}
	at := map[int]int{}
	for i, r := range list {
		group, known := at[find(i)]
		if !known {
			group = len(groups)
			at[find(i)], groups = group, append(groups, nil)
		}
		groups[group] = append(groups[group], r)
	}
	return groups
}

// name returns a text that stands for a place; "" if it is not known where it is.
func (p Place) name() string {
	if p.Position == nil {
		return ""
	}
	return fingerprint("place", p.Function, string(p.Position.Side), p.Position.File)
}

// asPlace returns the root's own place.
func (r *Root) asPlace() Place {
	return Place{Function: r.Function, Position: r.Position, Confidence: r.Confidence, Proof: r.Proof}
}

// uniteRoot makes one root of the same root in several shards. Its example is that of the worst harm, of these one that
// is proven, of these the first; its proof is the best. What holds for all sequences holds if it does in all shards.
func uniteRoot(group []rooted, drive []string) rooted {
	best := slices.MinFunc(group, func(x, y rooted) int {
		return cmp.Or(CompareHarm(x.Root, y.Root), unproven(x.Confidence)-unproven(y.Confidence),
			len(y.Places)-len(x.Places))
	})
	of := rooted{Root: best.Root}
	of.Sequences, of.Drivers, of.Intended = 0, nil, nil
	for _, r := range group {
		of.Sequences += r.Sequences
		of.Drivers = append(of.Drivers, r.Drivers...)
		of.Intended = either(of.Intended, r.Intended)
		of.Only, of.OnNil, of.OnNegative = of.Only && r.Only, of.OnNil && r.OnNil, of.OnNegative && r.OnNegative
		if r.Reach == spectra.Visible {
			of.Reach = spectra.Visible
		}
		if r.Tier.Harm(r.Reach) < of.Tier.Harm(of.Reach) {
			of.Tier = r.Tier
		}
		if unproven(r.Confidence) < unproven(of.Confidence) {
			of.Confidence, of.Proof = r.Confidence, r.Proof
		}
		of.contracts = append(of.contracts, r.contracts...)
	}
	of.Drivers = slices.DeleteFunc(slices.Clone(drive), func(d string) bool { return !slices.Contains(of.Drivers, d) })
	of.Places = unitePlaces(of.Function, append([]rooted{best}, group...))
	of.deviations = uniteDeviations(of.Fingerprint, append([]rooted{best}, group...))
	return of
}

// unproven is 0 for a root that is proven, and 1 for others.
func unproven(c spectra.Confidence) int {
	if c == spectra.Confirmed {
		return 0
	}
	return 1
}

// unitePlaces returns the places of some roots beside a function, each once, proven where one of them is.
func unitePlaces(function string, group []rooted) (all []Place) {
	for _, r := range group {
		for _, p := range append([]Place{r.asPlace()}, r.Places...) {
			if p.Function == function {
				continue
			}
			i := slices.IndexFunc(all, func(of Place) bool {
				return of.Function == p.Function && of.name() == p.name()
			})
			if i < 0 {
				all = append(all, p)
			} else if unproven(p.Confidence) < unproven(all[i].Confidence) {
				all[i] = p
			}
		}
	}
	return all
}

// uniteDeviations returns the deviations of the first root, and of the others those that are not there.
func uniteDeviations(root string, group []rooted) (all []Deviation) {
	known := map[string]bool{}
	for _, r := range group {
		var own []string
		for _, d := range r.deviations {
			if r.Fingerprint != root {
				d.Fingerprint = deviationFingerprint(d, root)
			}
			if !known[d.Fingerprint] {
				all, own = append(all, d), append(own, d.Fingerprint)
			}
		}
		for _, f := range own {
			known[f] = true
		}
	}
	return all
}
