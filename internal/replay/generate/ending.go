package generate

// Limits bound a run. A field that is 0 stands for its default.
type Limits struct {
	Sequences  int // stop when that many are kept; no default limit
	Length     int // statements of a sequence that may still be extended: 60
	Repeat     int // calls of one repetition: 100
	Batch      int // sequences for one Execute: 64
	Plateau    int // stop after that many candidates without anything new: max(10000, 100 × operations)
	Candidates int // stop after that many in all: 2 million
	OfClass    int // of each Kept.Class at most that many are returned, the first ones; no default limit
}

// Filled returns the limits with their defaults.
func (l Limits) Filled(operations int) Limits {
	fill := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	fill(&l.Length, 60)
	fill(&l.Repeat, 100)
	fill(&l.Batch, 64)
	fill(&l.Plateau, max(10_000, 100*operations))
	fill(&l.Candidates, 2_000_000)
	return l
}

// A Stop is why a run ended.
type Stop string

// The reasons to stop.
const (
	Enough    Stop = "sequences" // Limits.Sequences
	Budget    Stop = "budget"    // the time is up
	Plateau   Stop = "plateau"   // Limits.Plateau
	Cap       Stop = "candidates"
	Exhausted Stop = "exhausted" // every candidate was there before, or none can be made
	Explored  Stop = "explored"  // nothing new about the change for long
)

// An Effort says how long the search goes on, in candidates, duplicates included.
type Effort struct {
	Tried      int
	LastNew    int  // value of Tried when something new was last seen
	LastChange int  // value of Tried when something new about the change was last seen
	Differs    bool // some sequence told the versions apart
}

// Stop returns why a run that kept some sequences ends by its limits, "" if it goes on.
func (e *Effort) Stop(l Limits, kept int) Stop {
	switch {
	case l.Sequences > 0 && kept >= l.Sequences:
		return Enough
	case e.Tried >= l.Candidates:
		return Cap
	case e.Tried-e.LastNew >= l.Plateau:
		return Plateau
	}
	return ""
}

// Candidates without anything new about the change, until it counts as explored: so many at least, and a multiple of
// those that it took so far. Where nothing told the versions apart yet, the search is more patient.
const (
	quietWhole, quietWholeTimes         = 2_000, 1 // every branch of the change went both ways, too
	quietDiffering, quietDifferingTimes = 6_000, 1
	quietAlike, quietAlikeTimes         = 20_000, 3
)

// Settled reports of a run that reached changed code whether nothing new about it was found for long: no other part of
// it that is run together, no other way in which the versions are told apart. Whole says that every branch of it went
// both ways.
func (e *Effort) Settled(whole bool) bool {
	least, times := quietAlike, quietAlikeTimes
	switch {
	case e.Differs && whole:
		least, times = quietWhole, quietWholeTimes
	case e.Differs:
		least, times = quietDiffering, quietDifferingTimes
	}
	return e.Tried-e.LastChange >= max(least, times*e.LastChange)
}
