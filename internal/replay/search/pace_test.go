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
	if p.took(0, time.Hour); p.batch() != leastBatch {
		t.Errorf("an empty batch says nothing, but the next one has %d", p.batch())
	}
}
