package judge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestGlances: where recording is dear, what is not recorded is played all the same, and a few of those that seem to
// deviate alike are recorded. The sequences from 400 on print another text in new, those from 450 on also end.
func TestGlances(t *testing.T) {
	const all, printing, ending = 500, 400, 450
	for _, whole := range []bool{false, true} {
		s, f := subject(t, all, func(p play) string {
			text := "m.F(a=1) -> ret0=1"
			if p.side == spectra.New && p.index >= printing {
				text = strings.Replace(text, "ret0=1", "ret0=2", 1) + "\nstdout other"
			}
			if p.side == spectra.New && p.index >= ending {
				text += "\nend exited"
			}
			if p.mode == wire.ModeOutcomes {
				text = text[strings.Index(text, "\n")+1:]
				if !strings.HasPrefix(text, "stdout") {
					text = ""
				}
			}
			return text
		})
		f.nodes, s.Whole = 1_000_000, whole
		judged := judgeAll(t, s, 2)
		recorded := map[int]bool{}
		for _, i := range f.recorded() {
			recorded[i] = true
		}
		printed, ended := 0, 0
		for i := range recorded {
			switch {
			case i >= ending:
				ended++
			case i >= printing:
				printed++
			}
		}
		got := fmt.Sprint(
			printed,
			ended,
			len(judged.Glanced.Indexes) > 0,
			judged.Glanced.Different,
			len(judged.Findings),
		)
		want := fmt.Sprint(6, 6, true, all-printing-12, 1)
		if whole {
			want = fmt.Sprint(ending-printing, all-ending, false, 0, 1)
		}
		if got != want {
			t.Errorf("whole %v: recorded of those that print, of those that end, glances, different, roots: "+
				"got %s, want %s", whole, got, want)
		}
	}
}

// A losing plays what a fake does, but for calls that do not end on a version while they are recorded.
type losing struct {
	fakePlayer
	ends func(play) bool
}

func (p losing) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) (list []replay.Played, err error) {
	for _, q := range sequences {
		played, err := p.fakePlayer.Play(ctx, []sequence.Sequence{q}, mode, seed)
		if err != nil {
			return nil, err
		}
		list = append(list, played...)
		if index, known := p.indexes[q.Key()]; known && !p.ends(play{side: p.side, index: index, mode: mode}) {
			text := q.Statements[0].Op + "(a=1) -> !open\nend timeout"
			list[len(list)-1] = replay.Played{Spectrum: difftest.Spectrum(text), Clock: replay.Processor}
			break
		}
	}
	return list, nil
}

// TestGlancesWait: how long is waited for what is known not to end says nothing of what is recorded after that. The
// last sequences print another text in new, which does not end while it is recorded; before these some never end.
func TestGlancesWait(t *testing.T) {
	const all, hung, printing = 500, 390, 400
	for _, hangs := range []bool{false, true} {
		s, f := subject(t, all, func(p play) string {
			text := "m.F(a=1) -> ret0=1"
			if p.side == spectra.New && p.index >= printing {
				text += "\nstdout other"
			}
			return text
		})
		f.nodes, s.Budget = 1_000_000, time.Minute
		for i := range s.Sequences {
			function := 'F' + i%2
			if s.Sequences[i].Hung = hangs && i >= hung && i < printing; s.Sequences[i].Hung {
				function = 'H'
			}
			q, err := sequence.Parse(fmt.Sprintf("%s\nv0 := m.%c(%d)\n", sequence.Header, function, i))
			if err != nil {
				t.Fatal(err)
			}
			f.indexes[q.Key()], s.Sequences[i].Sequence = i, q
		}
		s.Players = replay.PlayersBy(spectra.Pair[replay.Player]{},
			func(side spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
				return losing{fakePlayer{f, side}, func(p play) bool {
					lost := p.side == spectra.New && p.index >= printing && p.mode != wire.ModeOutcomes
					return !lost && !s.Sequences[p.index].Hung
				}}
			})
		played, err := judge.Play(t.Context(), &replay.Workers{Jobs: 1}, s)
		if err != nil {
			t.Fatal(err)
		}
		late := 0
		for _, u := range played.Unplayed {
			if u.Operation == "" {
				late++
			}
		}
		if late > 0 || len(played.Losses) == 0 {
			t.Errorf("hangs %v: %d lost, no time for %d", hangs, len(played.Losses), late)
		}
	}
}
