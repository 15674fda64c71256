package ending_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/replay/generate/ending"
)

func TestStop(t *testing.T) {
	for _, c := range []struct {
		reason string
		effort ending.Effort
		limits ending.Limits
		kept   int
		want   ending.Stop
	}{
		{"a run that has just begun", ending.Effort{Tried: 1}, ending.Limits{}, 0, ""},
		{"as many as are wanted", ending.Effort{Tried: 1}, ending.Limits{Sequences: 3}, 3, ending.Enough},
		{"nothing new for long", ending.Effort{Tried: 10_100, LastNew: 50}, ending.Limits{}, 9, ending.Plateau},
		{"more operations take longer", ending.Effort{Tried: 10_100, LastNew: 50}, ending.Limits{Plateau: 1e6}, 9, ""},
		{"no run goes on for ever", ending.Effort{Tried: 2e6, LastNew: 2e6}, ending.Limits{}, 9, ending.Cap},
	} {
		if got := c.effort.Stop(c.limits.Filled(1), c.kept); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		reason string
		effort ending.Effort
		whole  bool
		want   bool
	}{
		{"told apart, then nothing new", ending.Effort{Tried: 6_100, LastChange: 100, IsApart: true}, false, true},
		{"and all branches went both ways", ending.Effort{Tried: 2_100, LastChange: 100, IsApart: true}, true, true},
		{"all branches, but nothing told them apart", ending.Effort{Tried: 2_100, LastChange: 100}, true, false},
		{"a search without success is more patient", ending.Effort{Tried: 6_100, LastChange: 100}, false, false},
		{"what took long is looked at for long", ending.Effort{Tried: 60_000, LastChange: 20_000}, false, false},
	} {
		if got := c.effort.Settled(c.whole); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}
