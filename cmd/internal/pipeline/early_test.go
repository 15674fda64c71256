package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A stuckBuilder builds until it is told to stop.
type stuckBuilder struct{ begun func() }

func (b *stuckBuilder) BuildBoth(
	ctx context.Context, _ spectra.Pair[build.Request],
) (built spectra.Pair[*build.Binary], err error) {
	b.begun()
	<-ctx.Done()
	return built, ctx.Err()
}

func (b *stuckBuilder) Build(ctx context.Context, _ build.Request) (*build.Binary, error) {
	return nil, ctx.Err()
}

func (b *stuckBuilder) GoTree(context.Context, string, []string, gocommand.Folders) (*build.GoTree, error) {
	return nil, errors.New("there is none")
}

func (b *stuckBuilder) Exports(context.Context, string, []string, gocommand.Folders) (none load.Exports) {
	return none
}

// An endingPlayer plays, and has the run end with the first sequences.
type endingPlayer struct {
	fakePlayer
	ended func()
}

func (p endingPlayer) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]replay.Played, error) {
	p.ended()
	return p.fakePlayer.Play(ctx, sequences, mode, seed)
}

// TestEndsEarly: a run that is told to end makes a report of what is known, which says where it ended.
func TestEndsEarly(t *testing.T) {
	for _, c := range []struct {
		reason, stage string
		builds        bool
		undone        []string
	}{
		{
			"what builds ends at once", "build", true,
			[]string{
				"builds", "generated calls", "roots of generated calls", "proofs", "calls from inside packages",
				"proofs of package variables",
			},
		},
		{
			"what plays ends by itself, and nothing is played after it", "generate", false,
			[]string{"roots of generated calls", "proofs", "calls from inside packages", "proofs of package variables"},
		},
	} {
		end := make(chan struct{})
		ended := sync.OnceFunc(func() { close(end) })
		task := fakeTask(t, commits(t, half, half2), new(fakeBuilder), "v1", "v2")
		if task.cfg.End = end; c.builds {
			task.tools.Builder = &stuckBuilder{ended}
		} else {
			task.tools.Players = func(of spectra.Pair[replay.Player]) *replay.Players {
				return replay.PlayersBy(of, func(s spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
					return endingPlayer{fakePlayer{s, own.Units}, ended}
				})
			}
		}
		r, err := compare(t.Context(), task)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		p := r.Partial
		if p == nil || p.Reason != report.Interrupted || p.Stage != c.stage || !slices.Equal(p.Undone, c.undone) {
			t.Errorf("%s: partial %+v, want stage %s and undone %v", c.reason, p, c.stage, c.undone)
		}
		if r.Verdict != report.Incomplete || r.Exit != 2 {
			t.Errorf("%s: %s with exit %d", c.reason, r.Verdict, r.Exit)
		}
	}
}

// TestTimeIsUpAtOnce: where nothing is known when the time is up, that is the error.
func TestTimeIsUpAtOnce(t *testing.T) {
	task := fakeTask(t, commits(t, half, half2), new(fakeBuilder), "v1", "v2")
	task.cfg.Timeout = 1
	if r, err := compare(t.Context(), task); err == nil && r.Partial == nil || err != nil && !errors.Is(err, ErrEarly) {
		t.Errorf("got %+v, %v; want a partial report, or an error that says why there is none", r, err)
	}
}

// TestInterruptedTrimsNothing: who interrupts a run waits for its end, so what is too much in the cache is left to the
// next run. A run whose time is over removes it.
func TestInterruptedTrimsNothing(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	for _, c := range []struct {
		reason string
		end    <-chan struct{}
		time   time.Duration
		trims  bool
	}{
		{"interrupted", closed, 0, false},
		{"out of time", nil, 1, true},
	} {
		of := cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")}
		full, err := cache.Open(of, nil)
		if err == nil {
			err = full.Keep(cache.Reports, "kept", []byte("text"))
		}
		if err != nil {
			t.Fatal(err)
		}
		full.Finish(t.Context())
		of.Limit = 1
		_, err = Run(t.Context(), Config{
			Dir: commits(t, half, half2), Args: []string{"v1", "v2"}, Sequences: 1, Jobs: 1, NoSandbox: true,
			Drive: []string{DriveAPI}, FailOn: string(report.FailAny), Cache: of, End: c.end, Timeout: c.time,
		})
		if err != nil && !errors.Is(err, ErrEarly) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if _, there := full.Kept(cache.Reports, "kept"); there == c.trims {
			t.Errorf("%s: it is still in the cache: %t", c.reason, there)
		}
	}
}
