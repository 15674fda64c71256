package generate

// Limits bound a run. A field that is 0 stands for its default.
type Limits struct {
	Sequences  int // number of kept sequences; no default limit
	Length     int // statements of a sequence that may be extended: 60
	Repeat     int // calls of one repetition: 100
	Batch      int // sequences of one Execute: 64
	Plateau    int // candidates without anything new: max(10000, 100 × operations)
	Candidates int // candidates in total: 2 million
	OfClass    int // returned sequences of each Kept.Class, the first ones; no default limit
}

// Filled returns the limits with their defaults filled in.
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

// A Stop is the reason for the end of a run.
type Stop string

// The reasons for the end of a run.
const (
	Enough    Stop = "sequences" // Limits.Sequences
	Budget    Stop = "budget"    // the time is up
	Plateau   Stop = "plateau"   // Limits.Plateau
	Cap       Stop = "candidates"
	Exhausted Stop = "exhausted" // no new candidate can be made
	Explored  Stop = "explored"  // nothing new about the change for long
)

// An Effort measures the progress of a run in candidates, including duplicates. It decides when the run ends. It reads
// no clock, so the same counts give the same decision.
type Effort struct {
	Tried      int
	LastNew    int  // value of Tried at the last new outcome
	LastChange int  // value of Tried at the last news about the change
	Differs    bool // some sequence told the versions apart
}

// Stop returns the reason why the limits end a run with that many kept sequences, "" if they don't.
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

// The number of candidates without news about the change after which it counts as explored: the first number, or the
// second one times the candidates until the last news. The search is more patient while no sequence tells the versions
// apart.
const (
	quietWhole, quietWholeTimes         = 2_000, 1 // every branch of the change also went both ways
	quietDiffering, quietDifferingTimes = 6_000, 1
	quietAlike, quietAlikeTimes         = 20_000, 3
)

// Settled reports whether a run that reached changed code has found nothing new about the change for long: no other
// combination of its blocks and no other difference between the versions. Whole means that every branch of the change
// went both ways.
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
