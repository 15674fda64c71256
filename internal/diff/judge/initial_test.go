package judge

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// value returns a variable that is present, with a digest.
func value(digest uint64) replay.Variable {
	return replay.Variable{Present: true, State: spectra.State{Digest: spectra.Digest{digest, 0}}}
}

// TestSettle: a variable is compared at every state only if it begins alike in both versions.
func TestSettle(t *testing.T) {
	cut := value(1)
	cut.State.Truncated = true
	runsOf := func(of ...replay.Variable) []replay.Variable { return of }
	same, other := runsOf(value(1), value(1)), runsOf(value(2), value(2))
	for _, c := range []struct {
		reason   string
		old, new []replay.Variable // runs
		dropped  bool
		differs  bool
		unstable spectra.Side
	}{
		{"the same", same, same, false, false, ""},
		{"another value", same, other, true, true, ""},
		{"old varies", runsOf(value(1), value(3)), other, true, false, spectra.Old},
		{"new varies", same, runsOf(value(1), value(3)), true, false, spectra.New},
		{
			"both vary: old is named", runsOf(value(1), value(2)), runsOf(value(1), value(3)),
			true, false, spectra.Old,
		},
		{"not in this build", runsOf(replay.Variable{}, replay.Variable{}), other, true, false, ""},
		{"too large to tell", runsOf(cut, cut), other, false, false, ""},
	} {
		var runs spectra.Pair[[][]replay.Variable]
		for i := range c.old {
			runs.Old = append(runs.Old, []replay.Variable{c.old[i]})
			runs.New = append(runs.New, []replay.Variable{c.new[i]})
		}
		got := settleInitial([]string{"m.v"}, runs)
		if got.Dropped[0] != c.dropped || (len(got.Differing) > 0) != c.differs {
			t.Errorf("%s: dropped %v, differing %v", c.reason, got.Dropped[0], got.Differing)
		}
		var unstable spectra.Side
		for _, v := range got.Unstable {
			unstable = v.In
		}
		if unstable != c.unstable {
			t.Errorf("%s: unstable in %q, want %q", c.reason, unstable, c.unstable)
		}
	}
}
