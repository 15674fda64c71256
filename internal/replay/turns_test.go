package replay

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// awayHands are hands with so many slots, which fail.
type awayHands int

func (a awayHands) Slots() int { return int(a) }

func (awayHands) Do(context.Context, *Task, func([]byte) error) error {
	return errors.New("all workers are gone")
}

// TestBorrowed: what comes back from many hands at once is played by as many workers as this machine has, each alone.
func TestBorrowed(t *testing.T) {
	w := &Workers{Jobs: 2, Hands: awayHands(64)}
	var mu sync.Mutex
	at, plays := map[int]int{}, 0
	play := func(_ context.Context, worker int) played {
		mu.Lock()
		at[worker]++
		if plays++; at[worker] > 1 || worker >= w.Jobs {
			t.Errorf("worker %d plays %d at the same time", worker, at[worker])
		}
		mu.Unlock()
		for range 100 { // others may begin meanwhile
			runtime.Gosched()
		}
		mu.Lock()
		defer mu.Unlock()
		at[worker]--
		return played{}
	}
	err := w.Each(t.Context(), 64, "", func(ctx context.Context, worker, _ int) error {
		if worker < w.Jobs {
			play(ctx, worker)
			return nil
		}
		_, err := handed{workers: w}.borrowed(ctx, play)
		return err
	})
	if err != nil || plays != 64 {
		t.Errorf("%d plays, %v", plays, err)
	}
}

// TestBorrowedOver: who waits for a worker hears that the run ends.
func TestBorrowedOver(t *testing.T) {
	w := &Workers{Jobs: 1, Hands: awayHands(1)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	err := w.Each(ctx, 2, "", func(ctx context.Context, worker, _ int) error {
		if worker < w.Jobs {
			<-ended
			return nil
		}
		time.AfterFunc(time.Millisecond, cancel)
		defer close(ended)
		_, _, err := borrowWorker(ctx)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A borrowing player is one of hands that never manage, so it borrows a worker of this machine.
type borrowing struct{ VersionPlayer }

func (borrowing) Play(ctx context.Context, _ []sequence.Sequence, _ wire.Mode, _ uint64) ([]Played, error) {
	_, give, err := borrowWorker(ctx)
	if err == nil {
		give()
	}
	return []Played{{}}, err
}

// A playing player plays at once.
type playing struct{ VersionPlayer }

func (playing) Play(context.Context, []sequence.Sequence, wire.Mode, uint64) ([]Played, error) {
	return []Played{{}}, nil
}

// TestBothBorrow: a piece of hands that has the only worker of this machine for new gives it back when that is played:
// hands may not manage old, and wait for it.
func TestBothBorrow(t *testing.T) {
	w := &Workers{Jobs: 1, Hands: awayHands(1)}
	p := PlayersBy(spectra.Pair[Player]{}, func(_ spectra.Side, worker int, _ *Player) VersionPlayer {
		if worker < w.Jobs {
			return playing{}
		}
		return borrowing{}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // it would wait for ever
	defer cancel()
	err := w.Each(ctx, 2, "", func(ctx context.Context, worker, _ int) error {
		if worker < w.Jobs {
			return nil
		}
		for spare := false; !spare && ctx.Err() == nil; runtime.Gosched() { // the other piece has ended
			var give func()
			if _, give, spare = spareWorker(ctx); spare {
				give()
			}
		}
		_, err := p.Both(ctx, worker, make([]sequence.Sequence, 1), wire.ModeDigests, 1)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLate: a task that hands are late with is done here as well, as soon as nothing else is left to begin, and what
// comes first counts.
func TestLate(t *testing.T) {
	const here, there = 1, 2 // how many sequences were played
	for _, c := range []struct {
		reason string
		hung   bool // the hands never end
		fail   bool // they do when it has begun here
		want   int
	}{
		{reason: "they never end", hung: true, want: here},
		{reason: "they are faster", want: there},
		{reason: "they fail", fail: true, want: here},
	} {
		t.Run(c.reason, func(t *testing.T) {
			w := &Workers{Jobs: 1, Hands: awayHands(1), late: time.Millisecond}
			err := w.Each(t.Context(), 2, "", func(ctx context.Context, worker, _ int) error {
				if worker < w.Jobs {
					return nil
				}
				doing, end := context.WithCancelCause(ctx)
				away, begun := make(chan played, 1), make(chan struct{})
				go func() {
					switch <-begun; {
					case c.hung:
						<-doing.Done()
						away <- played{err: doing.Err()}
					case c.fail:
						away <- played{err: errors.New("it failed")}
					default:
						away <- played{list: make([]Played, there)}
					}
				}()
				r, _ := handed{workers: w}.first(ctx, away, end, func(ctx context.Context, worker int) played {
					close(begun)
					if !c.hung && !c.fail {
						<-ctx.Done()
					}
					return played{make([]Played, here), ctx.Err()}
				})
				if len(r.list) != c.want || r.err != nil {
					t.Errorf("%d played, %v", len(r.list), r.err)
				}
				if got := errors.Is(context.Cause(doing), ErrOvertaken); got != c.hung && !c.fail {
					t.Errorf("overtaken: %v", got)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
