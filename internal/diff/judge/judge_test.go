package judge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A play is a request to a fake player to play one sequence.
type play struct {
	side  spectra.Side
	index int // of the sequence
	mode  wire.Mode
	seed  uint64
	alone bool // in a process of its own
}

// A fake plays sequences by calling a function, which returns spectra in the notation of difftest. It
// counts the requests.
type fake struct {
	spectrum func(play) string
	indexes  map[sequence.Key]int
	broken   error // returned for every request
	nodes    int64 // of the states of a recorded sequence
	before   bool  // changed code ran before every sequence

	lock  sync.Mutex
	plays []play
}

type fakePlayer struct {
	*fake
	side spectra.Side
}

func (p fakePlayer) Play(
	_ context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]replay.Played, error) {
	var list []replay.Played
	for _, q := range sequences {
		if p.broken != nil {
			return nil, p.broken
		}
		index, ok := p.indexes[q.Key()]
		if !ok { // a shorter or simpler sequence, which shows nothing
			list = append(list, replay.Played{Spectrum: difftest.Spectrum("m.F(a=1) ->")})
			continue
		}
		asked := play{p.side, index, mode, seed, len(sequences) == 1}
		p.lock.Lock()
		p.plays = append(p.plays, asked)
		p.lock.Unlock()
		list = append(list,
			replay.Played{
				Spectrum: difftest.Spectrum(p.spectrum(asked)), Calls: 1, Nodes: p.nodes,
				Coverage: []uint32{uint32(index)}, Counted: !p.before,
			})
	}
	return list, nil
}

func (p fakePlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// seeds returns the number of seeds under which a sequence was played alone on the new version.
func (f *fake) seeds(index int) int {
	seeds := map[uint64]bool{}
	for _, p := range f.plays {
		if p.index == index && p.alone && p.side == spectra.New {
			seeds[p.seed] = true
		}
	}
	return len(seeds)
}

// subject returns a Subject of n sequences with one call each, played by a fake. The functions m.F and
// m.G are changed.
func subject(t *testing.T, n int, spectrum func(play) string) (*judge.Subject, *fake) {
	t.Helper()
	f := &fake{spectrum: spectrum, indexes: map[sequence.Key]int{}}
	s := &judge.Subject{
		Patched: true,
		Watched: spectra.Pair[map[uint32]bool]{Old: map[uint32]bool{0: true}, New: map[uint32]bool{0: true}},
		Matched: map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H"},
		Causes: root.Changes{Functions: []root.Function{
			{Symbol: "m.F", Change: spectra.ChangeModified}, {Symbol: "m.G", Change: spectra.ChangeModified},
		}},
	}
	for i := range n {
		q, err := sequence.Parse(fmt.Sprintf("%s\nv0 := m.F(%d)\n", sequence.Header, i))
		if err != nil {
			t.Fatal(err)
		}
		f.indexes[q.Key()] = i
		s.Sequences = append(s.Sequences, selection.Sequence{Sequence: q, Steps: 1})
	}
	s.Players = replay.PlayersBy(spectra.Pair[replay.Player]{},
		func(side spectra.Side, _ int, _ *replay.Player) replay.VersionPlayer {
			return fakePlayer{f, side}
		})
	return s, f
}

// judgeAll runs both stages: Play and Judge.
func judgeAll(t *testing.T, s *judge.Subject, jobs int) *judge.Judged {
	t.Helper()
	e := &replay.Workers{Jobs: jobs}
	played, err := judge.Play(context.Background(), e, s)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := judge.Judge(context.Background(), e, played)
	if err != nil {
		t.Fatal(err)
	}
	return judged
}

// render returns the roots and the sequences that were judged as a text.
func render(j *judge.Judged) string {
	var lines []string
	for _, e := range j.Findings {
		lines = append(lines, fmt.Sprintf("root %s in %d", e.Blamed.Symbol, e.Sequences))
	}
	for _, s := range j.Suspects {
		v := j.Verdicts[s.Index]
		switch {
		case v == nil:
			lines = append(lines, fmt.Sprintf("%d not judged", s.Index))
		case v.Confirmed():
			kinds := []string{}
			for _, d := range v.Comparison.Deviations {
				kinds = append(kinds, fmt.Sprintf("%s of %s", d.Kind, d.Function))
			}
			lines = append(lines, fmt.Sprintf("%d confirmed: %s", s.Index, strings.Join(kinds, ", ")))
		default:
			lines = append(lines, fmt.Sprintf("%d refuted", s.Index))
		}
	}
	return strings.Join(lines, "\n")
}

// of returns one of the two spectra, by the version that plays.
func of(p play, old, new string) string {
	if p.side == spectra.Old {
		return old
	}
	return new
}

// rarely returns a value that differs on new, and varies there, under fewer than a third of the seeds.
func rarely(p play) string {
	if p.seed%10 >= 3 && p.seed%10 < 6 {
		return of(p, "2", "9")
	}
	return of(p, "2", "8")
}

var cases = []struct {
	reason   string
	spectrum func(play) string
	want     string
}{
	{"equal versions have no suspects", func(play) string { return "m.F(a=1) -> ret0=2" }, ""},
	{
		"a function that returns another value is the root",
		func(p play) string { return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3") },
		"root m.F in 2\n0 confirmed: container of m.F\n1 confirmed: container of m.F",
	},
	{
		"what differs between runs of both versions is noise",
		func(p play) string { return fmt.Sprintf("m.F(a=1) -> ret0=%d%s", p.seed, of(p, "0", "1")) },
		"0 refuted\n1 refuted",
	},
	{
		"what differs only among others in one process is not confirmed",
		func(p play) string {
			if p.alone {
				return "m.F(a=1) -> ret0=2"
			}
			return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3")
		},
		"0 refuted\n1 refuted",
	},
	{
		"noise in one value leaves a deviation in another one",
		func(p play) string {
			return fmt.Sprintf("m.F(a=1) -> ret0=%d ret1=%s", p.seed, of(p, "1", "2"))
		},
		"root m.F in 2\n0 confirmed: container of m.F\n1 confirmed: container of m.F",
	},
	{
		"what only new is unstable in is a kind of its own",
		func(p play) string {
			return of(p, "m.F(a=1) -> ret0=2", fmt.Sprintf("m.F(a=1) -> ret0=%d", 100+p.seed))
		},
		"root m.F in 2\n0 confirmed: nondeterminism of m.F\n1 confirmed: nondeterminism of m.F",
	},
	{
		"what only new is unstable in, and not under the main seed",
		func(p play) string {
			if p.side == spectra.New && p.seed%2 != wire.MainSeed%2 {
				return "m.F(a=1) -> ret0=9"
			}
			return "m.F(a=1) -> ret0=2"
		},
		"root m.F in 2\n0 confirmed: nondeterminism of m.F\n1 confirmed: nondeterminism of m.F",
	},
	{
		"what new shows under few seeds may be old's as well",
		func(p play) string {
			if p.side == spectra.New && p.seed%16 == 3 {
				return "m.F(a=1) -> ret0=9"
			}
			return "m.F(a=1) -> ret0=2"
		},
		"0 refuted\n1 refuted",
	},
	{
		"what new shows under a third of the seeds is new where nothing else varies",
		func(p play) string { return "m.F(a=1) -> ret0=" + rarely(p) },
		"root m.F in 2\n0 confirmed: nondeterminism of m.F\n1 confirmed: nondeterminism of m.F",
	},
	{
		"also where only calls of what it was handed show it",
		func(p play) string { return "m.F(a=1) -> ret0=1\nstub 1\nstub " + rarely(p) },
		"root m.F in 2\n0 confirmed: nondeterminism of \n1 confirmed: nondeterminism of ",
	},
	{
		"or results of functions without probes",
		func(p play) string { return "m.F(a=1) -> ret0=1\n--\nresult " + rarely(p) },
		"root m.F in 2\n0 confirmed: nondeterminism of \n1 confirmed: nondeterminism of ",
	},
	{
		"where something varies in old, so may this",
		func(p play) string { return fmt.Sprintf("m.F(a=1) -> ret0=%s ret1=%d", rarely(p), p.seed) },
		"0 refuted\n1 refuted",
	},
	{
		"a clock proves nothing",
		func(p play) string { return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3\nend timeout") },
		"",
	},
}

func TestJudge(t *testing.T) {
	for _, c := range cases {
		t.Run(c.reason, func(t *testing.T) {
			for _, jobs := range []int{1, 3} {
				s, _ := subject(t, 2, c.spectrum)
				if got := render(judgeAll(t, s, jobs)); got != c.want {
					t.Errorf("%d workers: got\n%s\nwant\n%s", jobs, got, c.want)
				}
			}
		})
	}
}

// TestSeeds checks that the number of seeds under which a suspect is played depends on what varies, in it
// and elsewhere.
func TestSeeds(t *testing.T) {
	for _, c := range []struct {
		reason   string
		patched  bool
		spectrum func(play) string
		want     int // number of seeds for sequence 0, the main one included
	}{
		{"nothing varies", true, func(p play) string { return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3") }, 3},
		{"something in it varies", true, func(p play) string {
			return fmt.Sprintf("m.F(a=1) -> ret0=%d ret1=%s", p.seed, of(p, "1", "2"))
		}, 5},
		{"what deviates varies in another sequence", true, func(p play) string {
			if p.index == 1 {
				return fmt.Sprintf("m.F(a=1) -> ret0=%d", p.seed)
			}
			return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3")
		}, 17},
		{"chance decides every run", false, func(p play) string {
			return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3")
		}, 13},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s, f := subject(t, 2, c.spectrum)
			s.Patched = c.patched
			judgeAll(t, s, 1)
			if got := f.seeds(0); got != c.want {
				t.Errorf("played under %d seeds, want %d", got, c.want)
			}
		})
	}
}

// TestVariesElsewhere: what stays the same in many runs of one sequence is believed, whatever varies in another one.
func TestVariesElsewhere(t *testing.T) {
	for _, patched := range []bool{true, false} {
		s, f := subject(t, 2, func(p play) string {
			if p.index == 1 && p.alone {
				return fmt.Sprintf("m.F(a=1) -> ret0=%d%s", p.seed, of(p, "0", "1"))
			}
			return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3")
		})
		s.Patched = patched
		const want = "root m.F in 2\n0 confirmed: container of m.F\n1 refuted"
		if got := render(judgeAll(t, s, 1)); got != want || f.seeds(0) != 17 {
			t.Errorf("patched %v: under %d seeds\n%s", patched, f.seeds(0), got)
		}
	}
}

// TestSeedsOfUnchanged: what begins in code that did not change may depend on one bit of chance, also where a
// dependency in another version could be the reason.
func TestSeedsOfUnchanged(t *testing.T) {
	for reason, modules := range map[string][]root.Module{
		"nothing explains it":   nil,
		"a dependency could do": {{Upgrade: diff.Upgrade{Path: "a.org/d"}, Users: []spectra.Symbol{"m.H"}}},
	} {
		t.Run(reason, func(t *testing.T) {
			s, f := subject(t, 1, func(p play) string { return of(p, "m.H(a=1) -> ret0=2", "m.H(a=1) -> ret0=3") })
			s.Causes.Modules = modules
			judgeAll(t, s, 1)
			if got := f.seeds(0); got != 17 {
				t.Errorf("played under %d seeds, want 17", got)
			}
		})
	}
}

// TestSuspects checks that of suspects that look alike only a few are judged, and the others share their
// verdict.
func TestSuspects(t *testing.T) {
	s, f := subject(t, 300, func(p play) string {
		function := []string{"m.F", "m.G"}[p.index%2]
		return function + of(p, "(a=1) -> ret0=2", "(a=1) -> ret0=3")
	})
	j := judgeAll(t, s, 2)
	if len(j.Suspects) != 300 || len(j.Verdicts) != 8 {
		t.Errorf("%d suspects, %d judged; want 300 and 8, four of each kind", len(j.Suspects), len(j.Verdicts))
	}
	if j.Tally.Covering != 1 || j.Tally.Executions != 600 {
		t.Errorf("%d sequences ran changed code in %d executions, want 1 and 600", j.Tally.Covering, j.Tally.Executions)
	}
	recorded := map[int]int{}
	for _, p := range f.plays {
		if !p.alone && p.mode == wire.ModeDigests && p.side == spectra.New {
			recorded[p.index]++
		}
	}
	for i := range 300 {
		want := 1 // under the main seed
		if i < selection.FirstWave*selection.ChunkSize {
			want = 2 // and under another one, because nothing was known of its kind
		}
		if recorded[i] != want {
			t.Fatalf("sequence %d was recorded %d times, want %d", i, recorded[i], want)
		}
	}
}

// TestCounted: a clock decides how many suspects that look alike are judged only in a run that does not count its
// sequences.
func TestCounted(t *testing.T) {
	for _, counted := range []bool{false, true} {
		e, late := &replay.Workers{Jobs: 1}, false
		s, _ := subject(t, 20, func(p play) string {
			if p.alone && p.mode == wire.ModeValues && !late {
				late = true
				time.Sleep(100 * time.Millisecond)
				e.Limit(time.Hour) // not all of the time is up
			}
			return of(p, "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3")
		})
		s.Counted = counted
		played, err := judge.Play(t.Context(), e, s)
		if err != nil {
			t.Fatal(err)
		}
		late = false
		e.Limit(400 * time.Millisecond)
		judged, err := judge.Judge(t.Context(), e, played)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1, true: 4}[counted]; len(judged.Verdicts) != want {
			t.Errorf("counted %v: %d suspects were judged, want %d", counted, len(judged.Verdicts), want)
		}
	}
}

// TestHeavySuspects checks that a suspect that took many steps is judged once, and only if there is no
// other.
func TestHeavySuspects(t *testing.T) {
	s, _ := subject(t, 4, func(p play) string {
		return []string{"m.F", "m.F", "m.G", "m.G"}[p.index] + of(p, "(a=1) -> ret0=2", "(a=1) -> ret0=3")
	})
	for _, i := range []int{0, 2, 3} {
		s.Sequences[i].Steps = int64(100_000 + i)
	}
	j := judgeAll(t, s, 1)
	var judged []int
	for i := range s.Sequences {
		if j.Verdicts[i] != nil {
			judged = append(judged, i)
		}
	}
	if !slices.Equal(judged, []int{1, 2}) {
		t.Errorf("judged %v, want 1, the light one of F, and 2, the lighter one of G", judged)
	}
}

// TestValuesTooLarge checks that a sequence which can't be recorded with values is judged by digests.
func TestValuesTooLarge(t *testing.T) {
	s, f := subject(t, 1, nil)
	f.spectrum = func(p play) string {
		text := of(p, "m.F(a=1) -> ret0=2 #digests", "m.F(a=1) -> ret0=3 #digests")
		if p.mode == wire.ModeValues {
			return text + "\nend timeout"
		}
		return text
	}
	j := judgeAll(t, s, 1)
	want := "root m.F in 1\n0 confirmed: container of m.F"
	if got := render(j); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPlayFails checks that the error of a player ends the stage, and is returned as it is.
func TestPlayFails(t *testing.T) {
	s, f := subject(t, 3, func(play) string { return "m.F(a=1) -> ret0=2" })
	f.broken = errors.New("no driver")
	if _, err := judge.Play(context.Background(), &replay.Workers{}, s); !errors.Is(err, f.broken) {
		t.Errorf("got %v, want the player's error", err)
	}
}
