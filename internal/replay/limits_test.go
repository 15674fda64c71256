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
		if got := c.player.mayHold(c.played, nil); got != c.want {
			t.Errorf("%s: a process may play another one: %v, want %v", c.reason, got, c.want)
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

// TestPatient: what waits for something that never comes waits as long on each machine.
func TestPatient(t *testing.T) {
	l, usual := GenerationLimits().Patient(3), GenerationLimits()
	if l.CPU != 3*usual.CPU || l.Time != 3*usual.Time || l.Idle != usual.Idle || l.believed() != nil {
		t.Errorf("limits %+v", l)
	}
}

// TestBelieved: limits that somebody else says are those that a task of this tool can have.
func TestBelieved(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*Limits)
		want   bool
	}{
		{"the usual ones", func(*Limits) {}, true},
		{"those of the generator", func(l *Limits) { *l = GenerationLimits() }, true},
		{"those with which losses are judged", func(l *Limits) {
			*l = l.Longer(4)
			l.Steps, l.Nodes = 10*l.Steps, 10*l.Nodes
		}, true},
		{"no limit at all", func(l *Limits) { *l = Limits{} }, false},
		{"files that are not in memory", func(l *Limits) { l.Disk = 0 }, false},
		{"less than nothing", func(l *Limits) { l.Processes = -1 }, false},
		{"more memory", func(l *Limits) { l.Memory++ }, false},
		{"days", func(l *Limits) { *l = l.Longer(10_000) }, false},
		{"no room for the head of events", func(l *Limits) { l.EventBytes = 8 }, false},
	} {
		l := DefaultLimits()
		c.change(&l)
		if err := l.believed(); (err == nil) != c.want {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
