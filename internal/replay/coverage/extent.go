package coverage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// An Extent says what sequences ran of the code of two versions. It holds all that is needed to unite it with that of
// other sequences, without the code.
type Extent struct {
	Old      Blocks  `json:"old"`
	New      Blocks  `json:"new"`
	Lines    []Lines `json:"lines,omitempty"`     // of changed blocks of new, in functions that old has too
	Ran      Set     `json:"functions,omitempty"` // of these functions, those that ran
	Branches []Taken `json:"branches,omitempty"`  // that are changed or guard changed code
	Touched  Set     `json:"touched,omitempty"`   // blocks of old that the change may touch; none: that is not known
}

// Blocks are the blocks of a version, by their numbers.
type Blocks struct {
	Statements []int `json:"statements"`
	Changed    Set   `json:"changed"`
	Comparable Set   `json:"comparable"` // changed ones, in functions that both versions have
	Ran        Set   `json:"ran"`
}

// Lines are those of a block.
type Lines struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	In      []int  `json:"in"` // numbers of the functions
	Ran     bool   `json:"ran,omitempty"`
}

// A Taken is a branch with what happened of it.
type Taken struct {
	Never

	Reached bool `json:"reached,omitempty"`
	Held    bool `json:"held,omitempty"` // a side that is missing counts as taken
	Failed  bool `json:"failed,omitempty"`
}

// A Set is a set of small numbers, eight in a byte.
type Set []byte

func newSet(n int) Set { return make(Set, (n+7)/8) }

func (s Set) add(n int) { s[n/8] |= 1 << (n % 8) }

func (s Set) has(n int) bool { return s[n/8]>>(n%8)&1 == 1 }

func (s Set) with(t Set) Set {
	all := slices.Clone(s)
	for i := range all {
		all[i] |= t[i]
	}
	return all
}

// Measure returns what sequences ran. Changes are the changed functions, watched the changed blocks.
func Measure(
	changes []source.Change, packages spectra.Pair[instrument.Packages], branches *Branches,
	watched, hits spectra.Pair[map[uint32]bool], touched map[uint32]bool,
) *Extent {
	both := inBoth(changes, packages, watched)
	blocks := spectra.MakePair(func(s spectra.Side) Blocks {
		n := packages.Of(s).BlockCount()
		b := Blocks{Statements: make([]int, n), Changed: newSet(n), Comparable: newSet(n), Ran: newSet(n)}
		packages.Of(s).Blocks(func(id uint32, _ string, _ int, of spectra.Block) {
			b.Statements[id] = of.Statements
			for set, member := range map[*Set]bool{
				&b.Changed: (*watched.Of(s))[id], &b.Comparable: (*both.Of(s))[id], &b.Ran: (*hits.Of(s))[id],
			} {
				if member {
					set.add(int(id))
				}
			}
		})
		return b
	})
	e := &Extent{Old: blocks.Old, New: blocks.New, Branches: branches.taken(hits)}
	if len(touched) > 0 {
		e.Touched = newSet(len(e.Old.Statements))
		for id := range touched {
			e.Touched.add(int(id))
		}
	}
	e.measureLines(changes, packages.New)
	return e
}

// measureLines notes the changed lines of new in functions that old has too.
func (e *Extent) measureLines(changes []source.Change, packages instrument.Packages) {
	both := slices.DeleteFunc(slices.Clone(changes), func(f source.Change) bool { return f.Old.Line == 0 })
	e.Ran = newSet(len(both))
	packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		var in []int
		ran := e.New.Ran.has(int(id))
		for i, f := range both {
			if b.Within(f.New) {
				if in = append(in, i); ran {
					e.Ran.add(i)
				}
			}
		}
		if len(in) > 0 && e.New.Changed.has(int(id)) && b.Statements > 0 {
			e.Lines = append(e.Lines, Lines{File: b.File, Line: b.Line, EndLine: b.EndLine, In: in, Ran: ran})
		}
	})
}

// Check returns an error if the numbers of an extent that was read do not fit each other.
func (e *Extent) Check() error {
	for _, b := range []Blocks{e.Old, e.New} {
		for _, set := range []Set{b.Changed, b.Comparable, b.Ran} {
			if len(set) != len(newSet(len(b.Statements))) {
				return errors.New("a set of blocks has another size than there are blocks")
			}
		}
	}
	if n := len(e.Touched); n > 0 && n != len(newSet(len(e.Old.Statements))) {
		return errors.New("the set of blocks that the change touches has another size than there are blocks")
	}
	for _, l := range e.Lines {
		for _, n := range l.In {
			if n < 0 || n >= 8*len(e.Ran) {
				return fmt.Errorf("%s:%d lies in function %d, which is not there", l.File, l.Line, n)
			}
		}
	}
	return nil
}

// errOther says that two extents can't be united.
var errOther = errors.New("what was run is not of the same code")

// With returns what some sequences or others ran, of the same code.
func (e *Extent) With(other *Extent) (*Extent, error) {
	if len(e.Lines) != len(other.Lines) || len(e.Branches) != len(other.Branches) || len(e.Ran) != len(other.Ran) {
		return nil, errOther
	}
	all := &Extent{Ran: e.Ran.with(other.Ran), Lines: slices.Clone(e.Lines), Branches: slices.Clone(e.Branches)}
	if all.Touched = e.Touched; len(e.Touched) == len(other.Touched) {
		all.Touched = e.Touched.with(other.Touched)
	}
	var err, also error
	all.Old, err = e.Old.with(other.Old)
	all.New, also = e.New.with(other.New)
	if err = errors.Join(err, also); err != nil {
		return nil, errOther
	}
	for i, l := range other.Lines {
		of := &all.Lines[i]
		if of.File != l.File || of.Line != l.Line || of.EndLine != l.EndLine || !slices.Equal(of.In, l.In) {
			return nil, errOther
		}
		of.Ran = of.Ran || l.Ran
	}
	for i, b := range other.Branches {
		of := &all.Branches[i]
		if of.Never != b.Never {
			return nil, errOther
		}
		of.Reached, of.Held, of.Failed = of.Reached || b.Reached, of.Held || b.Held, of.Failed || b.Failed
	}
	return all, nil
}

func (b Blocks) with(c Blocks) (Blocks, error) {
	if !slices.Equal(b.Statements, c.Statements) || !slices.Equal(b.Changed, c.Changed) ||
		!slices.Equal(b.Comparable, c.Comparable) {
		return b, errOther
	}
	b.Ran = b.Ran.with(c.Ran)
	return b, nil
}

// of counts the statements of blocks of a set, of all without one.
func (b Blocks) of(set Set) (share Share) {
	for id, n := range b.Statements {
		if set != nil && !set.has(id) {
			continue
		}
		share.Statements += n
		if b.Ran.has(id) {
			share.Covered += n
		}
	}
	return share
}

// All counts the statements of old.
func (e *Extent) All() Share { return e.Old.of(nil) }

// Changed counts the changed statements of both versions.
func (e *Extent) Changed() Share { return e.Old.of(e.Old.Changed).plus(e.New.of(e.New.Changed)) }

// Comparable counts those of them in functions that both versions have.
func (e *Extent) Comparable() Share {
	return e.Old.of(e.Old.Comparable).plus(e.New.of(e.New.Comparable))
}

// Concerned counts the statements of old that the change may touch, none if that is not known.
func (e *Extent) Concerned() Share {
	if len(e.Touched) == 0 {
		return Share{}
	}
	return e.Old.of(e.Touched)
}

func (s Share) plus(t Share) Share { return Share{s.Statements + t.Statements, s.Covered + t.Covered} }

// Missed returns the changed lines of new that never ran, in changed functions that ran and that old has too. Each
// range covers a block from its first to its last line. Adjacent ranges are joined. The list is sorted.
func (e *Extent) Missed() (missed []spectra.Lines) {
	for _, l := range e.Lines {
		if !l.Ran && slices.ContainsFunc(l.In, e.Ran.has) {
			missed = append(missed, spectra.Lines{File: l.File, Line: l.Line, EndLine: l.EndLine})
		}
	}
	slices.SortFunc(missed, func(x, y spectra.Lines) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return joined(missed)
}

// joined joins adjacent ranges of sorted lines.
func joined(list []spectra.Lines) (out []spectra.Lines) {
	for _, l := range list {
		if n := len(out); n > 0 && out[n-1].File == l.File && l.Line <= out[n-1].EndLine+1 {
			out[n-1].EndLine = max(out[n-1].EndLine, l.EndLine)
			continue
		}
		out = append(out, l)
	}
	return out
}

// OneWay lists the sides that never happened of branches that were reached. Branches of changed code come first, then
// sorted by place.
func (e *Extent) OneWay() []Never {
	var changed, others []Never
	for _, t := range e.Branches {
		if !t.Reached || t.Held == t.Failed { // neither side ran if the condition panicked
			continue
		}
		n := t.Never
		switch {
		case n.Was != "":
		case t.Held:
			n.Was = AlwaysTrue
		default:
			n.Was = AlwaysFalse
		}
		if n.OnTheWay {
			others = append(others, n)
		} else {
			changed = append(changed, n)
		}
	}
	for _, list := range [][]Never{changed, others} {
		slices.SortStableFunc(list, func(x, y Never) int {
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
		})
	}
	return slices.Compact(append(changed, others...))
}
