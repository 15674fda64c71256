package judge_test

import (
	"context"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A stepping plays sequences that take a number of steps on each version, and end at the limit of steps.
type stepping struct {
	steps  int64
	limits replay.Limits
	slow   bool // a clock ends what takes many steps before, unless it has longer
}

func (p stepping) Play(
	_ context.Context, sequences []sequence.Sequence, _ wire.Mode, _ uint64,
) ([]replay.Played, error) {
	var list []replay.Played
	for range sequences {
		text, clock := "m.F(a=1) -> ret0=1", replay.Clock("")
		switch usual := replay.DefaultLimits(); {
		case p.slow && p.steps > usual.Steps && p.limits.CPU <= usual.CPU:
			text, clock = "m.F(a=1) -> !open\nend timeout", replay.Processor
		case p.steps > p.limits.Steps:
			text = "m.F(a=1) -> !open\nend steps"
		}
		list = append(list, replay.Played{Spectrum: difftest.Spectrum(text), Calls: 1, Clock: clock})
	}
	return list, nil
}

func (p stepping) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// TestStepLimit: that one version uses up its steps is a deviation only if it also does so with many times as many.
func TestStepLimit(t *testing.T) {
	const few = 1000
	usual := replay.DefaultLimits().Steps
	for _, c := range []struct {
		reason   string
		old, new int64
		slow     bool
		findings int
	}{
		{"both end", few, few, false, 0},
		{"new takes a few times as many as it may", few, 3 * usual, false, 0},
		{"old does", 3 * usual, few, false, 0},
		{"new never ends", few, 1000 * usual, false, 1},
		{"neither ends", 1000 * usual, 1000 * usual, false, 0},
		{"a clock is faster, and new takes a few times as many", few, 3 * usual, true, 0},
		{"a clock is faster, and new never ends", few, 1000 * usual, true, 1},
	} {
		s, _ := subject(t, 2, nil)
		of := spectra.Both(replay.Player{Limits: replay.DefaultLimits()})
		s.Players = replay.PlayersBy(of, func(side spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
			if side == spectra.Old {
				return stepping{c.old, own.Limits, c.slow}
			}
			return stepping{c.new, own.Limits, c.slow}
		})
		if got := len(judgeAll(t, s, 1).Findings); got != c.findings {
			t.Errorf("%s: %d findings, want %d", c.reason, got, c.findings)
		}
	}
}

// changed plays what a subject of one sequence plays whose result differs in new.
func changed(p play) string {
	if p.side == spectra.New {
		return "m.F(a=1) -> ret0=2"
	}
	return "m.F(a=1) -> ret0=1"
}

// TestAgainst: an example is compared with another build than new as suspects are compared.
func TestAgainst(t *testing.T) {
	s, _ := subject(t, 1, changed)
	judged := judgeAll(t, s, 1)
	if len(judged.Findings) != 1 {
		t.Fatalf("%d findings, want one", len(judged.Findings))
	}
	for _, c := range []struct {
		reason, result string
		deviates       bool
	}{
		{"a build that does as old does", "1", false},
		{"one that does as new does", "2", true},
		{"one that does something else", "3", true},
	} {
		other, _ := subject(t, 1, func(p play) string {
			if p.side == spectra.New {
				return "m.F(a=1) -> ret0=" + c.result
			}
			return changed(p)
		})
		for _, once := range []bool{false, true} {
			got, err := judged.Against(t.Context(), 0, other.Players, judged.Findings[0], once)
			if err != nil || (len(got.Deviations) > 0) != c.deviates {
				t.Errorf("%s, once %v: %+v, %v", c.reason, once, got, err)
			}
		}
	}
}

// An ended plays nothing more once the time of the run is up.
type ended struct {
	replay.VersionPlayer
	over func(mode wire.Mode) bool
}

func (p ended) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]replay.Played, error) {
	if p.over(mode) {
		return nil, nil
	}
	return p.VersionPlayer.Play(ctx, sequences, mode, seed)
}

// TestTimeUp: suspects that there was no time to judge are no findings, and count as not compared.
func TestTimeUp(t *testing.T) {
	s, f := subject(t, 3, changed)
	alone := 0
	s.Players = replay.PlayersBy(spectra.Pair[replay.Player]{},
		func(side spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			return ended{fakePlayer{f, side}, func(mode wire.Mode) bool {
				if mode == wire.ModeValues {
					alone++
				}
				return alone > 10 // the noise of both versions was measured
			}}
		})
	judged := judgeAll(t, s, 1)
	if len(judged.Findings) != 0 || judged.Uncompared.Lost != 3 || judged.Uncompared.Changed != 3 {
		t.Errorf("%d findings, %+v; want none, and three sequences that were not compared",
			len(judged.Findings), judged.Uncompared)
	}
}

// TestTimeUpLater: whenever the time is up, a sequence that deviates is a finding, or counts as not compared.
func TestTimeUpLater(t *testing.T) {
	found := 0
	for most, whole := 5, false; !whole; most++ {
		s, f := subject(t, 3, changed)
		s.Sequences = s.Sequences[2:] // a call with 2: those with 0 and 1 are simpler, and deviate, too
		plays := 0
		s.Players = replay.PlayersBy(spectra.Pair[replay.Player]{},
			func(side spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
				return ended{fakePlayer{f, side}, func(wire.Mode) bool { plays++; return plays > most }}
			})
		judged := judgeAll(t, s, 1)
		if len(judged.Findings) == 0 && judged.Uncompared.Lost+judged.Uncompared.Late == 0 {
			t.Errorf("after %d plays nothing was found, and nothing counts as lost", most)
		}
		found = max(found, len(judged.Findings))
		if whole = plays <= most; whole && len(judged.Findings) != found {
			t.Errorf("%d findings, and %d when the time was up", len(judged.Findings), found)
		}
	}
}

// TestKindOf: a suspect is described for the log by what seems to deviate in it.
func TestKindOf(t *testing.T) {
	suspect := judge.Suspect{Roots: []judge.SuspectedRoot{{Function: "m.F", Tier: spectra.TierValue}}, Noisy: true}
	if got, want := suspect.String(), "[{m.F value}], output false, noisy true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
