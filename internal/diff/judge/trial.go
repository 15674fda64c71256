package judge

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// variedSeeds is the number of other seeds under which a suspect is played if something varies in it. If what
// deviates in it varies elsewhere, or begins in code that did not change, it is doubtSeeds: what depends on one bit of
// chance, as of the bytes of the executable, is often the same under two. Else it is the length of otherSeeds.
const (
	variedSeeds = 4
	doubtSeeds  = 16
)

// doubtRepeats is how often what would be played under doubtSeeds is played again under the main seed.
const doubtRepeats = 4

// An introduction says when it is believed that something is unstable in the new version only: if it varies under so
// many of at most so many seeds, while the old version is stable under all of them.
type introduction struct{ shown, seeds int }

// However rarely something varies, two equal versions lead to that less than once in a thousand times, where one thing
// may vary. Where other things vary in the old version, thousands may: then it is less than once in a million times for
// each. What varies by the order of a map's two elements does so under half of the seeds.
var (
	introducedAlone  = introduction{shown: 8, seeds: 32}
	introducedBeside = introduction{shown: 16, seeds: 48}
)

// introducing returns what is asked of something that seems to be unstable in the new version only.
func (v *Verdict) introducing() introduction {
	if v.Known.Of(noise.Sequence, spectra.Old).Size() > 0 {
		return introducedBeside
	}
	return introducedAlone
}

// valueBytes limits what a run with values may record, exampleBytes that of examples. More is judged by digests.
const (
	valueBytes   = 6 << 20
	exampleBytes = 4 * valueBytes
)

// A trial judges one sequence, in the sandbox of one worker.
type trial struct {
	*Played
	worker   int
	sequence sequence.Sequence
	known    noise.Known          // what is unstable, from other sequences
	limit    func(*replay.Limits) // nil: the ordinary limits
	example  bool
	heavy    bool // playing it under many seeds takes too long
	once     bool // no other seeds
	few      bool // no more other seeds than usual, whatever is in doubt: one value is asked for
	varies   bool // other seeds, whatever the main one shows
	shared   bool // what deviates only beside the other version's files is known

	digested *Verdict // what digests say of the sequence; nil: they were not asked yet

	valued map[spectra.Symbol]bool // functions whose values are recorded; nil: all

	first spectra.Pair[*replay.Played] // what the verdict's recordings were decoded from; nil: not known
}

// judgeAny is judge with values, or with digests if there are too many values. An example then has the values of the
// functions in which it deviates.
func (t *trial) judgeAny(ctx context.Context, v *Verdict) error {
	err := t.judge(ctx, v, wire.ModeValues)
	switch {
	case err != nil || v.Comparison.Incomparable == "":
	case t.digested != nil:
		*v = *t.digested
	default:
		err = t.judge(ctx, v, wire.ModeDigests)
	}
	if err == nil && t.example {
		err = t.addValues(ctx, v)
	}
	return err
}

// addValues judges once more what was judged with digests, with the values of functions in which it deviates.
func (t *trial) addValues(ctx context.Context, v *Verdict) error {
	if v.mode != wire.ModeDigests || !v.Confirmed() {
		return nil
	}
	defer func() { t.valued = nil }()
	for _, t.valued = range []map[spectra.Symbol]bool{deviating(v.Comparison), beginning(v.Comparison)} {
		var some Verdict
		if err := t.judge(ctx, &some, wire.ModeValues); err != nil || !some.Confirmed() {
			return err
		}
		if *v = some; slices.ContainsFunc(v.Comparison.Deviations, (*diff.Deviation).Tells) {
			return nil
		}
	}
	return nil
}

// deviating returns the functions in which something deviates.
func deviating(c *diff.Comparison) map[spectra.Symbol]bool {
	of := map[spectra.Symbol]bool{}
	for _, d := range c.Deviations {
		of[d.Function] = true
	}
	return of
}

// beginning returns the function of the first state that deviates, and the one that called it. Their values may have
// room where those of all that follow have none.
func beginning(c *diff.Comparison) map[spectra.Symbol]bool {
	of := map[spectra.Symbol]bool{}
	for _, d := range c.Deviations {
		if d.Kind == spectra.KindContainer {
			continue
		}
		if of[d.Function] = true; d.Node != nil && d.Node.Parent != nil {
			of[d.Node.Parent.Function] = true
		}
		break
	}
	return of
}

// judge plays the sequence and fills the verdict.
func (t *trial) judge(ctx context.Context, v *Verdict, mode wire.Mode) (err error) {
	v.Known, v.mode, v.runs = t.known, mode, 0
	if t.first, err = t.run(ctx, mode, wire.MainSeed); err != nil {
		return err
	}
	t.heavy = selection.Cost(t.first.Old)+selection.Cost(t.first.New) >= HeavyNodes
	if t.apart(t.first) {
		v.Recorded, v.Comparison = spectra.Pair[*spectra.Spectrum]{}, &diff.Comparison{}
		return nil
	}
	v.Recorded = decode(t.first)
	return t.settle(ctx, v)
}

// repetitions returns how often a sequence is played again under the main seed if it is played under so many others.
// What depends on the process alone, such as its memory, its threads and when it started, may show in no other way:
// under another seed goroutines take turns in another order, and executions that lack a counterpart are not compared.
func repetitions(others int) int {
	if others >= doubtSeeds {
		return doubtRepeats
	}
	return 1
}

// settle plays the sequence under other seeds and again, until it is certain what deviates.
func (t *trial) settle(ctx context.Context, v *Verdict) error {
	if !t.Patched { // chance decides every run, so what varies in the sample is hidden at once
		v.Known = v.Known.Adopt(noise.Calibration)
	}
	t.decide(v)
	switch {
	case v.Endless:
		return nil // how it ends was seen several times, and under other seeds
	case t.once:
		return t.withOwnFiles(ctx, v)
	}
	repeated := 0
	for needed := t.needed(v); (v.Confirmed() || t.varies) && (v.runs < needed || repeated < repetitions(needed)); {
		before, until, times := v.Known.Size(noise.Sequence), needed, repetitions(needed)
		if v.runs == 0 {
			until, times = 1, 1 // which shows most of what varies
		}
		for ; v.runs < until; v.runs++ {
			if _, err := t.again(ctx, v, otherSeed+uint64(v.runs), v.Known); err != nil {
				return err
			}
		}
		for ; repeated < times; repeated++ {
			if _, err := t.again(ctx, v, wire.MainSeed, v.Known); err != nil {
				return err
			}
		}
		if v.Known.Size(noise.Sequence) > before {
			t.decide(v)
			needed = t.needed(v)
		}
	}
	if err := t.confirmIntroduced(ctx, v); err != nil {
		return err
	}
	if err := t.withOwnFiles(ctx, v); err != nil {
		return err
	}
	if !v.Confirmed() && v.Comparison.Incomparable == "" {
		v.Recorded, v.Comparison.Root = spectra.Pair[*spectra.Spectrum]{}, nil // they may be large
	}
	return nil
}

// needed returns the number of other seeds under which the sequence must be played.
func (t *trial) needed(v *Verdict) int {
	needed := 0
	if t.varies {
		needed = v.introducing().shown
	}
	if !v.Confirmed() {
		return needed
	}
	needed = max(needed, len(otherSeeds(t.Patched)))
	if t.few {
		return needed
	}
	if v.Known.Size(noise.Sequence) > 0 {
		needed = max(needed, variedSeeds)
	}
	elsewhere := v.Known.Elsewhere()
	if elsewhere.Size() > 0 &&
		len(t.compare(v.Recorded, v.Known, elsewhere).Deviations) < len(v.Comparison.Deviations) {
		needed = max(needed, doubtSeeds)
	}
	if needed < doubtSeeds && t.Patched && t.unexplained(v.Comparison) {
		needed = doubtSeeds
	}
	return needed
}

// unexplained reports whether something deviates first in code that did not change, as far as the module itself tells.
func (t *trial) unexplained(c *diff.Comparison) bool {
	return slices.ContainsFunc(t.find(t.sequence, 0, c), func(f *diff.Finding) bool {
		return f.Blamed.Change == spectra.ChangeUnknown || f.Blamed.Change == spectra.ChangeDependency
	})
}

// again plays the sequence under another seed and notes what is unstable beside what is known to be in this sequence.
// It returns what that is in the new version.
func (t *trial) again(ctx context.Context, v *Verdict, seed uint64, known noise.Known) (*noise.Mask, error) {
	played, err := t.run(ctx, v.mode, seed)
	if err != nil {
		return nil, err
	}
	unstable := spectra.MakePair(func(s spectra.Side) *noise.Mask {
		one := *played.Of(s)
		if first := *t.first.Of(s); first != nil {
			if repeats(first, one) { // most do, and decoding takes longer than playing
				return &noise.Mask{}
			}
			one.Beside(first)
		}
		return unstableBetween(*v.Recorded.Of(s), one.Recorded(), s, known.Of(noise.Sequence, s))
	})
	unstable.Each(func(s spectra.Side, mask *noise.Mask) { v.Known = v.Known.With(noise.Sequence, s, mask) })
	return unstable.New, nil
}

// confirmIntroduced is called when something seems to be unstable in the new version only. It plays the
// sequence under more seeds, until that is certain. What stays uncertain counts as unstable in both
// versions, and so does all of it where the sequence is heavy.
func (t *trial) confirmIntroduced(ctx context.Context, v *Verdict) error {
	var shown noise.Tally
	for n := 0; !t.heavy && v.introducing().doubts(v.Comparison, shown, n); n++ {
		unstable, err := t.again(ctx, v, otherSeed+uint64(n), noise.Known{}) // how often it varies counts
		if err != nil {
			return err
		}
		shown = shown.With(unstable)
		t.decide(v)
	}
	if least := v.introducing(); least.doubts(v.Comparison, shown, 0) {
		v.Known = v.Known.Doubt(v.Known.Unsure(shown, least.shown))
		t.decide(v)
	}
	return nil
}

// doubts reports whether a deviation rests on something that varied under too few seeds in the new version, and may
// still vary under enough of them after so many. What varied too rarely under the first of them is not waited for.
func (i introduction) doubts(c *diff.Comparison, shown noise.Tally, seeds int) bool {
	return seeds < i.seeds && slices.ContainsFunc(c.Deviations, func(d *diff.Deviation) bool {
		times := shown.Times(d.Site)
		return d.Kind == spectra.KindNondeterminism && times < i.shown &&
			(seeds < i.shown || times*i.seeds >= seeds*i.shown)
	})
}

// decide compares both versions without the places that are known to be unstable.
func (t *trial) decide(v *Verdict) {
	if v.Endless {
		v.Comparison = t.compareEndless(v.Recorded, v.Known)
	} else {
		v.Comparison = t.compare(v.Recorded, v.Known)
	}
}

// ErrTimeUp says that the time of the run was over before a sequence was played.
var ErrTimeUp = errors.New("there was no time left for it; a longer --budget or --timeout gives more")

// run plays the sequence on both versions, each in a process of its own.
func (t *trial) run(
	ctx context.Context, mode wire.Mode, seed uint64,
) (played spectra.Pair[*replay.Played], err error) {
	both, err := t.Players.Both(
		ctx, t.worker, []sequence.Sequence{t.sequence}, mode, seed, t.limitValues(mode), t.adjust)
	switch {
	case err != nil:
		return played, err
	case len(both.New) == 0:
		return played, ErrTimeUp
	}
	return playedPair(both, 0), nil
}

func (t *trial) adjust(p *replay.Player) {
	if t.limit != nil {
		t.limit(&p.Limits)
	}
	p.Compare.Valued = t.valued
}

// limitValues returns a function that limits what a run with values may record.
func (t *trial) limitValues(mode wire.Mode) func(*replay.Player) {
	if t.example {
		return limitEvents(mode, exampleBytes)
	}
	return limitEvents(mode, valueBytes)
}

func limitEvents(mode wire.Mode, bytes int64) func(*replay.Player) {
	return func(p *replay.Player) {
		if mode == wire.ModeValues {
			p.Limits.EventBytes = bytes
		}
	}
}
