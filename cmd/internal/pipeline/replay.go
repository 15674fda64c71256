package pipeline

// This file plays the kept sequences on both versions and finds those that deviate.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// chunkSize is how many sequences one process of each version plays.
const chunkSize = 100

// A suspect is a sequence that deviates among others in one process.
type suspect struct {
	index     int      // in run.kept
	roots     []string // what its deviations seem to come from, sorted
	signature string   // the roots, and whether an output shows it: suspects with the same one are alike
	exposure  diff.Exposure
	noisy     bool // all that deviates in it also differs between two runs of one version
}

// chunk is what a part of the sequences gave.
type chunk struct {
	suspects              []suspect
	executions            int
	crashes, timeouts     int
	covering              int
	hits                  map[string]map[uint32]bool // side → blocks
	invalid, incomparable int
	truncated             int // states
}

func (r *run) replay(ctx context.Context) error {
	elapsed := stopwatch()
	chunks := make([]chunk, (len(r.kept)+chunkSize-1)/chunkSize)
	err := r.each(ctx, len(chunks), "replaying", func(ctx context.Context, worker, i int) (err error) {
		from := i * chunkSize
		chunks[i], err = r.playBoth(ctx, worker, from, min(from+chunkSize, len(r.kept)))
		return err
	})
	if err != nil {
		return err
	}
	r.gather(chunks)
	r.report.Replay.Seconds = report.Seconds(elapsed())
	return nil
}

// heldEvents is how many bytes of events of one version are in memory at once, for each worker:
// those of the sequences after which there were more come last.
const heldEvents = 64 << 20

// playBoth plays some of the kept sequences on both versions, a part after the other where their
// events are too many to be held.
func (r *run) playBoth(ctx context.Context, worker, from, to int) (c chunk, err error) {
	c.hits = map[string]map[uint32]bool{}
	keep, err := r.keepRaw(fmt.Sprintf("digests-%06d", from), false)
	if err != nil {
		return c, err
	}
	for from < to && err == nil {
		var n int
		n, err = r.playPart(ctx, worker, from, to, &c, keep)
		from += n
	}
	return c, errors.Join(err, keep.close())
}

// playPart plays as many of the sequences as may be held, at least one, and returns how many.
func (r *run) playPart(ctx context.Context, worker, from, to int, c *chunk, keep *keeper) (int, error) {
	var sequences []sequence.Sequence
	for _, k := range r.kept[from:to] {
		sequences = append(sequences, k.sequence)
	}
	old, new, err := r.playPair(ctx, worker, sequences, mainSeed)
	if err != nil {
		return 0, err
	}
	before := len(c.suspects)
	for i := range new {
		if err := keep.sequence(from+i, sequences[i], &old[i], &new[i]); err != nil {
			return 0, err
		}
		if err := r.look(c, from+i, &old[i], &new[i]); err != nil {
			return 0, err
		}
	}
	if len(c.suspects) == before {
		return len(new), nil
	}
	oldAgain, newAgain, err := r.playPair(ctx, worker, sequences[:len(new)], otherSeed)
	if err != nil {
		return 0, err
	}
	for n := before; n < len(c.suspects); n++ {
		i := c.suspects[n].index - from
		if i >= len(newAgain) {
			continue // isolation will tell
		}
		if c.suspects[n], err = r.withoutNoise(c.suspects[n], &old[i], &oldAgain[i], &new[i], &newAgain[i]); err != nil {
			return 0, err
		}
	}
	return len(new), nil
}

// look compares what a sequence gave on both versions.
func (r *run) look(c *chunk, index int, old, new *replay.Played) error {
	c.note(r, old, new)
	if old.Invalid != "" || new.Invalid != "" {
		c.invalid++
		r.detail("sequence %d does not fit: old %q, new %q", index, old.Invalid, new.Invalid)
		return nil
	}
	if old.SameTrace(new) && len(diff.Compare(old.Spectrum, new.Spectrum, diff.Options{}).Outputs) == 0 {
		return nil
	}
	defer r.alone(old, new)()
	comparison, err := r.compare(old, new, nil)
	if err != nil {
		return err
	}
	if comparison.Incomparable != "" {
		c.incomparable++
		return nil
	}
	if len(comparison.Deviations) > 0 {
		c.suspects = append(c.suspects, r.suspect(index, comparison))
	}
	return nil
}

// largeEvents is how many bytes of events may be decoded beside others: as trees they take some
// twenty times as much.
const largeEvents = 4 << 20

// alone waits until no other large recordings are decoded, if these are large, and returns what ends
// that.
func (r *run) alone(list ...*replay.Played) (end func()) {
	size := 0
	for _, p := range list {
		size += len(p.Events())
	}
	if size < largeEvents {
		return func() {}
	}
	r.large.Lock()
	return r.large.Unlock
}

// compare decodes and compares what both versions gave.
func (r *run) compare(old, new *replay.Played, mask *noise.Mask) (*diff.Comparison, error) {
	oldSpectrum, err := old.Recorded()
	if err != nil {
		return nil, err
	}
	newSpectrum, err := new.Recorded()
	if err != nil {
		return nil, err
	}
	return diff.Compare(oldSpectrum, newSpectrum, diff.Options{Common: r.matched, Mask: r.withQuestions(mask)}), nil
}

// playPair plays sequences on both versions, recording digests: as many as may be held.
func (r *run) playPair(ctx context.Context, worker int, sequences []sequence.Sequence, seed uint64) (old, new []replay.Played, err error) {
	oldPlayer, newPlayer := r.player(r.old, worker), r.player(r.new, worker)
	oldPlayer.Limits.Held, newPlayer.Limits.Held = heldEvents, heldEvents
	if old, err = oldPlayer.Play(ctx, sequences, replay.Digests, seed); err == nil {
		new, err = newPlayer.Play(ctx, sequences[:len(old)], replay.Digests, seed)
	}
	return old, new, err
}

// withoutNoise looks at a suspect again without the states that differ between two runs of one
// version. Without values that hides whole states, so what is left is certain, and what is not
// may still deviate.
func (r *run) withoutNoise(s suspect, old, oldAgain, new, newAgain *replay.Played) (suspect, error) {
	defer r.alone(old, oldAgain, new, newAgain)()
	mask := &noise.Mask{}
	for _, runs := range []struct {
		first, second *replay.Played
		version       string
	}{{old, oldAgain, "old"}, {new, newAgain, "new"}} {
		first, err := runs.first.Recorded()
		if err != nil {
			return s, err
		}
		second, err := runs.second.Recorded()
		if err != nil {
			return s, err
		}
		unstable := diff.Unstable(first, second, spectra.Side(runs.version))
		if runs.version == "old" {
			unstable = unstable.Renamed(r.matched)
		}
		mask.Union(unstable)
	}
	if len(mask.Sites()) == 0 {
		return s, nil
	}
	comparison, err := r.compare(old, new, mask)
	if err != nil {
		return s, err
	}
	if len(comparison.Deviations) == 0 {
		s.noisy = true
		return s, nil
	}
	return r.suspect(s.index, comparison), nil
}

// note counts what one sequence did on both versions.
func (c *chunk) note(r *run, old, new *replay.Played) {
	for _, p := range []*replay.Played{old, new} {
		c.executions += p.Calls
		c.truncated += p.Truncated
		switch p.Spectrum.End.Kind {
		case spectra.Crashed, spectra.Exited, spectra.StepLimit, spectra.Blocked:
			c.crashes++
		case spectra.Timeout:
			c.timeouts++
		}
	}
	changed := false
	for side, p := range map[*side]*replay.Played{r.old: old, r.new: new} {
		if c.hits[side.name] == nil {
			c.hits[side.name] = map[uint32]bool{}
		}
		for _, id := range p.Coverage {
			c.hits[side.name][id] = true
			changed = changed || r.watched(side, id)
		}
	}
	if changed {
		c.covering++
	}
}

// watched says whether a block lies in changed code.
func (r *run) watched(s *side, id uint32) bool {
	if s.build.watched == nil {
		return false
	}
	return s.build.watched[id]
}

// suspect names what the deviations of a sequence seem to come from.
func (r *run) suspect(index int, c *diff.Comparison) suspect {
	s := suspect{index: index, exposure: c.Exposure}
	for _, found := range root.Find([]root.Case{{Sequence: index, Comparison: c}}, r.causes) {
		s.roots = append(s.roots, string(found.Function))
	}
	slices.Sort(s.roots)
	s.roots = slices.Compact(s.roots)
	s.signature = fmt.Sprint(strings.Join(s.roots, " "), c.Exposure.Output)
	return s
}

// gather adds the chunks up, in their order.
func (r *run) gather(chunks []chunk) {
	rep := &r.report.Replay
	rep.Sequences = len(r.kept)
	invalid, incomparable, truncated := 0, 0, 0
	hits := map[string]map[uint32]bool{"old": {}, "new": {}}
	for _, c := range chunks {
		r.suspects = append(r.suspects, c.suspects...)
		rep.FunctionExecutions += c.executions
		rep.Crashes += c.crashes
		rep.Timeouts += c.timeouts
		r.report.Exposure.Covering += c.covering
		invalid += c.invalid
		incomparable += c.incomparable
		truncated += c.truncated
		for side, ids := range c.hits {
			for id := range ids {
				hits[side][id] = true
			}
		}
	}
	for _, s := range r.calibrated.brought {
		if !slices.ContainsFunc(r.suspects, func(other suspect) bool { return other.index == s.index }) {
			r.suspects = append(r.suspects, s)
		}
	}
	if invalid > 0 {
		r.warn(fmt.Sprintf("%d sequences do not fit the new version and were not compared", invalid))
	}
	if incomparable > 0 {
		r.warn(fmt.Sprintf("%d sequences ended at a time or size limit and were not compared", incomparable))
	}
	if truncated > 0 {
		r.warn(fmt.Sprintf("%d states are larger than a walk may be; they were not compared", truncated))
	}
	r.coverage(hits)
}
