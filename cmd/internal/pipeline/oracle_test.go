package pipeline

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/report"
)

// TestPruningOracle compares neighbouring commits of every clone in the folder SPECTRADIFF_HISTORIES: the
// SPECTRADIFF_COMMITS newest ones (20) that change code, after SPECTRADIFF_SKIP others.
func TestPruningOracle(t *testing.T) {
	folder := os.Getenv("SPECTRADIFF_HISTORIES")
	if folder == "" {
		t.Skip("SPECTRADIFF_HISTORIES names a folder of clones whose histories are compared")
	}
	clones, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	store := cache.Settings{Folder: filepath.Join(t.TempDir(), "cache"), Limit: 8 << 30}
	var sum struct{ pairs, sequences, equal, deviate int }
	for _, clone := range clones {
		dir := filepath.Join(folder, clone.Name())
		for _, commit := range changingCode(t, dir) {
			t.Run(clone.Name()+"/"+commit[:10], func(t *testing.T) {
				cfg := Config{
					Dir: dir, Args: []string{commit + "~1", commit}, Seed: 1, Sequences: 150,
					Jobs: runtime.GOMAXPROCS(0), Drive: []string{"api"}, FailOn: string(report.FailNone), Cache: store,
				}
				found := bothWays(t, cfg)
				if found.pruned == nil {
					t.Skip(found.why)
				}
				sum.pairs++
				sum.sequences += len(found.pruned.Sequences)
				sum.equal += found.pruned.Pruning.Equal
				if len(found.pruned.Findings) > 0 {
					sum.deviate++
				}
				found.compare(t)
			})
		}
	}
	t.Logf("%d pairs, %d of which deviate; %d of %d sequences were not recorded",
		sum.pairs, sum.deviate, sum.equal, sum.sequences)
}

// changingCode lists the newest commits of a clone that change Go code which is not a test.
func changingCode(t *testing.T, dir string) []string {
	t.Helper()
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	cmd := exec.Command("git", "-C", dir, "log", "--no-merges", "--format=%H",
		"--skip="+strconv.Itoa(number("SPECTRADIFF_SKIP", 0)),
		"--max-count="+strconv.Itoa(number("SPECTRADIFF_COMMITS", 20)),
		"--", "*.go", ":(exclude)*_test.go", ":(exclude)*/testdata/*", ":(exclude)*/_*/*", ":(exclude)_*/*")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return strings.Fields(string(out))
}

// A twice is one comparison, judged with pruning and without.
type twice struct {
	pruned, whole *judge.Judged // nil: there was nothing to compare
	why           string
	built         *drivers.Drivers
	initial       judge.InitialValues
}

// bothWays compares two versions once, but plays and judges twice.
func bothWays(t *testing.T, cfg Config) twice {
	t.Helper()
	ctx := t.Context()
	task, err := newTask(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer task.env.Close(ctx)
	f := &flow{task: task}
	for _, stage := range []func(context.Context) error{task.choose, f.plan, f.build, f.variables, f.search} {
		if err := stage(ctx); err != nil {
			return twice{why: err.Error()}
		}
	}
	built := f.found.Drivers
	if !built.Touched.Known {
		return twice{why: built.Touched.Unknown}
	}
	found := twice{built: built, initial: f.found.Initial}
	subject := f.subject(f.found.Drivers, f.found.Calls.Generated)
	found.pruned = playAndJudge(t, task, subject)
	whole := *subject
	whole.Reach = judge.Reach{}
	found.whole = playAndJudge(t, task, &whole)
	return found
}

func playAndJudge(t *testing.T, task *task, s *judge.Subject) *judge.Judged {
	t.Helper()
	played, err := judge.Play(t.Context(), task.env.Workers, s)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := judge.Judge(t.Context(), task.env.Workers, played)
	if err != nil {
		t.Fatal(err)
	}
	return judged
}

// compare demands that both ways found the same.
func (f *twice) compare(t *testing.T) {
	t.Helper()
	if f.pruned.Pruning.Failed {
		t.Error("a sequence that seemed to run nothing of the change deviates")
	}
	pruned, whole := f.text(t, f.pruned), f.text(t, f.whole)
	if pruned != whole {
		t.Errorf("pruned:\n%s\nwhole:\n%s", pruned, whole)
	}
	t.Logf("%d of %d sequences not recorded, %d roots; %v pruned, %v whole", f.pruned.Pruning.Equal,
		len(f.pruned.Sequences), len(f.pruned.Findings), f.pruned.Elapsed.Round(time.Millisecond),
		f.whole.Elapsed.Round(time.Millisecond))
}

// text prints the roots. Which of the sequences are judged that look alike, and the shortest that shows a root, depends
// on what was played before them in one process.
func (f *twice) text(t *testing.T, j *judge.Judged) string {
	t.Helper()
	var lines []string
	for _, f := range group.Shown(f.built, group.Source{Calls: j.Findings, Initial: f.initial}) {
		lines = append(lines, fmt.Sprintln(f.Cause.Symbol, f.Cause.Change, f.Confirmed(), f.Reach()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// A constant that changed, and is used in one of two functions.
const scaling = `package m

const factor = %d

// Scale multiplies.
func Scale(n int) int { return n * factor }

// Add adds.
func Add(n, m int) int { return n + m }
`

// TestPruningFault: where a use of what changed was left out, the sequences that are recorded as a proof find it.
func TestPruningFault(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all: it builds drivers")
	}
	for _, fault := range []bool{false, true} {
		task, err := newTask(Config{
			Dir:  commits(t, fmt.Sprintf(scaling, 2), fmt.Sprintf(scaling, 3)),
			Args: []string{"v1", "v2"}, Seed: 1, Sequences: 150, Jobs: 2, NoSandbox: true, Drive: []string{"api"},
			FailOn: string(report.FailAny), Cache: cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { task.env.Close(context.Background()) })
		f := &flow{task: task}
		for _, stage := range []func(context.Context) error{task.choose, f.plan, f.build, f.variables} {
			if err := stage(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if fault {
			f.found.Drivers.Touched.Blocks = nil
		}
		if err := f.search(t.Context()); err != nil {
			t.Fatal(err)
		}
		judged := playAndJudge(t, task, f.subject(f.found.Drivers, f.found.Calls.Generated))
		switch p := judged.Pruning; {
		case len(judged.Findings) != 1:
			t.Errorf("fault %v: %d roots, want that of the constant", fault, len(judged.Findings))
		case !fault && (p.Failed || p.Equal == 0):
			t.Errorf("%+v: want sequences that were not recorded", p)
		case fault && (!p.Failed || p.Equal != 0):
			t.Errorf("with a fault %+v: want that it is found, and everything recorded", p)
		}
	}
}
