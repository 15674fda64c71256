package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A part is a part of a batch. Its sequences are played in one process after the other.
type part struct {
	*Tryout
	worker    int
	over      func() bool // no further sequence is played
	sequences []sequence.Sequence
	generated []sequence.Sequence          // the same, as they are called by who generates them, see TryoutInput.Closed
	outcomes  []generate.Outcome           // one for each sequence
	without   map[string][]string          // struct type → fields left out of states
	compared  []generate.Compared          // one for each sequence
	printed   []string                     // likewise
	lost      spectra.Pair[map[string]int] // calls in this part that did not end, by operation
}

// play plays the sequences, except those with calls that turned out not to end.
func (p *part) play(ctx context.Context) error {
	p.outcomes = make([]generate.Outcome, len(p.sequences))
	var all []int
	for i := range p.sequences {
		p.outcomes[i].Missing = true
		all = append(all, i)
	}
	var beside []int
	mode := wire.ModeOutcomes
	if p.Entries {
		mode = wire.ModeEntries
	}
	err := p.on(ctx, spectra.Old, mode, all, func(i int, played *replay.Played) {
		p.keep(i, played)
		if played.Clock == "" && played.Invalid == "" && p.Touched.may(p.sequences[i], played) {
			beside = append(beside, i)
		}
	})
	if err != nil {
		return err
	}
	err = p.on(ctx, spectra.New, wire.ModeOutcomes, beside, p.compare)
	if err != nil || len(beside) == len(all) {
		return err
	}
	return p.on(ctx, spectra.Old, wire.ModeOutcomes, p.again(beside), p.compareAgain)
}

// again returns the sequences to play once more on the old version, in the order in which the process of the new one
// played them: the doubtful ones and their predecessors, but no slow ones.
func (p *part) again(beside []int) []int {
	last := len(beside) - 1
	for last >= 0 && !p.doubtful(beside[last]) {
		last--
	}
	return slices.DeleteFunc(slices.Clone(beside[:last+1]), func(i int) bool {
		of, ok := p.outcomes[i].Played.(*memo)
		return !p.doubtful(i) && ok && of.outcomes.Old.Steps > lightSteps
	})
}

// lightSteps is the maximum number of steps of a sequence that is played again for its effect on others.
const lightSteps = 5_000

// believedAfter is the number of sequences with one difference after which that difference is believed at once.
const believedAfter = 3

// doubtful reports whether a difference may be an artefact. The process of the old version had played other sequences
// before, and their effect on package variables may be the cause.
func (p *part) doubtful(i int) bool {
	way := p.outcomes[i].Difference
	return way != "" && p.believed[way] < believedAfter
}

// compareAgain compares a sequence with its second outcome on the old version, from a process that had played the same
// sequences as that of the new version. If the two outcomes of the old version differ, the difference may be chance.
func (p *part) compareAgain(i int, old *replay.Played) {
	o := &p.outcomes[i]
	of, ok := o.Played.(*memo)
	if !ok || of.outcomes.New == nil || old.Invalid != "" || old.Clock != "" {
		return
	}
	varies := selection.Difference(p.sequences[i], spectra.Pair[*replay.Played]{Old: of.outcomes.Old, New: old}) != ""
	of.outcomes.Old = old
	of.difference = selection.Difference(p.sequences[i], of.outcomes)
	o.Difference, o.Unsure = of.difference, varies || p.onlyPrinted(of.difference, of.outcomes)
}

// onlyPrinted reports whether a difference is one of what is printed alone, which is not believed.
func (p *part) onlyPrinted(difference string, pair spectra.Pair[*replay.Played]) bool {
	return p.Talks && difference != "" && selection.OnlyPrinted(pair)
}

// on plays some of the sequences on one version and passes each outcome on.
func (p *part) on(
	ctx context.Context, s spectra.Side, mode wire.Mode, left []int, tell func(i int, played *replay.Played),
) error {
	limit := func(own *replay.Player) {
		own.Limits, own.Over = p.Limits, p.over
		own.Compare.Skips = p.skipped(own.Compare.Skips)
	}
	for len(left) > 0 && !p.over() {
		var batch []sequence.Sequence
		for _, i := range left {
			batch = append(batch, p.sequences[i])
		}
		played, err := p.Players.Player(s, p.worker, limit).Play(ctx, batch, mode, wire.MainSeed)
		if err != nil {
			return err
		}
		for n := range played {
			if operation := p.generated[left[n]].Driven(len(played[n].Results)); operation != "" &&
				played[n].Spectrum.End.Kind == wire.EndTimeout {
				(*p.lost.Of(s))[operation]++
			}
			if p.Unfit != nil && p.Unfit(s, p.sequences[left[n]], &played[n]) {
				continue
			}
			if p.Unfit == nil && p.Players.Bubbles() && played[n].Spectrum.Burst {
				return ErrBubble
			}
			tell(left[n], &played[n])
		}
		left = slices.DeleteFunc(slices.Clone(left[len(played):]), p.skips)
	}
	return nil
}

// note plays the sequences on both versions to see their comparisons.
func (p *part) note(ctx context.Context) error {
	p.compared = make([]generate.Compared, len(p.sequences))
	var all []int
	for i := range p.sequences {
		all = append(all, i)
	}
	seen := make([]map[replay.Operand]bool, len(p.sequences))
	for _, s := range spectra.Sides() {
		p.over = p.within(p.Asking)
		err := p.on(ctx, s, wire.ModeOperands, all, func(i int, played *replay.Played) {
			for _, o := range played.Operands {
				key := o
				if key.Site != wire.SiteEnvironment {
					key.Site = 0
				}
				if !seen[i][key] {
					if seen[i] == nil {
						seen[i] = map[replay.Operand]bool{}
					}
					seen[i][key] = true
					p.compared[i].Operands = append(p.compared[i].Operands, generate.Operand(o))
				}
			}
			if p.Branches != nil {
				distances := p.Branches.Distances(s, played.Operands, played.Coverage)
				p.compared[i].Distances = append(p.compared[i].Distances, distances...)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// within returns whether the time is up, or so much of it has passed from now on; 0: only the former.
func (p *part) within(most time.Duration) func() bool {
	elapsed := replay.Stopwatch()
	return func() bool { return p.Expired() || most > 0 && elapsed() >= most }
}

// look plays the sequences on the old version only, to see the entry states of calls.
func (p *part) look(ctx context.Context) error {
	p.outcomes = make([]generate.Outcome, len(p.sequences))
	var all []int
	for i := range p.sequences {
		p.outcomes[i].Missing = true
		all = append(all, i)
	}
	return p.on(ctx, spectra.Old, wire.ModeEntries, all, func(i int, played *replay.Played) {
		p.outcomes[i] = outcome(played)
	})
}

// read plays the sequences on one version only, to see what they print.
func (p *part) read(ctx context.Context, s spectra.Side) error {
	p.printed = make([]string, len(p.sequences))
	var all []int
	for i := range p.sequences {
		all = append(all, i)
	}
	return p.on(ctx, s, wire.ModeOutcomes, all, func(i int, played *replay.Played) {
		p.printed[i] = played.Spectrum.Stdout + played.Spectrum.Stderr
	})
}

// skipped returns the fields of struct types that are not compared, including those that this part leaves out.
func (p *part) skipped(usual map[string][]string) map[string][]string {
	if len(p.without) == 0 {
		return usual
	}
	all := maps.Clone(p.without)
	for name, fields := range usual {
		all[name] = slices.Concat(fields, p.without[name])
	}
	return all
}

// keep stores the outcome of a sequence on the old version.
func (p *part) keep(i int, old *replay.Played) {
	p.outcomes[i] = outcome(old)
	ran := p.ran(spectra.Old, old.Coverage)
	p.outcomes[i].Played = &memo{
		outcomes: spectra.Pair[*replay.Played]{Old: old},
		class:    p.class(i, ran, old), ran: selection.Class(ran, "", 0, false),
		reaches: p.Touched.ran(old), waited: p.waited(old.Spectrum.End.Kind), panics: panics(old),
	}
}

// ran returns the hit blocks of a version's changed code, sorted.
func (p *part) ran(s spectra.Side, hit []uint32) []uint32 {
	watched := *p.Watched.Of(s)
	ran := slices.DeleteFunc(slices.Clone(hit), func(id uint32) bool { return !watched[id] })
	slices.Sort(ran)
	return slices.Compact(ran)
}

// class returns the class of a sequence that ran blocks of changed code, and ended on old as said.
func (p *part) class(i int, ran []uint32, old *replay.Played) uint64 {
	last := p.sequences[i].Statements[len(p.sequences[i].Statements)-1].Op
	return selection.Class(ran, last, old.Spectrum.End.Kind, panics(old))
}

// panics reports whether a call of a sequence panics.
func panics(p *replay.Played) bool {
	return slices.ContainsFunc(p.Spectrum.Steps, func(s spectra.StepOutcome) bool { return s.Panic != "" })
}

// compare notes the outcome of a sequence on the new version. It is called after keep.
func (p *part) compare(i int, new *replay.Played) {
	o := &p.outcomes[i]
	of := o.Played.(*memo)
	if new.Invalid != "" {
		return
	}
	pair := spectra.Pair[*replay.Played]{Old: of.outcomes.Old, New: new}
	of.difference = selection.Difference(p.sequences[i], pair)
	if new.Clock == "" { // else it is judged later, with longer limits
		of.outcomes.New = new
	}
	o.Difference = of.difference
	o.Unsure = p.onlyPrinted(of.difference, pair)
	if p.Closed != nil { // a variant of a test
		ran := p.ran(spectra.Old, of.outcomes.Old.Coverage)
		for _, id := range p.ran(spectra.New, new.Coverage) {
			ran = append(ran, uint32(p.Blocks)+id)
		}
		of.class = p.class(i, ran, of.outcomes.Old)
	}
	o.Coverage = slices.Clone(o.Coverage)
	for _, id := range new.Coverage {
		o.Coverage = append(o.Coverage, uint32(p.Blocks)+id)
	}
}

// outcome converts the outcome of a sequence for the generator.
func outcome(p *replay.Played) generate.Outcome {
	o := generate.Outcome{Coverage: p.Coverage, End: p.Spectrum.End.Kind, Rejected: p.Invalid != ""}
	for i, results := range p.Results {
		step := generate.Step{Panic: p.Spectrum.Steps[i].Panic, State: results.State}
		if i < len(p.Entries) {
			step.Entry.State = p.Entries[i].State
			for _, digest := range p.Entries[i].Arguments {
				step.Entry.Arguments = append(step.Entry.Arguments, digest)
			}
		}
		o.Panicked = o.Panicked || step.Panic != ""
		for _, result := range results.Results {
			step.Results = append(step.Results, generate.Result{
				Digest: result.Digest, Nil: result.Nil, ErrorSet: result.Failed, Dynamic: result.Dynamic,
				Huge: result.Huge,
			})
		}
		o.Steps = append(o.Steps, step)
	}
	return o
}

// skips reports whether a sequence calls an operation that was found not to end while this part was played. The
// generator already avoids those found earlier.
func (p *part) skips(i int) bool {
	for _, s := range spectra.Sides() {
		for operation, n := range *p.lost.Of(s) {
			before := (*p.Tryout.lost.Of(s))[operation]
			if before < endlessCalls && before+n >= endlessCalls && p.generated[i].Drives(operation) {
				return true
			}
		}
	}
	return false
}
