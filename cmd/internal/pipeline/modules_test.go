package pipeline

import (
	"testing"
	"time"
)

// Modules share the time of the tests of one run: what the first ones leave is for those that come later.
func TestModulesShareTime(t *testing.T) {
	whole := &task{cfg: Config{Auto: true}}
	if got := (&flow{task: whole}).over(); got != testsOver {
		t.Errorf("one module has %v, want %v", got, testsOver)
	}
	for _, c := range []struct {
		elapsed time.Duration
		left    int
		want    time.Duration
		reason  string
	}{
		{0, 3, testsOver / 3, "the first of three has a third"},
		{testsOver / 2, 1, testsOver / 2, "the last one has all that is left"},
		{testsOver, 2, leastShare, "nothing is left, but tests shall run"},
	} {
		of := whole.within("a", time.Now().Add(-c.elapsed), c.left)
		f := &flow{task: of, begun: time.Now()}
		if got := f.over(); (got - c.want).Abs() > time.Second {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
		if got := f.building(othersBuilt); got > c.want*2/3 {
			t.Errorf("%s: %v for building others, want two thirds of %v at most", c.reason, got, c.want)
		}
		if got := f.atMost(time.Hour); got > c.want+time.Second {
			t.Errorf("%s: a stage may take %v, want %v at most", c.reason, got, c.want)
		}
	}
}
