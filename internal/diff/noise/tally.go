package noise

import "maps"

// A Tally counts for each site the seeds under which it was unstable. It is a value as Known is; the zero
// Tally has no seeds.
type Tally struct{ times map[Site]int }

// With returns t with the sites that were unstable under one more seed.
func (t Tally) With(unstable *Mask) Tally {
	times := make(map[Site]int, len(t.times)+unstable.Size())
	maps.Copy(times, t.times)
	for site := range unstable.all {
		times[site]++
	}
	return Tally{times}
}

// Times returns the number of seeds under which a site was unstable.
func (t Tally) Times(s Site) int { return t.times[s] }
