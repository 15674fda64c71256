package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/shards"
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
		if got := f.building(keptForOthers); got > c.want*2/3 {
			t.Errorf("%s: %v for building others, want two thirds of %v at most", c.reason, got, c.want)
		}
		if got := f.atMost(time.Hour); got > c.want+time.Second {
			t.Errorf("%s: a stage may take %v, want %v at most", c.reason, got, c.want)
		}
	}
}

// TestNotRun: what is not run for a reason that is none of the code is a warning, and what the run lacks.
func TestNotRun(t *testing.T) {
	f := &flow{}
	f.notRun(report.LackTests, "no space left on device")
	f.notRun(report.LackCommands, "killed")
	warnings := []string{"tests were not run: no space left on device", "commands were not run: killed"}
	if !slices.Equal(f.found.Warnings, warnings) ||
		!slices.Equal(f.found.Lacks, []report.Lack{report.LackTests, report.LackCommands}) {
		t.Errorf("warnings %q, lacks %v", f.found.Warnings, f.found.Lacks)
	}
}

// TestLack: only what could not be fetched is what another machine may have.
func TestLack(t *testing.T) {
	for _, c := range []struct {
		reason string
		err    error
		want   bool
	}{
		{"it could not be fetched", fmt.Errorf("old: %w", &load.UnfetchedError{Err: errors.New("no such host")}), true},
		{"the code writes so", fmt.Errorf("old: %w", &load.CodeError{Err: errors.New("dial tcp")}), false},
	} {
		parts := []*shards.Part{{}, {}}
		lack(parts, c.err)
		for _, p := range parts {
			if slices.Contains(p.Lacks, report.LackDependencies) != c.want {
				t.Errorf("%s: lacks %v", c.reason, p.Lacks)
			}
		}
	}
}

// TestLimitPlaying: a run that counts its sequences ends by the clock only if the whole run does.
func TestLimitPlaying(t *testing.T) {
	for _, c := range []struct {
		reason        string
		config        Config
		least, atMost time.Duration
	}{
		{"by its budget", Config{Budget: time.Second}, time.Minute, 10*time.Second + runLeast},
		{"as long as sequences take", Config{Sequences: 9}, time.Hour, time.Hour},
		{"by the limit of the run", Config{Sequences: 9, Timeout: time.Minute}, 50 * time.Second, time.Minute},
		{"by the limit: it is less", Config{Budget: time.Second, Timeout: time.Minute}, 50 * time.Second, time.Minute},
	} {
		f := &flow{task: &task{cfg: c.config, env: &env.Environment{Workers: &replay.Workers{}}}, begun: time.Now()}
		f.limitPlaying()
		if left := f.env.Left(time.Hour); left < c.least || left > c.atMost {
			t.Errorf("%s: %v left", c.reason, left)
		}
	}
}
