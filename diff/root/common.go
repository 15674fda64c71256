package root

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/noise"
)

// This file chooses between changed functions that ran before a deviation.

// A place is what a run shows beside its calls, whatever the numbers in its path are: no call tells what it comes from.
type place string

func (f *finding) place() (place, bool) {
	d := f.deviation
	if f.via != nearby || len(f.before) == 0 || d == nil || d.Node != nil || d.State != noise.Outputs {
		return "", false
	}
	return place(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, string(d.Path))), true
}

// blameCommon decides between changed functions that ran before deviations in one place of several sequences: one that
// ran before all of them, and last before some, is more likely than another that ran last before others.
func blameCommon(found []*finding) {
	all, last := map[place][]*Function{}, map[place][]*Function{}
	for _, f := range found {
		p, ok := f.place()
		if !ok {
			continue
		}
		if last[p] == nil {
			all[p] = slices.Clone(f.before)
		}
		last[p] = append(last[p], f.before[0])
		all[p] = slices.DeleteFunc(all[p], func(c *Function) bool { return !slices.Contains(f.before, c) })
	}
	for _, f := range found {
		p, ok := f.place()
		if !ok {
			continue
		}
		i := slices.IndexFunc(f.before, func(c *Function) bool {
			return slices.Contains(all[p], c) && slices.Contains(last[p], c)
		})
		if i > 0 {
			f.blame(f.before[i])
		}
	}
}
