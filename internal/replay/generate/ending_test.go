package generate_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/generate"
)

func TestStop(t *testing.T) {
	for _, c := range []struct {
		reason string
		effort generate.Effort
		limits generate.Limits
		kept   int
		want   generate.Stop
	}{
		{"a run that has just begun", generate.Effort{Tried: 1}, generate.Limits{}, 0, ""},
		{"as many as are wanted", generate.Effort{Tried: 1}, generate.Limits{Sequences: 3}, 3, generate.Enough},
		{"nothing new for long", generate.Effort{Tried: 10_100, LastNew: 50}, generate.Limits{}, 9, generate.Plateau},
		{
			"more operations take longer", generate.Effort{Tried: 10_100, LastNew: 50},
			generate.Limits{Plateau: 1e6}, 9, "",
		},
		{"no run goes on for ever", generate.Effort{Tried: 2e6, LastNew: 2e6}, generate.Limits{}, 9, generate.Cap},
	} {
		if got := c.effort.Stop(c.limits.Filled(1), c.kept); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		reason string
		effort generate.Effort
		whole  bool
		want   bool
	}{
		{"told apart, then nothing new", generate.Effort{Tried: 6_100, LastChange: 100, Differs: true}, false, true},
		{"and all branches went both ways", generate.Effort{Tried: 2_100, LastChange: 100, Differs: true}, true, true},
		{"all branches, but nothing told them apart", generate.Effort{Tried: 2_100, LastChange: 100}, true, false},
		{"a search without success is more patient", generate.Effort{Tried: 6_100, LastChange: 100}, false, false},
		{"what took long is looked at for long", generate.Effort{Tried: 60_000, LastChange: 20_000}, false, false},
	} {
		if got := c.effort.Settled(c.whole); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}
