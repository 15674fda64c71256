package report

import (
	"cmp"
	"math"
	"slices"
)

// Add returns what workers did together with what they did besides; nil is nothing.
func (w *Workers) Add(more *Workers) *Workers {
	if w == nil || more == nil {
		return cmp.Or(w, more)
	}
	all := &Workers{
		List: slices.Clone(w.List), Redone: w.Redone + more.Redone, Retried: w.Retried + more.Retried,
	}
	for _, of := range more.List {
		i := slices.IndexFunc(all.List, func(known Worker) bool { return known.Name == of.Name })
		if i < 0 {
			all.List = append(all.List, of)
			continue
		}
		all.List[i].Tasks += of.Tasks
		all.List[i].Seconds = math.Round((all.List[i].Seconds+of.Seconds)*10) / 10
	}
	slices.SortFunc(all.List, func(a, b Worker) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
