package root

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/noise"
)

// This file decides what the outputs of a whole run come from: of which no call tells.

// A place is what a run shows beside its calls, whatever the numbers in its path are: no call tells what it comes from.
type place string

func (f *finding) place() (place, bool) {
	d := f.deviation
	if f.via != nearby || len(f.before) == 0 || d == nil || d.Node != nil || d.State != noise.Outputs {
		return "", false
	}
	return placeOf(string(d.Path)), true
}

// placeOf returns the place of an output of the whole run. All files are one.
func placeOf(path string) place {
	kind, _, _ := strings.Cut(path, "/")
	return place(strings.TrimRight(kind, "0123456789"))
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

// shareWholeRun gives what a whole run shows to those of its findings whose causes are most alike to it in where
// they occur: by the number of sequences in which both do, in proportion to the geometric mean of those in which
// either does. (That is Ochiai's coefficient, as fault localisation by spectra uses it.)
func shareWholeRun(found []*finding) {
	type sight struct {
		place    place
		sequence int
	}
	type joint struct {
		key   key
		place place
	}
	ofPlace, ofCause, ofBoth := map[place]int{}, map[key]int{}, map[joint]int{}
	shown, caused, both := map[sight]bool{}, map[key]int{}, map[joint]int{}
	for _, f := range found {
		if caused[f.key()] != f.sequence+1 {
			caused[f.key()] = f.sequence + 1
			ofCause[f.key()]++
		}
		for _, e := range f.whole {
			p := placeOf(e.Path)
			if !shown[sight{p, f.sequence}] {
				shown[sight{p, f.sequence}] = true
				ofPlace[p]++
			}
			if j := (joint{f.key(), p}); both[j] != f.sequence+1 {
				both[j] = f.sequence + 1
				ofBoth[j]++
			}
		}
	}
	likeness := func(f *finding, p place) float64 {
		n := float64(ofBoth[joint{f.key(), p}])
		return n * n / float64(ofCause[f.key()]*ofPlace[p])
	}
	most := map[sight]float64{}
	for _, f := range found {
		for _, e := range f.whole {
			s := sight{placeOf(e.Path), f.sequence}
			most[s] = max(most[s], likeness(f, s.place))
		}
	}
	for _, f := range found {
		for _, e := range f.whole {
			if p := placeOf(e.Path); likeness(f, p) == most[sight{p, f.sequence}] {
				f.effect = f.effect.Worse(e)
			}
		}
	}
}
