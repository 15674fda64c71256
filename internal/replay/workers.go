package replay

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Workers divide the work of a run. Each worker has a sandbox of its own. Pieces of work are numbered, so results never
// depend on which worker is faster. The zero Workers do one piece at a time and log nothing.
type Workers struct {
	Jobs      int                // workers; at least 1
	Sandboxes []*sandbox.Sandbox // of the workers
	Hands     Hands              // other machines, which are more workers; nil: none
	Temp      string             // folder for files of the run
	Verbose   bool               // Log also gets details, such as code without instrumentation

	Timed func(Clock) // called for each sequence that a clock ended here, from several goroutines; nil: nobody is told

	// Progress is called at the start of each stage and during it; total is 0 if it is not known. Log gets one line
	// without a line end. Both may be nil, and both may be called from several goroutines.
	Progress func(stage string, done, total int)
	Log      func(format string, args ...any)

	clock    *clock
	deadline atomic.Pointer[time.Time] // when the run stops playing; nil: never
	ended    atomic.Bool               // it stops now
	late     time.Duration             // of hands; tests have less
	large    sync.Mutex                // held while a large recording is decoded, so that only one is at a time
}

// Logf writes one line of the log.
func (w *Workers) Logf(format string, args ...any) {
	if w.Log != nil {
		w.Log(format, args...)
	}
}

// Detailf writes one line of the log if Verbose is set.
func (w *Workers) Detailf(format string, args ...any) {
	if w.Verbose {
		w.Logf(format, args...)
	}
}

// Report reports the progress of a stage. The total is 0 if it is not known.
func (w *Workers) Report(stage string, done, total int) {
	if w.Progress != nil {
		w.Progress(stage, done, total)
	}
}

// Both calls do for both versions at the same time and returns the two results.
func Both[T any](ctx context.Context, do func(context.Context, spectra.Side) (T, error)) (spectra.Pair[T], error) {
	var results spectra.Pair[T]
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range spectra.Sides() {
		g.Go(func() (err error) {
			*results.Of(s), err = do(ctx, s)
			return err
		})
	}
	return results, g.Wait()
}

// Each does n pieces of work, several at the same time. Each piece gets the number of its worker and may use that
// worker's sandbox. Workers beyond Jobs are hands: what they play is played elsewhere. Each reports the number of
// finished pieces as progress of the stage, unless stage is "". The first error ends all.
func (w *Workers) Each(
	ctx context.Context, n int, stage string, do func(ctx context.Context, worker, i int) error,
) error {
	return w.each(ctx, n, stage, w.newTurns(w.Hands), do)
}

// EachHere is Each without hands, for pieces that do more than play.
func (w *Workers) EachHere(
	ctx context.Context, n int, stage string, do func(ctx context.Context, worker, i int) error,
) error {
	return w.each(ctx, n, stage, w.newTurns(nil), do)
}

func (w *Workers) each(
	ctx context.Context, n int, stage string, free *turns, do func(ctx context.Context, worker, i int) error,
) error {
	done := make(chan int, n)
	ctx, span := spans.Start(w.within(ctx), "each", trace.WithAttributes(
		attribute.String("stage", stage), attribute.Int("pieces", n)))
	defer span.End()
	g, ctx := errgroup.WithContext(ctx)
	for i := range n {
		worker := free.take(i == n-1)
		g.Go(func() error {
			defer free.give(worker)
			ctx := context.WithValue(ctx, turnKey{}, turn{free, worker})
			ctx, span := spans.Start(ctx, "piece", trace.WithAttributes(
				attribute.Int("index", i), attribute.Int("worker", worker)))
			defer span.End()
			err := do(ctx, worker, i)
			done <- i
			if stage != "" {
				w.Report(stage, len(done), n)
			}
			return err
		})
	}
	return g.Wait()
}

// largeEvents is the size of events in bytes from which a recording is decoded alone. As trees they take about twenty
// times as much memory.
const largeEvents = 4 << 20

// Alone waits until no other large recording is being decoded, if the given ones are large. The caller must call end
// when it is done with them.
func (w *Workers) Alone(list ...*Played) (end func()) {
	size := 0
	for _, p := range list {
		size += len(p.Events())
	}
	if size < largeEvents {
		return func() {}
	}
	w.large.Lock()
	return w.large.Unlock
}

// Limit sets the time that playing may take from now on.
func (w *Workers) Limit(d time.Duration) { w.stopAt(time.Now().Add(d)) }

func (w *Workers) stopAt(at time.Time) { w.deadline.Store(&at) }

// Shorten sets that time where less is left of the limit that is set already.
func (w *Workers) Shorten(d time.Duration) {
	if until := w.deadline.Load(); until == nil || time.Now().Add(d).Before(*until) {
		w.Limit(d)
	}
}

// Reserve keeps a part of the time that is left for later, half of it at most, until the function that it returns is
// called.
func (w *Workers) Reserve(d time.Duration) (back func()) {
	until := w.deadline.Load()
	if until == nil {
		return func() {}
	}
	w.stopAt(until.Add(-max(0, min(d, time.Until(*until)/2))))
	return func() { w.deadline.Store(until) }
}

// Unlimited takes the limit back.
func (w *Workers) Unlimited() { w.deadline.Store(nil) }

// End makes the run stop playing now. Any goroutine may call it.
func (w *Workers) End() { w.ended.Store(true) }

// Over reports whether that time is up. What was played until then is judged and reported.
func (w *Workers) Over() bool {
	until := w.deadline.Load()
	return w.ended.Load() || until != nil && time.Now().After(*until)
}

// Left returns how long it takes until then, no more than most; with no limit that is most.
func (w *Workers) Left(most time.Duration) time.Duration {
	until := w.deadline.Load()
	if until == nil {
		return most
	}
	return max(0, min(most, time.Until(*until)))
}

// Part returns whether one of so many equal parts of the time that is left now is over; without a limit it never is.
func (w *Workers) Part(of int) (over func() bool) {
	until := w.deadline.Load()
	if until == nil {
		return w.Over
	}
	end := time.Now().Add(time.Until(*until) / time.Duration(of))
	return func() bool { return w.Over() || time.Now().After(end) }
}

// Stopwatch returns a function that returns the time since the call of Stopwatch.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
