package root

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
)

// A place is what a run shows beside its calls, whatever the numbers in its path are: no call tells what it comes from.
type place string

func (f *clue) place() (place, bool) {
	if f.via != diff.RouteNearby || len(f.before) == 0 || !f.beside() {
		return "", false
	}
	return placeOf(string(f.deviation.Path)), true
}

// beside reports whether the deviation is one of what a run shows beside its calls.
func (f *clue) beside() bool {
	d := f.deviation
	return d != nil && d.Node == nil && d.State == noise.Outputs
}

// placeOf returns the place of an output of the whole run. All files are one.
func placeOf(path string) place {
	kind, _, _ := strings.Cut(path, "/")
	return place(strings.TrimRight(kind, "0123456789"))
}

// blameCommon decides between changed functions that ran before deviations in one place of several sequences: one that
// ran before all of them, and last before some, is more likely than another that ran last before others.
func blameCommon(found []*clue) {
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

// shareWholeRun gives what a whole run shows to those of its clues whose causes are most alike to it in where
// they occur: by the number of sequences in which both do, in proportion to the geometric mean of those in which
// either does. (That is Ochiai's coefficient, as fault localisation by spectra uses it.) What a function shows only
// beside its calls is no clue where others deviate too, so it counts wherever it ran.
func shareWholeRun(found []*clue) {
	places, causes := map[place]map[int]bool{}, map[key]map[int]bool{} // the sequences in which each occurs
	beside := map[place]map[key]bool{}
	for _, f := range found {
		note(causes, f.key(), f.of.Number)
		for _, e := range f.whole {
			note(places, placeOf(e.Path), f.of.Number)
		}
		if p, ok := f.place(); ok {
			note(beside, p, f.key())
		}
	}
	for p := range beside {
		for cause := range beside[p] {
			for _, f := range found {
				if f.ran[cause.function] {
					note(causes, cause, f.of.Number)
				}
			}
		}
	}
	alike := likeness{causes, places, map[likely]float64{}}
	most := mostAlike(found, beside, &alike)
	for _, f := range found {
		for _, e := range f.whole {
			if p := placeOf(e.Path); alike.of(f.key(), p) == most[sight{p, f.of.Number}] {
				f.effect = f.effect.Worse(e)
			}
		}
	}
}

// A likeness tells how alike causes and places are in the sequences in which they occur.
type likeness struct {
	causes map[key]map[int]bool
	places map[place]map[int]bool
	known  map[likely]float64
}

type likely struct {
	cause key
	place place
}

// of returns the square of the likeness.
func (l *likeness) of(cause key, p place) float64 {
	square, ok := l.known[likely{cause, p}]
	if !ok {
		both := 0.0
		for sequence := range l.causes[cause] {
			if l.places[p][sequence] {
				both++
			}
		}
		square = both * both / float64(len(l.causes[cause])*len(l.places[p]))
		l.known[likely{cause, p}] = square
	}
	return square
}

// A sight is a place and a sequence whose run shows a deviation there.
type sight struct {
	place    place
	sequence int
}

// mostAlike returns for what each run shows the likeness of the cause that is most alike to it: one of its clues, or
// one that shows only beside its calls and ran.
func mostAlike(
	found []*clue, beside map[place]map[key]bool, alike *likeness,
) map[sight]float64 {
	most := map[sight]float64{}
	for _, f := range found {
		for _, e := range f.whole {
			s := sight{placeOf(e.Path), f.of.Number}
			most[s] = max(most[s], alike.of(f.key(), s.place))
			for cause := range beside[s.place] {
				if f.ran[cause.function] {
					most[s] = max(most[s], alike.of(cause, s.place))
				}
			}
		}
	}
	return most
}

// note adds to where something occurs.
func note[K, V comparable](occurs map[K]map[V]bool, what K, where V) {
	if occurs[what] == nil {
		occurs[what] = map[V]bool{}
	}
	occurs[what][where] = true
}
