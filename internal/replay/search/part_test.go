package search

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An endlessPlayer plays sequences of which none ends.
type endlessPlayer struct{ played *int }

func (p endlessPlayer) Play(
	_ context.Context, _ []sequence.Sequence, _ wire.Mode, _ uint64,
) ([]replay.Played, error) {
	*p.played++
	end := spectra.End{Kind: wire.EndTimeout}
	return []replay.Played{{Spectrum: &spectra.Spectrum{End: end}, Clock: replay.Waiting}}, nil
}

func (p endlessPlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// endless returns players that play sequences of which none ends, and count them.
func endless(played *int) *replay.Players {
	return replay.PlayersBy(
		spectra.Pair[replay.Player]{},
		func(spectra.Side, int, *replay.Player) replay.VersionPlayer { return endlessPlayer{played} },
	)
}

// TestEndlessPart checks that an operation is no longer called after three calls that did not end. Skipped sequences
// are missing but not lost, and the warnings name the operation.
func TestEndlessPart(t *testing.T) {
	played := 0
	players := endless(&played)
	try := NewTryout(TryoutInput{Players: players, Expired: never, Touched: Touched{Known: true, Brings: nothing}})
	var batch []sequence.Sequence
	for i := range 40 {
		batch = append(batch, call(t, i))
	}
	outcomes, err := try.Execute(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	operation := batch[0].Driven(0)
	missing := len(slices.DeleteFunc(outcomes, func(o generate.Outcome) bool { return !o.Missing }))
	if played != 2*endlessCalls || missing != len(batch)-played || !try.Endless(operation) {
		t.Errorf("%d played, %d missing, %d lost: want three in each of the two parts", played, missing,
			try.lost.Old[operation])
	}
	if got := try.Warnings(); len(got) != 1 {
		t.Errorf("warnings %q, want one", got)
	}
}

// TestEndlessVariants: variants of a test that do not end say nothing of its subtests, although all are calls of it.
func TestEndlessVariants(t *testing.T) {
	played := 0
	players := endless(&played)
	closed := func(q sequence.Sequence) sequence.Sequence {
		st := q.Statements[0]
		st.Op, _, _ = strings.Cut(st.Op, "/")
		return single(st)
	}
	try := NewTryout(TryoutInput{
		Players: players, Expired: never, Touched: Touched{Known: true, Brings: nothing}, Closed: closed,
	})
	var batch []sequence.Sequence
	for i := range 40 {
		op := []string{"m.T/a", "m.T/b"}[i%2]
		batch = append(batch, single(sequence.Statement{Op: op, Args: []sequence.Value{{Kind: sequence.Zero}}}))
	}
	if _, err := try.Execute(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	if played != 4*endlessCalls || !try.Endless("m.T/a") || !try.Endless("m.T/b") || try.Endless("m.T") {
		t.Errorf("%d were played, want three of each subtest in each of the two parts; lost %v", played, try.lost.Old)
	}
	if got := try.Warnings(); len(got) != 2 || !strings.HasPrefix(got[0], "m.T/a does not end") {
		t.Errorf("warnings %q, want one for each subtest", got)
	}
}

// TestSkippedStay: which sequences a version skips is no matter of the list, which is for the other version too.
func TestSkippedStay(t *testing.T) {
	played, told := 0, 0
	players := endless(&played)
	p := &part{
		Tryout: NewTryout(TryoutInput{Players: players}), over: never,
		lost: spectra.MakePair(func(spectra.Side) map[string]int { return map[string]int{} }),
	}
	for i := range 6 {
		p.sequences = append(p.sequences, call(t, i))
	}
	p.generated = p.sequences
	list := []int{0, 1, 2, 3, 4, 5}
	err := p.on(context.Background(), spectra.New, wire.ModeOutcomes, list, func(int, *replay.Played) { told++ })
	if err != nil || told != endlessCalls || !slices.Equal(list, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("%d were played, the list is %v, %v", told, list, err)
	}
}

// TestConcerned: which command lines run the change is asked of a list that is varied whatever they run.
func TestConcerned(t *testing.T) {
	in := Input{Drivers: &drivers.Drivers{}}
	in.Drivers.Touched.Known = true
	var list []selection.Sequence
	for i := range 4 {
		list = append(list, selection.Sequence{Sequence: call(t, i), Steps: int64(9 - i), Reaches: i%2 == 1})
	}
	before := slices.Clone(list)
	got := in.concerned(list)
	same := func(x, y selection.Sequence) bool { return x.Sequence.String() == y.Sequence.String() }
	if len(got) != 2 || !slices.EqualFunc(list, before, same) {
		t.Errorf("%d of four concern the change; the list is now %v", len(got), list)
	}
}

// TestWithin: a look ends when its own time is over, or that of the search.
func TestWithin(t *testing.T) {
	expired := false
	p := &part{Tryout: &Tryout{TryoutInput: TryoutInput{Expired: func() bool { return expired }}}}
	long, unlimited := p.within(time.Hour), p.within(0)
	if short := p.within(1); !short() || long() || unlimited() {
		t.Errorf("a nanosecond is over: %v; an hour: %v; no limit: %v", short(), long(), unlimited())
	}
	if expired = true; !long() || !unlimited() {
		t.Error("the time of the search is over, and they go on")
	}
}
