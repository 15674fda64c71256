package replay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Hands are other machines, which do tasks. Their methods may be called from several goroutines.
type Hands interface {
	// Slots returns how many tasks they can do at the same time now.
	Slots() int

	// Do does a task, and hands what the drivers gave to a function, whose error says that it is no result, or that it
	// is Discarded. If Do fails, somebody else must do the task. The cause of its context is ErrOvertaken where
	// somebody did.
	Do(ctx context.Context, t *Task, read func(replies []byte) error) error
}

// ErrOvertaken is the cause that ends a task of hands that was done here meanwhile.
var ErrOvertaken = errors.New("it was done here before any worker had done it")

// A Discarded is the error for a result of another machine that is one, but not used here, such as one that depends on
// the machine. It says nothing against that.
type Discarded struct{ Why error }

func (d Discarded) Error() string { return d.Why.Error() }

// Unwrap returns why it is not used.
func (d Discarded) Unwrap() error { return d.Why }

// A handed is a player of a worker beyond those of this machine. It has other machines play, and plays here what they
// don't manage, with a worker of this machine.
type handed struct {
	*Player
	workers *Workers
}

// errClock is the error for what is decided by how fast another machine is, how much it has to do, or how much memory.
var errClock = errors.New("a limit ended it on the worker, which may be slower than this machine or have less memory")

// Play plays the sequences elsewhere, unless they need what is on this machine alone.
func (h handed) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	here := func(ctx context.Context, worker int) played { return h.here(ctx, worker, sequences, mode, seed) }
	if h.Go != nil || h.Writes || h.shown != nil {
		return h.borrowed(ctx, here)
	}
	before, stop := h.untilOver(ctx)
	defer stop()
	there, end := context.WithCancelCause(before)
	defer end(nil)
	away := make(chan played, 1)
	go func() { away <- h.there(there, sequences, mode, seed) }()
	r, done := h.first(ctx, away, end, here)
	switch {
	case r.err == nil || done:
		return r.list, r.err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case before.Err() != nil: // as Player.Play, which then plays no more
		return nil, nil
	}
	h.workers.Detailf("played here, because %v", r.err)
	return h.borrowed(ctx, here)
}

// A played is what came of a play.
type played struct {
	list []Played
	err  error
}

// there plays the sequences elsewhere.
func (h handed) there(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) (r played) {
	own := *h.Player
	r.err = h.workers.Hands.Do(ctx, own.Task(sequences, mode, seed), func(replies []byte) (err error) {
		r.list, err = own.Read(replies, sequences, mode)
		if err == nil && slices.ContainsFunc(r.list, func(p Played) bool { return p.Clock != "" }) {
			err = Discarded{errClock}
		}
		return err
	})
	return r
}

// here plays the sequences with a worker of this machine.
func (h handed) here(
	ctx context.Context, worker int, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) (r played) {
	own := *h.Player
	if n := len(h.workers.Sandboxes); n > 0 {
		own.Sandbox = h.workers.Sandboxes[worker%n]
	}
	r.list, r.err = own.Play(ctx, sequences, mode, seed)
	return r
}

// borrowed waits for a worker of this machine, and plays with it: as many plays as hands have slots may come back from
// them at once.
func (h handed) borrowed(
	ctx context.Context, here func(ctx context.Context, worker int) played,
) ([]Played, error) {
	worker, give, err := borrowWorker(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	r := here(ctx, worker)
	return r.list, r.err
}

// late is how long hands may be at a task before it is done here as well.
const late = 15 * time.Second

// first waits for what the hands play. When they are late, and nothing else is left to begin here, the same is played
// here as well, and what comes first counts: both are the same. Done says that it was played here.
func (h handed) first(
	ctx context.Context, away <-chan played, end context.CancelCauseFunc,
	here func(ctx context.Context, worker int) played,
) (r played, done bool) {
	patient := cmp.Or(h.workers.late, late)
	look := time.NewTicker(min(patient, time.Second))
	defer look.Stop()
	for begun := time.Now(); ; {
		select {
		case r = <-away:
			return r, false
		case <-look.C:
		}
		if time.Since(begun) < patient {
			continue
		}
		if worker, give, ok := spareWorker(ctx); ok {
			defer give()
			return race(ctx, away, end, func(ctx context.Context) played { return here(ctx, worker) })
		}
	}
}

// race plays here what hands are at, and returns what comes first.
func race(
	ctx context.Context, away <-chan played, end context.CancelCauseFunc, here func(ctx context.Context) played,
) (r played, done bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	own := make(chan played, 1)
	go func() { own <- here(ctx) }()
	select {
	case r = <-own:
		end(ErrOvertaken)
		<-away
		return r, true
	case r = <-away:
		if r.err == nil {
			stop()
			<-own
			return r, false
		}
	}
	return <-own, true
}

// overLook is the time between two looks at whether the time of the run is over.
const overLook = 50 * time.Millisecond

// untilOver returns a context that also ends when the time of the run is over.
func (h handed) untilOver(ctx context.Context) (context.Context, func()) {
	before, cancel := context.WithCancel(ctx)
	if h.Over == nil {
		return before, cancel
	}
	go func() {
		ticker := time.NewTicker(overLook)
		defer ticker.Stop()
		for before.Err() == nil && !h.Over() {
			select {
			case <-before.Done():
			case <-ticker.C:
			}
		}
		cancel()
	}()
	return before, cancel
}
