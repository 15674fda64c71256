package judge

import (
	"fmt"
	"slices"
	"strings"
)

// An Uncompared counts the sequences that could not be compared, with the reasons.
type Uncompared struct {
	Lost     int      // sequences that a limit ended, and nobody knows why
	Changed  int      // of them and those that were not played: sequences that ran changed code, or may have
	Unjudged int      // of those that were lost, sequences that deviate unless that is noise
	Alike    int      // sequences that do not end on either version, and do the same up to there
	At       []string // functions and operations at which sequences were lost, sorted
	Skipped  []string // what does not end and was therefore no longer called while replaying, sorted
	Unplayed int      // sequences that were not played because of that
	Late     int      // sequences that were not played because the time of the run was up, or that for waiting
}

// Lose notes a sequence that can't be compared, at which function or operation if that is known, and whether it ran
// changed code.
func (l *Uncompared) Lose(at string, changed bool) {
	l.Lost++
	if changed {
		l.Changed++
	}
	if at != "" {
		add(&l.At, at)
	}
}

// Unplay notes a sequence that was not played, because of an operation that does not end or, for "", of the time.
func (l *Uncompared) Unplay(operation string, changed bool) {
	if changed {
		l.Changed++
	}
	if operation == "" {
		l.Late++
		return
	}
	l.Unplayed++
	add(&l.Skipped, operation)
}

func add(list *[]string, name string) {
	if i, found := slices.BinarySearch(*list, name); !found {
		*list = slices.Insert(*list, i, name)
	}
}

// Add adds those of other sequences.
func (l *Uncompared) Add(other Uncompared) {
	l.Lost += other.Lost
	l.Changed += other.Changed
	l.Unjudged += other.Unjudged
	l.Alike += other.Alike
	l.Unplayed += other.Unplayed
	l.Late += other.Late
	for _, name := range other.At {
		add(&l.At, name)
	}
	for _, name := range other.Skipped {
		add(&l.Skipped, name)
	}
}

// Warnings returns sentences about the sequences that were not compared.
func (l Uncompared) Warnings() []string {
	var list []string
	warn := func(n int, one, more string, names []string) {
		switch {
		case n == 1:
			list = append(list, "1 sequence "+one+named(names))
		case n > 1:
			list = append(list, fmt.Sprintf("%d sequences %s", n, more)+named(names))
		}
	}
	const limit = "ended at a time or size limit and "
	warn(l.Lost, limit+"was not compared", limit+"were not compared", l.At)
	warn(l.Alike, "does not end in either version; it was compared up to there",
		"do not end in either version; they were compared up to there", nil)
	const others = "not played, because others that call the same do not end"
	warn(l.Unplayed, "was "+others, "were "+others, l.Skipped)
	const late = "not played: the time was up; a longer --budget or --timeout gives more"
	warn(l.Late, "was "+late, "were "+late, nil)
	return list
}

// named returns a list of names for the end of a sentence.
func named(names []string) string {
	const most = 5
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf(": %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return ": " + strings.Join(names, ", ")
}
