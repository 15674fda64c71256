package pipeline

// This file plays suspects again, alone in fresh processes and with values: isolation is the judge.

import (
	"context"
	"fmt"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Of suspects that look alike, so many are judged; the others share the verdict. All in all not
// more than judgedSuspects are.
const (
	judgedAlike    = 6
	judgedSuspects = 60
)

// otherSeeds is how many other seeds a suspect with noise is played under.
const otherSeeds = 4

// valueBytes is what a run with values may record; one that needs more is judged by digests.
const valueBytes = 6 << 20

// A verdict is what judging a suspect gave.
type verdict struct {
	suspect    suspect
	old, new   *spectra.Spectrum // nil once it is refuted
	comparison *diff.Comparison  // nil: not judged
	oldMask    *diff.Mask        // what is unstable in either version
	newMask    *diff.Mask
}

// noisy says whether anything in the sequence differs between runs of one version.
func (v *verdict) noisy() bool { return len(v.oldMask.Sites())+len(v.newMask.Sites()) > 0 }

// confirmed says whether the sequence deviates on its own.
func (v *verdict) confirmed() bool { return v.comparison != nil && len(v.comparison.Deviations) > 0 }

func (r *run) judge(ctx context.Context) error {
	chosen := r.choose()
	r.verdicts = make([]verdict, len(chosen))
	err := r.each(ctx, len(chosen), "confirming", func(ctx context.Context, worker, i int) (err error) {
		r.detail("sequence %d deviates: %s, noisy %v", chosen[i].index, chosen[i].signature, chosen[i].noisy)
		r.verdicts[i], err = r.judgeOne(ctx, worker, chosen[i])
		return err
	})
	if err != nil {
		return err
	}
	r.shareNoise()
	if err := r.keepSpectra(); err != nil {
		return err
	}
	r.expose()
	r.noise()
	return r.roots(ctx)
}

// choose picks the suspects to judge: of each kind the first few, the shortest first; those that
// are not mere noise before the others.
func (r *run) choose() []suspect {
	var chosen []suspect
	for _, noisy := range []bool{false, true} {
		alike := map[string][]suspect{}
		var order []string
		for _, s := range r.suspects {
			if s.noisy != noisy {
				continue
			}
			if alike[s.signature] == nil {
				order = append(order, s.signature)
			}
			alike[s.signature] = append(alike[s.signature], s)
		}
		for round := 0; round < judgedAlike; round++ {
			for _, signature := range order {
				if list := alike[signature]; round < len(list) && len(chosen) < judgedSuspects {
					chosen = append(chosen, r.shortest(list, round))
				}
			}
		}
	}
	return chosen
}

// shortest moves the n-th shortest suspect to place n and returns it.
func (r *run) shortest(list []suspect, n int) suspect {
	best := n
	for i := n; i < len(list); i++ {
		if len(r.kept[list[i].index].sequence.Statements) < len(r.kept[list[best].index].sequence.Statements) {
			best = i
		}
	}
	list[n], list[best] = list[best], list[n]
	return list[n]
}

// judgeOne plays a suspect alone on both versions, and then under another seed to see what is
// unstable in it.
func (r *run) judgeOne(ctx context.Context, worker int, s suspect) (verdict, error) {
	t := &trial{run: r, worker: worker, sequence: r.kept[s.index].sequence, mode: replay.Values}
	v := verdict{suspect: s}
	err := t.judge(ctx, &v)
	if err == nil && v.comparison.Incomparable != "" {
		t.mode = replay.Digests
		err = t.judge(ctx, &v)
	}
	return v, err
}

// A trial is the judging of one sequence.
type trial struct {
	*run
	worker   int
	sequence sequence.Sequence
	mode     replay.Mode
}

func (t *trial) judge(ctx context.Context, v *verdict) error {
	v.oldMask, v.newMask = &diff.Mask{}, &diff.Mask{}
	var err error
	if v.old, v.new, err = t.both(ctx, mainSeed); err != nil {
		return err
	}
	t.decide(v)
	for seed := uint64(otherSeed); seed < otherSeed+otherSeeds && v.confirmed(); seed++ {
		old, new, err := t.both(ctx, seed)
		if err != nil {
			return err
		}
		v.oldMask.Union(diff.Unstable(v.old, old, "old"))
		v.newMask.Union(diff.Unstable(v.new, new, "new"))
		if !v.noisy() {
			break // what one other seed leaves alone, the next one does too
		}
		t.decide(v)
	}
	if !v.confirmed() && v.comparison.Incomparable == "" {
		v.old, v.new = nil, nil // they may be large
	}
	return nil
}

// decide compares what both versions gave without what is known to be unstable.
func (r *run) decide(v *verdict) {
	mask := &diff.Mask{}
	old := v.oldMask.Renamed(r.matched)
	mask.Union(old, v.newMask)
	v.comparison = diff.Compare(v.old, v.new, diff.Options{Common: r.matched, Mask: mask, Brought: v.newMask.Without(old)})
}

// shareNoise has what is unstable in one sequence count as unstable in all: a sequence may show by
// chance only once what varies.
func (r *run) shareNoise() {
	oldMask, newMask := &diff.Mask{}, &diff.Mask{}
	for i := range r.verdicts {
		oldMask.Union(r.verdicts[i].oldMask)
		newMask.Union(r.verdicts[i].newMask)
	}
	r.oldMask, r.newMask = oldMask, newMask
	for i := range r.verdicts {
		if v := &r.verdicts[i]; v.confirmed() {
			v.oldMask, v.newMask = oldMask, newMask
			r.decide(v)
		}
	}
}

// both plays the sequence on both versions, each in a process of its own.
func (t *trial) both(ctx context.Context, seed uint64) (old, new *spectra.Spectrum, err error) {
	if old, err = t.alone(ctx, t.old, seed); err == nil {
		new, err = t.alone(ctx, t.new, seed)
	}
	return old, new, err
}

func (t *trial) alone(ctx context.Context, s *side, seed uint64) (*spectra.Spectrum, error) {
	player := t.player(s, t.worker)
	if t.mode == replay.Values {
		player.Limits.EventBytes = valueBytes
	}
	played, err := player.Play(ctx, []sequence.Sequence{t.sequence}, t.mode, seed)
	if err != nil {
		return nil, err
	}
	return played[0].Recorded()
}

// expose counts the sequences in which each spectrum differs. Suspects that were not judged count
// when one like them was confirmed.
func (r *run) expose() {
	confirmed, judged := map[string]bool{}, map[int]*verdict{}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		judged[v.suspect.index] = v
		if v.confirmed() {
			confirmed[v.suspect.kind()] = true
		}
	}
	for _, s := range r.suspects {
		exposure := s.exposure
		if v := judged[s.index]; v != nil {
			if !v.confirmed() {
				continue
			}
			exposure = v.comparison.Exposure
		} else if !confirmed[s.kind()] {
			continue
		}
		count(&r.report.Exposure, exposure)
	}
}

// kind is what suspects that share a verdict have in common.
func (s suspect) kind() string { return fmt.Sprint(s.noisy, s.signature) }

func count(e *report.Exposure, d diff.Exposure) {
	for n, differs := range map[*int]bool{&e.Hit: d.Hit, &e.Count: d.Count, &e.Trace: d.Trace, &e.Output: d.Output} {
		if differs {
			*n++
		}
	}
}

// noise reports what was left out of the comparison of the sequences that deviate. Which of the
// others differ by noise alone is a matter of chance: it would make no two reports the same.
func (r *run) noise() {
	all := &diff.Mask{}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		if !v.confirmed() {
			continue
		}
		values, masked := v.oldMask.Weigh(v.old)
		r.report.Noise.Values += values
		r.report.Noise.Masked += masked
		all.Union(v.oldMask, v.newMask)
	}
	for _, site := range all.Sites() {
		r.report.Noise.Sites = append(r.report.Noise.Sites, report.NoiseSite{
			Function: string(site.Function), Path: string(site.State) + " " + string(site.Path), Reason: site.Reason,
		})
	}
}
