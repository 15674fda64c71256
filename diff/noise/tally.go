package noise

import "maps"

// This file counts how often something showed to be unstable: how sure it is.

// A Tally counts under how many seeds each site was seen to be unstable. It is a value as Known is;
// the zero Tally has seen nothing.
type Tally struct{ times map[Site]int }

// With returns t that has also seen what one more seed showed.
func (t Tally) With(unstable *Mask) Tally {
	times := make(map[Site]int, len(t.times)+unstable.Size())
	maps.Copy(times, t.times)
	for site := range unstable.all {
		times[site]++
	}
	return Tally{times}
}

// Times returns under how many seeds a site was unstable.
func (t Tally) Times(s Site) int { return t.times[s] }
