package replay

import (
	"testing"
	"time"
)

// TestMayHold checks when a player stops before it has played all sequences.
func TestMayHold(t *testing.T) {
	lost := Played{Clock: Processor}
	over := func() bool { return true }
	for _, c := range []struct {
		reason string
		player Player
		played []Played
		want   bool
	}{
		{"no limits", Player{}, []Played{lost, lost}, true},
		{"fewer than may be lost", Player{Limits: Limits{Losses: 2}}, []Played{lost, {}}, true},
		{"as many as may be lost", Player{Limits: Limits{Losses: 2}}, []Played{lost, {}, lost}, false},
		{
			"what is held is too much", Player{Limits: Limits{Held: 1}},
			[]Played{{recorded: recorded{stream: []byte{0}}}}, false,
		},
		{"the time is up", Player{Over: over}, nil, false},
	} {
		if got := c.player.mayHold(c.played); got != c.want {
			t.Errorf("%s: may play another one: %v, want %v", c.reason, got, c.want)
		}
	}
}

func TestLonger(t *testing.T) {
	l := DefaultLimits().Longer(4)
	for clock, want := range map[Clock]time.Duration{
		Processor: 4 * DefaultLimits().CPU, Waiting: 4 * DefaultLimits().Idle, Wall: 4 * DefaultLimits().Time, "": 0,
	} {
		if got := l.Of(clock); got != want {
			t.Errorf("four times the limit of %q is %v, want %v", clock, got, want)
		}
	}
}
