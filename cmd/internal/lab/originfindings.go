package main

import (
	"math/bits"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/origins"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A hunted is what was found in one range of commits.
type hunted struct {
	repository string
	mark       string   // of the newest commit, where several ranges of the repository are measured
	order      []string // the commits of the range, the oldest first
	expected   []expected
	report     *report.Report // nil: there is none
	took       time.Duration
	touched    []string // what the run changed in the clone
	trouble    string   // why there is no report
}

// An expected is a change of behaviour whose commit is known.
type expected struct {
	what, how string                 // the function and the fault, or the subject of the commit
	commits   []string               // any of them is right
	match     func(report.Root) bool // whether a root is what it shows as
}

// rootAt returns what matches roots at a function. One that shows only in who is called is none.
func rootAt(function string) func(report.Root) bool {
	return func(r report.Root) bool {
		at := func(p report.Place) bool { return p.Function == function }
		return r.Tier != spectra.TierCalls && (r.Function == function || slices.ContainsFunc(r.Places, at))
	}
}

func (h *hunted) name() string { return h.repository + h.mark }

// root returns the first root that shows what is expected; nil = it is not exposed.
func (h *hunted) root(e expected) *report.Root {
	if h.report == nil {
		return nil
	}
	if i := slices.IndexFunc(h.report.Roots, e.match); i >= 0 {
		return &h.report.Roots[i]
	}
	return nil
}

// What was told of a root whose commit is known.
const (
	toldRight  = "right"
	toldMore   = "right, and others"
	toldSome   = "one of several" // the right one is among them
	toldWrong  = "wrong"
	toldNone   = "not told"
	notExposed = "not exposed"
)

// told compares what was told of a root with the commits that are right.
func told(r *report.Root, commits []string) string {
	if r == nil {
		return notExposed
	}
	right, some, others := false, false, false
	is := func(hash string) bool { return slices.Contains(commits, hash) }
	for _, in := range r.Introduced {
		switch {
		case is(in.Commit):
			right = true
		case in.Commit == "" && slices.ContainsFunc(in.Among, is):
			some = true
		default:
			others = true
		}
	}
	switch {
	case right && !others && !some:
		return toldRight
	case right:
		return toldMore
	case some:
		return toldSome
	case others:
		return toldWrong
	}
	return toldNone
}

// place returns at which place in the range, counted from 1, the first of some commits is; 0 = none is there.
func (h *hunted) place(commits []string) int {
	return slices.IndexFunc(h.order, func(hash string) bool { return slices.Contains(commits, hash) }) + 1
}

// halving returns how many commits git bisect would ask for a root, told what the root is: the known commit or, if
// none is, the first one that the report names. A commit on a merged branch takes as many as the whole range at least.
func (h *hunted) halving(r report.Root) int {
	var commits []string
	if i := slices.IndexFunc(h.expected, func(e expected) bool { return e.match(r) }); i >= 0 {
		commits = h.expected[i].commits
	} else {
		for _, in := range r.Introduced {
			commits = append(commits, in.Commit)
		}
	}
	at := h.place(commits)
	if at == 0 {
		return bits.Len(uint(max(len(h.order), 1) - 1))
	}
	return origins.Halving(len(h.order), at)
}

// A huntSum counts what was found in some ranges.
type huntSum struct {
	expected, exposed, confirmed int
	told, confirmedTold          map[string]int
	roots                        int // with commits
	queries, halving             int
	search                       time.Duration
}

// count counts what was found in a range.
func (h *hunted) count() huntSum {
	s := huntSum{expected: len(h.expected), told: map[string]int{}, confirmedTold: map[string]int{}}
	for _, e := range h.expected {
		root := h.root(e)
		how := told(root, e.commits)
		s.told[how]++
		if root == nil {
			continue
		}
		s.exposed++
		if root.Confidence == spectra.Confirmed {
			s.confirmed++
			s.confirmedTold[how]++
		}
	}
	if h.report == nil || h.report.Commits == nil {
		return s
	}
	for _, r := range h.report.Roots {
		if len(r.Introduced) > 0 {
			s.roots, s.halving = s.roots+1, s.halving+h.halving(r)
		}
	}
	s.queries = h.report.Commits.Asked + h.report.Commits.Remembered
	compared := sum(h.report.Stages).Seconds - sum(h.report.Stages, searchStage).Seconds
	s.search = h.took - time.Duration(compared*float64(time.Second))
	return s
}

// searchStage is the stage in which commits are asked. What a run takes beside the comparison's stages counts, too.
const searchStage = "commits"

// add adds up.
func (s *huntSum) add(t huntSum) {
	if s.told == nil {
		s.told, s.confirmedTold = map[string]int{}, map[string]int{}
	}
	for how, n := range t.told {
		s.told[how] += n
	}
	for how, n := range t.confirmedTold {
		s.confirmedTold[how] += n
	}
	s.expected, s.exposed, s.confirmed = s.expected+t.expected, s.exposed+t.exposed, s.confirmed+t.confirmed
	s.roots, s.queries = s.roots+t.roots, s.queries+t.queries
	s.halving, s.search = s.halving+t.halving, s.search+t.search
}
