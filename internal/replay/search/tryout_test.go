package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// call returns the sequence that calls m.F with n.
func call(t *testing.T, n int) sequence.Sequence {
	t.Helper()
	q, err := sequence.Parse(fmt.Sprintf("%s\nv0 := m.F(%d)\n", sequence.Header, n))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func never() bool { return false }

func nothing(sequence.Sequence) bool { return false }

// steps returns a memo of a sequence with so many steps.
func steps(n int64, waited bool) *memo {
	return &memo{outcomes: spectra.Pair[*replay.Played]{Old: &replay.Played{Steps: n}}, waited: waited}
}

// TestSelect checks that new sequences are chosen first, then those that ran changed code.
func TestSelect(t *testing.T) {
	var all []generate.Kept
	for i := range Replayed + 10 {
		k := generate.Kept{Sequence: call(t, i), Reason: generate.NewValue, Played: steps(int64(i), i == 0)}
		switch i % 3 {
		case 0:
			k.Reason = generate.NewCoverage
		case 1:
			k.Changed = true
		}
		all = append(all, k)
	}
	got := NewTryout(TryoutInput{}).Select(all)
	if len(got) != Replayed {
		t.Fatalf("%d are replayed, want %d", len(got), Replayed)
	}
	if !got[0].Novel || got[1].Novel || !got[0].Waited || got[1].Waited || got[1].Steps != 1 {
		t.Errorf("the first two are %+v and %+v: what is known of them got lost", got[0], got[1])
	}
	order := slices.IsSortedFunc(got, func(x, y selection.Sequence) int { return int(x.Steps - y.Steps) })
	if !order {
		t.Error("the order in which they were kept is lost")
	}
	if last := got[len(got)-1].Steps; last != Replayed+9 {
		t.Errorf("the last one is number %d, want the last that was new, %d", last, Replayed+9)
	}
}

// TestSelectBySteps checks that slow sequences leave less time for others.
func TestSelectBySteps(t *testing.T) {
	var all []generate.Kept
	for i := range 4 {
		k := generate.Kept{Sequence: call(t, i), Reason: generate.NewCoverage, Played: steps(replayedSteps/2, false)}
		all = append(all, k)
	}
	if got := len(NewTryout(TryoutInput{}).Select(all)); got != 3 {
		t.Errorf("%d are replayed, want 3: the third one goes beyond the limit", got)
	}
}

// TestSelectTests: there are never too many tests, because which of them run the change is known only of those that are
// selected.
func TestSelectTests(t *testing.T) {
	var all []generate.Kept
	for range Replayed + 10 {
		k := generate.Kept{Sequence: call(t, 1), Reason: generate.NewCoverage, Played: steps(replayedSteps, false)}
		all = append(all, k)
	}
	r := noting(&drivers.Drivers{Plan: &plan.Plan{}})
	if got := len(NewTryout(r.tryoutOfTests()).Select(all)); got != len(all) {
		t.Errorf("%d of %d tests are selected", got, len(all))
	}
}

// A burstPlayer plays each sequence and notes whether it is in a time bubble.
type burstPlayer struct {
	bubbles bool
	limits  replay.Limits
	seen    *[]bool
}

func (p burstPlayer) Play(
	_ context.Context, sequences []sequence.Sequence, mode wire.Mode, _ uint64,
) ([]replay.Played, error) {
	*p.seen = append(*p.seen, p.bubbles)
	if mode != wire.ModeOutcomes || p.limits != replay.GenerationLimits() {
		return nil, errors.New("sequences are tried without recording, under the limits of generating")
	}
	one := replay.Played{Spectrum: &spectra.Spectrum{Burst: p.bubbles}, Steps: 7}
	return slices.Repeat([]replay.Played{one}, len(sequences)), nil
}

func (p burstPlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// TestExecute checks that outcomes show when a module does not work in time bubbles.
func TestExecute(t *testing.T) {
	var seen []bool
	var of spectra.Pair[replay.Player]
	of.Old.Compare.Bubbles, of.New.Compare.Bubbles = true, true
	players := replay.PlayersBy(of, func(s spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
		if s != spectra.Old {
			t.Errorf("what the change can't touch is tried on the %s version", s)
		}
		return burstPlayer{own.Compare.Bubbles, own.Limits, &seen}
	})
	batch := []sequence.Sequence{call(t, 1), call(t, 2), call(t, 3)}
	in := TryoutInput{Players: players, Expired: never, Touched: Touched{Known: true, Brings: nothing}}
	if _, err := NewTryout(in).Execute(context.Background(), batch); !errors.Is(err, ErrBubble) {
		t.Errorf("got %v, want %v", err, ErrBubble)
	}
	seen, in.Players = nil, players.WithoutBubbles()
	outcomes, err := NewTryout(in).Execute(context.Background(), batch)
	if err != nil || len(outcomes) != 3 || slices.Contains(seen, true) || len(seen) != 2 {
		t.Errorf("without bubbles: %d outcomes, error %v, in bubbles %v", len(outcomes), err, seen)
	}
	if of, ok := outcomes[2].Played.(*memo); !ok || of.outcomes.Old.Steps != 7 || of.waited {
		t.Errorf("of the third is known %+v, want 7 steps", outcomes[2].Played)
	}
	if !players.Bubbles() {
		t.Error("the players that the others were made from changed")
	}
}

// A sidePlayer plays sequences of one call. Even arguments hit block 5 of the old version. The new version returns
// another result for 4 and does not end for 6.
type sidePlayer struct {
	side   spectra.Side
	played *[]string
}

func (p sidePlayer) Play(
	_ context.Context, sequences []sequence.Sequence, mode wire.Mode, _ uint64,
) (list []replay.Played, err error) {
	for _, q := range sequences {
		n := q.Statements[0].Args[0].Text
		*p.played = append(*p.played, string(p.side)+" "+n)
		one := replay.Played{OutcomeDigest: spectra.Digest{1, 1}, Spectrum: &spectra.Spectrum{}}
		one.Spectrum.Steps = []spectra.StepOutcome{{
			Ran: true, Results: []spectra.Output{{Text: n, Digest: spectra.Digest{1}}},
		}}
		if mode == wire.ModeOperands {
			both := replay.Operand{Site: 1, Changed: true, Left: n, Right: "x"}
			one.Operands = []replay.Operand{both, {Site: 2, Left: string(p.side), Right: n}}
			if both.Site = 7; p.side == spectra.New { // the same text at another place
				one.Operands = append(one.Operands, both)
			}
		}
		if p.side == spectra.New {
			one.Coverage = []uint32{3}
		} else if n == "2" || n == "4" || n == "6" {
			one.Coverage = []uint32{5}
		}
		switch {
		case p.side == spectra.New && n == "4":
			one.OutcomeDigest[0], one.Spectrum.Steps[0].Results = 2, []spectra.Output{{Text: "other"}}
		case p.side == spectra.New && n == "6":
			one.OutcomeDigest, one.Clock, one.Spectrum = spectra.Digest{}, replay.Processor, &spectra.Spectrum{
				End: spectra.End{Kind: wire.EndTimeout},
			}
		}
		if list = append(list, one); one.Clock != "" {
			break
		}
	}
	return list, nil
}

func (p sidePlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// TestBeside checks that sequences which run code that the change may touch are also played on the new version, and
// that the generator hears of differences.
func TestBeside(t *testing.T) {
	var played []string
	var lock sync.Mutex
	players := replay.PlayersBy(
		spectra.Pair[replay.Player]{},
		func(s spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			lock.Lock()
			defer lock.Unlock()
			return sidePlayer{s, &played}
		},
	)
	var batch []sequence.Sequence
	for n := range 8 {
		batch = append(batch, call(t, n))
	}
	try := NewTryout(TryoutInput{Players: players, Expired: never, Blocks: 100, Touched: Touched{
		Known: true, Blocks: map[uint32]bool{5: true}, Brings: nothing,
	}})
	outcomes, err := try.Execute(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		of := o.Played.(*memo)
		apart, seen, touched := i == 4 || i == 6, i == 2 || i == 4, i == 2 || i == 4 || i == 6
		if (o.Difference != "") != apart || (of.outcomes.New != nil) != seen || of.reaches != touched {
			t.Errorf("sequence %d: apart %q, seen on new %v, reaches %v", i, o.Difference, of.outcomes.New, of.reaches)
		}
		if slices.Contains(o.Coverage, 103) != touched {
			t.Errorf("sequence %d covers %v: want the block of new behind those of old", i, o.Coverage)
		}
	}
	if slices.Contains(played, "new 3") || !slices.Contains(played, "new 2") {
		t.Errorf("played %q", played)
	}
}

// A leakyPlayer returns from each call the number of earlier sequences of its process. Even numbers hit block 5.
type leakyPlayer struct{ side spectra.Side }

func (p leakyPlayer) Play(
	_ context.Context, sequences []sequence.Sequence, _ wire.Mode, _ uint64,
) (list []replay.Played, err error) {
	for i, q := range sequences {
		one := replay.Played{OutcomeDigest: spectra.Digest{uint64(i + 1)}, Spectrum: &spectra.Spectrum{}}
		if n := q.Statements[0].Args[0].Text; p.side == spectra.Old && n[len(n)-1]%2 == 0 {
			one.Coverage = []uint32{5}
		}
		one.Spectrum.Steps = []spectra.StepOutcome{{Ran: true, Results: []spectra.Output{{Text: fmt.Sprint(i)}}}}
		list = append(list, one)
	}
	return list, nil
}

func (p leakyPlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// TestLeak checks that the effects of other sequences in the process of one version do not count as a difference.
func TestLeak(t *testing.T) {
	players := replay.PlayersBy(
		spectra.Pair[replay.Player]{},
		func(s spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			return leakyPlayer{s}
		},
	)
	var batch []sequence.Sequence
	for n := range 10 {
		batch = append(batch, call(t, n))
	}
	try := NewTryout(TryoutInput{Players: players, Expired: never, Blocks: 100, Touched: Touched{
		Known: true, Blocks: map[uint32]bool{5: true}, Brings: nothing,
	}})
	outcomes, err := try.Execute(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		of := o.Played.(*memo)
		if o.Difference != "" || of.difference != "" || (of.outcomes.New != nil) != (i%2 == 0) {
			t.Errorf("sequence %d: apart %q, seen on new %v", i, o.Difference, of.outcomes.New)
		}
	}
}

// TestBringsClosed: whether a variant of a test may be touched is asked of what is played.
func TestBringsClosed(t *testing.T) {
	closed := func(q sequence.Sequence) sequence.Sequence {
		st := q.Statements[0]
		st.Op, _, _ = strings.Cut(st.Op, "/")
		return single(st)
	}
	brings := func(q sequence.Sequence) bool { return q.Statements[0].Op == "m.T" }
	try := NewTryout(TryoutInput{Closed: closed, Touched: Touched{Known: true, Brings: brings}})
	for op, want := range map[string]bool{"m.T/a": true, "m.U/a": false} {
		kept := generate.Kept{Sequence: single(sequence.Statement{Op: op})}
		if got := try.Select([]generate.Kept{kept}); len(got) != 1 || got[0].Reaches != want {
			t.Errorf("%s: %+v", op, got)
		}
	}
}

// TestOperands checks that comparisons are seen on both versions, each once.
func TestOperands(t *testing.T) {
	var played []string
	players := replay.PlayersBy(
		spectra.Pair[replay.Player]{},
		func(s spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			return sidePlayer{s, &played}
		},
	)
	batch := []sequence.Sequence{call(t, 1), call(t, 2)}
	got, err := NewTryout(TryoutInput{Players: players, Expired: never}).Operands(t.Context(), batch)
	want := "[{[{1 true false false 1 x} {2 false false false old 1} {2 false false false new 1}] []}" +
		" {[{1 true false false 2 x} {2 false false false old 2} {2 false false false new 2}] []}]"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, error %v, want %s", got, err, want)
	}
}

// TestLimitsWithout: what was spent for nothing is not generated for, but half of the time is always left.
func TestLimitsWithout(t *testing.T) {
	limits := Limits{Sequences: 7, Most: 60 * time.Second, Differing: 20 * time.Second}
	for _, c := range []struct {
		reason                 string
		spent, most, differing time.Duration
	}{
		{"nothing", 0, 60 * time.Second, 20 * time.Second},
		{"little", 5 * time.Second, 55 * time.Second, 15 * time.Second},
		{"much", 50 * time.Second, 30 * time.Second, 10 * time.Second},
	} {
		got := limits.without(c.spent)
		if got.Most != c.most || got.Differing != c.differing || got.Sequences != 7 {
			t.Errorf("%s: %+v, want %v and %v", c.reason, got, c.most, c.differing)
		}
	}
}

// TestShare: what one kind of tests did not need is left for the next, and each has some.
func TestShare(t *testing.T) {
	for _, test := range []struct{ varied, want time.Duration }{
		{0, 20 * time.Second}, {5 * time.Second, 20 * time.Second}, {20 * time.Second, 10 * time.Second},
		{40 * time.Second, 5 * time.Second},
	} {
		if got := share(20*time.Second, test.varied); got != test.want {
			t.Errorf("after %v: %v, want %v", test.varied, got, test.want)
		}
	}
}
