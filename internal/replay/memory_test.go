package replay_test

import (
	"context"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A counter counts plays.
type counter struct {
	replay.VersionPlayer
	plays *int
}

func (c counter) Play(_ context.Context, list []sequence.Sequence, _ wire.Mode, _ uint64) ([]replay.Played, error) {
	*c.plays++
	return make([]replay.Played, len(list)), nil
}

// TestMemory checks that old plays the same batch once and new plays it every time. Another sequence, mode or seed is
// another play.
func TestMemory(t *testing.T) {
	var plays spectra.Pair[int]
	players := replay.PlayersBy(
		spectra.Pair[replay.Player]{},
		func(s spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			return counter{plays: plays.Of(s)}
		},
	)
	var memory replay.Memory
	one := sequence.Sequence{Statements: []sequence.Statement{{Op: "m.F"}}}
	play := func(q sequence.Sequence, mode wire.Mode, seed uint64) {
		t.Helper()
		played, err := memory.With(players).Both(t.Context(), 0, []sequence.Sequence{q}, mode, seed)
		if err != nil || len(played.Old) != 1 || len(played.New) != 1 {
			t.Fatalf("%v, %d and %d played", err, len(played.Old), len(played.New))
		}
	}
	for range 3 {
		play(one, wire.ModeValues, 1)
	}
	if plays != (spectra.Pair[int]{Old: 1, New: 3}) {
		t.Errorf("%+v plays of the same, want one of old and three of new", plays)
	}
	play(one, wire.ModeDigests, 1)
	play(one, wire.ModeValues, 2)
	play(sequence.Sequence{Statements: []sequence.Statement{{Op: "m.G"}}}, wire.ModeValues, 1)
	if plays.Old != 4 {
		t.Errorf("%d plays of old, want four different ones", plays.Old)
	}
}
