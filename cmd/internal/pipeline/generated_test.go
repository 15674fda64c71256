package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
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

// TestSelectKept: when too much was kept, what was new goes first, then what ran changed code.
func TestSelectKept(t *testing.T) {
	try := &tryout{built: &built{}, costs: map[sequence.Key]cost{}}
	var all []generate.Kept
	for i := range replayedSequences + 10 {
		k := generate.Kept{Sequence: call(t, i), Reason: generate.NewValue}
		switch i % 3 {
		case 0:
			k.Reason = generate.NewCoverage
		case 1:
			k.Changed = true
		}
		all = append(all, k)
		try.costs[k.Sequence.Key()] = cost{steps: int64(i), waited: i == 0}
	}
	got := try.selectKept(all)
	if len(got) != replayedSequences {
		t.Fatalf("%d are replayed, want %d", len(got), replayedSequences)
	}
	if !got[0].Novel || got[1].Novel || !got[0].Waited || got[1].Waited || got[1].Steps != 1 {
		t.Errorf("the first two are %+v and %+v: what is known of them got lost", got[0], got[1])
	}
	order := slices.IsSortedFunc(got, func(x, y choice.Sequence) int { return int(x.Steps - y.Steps) })
	if !order {
		t.Error("the order in which they were kept is lost")
	}
	if last := got[len(got)-1].Steps; last != replayedSequences+9 {
		t.Errorf("the last one is number %d, want the last that was new, %d", last, replayedSequences+9)
	}
}

// TestSelectKeptBySteps: sequences that take long leave no time for others.
func TestSelectKeptBySteps(t *testing.T) {
	try := &tryout{built: &built{}, costs: map[sequence.Key]cost{}}
	var all []generate.Kept
	for i := range 4 {
		all = append(all, generate.Kept{Sequence: call(t, i), Reason: generate.NewCoverage})
		try.costs[all[i].Sequence.Key()] = cost{steps: replayedSteps / 2}
	}
	if got := len(try.selectKept(all)); got != 3 {
		t.Errorf("%d are replayed, want 3: the third one goes beyond the limit", got)
	}
}

// A burstPlayer plays each sequence, and notes whether in a time bubble.
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

func (p burstPlayer) Variables(context.Context, uint64) ([]replay.Variable, error) { return nil, nil }

// TestExecute: a module that does not work in time bubbles is told from its outcomes.
func TestExecute(t *testing.T) {
	var seen []bool
	var of spectra.Pair[replay.Player]
	of.Old.Compare.Bubbles, of.New.Compare.Bubbles = true, true
	players := env.PlayersBy(of, func(s spectra.Side, _ int, own *replay.Player) env.Player {
		if s != spectra.Old {
			t.Errorf("sequences are tried on the %s version", s)
		}
		return burstPlayer{own.Compare.Bubbles, own.Limits, &seen}
	})
	batch := []sequence.Sequence{call(t, 1), call(t, 2), call(t, 3)}
	try := newTryout(&task{env: &env.Environment{}}, nil, players)
	if _, err := try.execute(context.Background(), batch); !errors.Is(err, errBubble) {
		t.Errorf("got %v, want %v", err, errBubble)
	}
	seen = nil
	try.players = players.WithoutBubbles()
	outcomes, err := try.execute(context.Background(), batch)
	if err != nil || len(outcomes) != 3 || slices.Contains(seen, true) || len(seen) != 2 {
		t.Errorf("without bubbles: %d outcomes, error %v, in bubbles %v", len(outcomes), err, seen)
	}
	if got := try.costs[batch[2].Key()]; got.steps != 7 || got.waited {
		t.Errorf("the third cost %+v, want 7 steps", got)
	}
	if !players.Bubbles() {
		t.Error("the players that the others were made from changed")
	}
}
