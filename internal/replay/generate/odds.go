package generate

import "math"

// A record counts the outcomes of an operation's calls.
type record struct {
	Supplier bool // it is only called where its results are needed
	Reaches  bool // it can reach changed code
	Prepares bool // it can't, but sets what changed code mentions
	Near     bool // it reaches changed code, and is a test of that by its names
	Calls    int
	Legal    int     // calls with a regular end
	Fresh    int     // calls with something new
	Killed   int     // calls that ended the process
	Unmade   int     // calls that could not be made, or not anew
	Cost     float64 // steps of a call, as a multiple of what half of the operations take at most; 0: not known
}

// reachingShare is the minimum share of the weight of operations that can reach changed code, however few they are. A
// sequence that does not reach changed code tells nothing.
const reachingShare = 0.6

// preparingShare is the minimum share of others that set what changed code mentions in the weight of all that can't
// reach it.
const preparingShare = 0.3

// closeShare is the minimum share of tests that are near by their names in the weight of all that can reach changed
// code, if all cost the same: tests of a server or a whole program run most of it, and have no values for what changed.
const closeShare = 0.4

// cumulative returns the cumulative weights of n operations, in the given list. An operation that is no longer called
// has weight 0.
func cumulative(list []float64, n int, of func(i int) (r record, ended bool)) []float64 {
	list = list[:0]
	var near, nearAlike, farAlike, reaching, preparing, others float64
	for i := range n {
		r, ended := of(i)
		w := 0.0
		if !ended {
			w = r.weight()
		}
		list = append(list, w)
		switch {
		case r.Reaches && r.Near:
			near, nearAlike = near+w, nearAlike+w/r.affordable()
		case r.Reaches:
			reaching, farAlike = reaching+w, farAlike+w/r.affordable()
		case r.Prepares:
			preparing += w
		default:
			others += w
		}
	}
	approach := more(closeShare, nearAlike, farAlike)
	prepare := more(preparingShare, preparing, others)
	reach := more(reachingShare, approach*near+reaching, prepare*preparing+others)
	sum := 0.0
	for i := range n {
		switch r, _ := of(i); {
		case r.Reaches && r.Near:
			list[i] *= reach * approach
		case r.Reaches:
			list[i] *= reach
		case r.Prepares:
			list[i] *= prepare
		}
		sum += list[i]
		list[i] = sum
	}
	return list
}

// more returns the factor by which a weight has to grow to have a share at least, beside others; 1 if it has.
func more(share, weight, others float64) float64 {
	if weight == 0 {
		return 1
	}
	return max(1, share/(1-share)*others/weight)
}

// mostCheap is by how much more often what takes next to nothing is called than what takes as long as others.
const mostCheap = 8

// affordable is the share of calls of an operation that its cost leaves: what takes long has as much time as others,
// not as many calls. What takes little has more calls, though less time: beside tests of whole files those of a
// function hardly count.
func (r record) affordable() float64 {
	switch {
	case r.Cost > 1:
		return 1 / r.Cost
	case r.Cost > 0:
		return min(mostCheap, 1/math.Sqrt(r.Cost))
	}
	return 1
}

// weight returns the weight of an operation. Rare operations and those with something new are called more, those that
// take long, fail, can't be made or end the process less.
func (r record) weight() float64 {
	w := 1.0
	switch {
	case r.Supplier:
		w = 0.02
	case r.Reaches:
		w = 4
	}
	w *= 0.25 + 4/(1+float64(r.Calls)/16)
	w *= 0.1 + float64(r.Legal+2)/float64(r.Calls+2)
	w /= 1 + 4*float64(r.Unmade)/float64(r.Calls+1)
	w *= 0.5 + float64(r.Fresh+1)/float64(r.Calls/8+1)
	return w * r.affordable() / (1 + 8*float64(r.Killed)*float64(r.Killed))
}
