package pipeline

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report/shards"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// modulesOf returns what some shards found, without durations.
func modulesOf(t *testing.T, dir string, list ...shard.Shard) (modules []shards.Module) {
	t.Helper()
	task := fakeTask(t, dir, new(fakeBuilder), "v1", "v2")
	task.cfg.Sequences, task.shards = 7, list
	parts, err := task.parts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range parts {
		if p.Shard != list[i] || len(p.Modules) != 1 {
			t.Fatalf("shard %s has %d modules, want one of shard %s", p.Shard, len(p.Modules), list[i])
		}
		m := p.Modules[0]
		m.Report.Generation.Seconds, m.Report.Replay.Seconds = 0, 0
		modules = append(modules, m)
	}
	return modules
}

// TestShards: a shard finds the same alone as after others, and all have the sequences of the run.
func TestShards(t *testing.T) {
	dir := commits(t, half, half2)
	all := modulesOf(t, dir, shard.All(3)...)
	kept, seen := 0, map[string]bool{}
	for i, of := range shard.All(3) {
		alone := modulesOf(t, dir, of)[0]
		if !reflect.DeepEqual(alone, all[i]) {
			x, _ := json.Marshal(alone)
			y, _ := json.Marshal(all[i])
			t.Errorf("shard %s alone\n%s\nafter others\n%s", of, x, y)
		}
		kept += alone.Report.Generation.Kept
		for _, d := range alone.Report.Deviations {
			seen[d.Sequence] = true
		}
	}
	if kept != 7 || len(seen) < 2 {
		t.Errorf("%d sequences were kept, want 7; shown by %d, want several seeds", kept, len(seen))
	}
}

// TestSession: shards that are asked for one by one find what all at once do, also after one that was not finished. The
// versions are built once, and again after such a one.
func TestSession(t *testing.T) {
	dir, fake := commits(t, half, half2), new(fakeBuilder)
	all := modulesOf(t, dir, shard.All(3)...)
	session := NewSession(t.Context(), Config{})
	session.open = func() (*task, error) {
		of := openTask(t, dir, fake, "v1", "v2")
		of.cfg.Sequences = 7
		return of, nil
	}
	defer session.Close()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for i, of := range []int{1, 0, 0, 2} {
		ctx, builds := t.Context(), map[int]int{2: 1, 3: 2}
		if i == 2 {
			ctx = over
		}
		p, err := session.Shard(ctx, shard.All(3)[of], Share{})
		if i == 2 {
			if err == nil {
				t.Error("a shard whose context is over was done")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		m := p.Modules[0]
		m.Report.Generation.Seconds, m.Report.Replay.Seconds = 0, 0
		if !reflect.DeepEqual(m, all[of]) {
			t.Errorf("shard %s: %+v, want %+v", p.Shard, m, all[of])
		}
		if want := max(builds[i], 1); fake.builds != want {
			t.Errorf("after %d shards the versions were built %d times, want %d", i+1, fake.builds, want)
		}
	}
}

// TestSince: what a stage took since an earlier look is told, also of one that began later.
func TestSince(t *testing.T) {
	earlier := []replay.Stage{{Name: "load", Elapsed: 3, CPU: 2, Peak: 9}, {Name: "build", Elapsed: 1}}
	all := []replay.Stage{
		{Name: "load", Elapsed: 3, CPU: 2, Peak: 9}, {Name: "build", Elapsed: 4, Peak: 5}, {Name: "prove", Elapsed: 7},
	}
	want := []replay.Stage{{Name: "load", Peak: 9}, {Name: "build", Elapsed: 3, Peak: 5}, {Name: "prove", Elapsed: 7}}
	if got := since(earlier, all); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if all[1].Elapsed != 4 {
		t.Error("what was looked at is changed")
	}
}

// TestShardsEndEarly: after the shard in which a run is told to end, nothing more is played.
func TestShardsEndEarly(t *testing.T) {
	end := make(chan struct{})
	ended := sync.OnceFunc(func() { close(end) })
	task := fakeTask(t, commits(t, half, half2), new(fakeBuilder), "v1", "v2")
	task.cfg.End, task.shards = end, shard.All(3)
	task.tools.Players = func(of spectra.Pair[replay.Player]) *replay.Players {
		return replay.PlayersBy(of, func(s spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
			return endingPlayer{fakePlayer{s, own.Units}, ended}
		})
	}
	parts, err := task.parts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r := parts[0].Modules[0].Report; r == nil || r.Partial == nil {
		t.Errorf("the shard that was ended: %+v, want a partial report", parts[0].Modules[0])
	}
	for _, p := range parts[1:] {
		if m := p.Modules[0]; m.Report != nil || m.Failed == "" {
			t.Errorf("shard %s: %+v, want none", p.Shard, m)
		}
	}
}

// TestShardOfWorktree: one shard of files that others may have otherwise is refused; all of them are not.
func TestShardOfWorktree(t *testing.T) {
	dir := commits(t, half, half2)
	for _, c := range []struct {
		reason string
		shards []shard.Shard
		want   string
	}{
		{"one of three", shard.All(3)[:1], "a shard of the working tree"},
		{"all", shard.All(3), ""},
		{"the only one", shard.All(1), ""},
	} {
		task := fakeTask(t, dir, new(fakeBuilder), "v1")
		task.shards = c.shards
		_, err := task.parts(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
}
