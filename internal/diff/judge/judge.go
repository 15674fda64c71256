// Package judge plays sequences on both versions, confirms the deviations, sorts out noise, and finds the roots of the
// others.
//
//	play        plays all sequences on both versions, with digests: one that differs is a suspect, one that a clock
//	            ends is a loss
//	calibrate   plays a sample under several seeds: a value that differs between two runs of one version is noise
//	judge       plays a few of the suspects that look alike alone, in fresh processes, with values and under other
//	            seeds: a deviation that shows again is confirmed; losses are played alone with longer limits
//	root        finds the cause of each confirmed deviation, called its root, and the shortest sequence that shows it
//
// In: a Subject: players for both versions, sequences, the functions that correspond in both versions, the changes.
// Out: verdicts, and roots with examples. Also here: the comparison of package variables before any call
// (CompareInitial), the counts of a run (Tally), the judging of calls from inside packages
// (Inside), and the limit on the memory of recordings (Capacity).
//
// It always holds that a version compared with itself has no confirmed verdict, and that the same Subject leads to the
// same verdicts, whatever the number of workers, as long as the time of the run is not up. How many suspects that look
// alike are judged may depend on a clock, unless Subject.Counted forbids it. No report is known here.
package judge

import (
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Subject is the input of a judgement. It is never changed.
type Subject struct {
	Players   *replay.Players
	Sequences []selection.Sequence
	Matched   map[spectra.Symbol]spectra.Symbol // functions of new → functions of old that correspond to them
	Expected  *noise.Mask                       // values that differ because types have another representation
	Watched   spectra.Pair[map[uint32]bool]     // numbers of the blocks in changed code
	Reach     Reach                             // what the change may touch
	Whole     bool                              // every sequence is recorded
	Causes    root.Changes                      // the changes that may cause deviations

	// Tests says that each statement runs a test of the module.
	Tests bool

	// NewTests says that old does not have these tests so. Unless somebody asked for them, only those count that pass
	// on new alone.
	NewTests, Asked bool

	// Commands says that they are runs of commands.
	Commands bool

	// Operations has the function that each operation calls, by its new name.
	Operations map[string]spectra.Symbol
	Budget     time.Duration                // for generating; how long may be waited follows from it
	Counted    bool                         // so many sequences were asked for: no clock chooses what is judged
	Keep       string                       // folder for raw spectra; "": they are not kept
	Patched    bool                         // the runtime is extended, so the seed decides what is chance elsewhere
	Headers    spectra.Pair[archive.Header] // of raw spectra that are saved

	held int // executions and values that are held of sequences that deviate; 0: heldNodes
}

// otherSeed is the first runtime seed after the main one, under which versions are compared. Runs under
// it show what depends on the seed.
const otherSeed = wire.MainSeed + 1

// plainSeeds is the number of further runs of a version without the extended runtime, where chance
// decides. Among 26 runs of the same code, 13 runs of one result followed by 13 of another come up once
// in ten million times.
const plainSeeds = 12

// otherSeeds returns the runtime seeds besides the main one that show what varies. Under one of the first
// two the garbage collector runs during sequences. The argument patched is as in Subject.
func otherSeeds(patched bool) []uint64 {
	n := 2
	if !patched {
		n = plainSeeds
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = otherSeed + uint64(i)
	}
	return seeds
}

// noise returns the places that are known to be unstable before anything is measured.
func (s *Subject) noise() noise.Known { return noise.For(s.Matched, s.Expected) }

// cut cuts what says nothing of the versions because of the limit of steps.
func (s *Subject) cut(recorded spectra.Pair[*spectra.Spectrum]) spectra.Pair[*spectra.Spectrum] {
	c := NewCut(s.Matched)
	if s.Tests {
		recorded = c.Loop(recorded)
	}
	return c.Limited(recorded)
}

// compare compares the spectra of both versions. It leaves out what is known to be unstable, and further
// sites.
func (s *Subject) compare(
	recorded spectra.Pair[*spectra.Spectrum], known noise.Known, further ...*noise.Mask,
) *diff.Comparison {
	recorded = s.cut(recorded)
	return diff.Compare(recorded.Old, recorded.New, diff.Options{
		Common: s.Matched, Mask: known.Hidden(further...), Introduced: known.Introduced(),
	})
}

// compareEndless compares the spectra of a sequence that does not end on one of the versions, up to there.
func (s *Subject) compareEndless(recorded spectra.Pair[*spectra.Spectrum], known noise.Known) *diff.Comparison {
	return diff.Compare(recorded.Old, recorded.New, diff.Options{
		Common: s.Matched, Mask: known.Hidden(), Endless: true,
	})
}

// withoutIntroduced compares digests. Then Options.Introduced stays empty, because only values show what is
// unstable in the new version alone.
func (s *Subject) withoutIntroduced(recorded spectra.Pair[*spectra.Spectrum], known noise.Known) *diff.Comparison {
	recorded = s.cut(recorded)
	return diff.Compare(recorded.Old, recorded.New, diff.Options{Common: s.Matched, Mask: known.Hidden()})
}

// playedPair returns the results of the i-th sequence on both versions.
func playedPair(list spectra.Pair[[]replay.Played], i int) spectra.Pair[*replay.Played] {
	return spectra.Pair[*replay.Played]{Old: &list.Old[i], New: &list.New[i]}
}

// decode returns the recorded spectra of a sequence.
func decode(pair spectra.Pair[*replay.Played]) spectra.Pair[*spectra.Spectrum] {
	return spectra.Pair[*spectra.Spectrum]{Old: pair.Old.Recorded(), New: pair.New.Recorded()}
}
