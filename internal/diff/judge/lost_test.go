package judge_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// never is longer than any limit.
const never = 1000 * time.Hour

// A request is one run of a sequence of one call.
type request struct {
	side  spectra.Side
	index int
	nth   int // of the runs of this sequence on this version, from 0
	seed  uint64
}

// A clocked plays sequences whose calls take time. It is told by a function which clock would end a call, and how much
// of it the call takes.
type clocked struct {
	takes func(request) (replay.Clock, time.Duration)

	lock   sync.Mutex
	runs   map[request]int // with nth 0 and no seed
	waited time.Duration
}

type clockedPlayer struct {
	*clocked
	side   spectra.Side
	limits replay.Limits
}

func (p clockedPlayer) Play(
	_ context.Context, sequences []sequence.Sequence, _ wire.Mode, seed uint64,
) ([]replay.Played, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	var list []replay.Played
	for _, q := range sequences {
		if len(q.Statements) == 0 { // a shorter sequence, which shows nothing
			list = append(list, replay.Played{Spectrum: &spectra.Spectrum{}})
			continue
		}
		var index int
		if _, err := fmt.Sscan(q.Statements[0].Args[0].Text, &index); err != nil {
			return nil, err
		}
		of := request{side: p.side, index: index}
		asked := of
		asked.nth, asked.seed = p.runs[of], seed
		p.runs[of]++
		function := q.Statements[0].Op
		clock, took := p.takes(asked)
		if took <= p.limits.Of(clock) {
			text := fmt.Sprintf("%s(a=%d) -> ret0=1", function, index)
			list = append(list, replay.Played{Spectrum: difftest.Spectrum(text)})
			continue
		}
		p.waited += p.limits.Of(clock)
		text := fmt.Sprintf("%s(a=%d) -> !open\nend timeout", function, index)
		list = append(list, replay.Played{Spectrum: difftest.Spectrum(text), Clock: clock})
		if p.limits.Losses == 1 {
			break
		}
	}
	return list, nil
}

func (p clockedPlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// clockedSubject returns a Subject of n sequences that call m.F and m.G in turns.
func clockedSubject(
	t *testing.T, n int, takes func(request) (replay.Clock, time.Duration),
) (*judge.Subject, *clocked) {
	t.Helper()
	s, _ := subject(t, 0, nil)
	s.Budget = 5 * time.Second
	s.Operations = map[string]spectra.Symbol{"m.F": "m.F", "m.G": "m.G"}
	for i := range n {
		q, err := sequence.Parse(fmt.Sprintf("%s\nv0 := m.%c(%d)\n", sequence.Header, 'F'+i%2, i))
		if err != nil {
			t.Fatal(err)
		}
		s.Sequences = append(s.Sequences, selection.Sequence{Sequence: q, Steps: 1})
	}
	c := &clocked{takes: takes, runs: map[request]int{}}
	of := spectra.Both(replay.Player{Limits: replay.DefaultLimits()})
	s.Players = replay.PlayersBy(of, func(side spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
		return clockedPlayer{c, side, own.Limits}
	})
	return s, c
}

// hangs returns how long calls take that never end on one version, from the fourth on.
func hangs(side spectra.Side, clock replay.Clock) func(request) (replay.Clock, time.Duration) {
	return func(r request) (replay.Clock, time.Duration) {
		if r.side == side && r.index >= 4 {
			return clock, never
		}
		return clock, 0
	}
}

// TestLost checks what becomes of sequences that clocks end.
func TestLost(t *testing.T) {
	const both = "root m.F in 1\nroot m.G in 1\n"
	for _, c := range []struct {
		reason string
		n      int
		takes  func(request) (replay.Clock, time.Duration)
		want   string
		left   judge.Uncompared
	}{
		{
			"what waits for ever on new alone deviates, and what calls the same is not played any more", 20,
			hangs(spectra.New, replay.Waiting),
			"root m.F in 3\nroot m.G in 3\n4 confirmed: exit of m.F\n6 not judged\n8 not judged\n" +
				"5 confirmed: exit of m.G\n7 not judged\n9 not judged",
			judge.Uncompared{Unplayed: 10, Skipped: []string{"m.F", "m.G"}},
		},
		{
			"an endless loop in code that counts no steps, too", 6, hangs(spectra.New, replay.Processor),
			both + "4 confirmed: exit of m.F\n5 confirmed: exit of m.G", judge.Uncompared{},
		},
		{
			"that it ends now is a deviation as well", 6, hangs(spectra.Old, replay.Processor),
			both + "4 confirmed: exit of m.F\n5 confirmed: exit of m.G", judge.Uncompared{},
		},
		{
			"what does not end once, among others, is none", 6,
			func(r request) (replay.Clock, time.Duration) {
				if r.side == spectra.New && r.index == 4 && r.nth == 0 {
					return replay.Processor, never
				}
				return replay.Processor, 0
			},
			"", judge.Uncompared{},
		},
		{
			"what takes no more than the longer limit is none", 6,
			func(r request) (replay.Clock, time.Duration) {
				if r.side == spectra.New && r.index >= 4 {
					return replay.Processor, time.Duration(r.index-3) * 5 * time.Second
				}
				return replay.Processor, 0
			},
			"", judge.Uncompared{},
		},
		{
			"neither version ends", 20,
			func(r request) (replay.Clock, time.Duration) { return replay.Waiting, never },
			"", judge.Uncompared{Alike: 6, Unplayed: 14, Skipped: []string{"m.F", "m.G"}},
		},
		{
			"the clock on the wall proves nothing", 5, hangs(spectra.New, replay.Wall),
			"", judge.Uncompared{Lost: 1, Changed: 1, At: []string{"m.F"}},
		},
		{
			"nor does what the old version may do as well", 5,
			func(r request) (replay.Clock, time.Duration) {
				if r.index == 4 && (r.side == spectra.New || r.seed != wire.MainSeed && r.nth > 0) {
					return replay.Processor, never
				}
				return replay.Processor, 0
			},
			"", judge.Uncompared{Lost: 1, Changed: 1, At: []string{"m.F"}},
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s, _ := clockedSubject(t, c.n, c.takes)
			j := judgeAll(t, s, 1)
			if got := render(j); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if d := cmp.Diff(c.left, j.Uncompared); d != "" {
				t.Errorf("left: %s", d)
			}
		})
	}
}

// TestLostChanged checks that sequences are told apart that may run changed code.
func TestLostChanged(t *testing.T) {
	s, _ := clockedSubject(t, 4, func(request) (replay.Clock, time.Duration) { return replay.Wall, never })
	s.Causes.Functions = nil
	if j := judgeAll(t, s, 1); j.Uncompared.Changed != 0 {
		t.Errorf("left %+v: nothing changed", j.Uncompared)
	}
	s.Sequences[0].Changed = true
	if j := judgeAll(t, s, 1); j.Uncompared.Changed != 1 {
		t.Errorf("left %+v: want one that may run changed code", j.Uncompared)
	}
}

// TestLostWorkers checks that what is lost and what is not played does not depend on how many workers there are, and
// that the time for waiting is bounded.
func TestLostWorkers(t *testing.T) {
	var first string
	for _, jobs := range []int{1, 2, 7} {
		s, c := clockedSubject(t, 3000, func(r request) (replay.Clock, time.Duration) {
			if r.side == spectra.New && r.index%150 > 140 {
				return replay.Waiting, never
			}
			return replay.Waiting, 0
		})
		j := judgeAll(t, s, jobs)
		got := fmt.Sprintf("%s\n%+v\n%+v", render(j), j.Uncompared, j.Losses)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("with %d workers: %s", jobs, cmp.Diff(strings.Split(first, "\n"), strings.Split(got, "\n")))
		}
		if c.waited > time.Minute {
			t.Errorf("with %d workers: %v was waited", jobs, c.waited)
		}
	}
}

// TestOver checks that nothing is played when the time of the run is up, and that it is counted.
func TestOver(t *testing.T) {
	s, c := clockedSubject(t, 250, hangs(spectra.New, replay.Waiting))
	s.Sequences[249].Changed = true
	e := &replay.Workers{}
	e.Limit(-time.Hour)
	played, err := judge.Play(context.Background(), e, s)
	if err != nil {
		t.Fatal(err)
	}
	j, err := judge.Judge(context.Background(), e, played)
	if err != nil {
		t.Fatal(err)
	}
	if want := (judge.Uncompared{Late: 250, Changed: 1}); !cmp.Equal(want, j.Uncompared) || len(j.Unplayed) != 250 ||
		c.waited > 0 {
		t.Errorf("left %+v after %v of waiting, want %+v and none", j.Uncompared, c.waited, want)
	}
	want := []string{"250 sequences were not played: the time was up; a longer --budget or --timeout gives more"}
	if got := j.Uncompared.Warnings(); !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// TestHung checks that a sequence that is known not to end on the old version is waited for no longer than was waited
// when it was made, unless the new version ends.
func TestHung(t *testing.T) {
	s, c := clockedSubject(t, 1, func(request) (replay.Clock, time.Duration) { return replay.Processor, never })
	s.Sequences[0].Hung = true
	j := judgeAll(t, s, 1)
	if want := 2 * replay.GenerationLimits().CPU; c.waited != want || j.Uncompared.Alike != 1 {
		t.Errorf(
			"%v was waited, left %+v; want %v on both versions together, and that they do alike",
			c.waited,
			j.Uncompared,
			want,
		)
	}
	if !slices.Equal(j.Uncompared.Warnings(), []string{
		"1 sequence does not end in either version; it was compared up to there",
	}) {
		t.Errorf("warnings %q", j.Uncompared.Warnings())
	}
}
