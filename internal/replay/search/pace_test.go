package search

import (
	"testing"
	"time"
)

// TestPace: batches take about a second, whatever a sequence takes, and grow no faster than to twice their size.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		reason string
		most   int
		each   time.Duration // that a sequence takes
		want   []int
	}{
		{"quick calls", 256, time.Millisecond, []int{24, 48, 96, 192, 256, 256}},
		{"calls that take no time", 256, 0, []int{24, 48, 96}},
		{"slow tests", 256, 20 * time.Millisecond, []int{24, 48, 50, 50}},
		{"tests that take long", 256, time.Second, []int{24, 24}},
		{"command lines", 16, time.Millisecond, []int{16, 16}},
	} {
		p := newPace(c.most)
		for i, want := range c.want {
			if got := p.batch(); got != want {
				t.Errorf("%s: batch %d has %d, want %d", c.reason, i, got, want)
			}
			p.took(p.batch(), time.Duration(p.batch())*c.each)
		}
	}
	p := newPace(256)
	p.took(leastBatch, time.Millisecond)
	for n := range leastBatch {
		if p.took(n, time.Hour); p.batch() != 2*leastBatch {
			t.Errorf("what is less than a batch says nothing, but after %d the next one has %d", n, p.batch())
		}
	}
}

// TestQuiet: nothing new for a while is the end, if it was tried for long enough, and often enough.
func TestQuiet(t *testing.T) {
	most := Limits{Most: 20 * time.Second, Quiet: 6 * time.Second, Least: 1000}
	counted, loud := most, most
	counted.Sequences, loud.Quiet = 60, 0
	for _, c := range []struct {
		reason         string
		limits         Limits
		elapsed, since time.Duration
		played         int
		want           bool
	}{
		{"nothing for half of the time", most, 6 * time.Second, 3 * time.Second, 1000, true},
		{"it began a moment ago", most, 5 * time.Second, 5 * time.Second, 4000, false},
		{"something was new a moment ago", most, 9 * time.Second, 2 * time.Second, 4000, false},
		{"slow tests, of which few ran", most, 9 * time.Second, 9 * time.Second, 999, false},
		{"a number of sequences is asked for", counted, time.Hour, time.Hour, 4000, false},
		{"it may be quiet", loud, time.Hour, time.Hour, 4000, false},
	} {
		if got := c.limits.quiet(c.elapsed, c.since, c.played); got != c.want {
			t.Errorf("%s: %v after %v, %v without news, %d sequences", c.reason, got, c.elapsed, c.since, c.played)
		}
	}
}
