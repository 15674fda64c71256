package judge_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// recorded lists the sequences that were played on the new version among others, before any was judged.
func (f *fake) recorded() []int {
	indexes := map[int]bool{}
	for _, p := range f.plays {
		if p.alone && p.mode == wire.ModeValues {
			break
		}
		if p.side == spectra.New && !p.alone && p.mode != wire.ModeOutcomes {
			indexes[p.index] = true
		}
	}
	return slices.Sorted(maps.Keys(indexes))
}

// TestPruning: of 300 sequences those from 250 on are known to reach the change.
func TestPruning(t *testing.T) {
	const all, known = 300, 250
	for _, c := range []struct {
		reason   string
		reach    judge.Reach
		before   bool // an initialiser runs changed code
		deviates int  // a sequence; -1: none
		recorded int  // number of sequences, those from known on included
		want     judge.Pruning
		roots    int
	}{
		{"it is not known what the change may touch", judge.Reach{}, false, -1, all, judge.Pruning{}, 0},
		{
			"none of the others reaches it: a sample is recorded", judge.Reach{Known: true}, false, -1,
			all - known + 20, judge.Pruning{Equal: known - 20, Proof: 20}, 0,
		},
		{
			"another one reaches it after all, and deviates",
			judge.Reach{Known: true, Blocks: map[uint32]bool{7: true}}, false, 7,
			all - known + 1 + 20, judge.Pruning{Equal: known - 1 - 20, Proof: 20}, 1,
		},
		{
			"one of the sample deviates: what the change may touch was not all of it",
			judge.Reach{Known: true}, false, 0, all, judge.Pruning{Proof: 20, Failed: true}, 1,
		},
		{
			"one of the sample deviates, which can't be: something varies",
			judge.Reach{Known: true, Bodies: true}, false, 25,
			all - known + 20, judge.Pruning{Equal: known - 20, Proof: 20}, 0,
		},
		{
			"it may be because of what ran before it", judge.Reach{Known: true, Bodies: true}, true, 25,
			all - known + 20, judge.Pruning{Equal: known - 20, Proof: 20}, 1,
		},
		{
			"what runs the change deviates", judge.Reach{Known: true, Bodies: true}, false, 0,
			all - known + 20, judge.Pruning{Equal: known - 20, Proof: 20}, 1,
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s, f := subject(t, all, func(p play) string {
				if p.index == c.deviates && p.side == spectra.New && p.mode != wire.ModeOutcomes {
					return "m.F(a=1) -> ret0=2"
				}
				return "m.F(a=1) -> ret0=1"
			})
			s.Reach, f.before = c.reach, c.before
			for i := known; i < all; i++ {
				s.Sequences[i].Reaches = true
			}
			judged := judgeAll(t, s, 2)
			if got := judged.Pruning; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if got := f.recorded(); len(got) != c.recorded || !slices.Contains(got, known) {
				t.Errorf("%d sequences were recorded: %v, want %d", len(got), got, c.recorded)
			}
			if got := len(judged.Findings); got != c.roots {
				t.Errorf("got %d roots, want %d", got, c.roots)
			}
		})
	}
}
