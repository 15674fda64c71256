// Package branch computes the branch distance of an execution: a number for the side of a branch that it did not take.
//
// In: a branch, whose condition is a tree of comparisons, and the operands that an execution noted at these
// comparisons. Out: a distance from 0 to 1. It is 0 if the side was taken.
//
// Distances follow search-based testing (Korel, 1990; McMinn, 2004). For numbers, the distance is their difference. For
// texts, it is the length behind their common prefix. If all parts of a condition are needed, their distances are
// added. If one part is enough, the nearest counts. Each comparison counts at its best: the operands do not tell which
// comparisons belong to one evaluation. The package is pure.
package branch

import (
	"math"
	"slices"
)

// A Branch is a condition, a case or a loop. Blocks are numbered within their package.
type Branch struct {
	Kind Kind
	File string
	Line int // where it stands
	Last int // up to this line it decides what runs

	Guards bool       // a call on the way to changed code is among that
	At     int        // block that ran if it was reached
	True   int        // block that runs if the condition holds, the case is taken, the loop is entered
	False  int        // block that runs if the condition does not hold; None for others
	When   *Condition // nil where nothing is noted
}

// None stands for no block.
const None = -1

// Kind is what a branch is.
type Kind string

// The kinds of branches.
const (
	If   Kind = "condition"
	Case Kind = "case"
	Loop Kind = "loop"
)

// An Op is what is compared in a condition, or how its parts are joined.
type Op string

// The operators.
const (
	Unknown  Op = ""
	And      Op = "&&"
	Or       Op = "||"
	Not      Op = "!"
	Equal    Op = "=="
	Unequal  Op = "!="
	Less     Op = "<"
	AtMost   Op = "<="
	More     Op = ">"
	AtLeast  Op = ">="
	Prefix   Op = "prefix"
	Suffix   Op = "suffix"
	Contains Op = "contains"
	Fold     Op = "fold"
)

// A Condition is one comparison, or parts that are joined.
type Condition struct {
	Op    Op
	Parts []*Condition // of And, Or and Not
	Site  uint32       // of a comparison, where it is noted
	Only  bool         // what is compared with something else than Right there does not count
	Right string
}

// A Seen is what was seen at a comparison.
type Seen struct {
	Number      bool // the sides are numbers in Go syntax
	Left, Right string
}

// A Noted is what was seen in an execution, by site.
type Noted map[uint32][]Seen

// A Distance says how far an execution was from one side of a branch.
type Distance struct {
	Value  float64
	Wanted []string // texts of which more would help, at the nearest comparison
}

// Distance returns how far an execution was from a condition that holds, or does not hold. It returns false where none
// of its comparisons was seen.
func (c *Condition) Distance(holds bool, noted Noted) (Distance, bool) {
	if c == nil || !c.seen(noted) {
		return Distance{}, false
	}
	return c.distance(holds, noted), true
}

func (c *Condition) seen(noted Noted) bool {
	return len(noted[c.Site]) > 0 && len(c.Parts) == 0 && c.Op != Unknown ||
		slices.ContainsFunc(c.Parts, func(part *Condition) bool { return part.seen(noted) })
}

func (c *Condition) distance(holds bool, noted Noted) Distance {
	switch c.Op {
	case Unknown:
		return Distance{Value: 1}
	case Not:
		return c.Parts[0].distance(!holds, noted)
	case And, Or:
		return joined(c.Parts, holds == (c.Op == And), holds, noted)
	}
	best := Distance{Value: 1}
	for _, s := range noted[c.Site] {
		if c.Only && s.Right != c.Right {
			continue
		}
		if d := s.distance(c.Op, holds); d.Value < best.Value {
			best = d
		}
	}
	return best
}

// joined returns the distance of parts that are all needed, or of which one is enough.
func joined(parts []*Condition, all, holds bool, noted Noted) Distance {
	least, sum := Distance{Value: 2}, 0.0
	for _, part := range parts {
		d := part.distance(holds, noted)
		sum += d.Value
		if d.Value < least.Value && (!all || d.Value > 0) {
			least = d
		}
	}
	if all {
		return Distance{Value: sum / float64(len(parts)), Wanted: least.Wanted}
	}
	return least
}

// scaled brings a distance of numbers, lengths or characters between 0 and 1.
func scaled(d float64) float64 { return min(math.Log2(1+d)/1100, 1) }
