package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func TestMain(m *testing.M) {
	if sandbox.Child() || load.Child() { // the sandbox starts this binary again
		return
	}
	os.Exit(m.Run())
}

// commits makes a repository whose commits hold the texts of m.go, and tags them v1, v2, ….
func commits(t *testing.T, texts ...string) string {
	t.Helper()
	var trees []map[string]string
	for _, text := range texts {
		trees = append(trees, map[string]string{"m.go": text})
	}
	return commitTrees(t, trees...)
}

// commitTrees makes a repository whose commits add files to those before them, and tags them v1, v2, ….
func commitTrees(t *testing.T, trees ...map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		args = append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		cmd := exec.Command("git", args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	for i, tree := range trees {
		for name, text := range tree {
			write(name, text)
		}
		git("add", ".")
		git("commit", "-q", "-m", "change")
		git("tag", "v"+string(rune('1'+i)))
	}
	return dir
}

// A fakeBuilder compiles nothing, and keeps what it was asked for.
type fakeBuilder struct {
	requests spectra.Pair[build.Request]
	mixed    build.Request
	err      error
	faults   []fault.List // of the first builds of both
	builds   int          // of both
}

func (b *fakeBuilder) BuildBoth(
	_ context.Context, requests spectra.Pair[build.Request],
) (spectra.Pair[*build.Binary], error) {
	b.requests, b.builds = requests, b.builds+1
	if len(b.faults) > 0 {
		first := b.faults[0]
		b.faults = b.faults[1:]
		return spectra.Pair[*build.Binary]{}, first
	}
	return spectra.Pair[*build.Binary]{
		Old: &build.Binary{Patched: true, Warnings: []string{"of the old build"}},
		New: &build.Binary{Patched: true},
	}, b.err
}

func (b *fakeBuilder) Build(_ context.Context, request build.Request) (*build.Binary, error) {
	b.mixed = request
	return &build.Binary{Patched: true}, b.err
}

func (b *fakeBuilder) GoTree(context.Context, string, []string, gocommand.Folders) (*build.GoTree, error) {
	return nil, errors.New("there is none")
}

func (b *fakeBuilder) Exports(context.Context, string, []string, gocommand.Folders) (none load.Exports) {
	return none
}

// A fakePlayer plays calls of Half: it returns what its version's code would.
type fakePlayer struct {
	side  spectra.Side
	units string // of a program that holds both
}

func (p fakePlayer) Play(
	_ context.Context, sequences []sequence.Sequence, mode wire.Mode, _ uint64,
) ([]replay.Played, error) {
	var list []replay.Played
	for _, q := range sequences {
		result := map[spectra.Side]string{spectra.Old: "1", spectra.New: "2"}[p.side]
		if strings.HasPrefix(p.units, string(wire.UnitOther)) {
			result = "1"
		}
		var text strings.Builder
		for range q.Statements {
			text.WriteString("example.com/m.Half(n=3) -> ret0=" + result + "\n--\n")
		}
		played := replay.Played{Spectrum: difftest.Spectrum(strings.TrimSuffix(text.String(), "--\n")), Steps: 1}
		if mode == wire.ModeOutcomes {
			played.Coverage = []uint32{0}
			for range q.Statements {
				key := q.Key()
				digest := spectra.Digest{binary.LittleEndian.Uint64(key[:8]), 0}
				played.Results = append(played.Results, replay.StepResults{Results: []replay.Result{{Digest: digest}}})
			}
		}
		list = append(list, played)
	}
	return list, nil
}

func (p fakePlayer) Initialised(context.Context, uint64) (of replay.Initialised, err error) {
	return of, nil
}

// fakeTask compares v1 and v2 of a repository with fakes.
func fakeTask(t *testing.T, dir string, fake *fakeBuilder, args ...string) *task {
	t.Helper()
	made := openTask(t, dir, fake, args...)
	t.Cleanup(func() { made.env.Close(context.Background()) })
	return made
}

// openTask is fakeTask for who closes it.
func openTask(t *testing.T, dir string, fake *fakeBuilder, args ...string) *task {
	t.Helper()
	cfg := Config{
		Dir: dir, Args: args, Seed: 1, Sequences: 3, Jobs: 2, NoSandbox: true, Drive: []string{"api"},
		FailOn: string(report.FailAny), Cache: cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")},
	}
	made, err := newTask(cfg)
	if err != nil {
		t.Fatal(err)
	}
	made.tools.Builder = fake
	made.tools.Players = func(of spectra.Pair[replay.Player]) *replay.Players {
		return replay.PlayersBy(of, func(s spectra.Side, _ int, own *replay.Player) replay.VersionPlayer {
			return fakePlayer{s, own.Units}
		})
	}
	return made
}

const (
	half  = "package m\n\n// Half halves.\nfunc Half(n int) int { return n / 2 }\n"
	half2 = "package m\n\n// Half halves.\nfunc Half(n int) int { return (n + 1) / 2 }\n"
)

// TestFlow runs all stages on two commits; only building and playing are fakes.
func TestFlow(t *testing.T) {
	fake := new(fakeBuilder)
	r, err := compare(t.Context(), fakeTask(t, commits(t, half, half2), fake, "v1", "v2"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != report.Deviates || len(r.Roots) != 1 || r.Roots[0].Function != "example.com/m.Half" {
		t.Errorf("verdict %s, roots %+v; want one, Half", r.Verdict, r.Roots)
	}
	if r.Generation.Kept != 3 || r.Replay.Sequences != 3 || r.Exposure.Trace != 3 {
		t.Errorf("%+v, %+v, %+v; want three sequences that all deviate", r.Generation, r.Replay, r.Exposure)
	}
	fake.requests.Each(func(s spectra.Side, request build.Request) {
		probed := request.Overlay[filepath.Join(request.Dir, "m.go")]
		if !strings.Contains(string(probed), "zspectra") {
			t.Errorf("%s version: m.go has no probes:\n%s", s, probed)
		}
	})
	if !slices.Contains(r.Warnings, "of the old build") {
		t.Errorf("warnings %q: want that of the build among them", r.Warnings)
	}
}

// TestFlowEndsEarly: where nothing could deviate, nothing is built.
func TestFlowEndsEarly(t *testing.T) {
	dir := commits(t, half, half+"\n// Done.\n")
	for _, c := range []struct{ reason, old, new string }{
		{"the same commit", "v1", "v1"},
		{"a comment", "v1", "v2"},
	} {
		fake := &fakeBuilder{err: errors.New("built")}
		r, err := compare(t.Context(), fakeTask(t, dir, fake, c.old, c.new))
		if err != nil || r.Exit != 0 || len(r.Roots) != 0 {
			t.Errorf("%s: got %+v, %v; want a report without roots", c.reason, r, err)
		}
	}
}

// TestFlowFails: the error of a stage ends the flow.
func TestFlowFails(t *testing.T) {
	fake := &fakeBuilder{err: errors.New("no compiler")}
	_, err := compare(t.Context(), fakeTask(t, commits(t, half, half2), fake, "v1", "v2"))
	if !errors.Is(err, fake.err) {
		t.Errorf("got %v, want the builder's error", err)
	}
	_, err = compare(t.Context(), fakeTask(t, commits(t, half, half2), fake, "v1", "v9"))
	if err == nil || !strings.Contains(err.Error(), "v9") {
		t.Errorf("got %v, want an error that names the unknown revision", err)
	}
}
