package pipeline

import (
	"encoding/json"
	"reflect"
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
