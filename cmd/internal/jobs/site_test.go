package jobs

import (
	"os"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
)

// TestSites: what a job needed is kept for the next job of its slot and run, and removed in every other case.
func TestSites(t *testing.T) {
	for _, c := range []struct {
		reason string
		keep   bool
		then   func(*sites) *site
		again  bool // the next job has it
		gone   bool
	}{
		{"another shard of the run", true, func(s *sites) *site { return s.take(1, "run") }, true, false},
		{"another slot", true, func(s *sites) *site { return s.take(0, "run") }, false, false},
		{"another run", true, func(s *sites) *site { return s.take(1, "other") }, false, true},
		{"a job that failed", false, func(s *sites) *site { return s.take(1, "run") }, false, true},
		{"the worker ends", true, func(s *sites) *site { s.close(); return s.take(1, "run") }, false, true},
		{"nothing came", true, func(s *sites) *site { s.expire(1, s.list[1]); return s.take(1, "run") }, false, true},
		{
			"it was taken when its time was over", true,
			func(s *sites) *site { at := s.take(1, "run"); s.expire(1, at); return at }, true, false,
		},
	} {
		var kept sites
		of := &site{of: "run", place: t.TempDir()}
		kept.put(1, of, c.keep)
		at := c.then(&kept)
		if (at == of) != c.again {
			t.Errorf("%s: got %v, want it again: %v", c.reason, at, c.again)
		}
		if _, err := os.Stat(of.place); os.IsNotExist(err) != c.gone {
			t.Errorf("%s: the folder: %v, want it gone: %v", c.reason, err, c.gone)
		}
		kept.close()
	}
}

// TestJobsOfOneRun: shards of one run have a place in common, whatever their numbers and time; others have not.
func TestJobsOfOneRun(t *testing.T) {
	of := func(change func(*job)) string {
		j := &job{Kind: play, Name: "m", Shard: shard.Shard{Number: 1, Of: 3}}
		change(j)
		run, err := j.run()
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	first := of(func(*job) {})
	for _, c := range []struct {
		reason string
		change func(*job)
		same   bool
	}{
		{"another shard", func(j *job) { j.Shard.Number = 2 }, true},
		{"less time", func(j *job) { j.Config.Timeout = 1 }, true},
		{"another kind", func(j *job) { j.Kind = compare }, false},
		{"other settings", func(j *job) { j.Config = pipeline.Config{Seed: 7} }, false},
		{"another commit", func(j *job) { j.Commits.New.Hash = "b" }, false},
		{"another list of types", func(j *job) { j.Opaque = []byte("a") }, false},
	} {
		if got := of(c.change) == first; got != c.same {
			t.Errorf("%s: one run: %v, want %v", c.reason, got, c.same)
		}
	}
}
