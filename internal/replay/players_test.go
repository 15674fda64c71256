package replay_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A meeting is a player of a version that plays as many sequences as it may.
type meeting struct {
	replay.VersionPlayer
	begin func() // called when it begins
	most  int
}

func (m meeting) Play(_ context.Context, list []sequence.Sequence, _ wire.Mode, _ uint64) ([]replay.Played, error) {
	m.begin()
	return make([]replay.Played, min(len(list), m.most)), nil
}

// TestBothTogether checks that both versions play at the same time where a worker has nothing else to do, and one after
// the other where it has not, where there is none, or where the time of old decides how much new plays. What they
// return is the same.
func TestBothTogether(t *testing.T) {
	for _, c := range []struct {
		reason       string
		jobs, pieces int
		timed        bool
		together     bool
	}{
		{"a worker is free", 2, 1, false, true},
		{"there is one worker", 1, 1, false, false},
		{"how long old plays is limited", 2, 1, true, false},
		{"another piece may need the worker", 2, 9, false, false},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var mu sync.Mutex
			var order []spectra.Side
			var arrived sync.WaitGroup
			arrived.Add(2)
			players := replay.PlayersBy(spectra.Pair[replay.Player]{},
				func(s spectra.Side, worker int, _ *replay.Player) replay.VersionPlayer {
					return meeting{most: map[spectra.Side]int{spectra.Old: 3, spectra.New: 2}[s], begin: func() {
						mu.Lock()
						order = append(order, s)
						mu.Unlock()
						if c.together { // each waits for the other
							arrived.Done()
							arrived.Wait()
						}
					}}
				})
			limit := func(p *replay.Player) {
				if c.timed {
					p.Limits.HeldTime = 1
				}
			}
			w := &replay.Workers{Jobs: c.jobs}
			err := w.Each(t.Context(), c.pieces, "", func(ctx context.Context, worker, i int) error {
				if i > 0 {
					return nil
				}
				played, err := players.Both(ctx, worker, make([]sequence.Sequence, 5), wire.ModeDigests, 1, limit)
				if len(played.Old) != 2 || len(played.New) != 2 {
					t.Errorf("%d and %d played, want 2 of each", len(played.Old), len(played.New))
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			if !c.together && c.pieces == 1 && !slices.Equal(order, []spectra.Side{spectra.Old, spectra.New}) {
				t.Errorf("they began in the order %v", order)
			}
		})
	}
}
