package pipeline

// This file plays suspects again, alone in fresh processes and with values: isolation is the judge.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
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

	judgedByChance = 20 // where chance decides every run, and judging takes many
)

// How many other seeds a suspect is played under: where nothing varies len(run.seeds()), where
// something does, and where what deviates varies in another sequence.
const (
	variedSeeds = 4
	doubtSeeds  = 16
)

// What the new version brought in is believed when it shows under so many seeds, and the old version is
// stable under all that were tried. However rarely something varies, equal versions give
// that less than once in a thousand times.
const (
	broughtShown = 8
	broughtSeeds = 32
)

// valueBytes is what a run with values may record; one that needs more is judged by digests.
const valueBytes = 6 << 20

// A verdict is what judging a suspect gave.
type verdict struct {
	suspect    suspect
	old, new   *spectra.Spectrum // nil once it is refuted
	comparison *diff.Comparison  // nil: not judged
	oldMask    *noise.Mask       // what is unstable in this sequence, in either version
	newMask    *noise.Mask
	doubts     noise.Mask // what may or may not be new in being unstable: not compared, not reported
	runs       int        // other seeds that it was played under
	mode       replay.Mode
}

// confirmed says whether the sequence deviates on its own.
func (v *verdict) confirmed() bool { return v.comparison != nil && len(v.comparison.Deviations) > 0 }

func (r *run) judge(ctx context.Context) error {
	chosen := r.choose()
	if !r.patched() {
		chosen = chosen[:min(len(chosen), judgedByChance)]
	}
	r.verdicts = make([]verdict, len(chosen))
	err := r.each(ctx, len(chosen), "confirming", func(ctx context.Context, worker, i int) (err error) {
		r.detail("sequence %d deviates: %s, noisy %v", chosen[i].index, chosen[i].signature, chosen[i].noisy)
		r.verdicts[i], err = r.judgeOne(ctx, worker, chosen[i])
		return err
	})
	if err != nil {
		return err
	}
	if err := r.shareNoise(ctx); err != nil {
		return err
	}
	if err := r.keepSpectra(ctx); err != nil {
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
				list := alike[signature]
				if round >= len(list) || len(chosen) == judgedSuspects {
					continue
				}
				if s := r.shortest(list, round); round == 0 || r.length(s) < heavy {
					chosen = append(chosen, s)
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
		if r.length(list[i]) < r.length(list[best]) {
			best = i
		}
	}
	list[n], list[best] = list[best], list[n]
	return list[n]
}

// A suspect that took more steps than heavySteps takes much memory for its trees: it is judged
// where there is no other, and only once.
const (
	heavySteps = 50_000
	heavy      = 1 << 20
)

// length orders suspects by what it takes to judge and to read them.
func (r *run) length(s suspect) int {
	q := r.kept[s.index].sequence
	if n := len(q.Statements); r.costs[q.Key()] <= heavySteps {
		return n
	}
	return heavy + int(r.costs[q.Key()])
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
	v.oldMask, v.newMask, v.mode, v.runs = &noise.Mask{}, &noise.Mask{}, t.mode, 0
	var err error
	if v.old, v.new, err = t.both(ctx, mainSeed); err != nil {
		return err
	}
	return t.settle(ctx, v)
}

// settle plays the sequence under as many other seeds as it takes to be sure of what deviates.
func (t *trial) settle(ctx context.Context, v *verdict) error {
	if !t.patched() { // chance decides all runs, so what is known of the others is not compared here
		v.oldMask.Union(t.calibrated.oldMask, t.oldMask)
		v.newMask.Union(t.calibrated.newMask, t.newMask)
	}
	t.decide(v)
	for v.confirmed() && v.runs < t.needed(v) {
		grown, err := t.again(ctx, v, otherSeed+uint64(v.runs))
		if err != nil {
			return err
		}
		v.runs++
		if grown {
			t.decide(v)
		}
	}
	if err := t.confirmBrought(ctx, v); err != nil {
		return err
	}
	if !v.confirmed() && v.comparison.Incomparable == "" {
		v.old, v.new = nil, nil // they may be large
	}
	return nil
}

// needed is how many seeds it takes.
func (r *run) needed(v *verdict) int {
	needed := len(r.seeds())
	if v.oldMask.Size()+v.newMask.Size() > 0 {
		needed = max(needed, variedSeeds)
	}
	elsewhere := &noise.Mask{}
	elsewhere.Union(r.calibrated.oldMask, r.oldMask)
	elsewhere = elsewhere.Renamed(r.matched)
	elsewhere.Union(r.calibrated.newMask, r.newMask)
	if elsewhere.Size() > 0 && len(r.compared(v, elsewhere).Deviations) < len(v.comparison.Deviations) {
		needed = max(needed, doubtSeeds)
	}
	return needed
}

// again plays the sequence under another seed, and says whether that showed more that is unstable.
func (t *trial) again(ctx context.Context, v *verdict, seed uint64) (grown bool, err error) {
	old, new, err := t.both(ctx, seed)
	if err != nil {
		return false, err
	}
	before := v.oldMask.Size() + v.newMask.Size()
	v.oldMask.Union(unstableBetween(v.old, old, "old"))
	v.newMask.Union(unstableBetween(v.new, new, "new"))
	return v.oldMask.Size()+v.newMask.Size() > before, nil
}

// confirmBrought plays a sequence in which only the new version seems to be unstable until that is sure.
// What can't be made sure counts as unstable in both versions.
func (t *trial) confirmBrought(ctx context.Context, v *verdict) error {
	shown := map[noise.Site]int{}
	for seed := uint64(otherSeed); seed < otherSeed+broughtSeeds && t.doubtful(v, shown); seed++ {
		old, new, err := t.both(ctx, seed)
		if err != nil {
			return err
		}
		v.oldMask.Union(unstableBetween(v.old, old, "old"))
		unstable := unstableBetween(v.new, new, "new")
		v.newMask.Union(unstable)
		for _, site := range unstable.Sites() {
			shown[site.Site]++
		}
		t.decide(v)
	}
	if !t.doubtful(v, shown) {
		return nil
	}
	for _, site := range t.brought(v).Sites() {
		if shown[site.Site] < broughtShown {
			v.doubts.Add(site.Site, site.Reason)
		}
	}
	t.decide(v)
	return nil
}

// doubtful says whether a deviation rests on something that was not seen often enough to be unstable
// in the new version.
func (t *trial) doubtful(v *verdict, shown map[noise.Site]int) bool {
	return slices.ContainsFunc(v.comparison.Deviations, func(d *diff.Deviation) bool {
		return d.Kind == diff.KindNondeterminism && shown[noise.Site{Function: d.Function, State: d.State, Path: d.Path}] < broughtShown
	})
}

// decide compares what both versions gave without what is known to be unstable.
func (r *run) decide(v *verdict) { v.comparison = r.compared(v, nil) }

// compared compares what both versions gave without what is unstable in the sequence and what the
// mask says.
func (r *run) compared(v *verdict, further *noise.Mask) *diff.Comparison {
	mask := &noise.Mask{}
	mask.Union(v.oldMask.Renamed(r.matched), v.newMask, further)
	return diff.Compare(v.old, v.new, diff.Options{Common: r.matched, Mask: r.withQuestions(mask), Brought: r.brought(v)})
}

// brought is what only the new version is unstable in, as far as anything is known.
func (r *run) brought(v *verdict) *noise.Mask {
	old := &noise.Mask{}
	old.Union(v.oldMask, r.calibrated.oldMask, r.oldMask)
	return v.newMask.Without(old.Renamed(r.matched)).Without(&v.doubts)
}

// shareNoise looks at what deviates again with what the other suspects showed to be unstable: a
// sequence may show by chance only once what varies.
func (r *run) shareNoise(ctx context.Context) error {
	oldMask, newMask := &noise.Mask{}, &noise.Mask{}
	for i := range r.verdicts {
		oldMask.Union(r.verdicts[i].oldMask)
		newMask.Union(r.verdicts[i].newMask)
	}
	r.oldMask, r.newMask = oldMask, newMask
	return r.each(ctx, len(r.verdicts), "", func(ctx context.Context, worker, i int) error {
		v := &r.verdicts[i]
		if !v.confirmed() {
			return nil
		}
		t := &trial{run: r, worker: worker, sequence: r.kept[v.suspect.index].sequence, mode: v.mode}
		return t.settle(ctx, v)
	})
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

// noise reports what was left out of the comparison: of the sample's values, and of those of the
// sequences that deviate. Which of the others differ by noise alone is a matter of chance: it would
// make no two reports the same.
func (r *run) noise() {
	c := &r.calibrated
	left := &r.report.Noise
	left.Values, left.Masked = c.values, c.masked
	all := &noise.Mask{}
	all.Union(c.oldMask.Renamed(r.matched), c.newMask)
	for i := range r.verdicts {
		v := &r.verdicts[i]
		if !v.confirmed() {
			continue
		}
		values, masked := diff.Weigh(v.old, v.oldMask)
		left.Values += values
		left.Masked += masked
		all.Union(v.oldMask.Renamed(r.matched), v.newMask)
	}
	for _, site := range all.Sites() {
		left.Sites = append(left.Sites, report.NoiseSite{
			Function: string(site.Function), Path: strings.TrimSpace(string(site.State) + " " + string(site.Path)), Reason: site.Reason,
		})
	}
}
