package series

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// evidence is what tells whether a root takes another one back. A wrong mark is worse than none, so both have to
// concern the same function and to have the same kind of effect, tier and reach, and one of two things has to be exact:
//
//   - the edit: what one removed the other added, line by line in the same order, and the reverse; or
//   - the effect: the same calls show both, at least one value at the same place changed from A to B in one and from B
//     to A in the other, and no value that both have says otherwise.
//
// Values and lines that a report keeps only the beginning of are no evidence. The functions of two pairs are the same
// if they have the same symbol: what was renamed in between is not recognised.
type evidence struct {
	function string
	tier     spectra.Tier
	reach    spectra.Reach

	removed, added []string           // lines of the edit; none if it is not known as a whole
	calls          string             // that show it; "": nothing is known of them
	values         map[place][]change // in the order of the report
}

// A place is where a value was recorded.
type place struct{ function, path string }

// A change is a value in old and in new.
type change struct{ old, new string }

// wholeDiff is the number of lines from which on a report may have cut a diff.
const wholeDiff = 40

func evidenceOf(r *report.Root) evidence {
	e := evidence{
		function: spectra.Symbol(r.Function).Unnumbered(), tier: r.Tier, reach: r.Reach, calls: callsOf(r),
		values: map[place][]change{},
	}
	e.removed, e.added = edit(r.Diff)
	for _, v := range r.Values {
		if v.Old != v.New && !cut(v.Old) && !cut(v.New) {
			at := place{spectra.Symbol(v.Function).Unnumbered(), v.Path}
			e.values[at] = append(e.values[at], change{v.Old, v.New})
		}
	}
	return e
}

// callsOf returns what was played to show a root: its sequence, and what is other in the test or command that it runs.
func callsOf(r *report.Root) string {
	if r.Sequence == "" || r.Test == nil {
		return r.Sequence
	}
	parts := []string{r.Sequence, r.Test.Package, r.Test.Name}
	for _, l := range r.Test.Other {
		_, name, _ := strings.Cut(l.Place, " ") // a line of the test may have moved
		parts = append(parts, name, l.Usual, l.Value, l.Choice)
	}
	if c := r.Test.Command; c != nil {
		parts = append(append(parts, c.Line, c.Input), c.Args...)
		for _, f := range c.Files {
			parts = append(parts, f.Name, f.Content)
		}
	}
	return strings.Join(parts, "\x00")
}

// edit returns the lines that a diff removes and adds; none if it may be cut.
func edit(diff string) (removed, added []string) {
	lines := 0
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "@@") {
			continue
		}
		if lines++; lines >= wholeDiff || cut(line) {
			return nil, nil
		}
		switch text := strings.TrimRight(line, "\r\n"); line[0] {
		case '-':
			removed = append(removed, text[1:])
		case '+':
			added = append(added, text[1:])
		}
	}
	return removed, added
}

// cut reports whether a text may be the beginning of a longer one.
func cut(text string) bool { return strings.Contains(text, "…") }

// takesBack reports whether a root takes back an earlier one.
func (e *evidence) takesBack(earlier *evidence) bool {
	if e.function == "" || e.function != earlier.function || e.tier != earlier.tier || e.reach != earlier.reach {
		return false
	}
	return e.undoes(earlier) || e.exchanges(earlier)
}

// undoes reports whether the edit is the reverse of an earlier one.
func (e *evidence) undoes(earlier *evidence) bool {
	return len(e.removed)+len(e.added) > 0 &&
		slices.Equal(e.removed, earlier.added) && slices.Equal(e.added, earlier.removed)
}

// exchanges reports whether the same calls show the same values, exchanged.
func (e *evidence) exchanges(earlier *evidence) bool {
	if e.calls == "" || e.calls != earlier.calls {
		return false
	}
	shared := 0
	reversed := func(now, before change) bool { return now == change{before.new, before.old} }
	for at, values := range e.values {
		before, known := earlier.values[at]
		if known && !slices.EqualFunc(values, before, reversed) {
			return false
		}
		if known {
			shared++
		}
	}
	return shared > 0
}

// mark marks each root that a later one takes back, and that one, the nearest first. A root takes back one at most.
func (s *Series) mark() {
	for i := range s.Pairs {
		for k := range s.Pairs[i].Roots {
			s.markBack(i, &s.Pairs[i].Roots[k])
		}
	}
}

// markBack marks a root of a pair, if a root of a later pair takes it back.
func (s *Series) markBack(pair int, root *Root) {
	for j := pair + 1; j < len(s.Pairs); j++ {
		for k := range s.Pairs[j].Roots {
			later := &s.Pairs[j].Roots[k]
			if later.AsBefore == nil && later.evidence.takesBack(&root.evidence) {
				root.BackIn = &Mark{s.Pairs[j].New.Revision, later.Rank}
				later.AsBefore = &Mark{s.Pairs[pair].New.Revision, root.Rank}
				return
			}
		}
	}
}
