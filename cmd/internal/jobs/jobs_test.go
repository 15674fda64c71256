package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// local are the settings that say something of one machine only. Emit, Corpus, Keep and Outside are no part of any job.
var local = []string{
	"Dir", "Args", "Commits", "Jobs", "Verbose", "Cache", "Nats", "End", "Progress", "Log", "Found", "Timed",
}

// filled returns a configuration in which nothing is zero.
func filled(t *testing.T) pipeline.Config {
	t.Helper()
	var cfg pipeline.Config
	v := reflect.ValueOf(&cfg).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("text")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(7)
		case reflect.Uint64:
			f.SetUint(7)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"text"}))
		case reflect.Struct:
			first := f.Field(0)
			first.Set(reflect.ValueOf(map[reflect.Kind]any{reflect.String: "x", reflect.Int: 1}[first.Kind()]))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Func:
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { return nil }))
		case reflect.Chan:
			f.Set(reflect.Zero(f.Type()))
		default:
			t.Fatalf("%s is of a kind that this test does not know", v.Type().Field(i).Name)
		}
	}
	return cfg
}

// TestSettings: another machine gets every setting that decides a result. One that is new is either sent or local.
func TestSettings(t *testing.T) {
	cfg := filled(t)
	data, err := (&job{Kind: compare, Config: portable(cfg)}).encode()
	if err != nil {
		t.Fatal(err)
	}
	j, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	want, got := reflect.ValueOf(cfg), reflect.ValueOf(j.Config)
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		switch {
		case slices.Contains(local, name):
			if !got.Field(i).IsZero() {
				t.Errorf("%s is sent", name)
			}
		case !reflect.DeepEqual(want.Field(i).Interface(), got.Field(i).Interface()):
			t.Errorf("%s is %v there, want %v", name, got.Field(i), want.Field(i))
		}
	}
}

// TestConfined: a job can't name anything of the machine that does it.
func TestConfined(t *testing.T) {
	got := reflect.ValueOf(confined(filled(t)))
	for _, name := range []string{
		"Dir", "Nats", "Cache", "Emit", "Keep", "Corpus", "Outside", "Log", "Found", "Timed",
	} {
		if !got.FieldByName(name).IsZero() {
			t.Errorf("%s is believed", name)
		}
	}
}

// TestPublic: what lets somebody into a repository is sent to nobody.
func TestPublic(t *testing.T) {
	for _, test := range []struct{ reason, origin, want string }{
		{"a token as a job of CI has it", "https://ci:t0k3n@host/g/p.git", "https://host/g/p.git"},
		{"a token behind the path", "https://host/g/p?private_token=t0k3n", "https://host/g/p"},
		{"a user that is no secret", "ssh://git@host/g/p", "ssh://host/g/p"},
		{"as scp has it", "git@host:g/p.git", "git@host:g/p.git"},
		{"a path", "/srv/git/p", "/srv/git/p"},
		{"what is no address", "https://user:%zz@host/p", ""},
		{"none", "", ""},
	} {
		if got := public(test.origin); got != test.want {
			t.Errorf("%s: %s is sent as %q, want %q", test.reason, test.origin, got, test.want)
		}
	}
}

// TestWanted: a result of other commits, or of other settings, is none of the job.
func TestWanted(t *testing.T) {
	one, other := strings.Repeat("1", 40), strings.Repeat("2", 40)
	commits := repository.Range{Old: repository.Commit{Hash: one}, New: repository.Commit{Hash: other}}
	cfg := pipeline.Config{Seed: 7, Sequences: 100, Drive: []string{"api"}}
	same := cfg.Asked()
	same.Sandbox, same.FailOn = "landlock", "any"
	fewer := same
	fewer.Sequences = 1
	for _, c := range []struct {
		reason, old, new string
		found            report.Settings
		want             bool
	}{
		{"what was asked for", one, other, same, true},
		{"the wrong way round", other, one, same, false},
		{"a commit with itself", one, one, same, false},
		{"fewer sequences", one, other, fewer, false},
	} {
		if err := wanted(cfg, commits, c.old, c.new, c.found); (err == nil) != c.want {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// TestLacking: what a worker could not fetch, or had no time for, makes its result none; what the code of the versions
// says does not.
func TestLacking(t *testing.T) {
	const text = "package m/a is left out: panic: dial tcp 10.0.0.1:80: it could not be fetched; tests were not run: "
	for _, test := range []struct {
		reason string
		found  report.Report
		want   bool
	}{
		{"all was there", report.Report{
			Warnings: []string{"5 sequences were lost"}, Modules: []report.Module{{Folder: "."}},
		}, false},
		{"the code does what it would do here", report.Report{
			Warnings: []string{text}, Modules: []report.Module{{Folder: "lib", Failed: text}},
		}, false},
		{"a package was left out", report.Report{Lacks: []report.Lack{report.LackDependencies}}, true},
		{"tests were not run", report.Report{Lacks: []report.Lack{report.LackTests}}, true},
		{"its time was over", report.Report{Partial: &report.Partial{Reason: report.TimedOut, Stage: "judge"}}, true},
	} {
		if err := whole(&test.found); (err != nil) != test.want {
			t.Errorf("%s: %v", test.reason, err)
		}
		part := shards.Part{Modules: []shards.Module{{Report: &test.found}}}
		if err := allowed(pipeline.Config{}, &part); (err != nil) != test.want {
			t.Errorf("%s, in a shard: %v", test.reason, err)
		}
	}
	part := shards.Part{Modules: []shards.Module{{Folder: "lib", Failed: text}}}
	for _, lacks := range [][]report.Lack{nil, {report.LackDependencies}} {
		part.Lacks = lacks
		if err := allowed(pipeline.Config{}, &part); (err != nil) != (lacks != nil) {
			t.Errorf("a module was not compared, and it lacks %v: %v", lacks, err)
		}
	}
}

// TestRead: a job is read as it was, and what is no job is refused.
func TestRead(t *testing.T) {
	of := &job{
		Kind: query, Origin: "origin", Name: "m", Sub: "lib", Opaque: []byte("types"),
		Shard:   shard.Shard{Number: 1, Of: 2},
		Commits: repository.Range{Old: repository.Commit{Hash: "1"}, New: repository.Commit{Hash: "2"}},
		Tests:   &repository.Commit{Hash: "3"},
		Asks: []pipeline.Ask{
			{Root: "r", Holes: map[int]string{1: "hole"}, Within: pipeline.Patience{Idle: time.Second}},
		},
	}
	data, err := of.encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decode(data); err != nil || !reflect.DeepEqual(got, of) {
		t.Errorf("read as %+v, %v", got, err)
	}
	if _, err := decode(data[:len(data)/2]); err == nil {
		t.Error("half a job is read")
	}
}

// TestRefused: what no client asks is refused before anything is done: it would end the worker, which has to go on.
func TestRefused(t *testing.T) {
	const text = sequence.Header + "\nv0 := m.F()\n"
	ask := func(a pipeline.Ask) job { return job{Kind: query, Asks: []pipeline.Ask{a}} }
	for _, c := range []struct {
		reason string
		of     job
		want   string
	}{
		{"no question", job{Kind: query}, "asks nothing"},
		{"a question without a call", ask(pipeline.Ask{Driver: "tests", Sequence: sequence.Header}), "no statement"},
		{"nowhere to give something", ask(pipeline.Ask{Driver: "tests", Sequence: text, Holes: map[int]string{1: "h"}}),
			"no test that is given something"},
		{"what is no sequence", ask(pipeline.Ask{Driver: "api", Sequence: "m.F()"}), "parse sequence"},
		{"nothing that plays it", ask(pipeline.Ask{Driver: "none", Sequence: text}), "nothing is played by"},
		{"neither sequence nor variable", ask(pipeline.Ask{}), "nothing is played by"},
		{"a folder outside", ask(pipeline.Ask{Variable: "m.V", Module: pipeline.Module{Folder: "../x"}}), "is none of"},
		{"no shard of a run", job{Kind: play, Shard: shard.Shard{Number: 3, Of: 2}}, "no shard 3/2"},
		{"a call", ask(pipeline.Ask{Driver: "api", Sequence: text, Module: pipeline.Module{Folder: "."}}), "folders"},
		{"a variable", ask(pipeline.Ask{Variable: "m.V"}), "folders"},
	} {
		data, err := c.of.encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&Worker{Temp: t.TempDir()}).Do(t.Context(), 0, data, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestRebuildRefused: a job can't name a place outside of its own folder, nor one in the cache by what is no hash.
func TestRebuildRefused(t *testing.T) {
	hash := strings.Repeat("1", 40)
	fine := repository.Range{Old: repository.Commit{Hash: hash}, New: repository.Commit{Hash: hash}}
	naming := func(c repository.Commit) repository.Range { return repository.Range{Old: fine.Old, New: c} }
	for _, j := range []job{
		{Name: "..", Sub: ".", Commits: fine}, {Name: "a/b", Sub: ".", Commits: fine},
		{Name: "m", Sub: "../..", Commits: fine}, {Name: "", Sub: ".", Commits: fine},
		{Name: "m", Sub: ".", Commits: naming(repository.Commit{Hash: "../../x"})},
		{Name: "m", Sub: ".", Commits: naming(repository.Commit{Hash: hash + "/../../x"})},
		{Name: "m", Sub: ".", Commits: naming(repository.Commit{Hash: hash, Worktree: true})},
		{Name: "m", Sub: ".", Commits: fine, Tests: &repository.Commit{Hash: ".."}},
	} {
		if dir, err := j.rebuild(t.TempDir(), nil); err == nil {
			t.Errorf("%q in %q of %v is made at %s", j.Sub, j.Name, j.commits(), dir)
		}
	}
	if _, err := (&job{Name: "m", Sub: ".", Commits: fine}).rebuild(t.TempDir(), nil); err != nil {
		t.Error(err)
	}
}

// TestShareOfTime: shards that are still to be done share the time that is left, by as many as are done at once; once
// it is over, a run that has a shard does no other.
func TestShareOfTime(t *testing.T) {
	s := &spreading{begun: time.Now(), list: make([]shard.Shard, 4)}
	s.parts, s.own = make([]*shards.Part, 4), make([]bool, 4)
	s.cfg.Timeout = time.Hour
	if got := s.share(); got.Parts != 4 || got.Left > time.Hour || got.Left < 59*time.Minute {
		t.Errorf("the first of four has %+v of an hour", got)
	}
	s.put(0, &shards.Part{}, true)
	s.put(1, &shards.Part{}, true)
	if got := s.share(); got.Parts != 2 || got.Left < 59*time.Minute {
		t.Errorf("the third of four has %+v of an hour", got)
	}
	s.do = func(context.Context, shard.Shard, pipeline.Share) (*shards.Part, error) {
		return nil, fmt.Errorf("%w in stage load", pipeline.ErrEarly)
	}
	if err := s.here(t.Context(), 2); err != nil || s.missing() != 2 {
		t.Errorf("a shard for which there was no time left: %v, %d missing", err, s.missing())
	}
	s.begun = s.begun.Add(-2 * time.Hour)
	if err := s.here(t.Context(), 2); err != nil || s.missing() != 2 {
		t.Errorf("after the end: %v, %d missing", err, s.missing())
	}
}

// TestSpread: every piece is done, here or there; one that failed there is done here; one is done twice only if nothing
// else was left; without workers all are done here in their order.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		reason string
		slots  int
		fails  bool
	}{
		{reason: "nobody else"}, {reason: "two workers", slots: 2}, {reason: "more than pieces", slots: 20},
		{reason: "workers that fail", slots: 2, fails: true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			const n = 9
			var mu sync.Mutex
			done := map[int]int{}
			var order []int
			here := func(_ context.Context, piece int) error {
				mu.Lock()
				defer mu.Unlock()
				done[piece]++
				order = append(order, piece)
				return nil
			}
			there := func(_ context.Context, piece int) error {
				if c.fails {
					return errors.New("no")
				}
				mu.Lock()
				defer mu.Unlock()
				done[piece]++
				return nil
			}
			if err := spread(t.Context(), func() int { return c.slots }, n, here, there); err != nil {
				t.Fatal(err)
			}
			for piece := range n {
				if most := 1 + min(c.slots, 1); done[piece] < 1 || done[piece] > most {
					t.Errorf("piece %d was done %d times", piece, done[piece])
				}
			}
			if c.slots == 0 && !slices.IsSorted(order) {
				t.Errorf("done in the order %v", order)
			}
		})
	}
}

// TestSpreadStuck: a piece that a worker does not end is done here, and one that a worker ends meanwhile is withdrawn
// here.
func TestSpreadStuck(t *testing.T) {
	var withdrawn int
	stuck := func(ctx context.Context, _ int) error {
		<-ctx.Done()
		withdrawn++
		return ctx.Err()
	}
	var mu sync.Mutex
	done := map[int]bool{}
	at := make(chan struct{})
	do := func(_ context.Context, piece int) error {
		if piece == 0 {
			<-at
		}
		mu.Lock()
		defer mu.Unlock()
		done[piece] = true
		return nil
	}
	there := func(ctx context.Context, piece int) error {
		close(at)
		return stuck(ctx, piece)
	}
	err := spread(t.Context(), func() int { return 1 }, 2, do, there)
	if err != nil || len(done) != 2 || withdrawn != 1 {
		t.Errorf("%v; done: %v", err, done)
	}

	taken, begun := make(chan struct{}), make(chan struct{})
	err = spread(t.Context(), func() int { return 1 }, 2, func(ctx context.Context, piece int) error {
		if piece == 0 {
			<-taken
			return nil
		}
		close(begun)
		return stuck(ctx, piece)
	}, func(context.Context, int) error {
		close(taken)
		<-begun
		return nil
	})
	if err != nil || withdrawn != 2 {
		t.Errorf("%v; withdrawn %d times", err, withdrawn)
	}
}

// TestSpreadEnds: an error of a piece that was done here ends all, and waits for what others do.
func TestSpreadEnds(t *testing.T) {
	want, away := errors.New("here"), make(chan struct{})
	err := spread(t.Context(), func() int { return 1 }, 3, func(context.Context, int) error {
		<-away
		return want
	}, func(ctx context.Context, _ int) error {
		close(away)
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = spread(ctx, func() int { return 0 }, 3, func(context.Context, int) error {
		cancel()
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run that was ended", err)
	}
}

// TestNobody: without a server there are no workers, and nothing is asked of them.
func TestNobody(t *testing.T) {
	crew, err := Gather(t.Context(), pipeline.Config{}, nil)
	if err != nil || crew != nil {
		t.Fatalf("%v, %v", crew, err)
	}
	defer crew.Close()
	if did := pipeline.Workers(crew.Account()); crew.Slots() != 0 || did != (*report.Workers)(nil) {
		t.Error("nobody does something")
	}
}

// TestOfMachine: what limits of the other machine ended makes its result none.
func TestOfMachine(t *testing.T) {
	for timed, want := range map[int64]bool{0: true, 2: false} {
		if err := (&result{Timed: timed}).ofMachine(); (err == nil) != want {
			t.Errorf("%d sequences: %v", timed, err)
		}
	}
}

// TestAgree: a shard that a worker did of another run is done here, and ends nothing.
func TestAgree(t *testing.T) {
	part := func(release string, i int) *shards.Part {
		p := &shards.Part{Name: "shard", Shard: shard.Shard{Number: i, Of: 3}}
		p.Modules = []shards.Module{{Report: &report.Report{Tool: report.Tool{Go: release}}}}
		return p
	}
	var said, done []string
	s := &spreading{
		list:  []shard.Shard{{Number: 1, Of: 3}, {Number: 2, Of: 3}, {Number: 3, Of: 3}},
		parts: []*shards.Part{part("go1", 1), part("go2", 2), part("go1", 3)}, own: []bool{true, false, false},
		crew: &Crew{logf: func(string, ...any) { said = append(said, "line") }},
		do: func(_ context.Context, of shard.Shard, _ pipeline.Share) (*shards.Part, error) {
			done = append(done, of.String())
			return part("go1", of.Number), nil
		},
	}
	for release, want := range map[string]bool{"go1": true, "go2": false} { // for what a worker does from now on
		if err := s.agrees(part(release, 2)); (err == nil) != want {
			t.Errorf("a shard with %s: %v", release, err)
		}
	}
	if err := s.agree(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(done, []string{"2/3"}) || len(said) != 1 || s.parts[1].OfRun(s.parts[0]) != nil {
		t.Errorf("done here are %q, %d lines", done, len(said))
	}
}

// TestLengthen: a shard that ended early on a worker is done here in the end, if there is more time than that had.
func TestLengthen(t *testing.T) {
	ended := &shards.Part{Modules: []shards.Module{{Report: &report.Report{
		Partial: &report.Partial{Reason: report.TimedOut, Stage: "judge"},
	}}}}
	for _, c := range []struct {
		reason string
		given  *shards.Part
		since  time.Duration // the beginning of the run
		own    bool
		want   int
	}{
		{"it came to its end", &shards.Part{}, 20 * time.Minute, false, 0},
		{"it ended early", ended, 20 * time.Minute, false, 1},
		{"it ended early, and was done here", ended, 20 * time.Minute, true, 0},
		{"no more time than the worker had is left", ended, 40 * time.Minute, false, 0},
	} {
		done := 0
		s := &spreading{
			begun: time.Now().Add(-c.since), list: make([]shard.Shard, 2), parts: make([]*shards.Part, 2),
			own: make([]bool, 2), had: make([]time.Duration, 2), crew: &Crew{logf: func(string, ...any) {}},
			do: func(_ context.Context, _ shard.Shard, share pipeline.Share) (*shards.Part, error) {
				if done++; share.Left < 39*time.Minute || share.Parts != 1 {
					t.Errorf("%s: it has %+v here", c.reason, share)
				}
				return &shards.Part{}, nil
			},
		}
		s.cfg.Timeout = time.Hour
		s.put(0, &shards.Part{}, true)
		if c.own {
			s.put(1, &shards.Part{}, true)
		}
		s.given(1, c.given, 30*time.Minute)
		if err := s.lengthen(t.Context()); err != nil || done != c.want || s.own[1] != (c.own || c.want > 0) {
			t.Errorf("%s: done here %d times, want %d, %v", c.reason, done, c.want, err)
		}
	}
}

// TestExports: a commit is exported once for jobs at the same time, and what was used last is kept, but not all.
func TestExports(t *testing.T) {
	written := map[string]int{}
	c := &Crew{
		temporary: &env.Temporary{Path: t.TempDir()}, exporting: t.Context(), exported: map[[2]string]*export{},
		write: func(_ context.Context, of, _ repository.Commit, dir string) error {
			written[of.Hash]++
			return os.WriteFile(filepath.Join(dir, "pack"), nil, 0o600)
		},
	}
	used := func(old, new string) (folders []string, free func()) {
		commits := repository.Range{Old: repository.Commit{Hash: old}, New: repository.Commit{Hash: new}}
		folders, free, err := c.objects(t.Context(), &job{Commits: commits})
		if err != nil {
			t.Fatal(err)
		}
		c.exports.Wait()
		return folders, free
	}
	folders, first := used("old", "0")
	_, second := used("old", "0")
	first()
	for i := range 2 * mostExports {
		_, free := used("old", strconv.Itoa(i+1))
		free()
	}
	for _, dir := range folders { // the second job uses them still
		if _, err := os.Stat(filepath.Join(dir, "pack")); err != nil {
			t.Error(err)
		}
	}
	second()
	if list, err := os.ReadDir(c.temporary.Path); len(list) != mostExports || len(c.exported) != mostExports {
		t.Errorf("%d folders are left, %v", len(list), err)
	}
	_, third := used("old", "0")
	third()
	if written["old"] != 1 || written["0"] != 2 {
		t.Errorf("written: %v", written)
	}
}
