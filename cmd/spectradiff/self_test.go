package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/spectradiff/spectradiff/internal/report"
)

// selfSeeds is the number of seeds under which each module is compared with itself.
const selfSeeds = 10

// mostMasked is the share of all values that may be masked. Modules that draw random numbers have more,
// because drawn values can't be compared; the table shows each.
const mostMasked = 0.01

// A self is a module to compare with itself, with the reason why that is hard.
type self struct{ module, version, reason string }

var selves = []self{
	{"github.com/BurntSushi/toml", "v1.3.2", "reflection, an internal test runner that prints addresses"},
	{"github.com/google/btree", "v1.1.3", "generic trees, shared free lists"},
	{"github.com/gorilla/mux", "v1.8.1", "net/http, regular expressions, request contexts"},
	{"github.com/robfig/cron/v3", "v3.0.1", "goroutines, channels, timers, loggers"},
	{"github.com/tidwall/gjson", "v1.18.0", "unsafe strings, package-level registries"},
	{"gopkg.in/yaml.v3", "v3.0.1", "large states that every function touches"},
	{"github.com/spf13/cobra", "v1.8.1", "global flags and hooks, os.Args, standard streams"},
	{"github.com/hashicorp/golang-lru/v2", "v2.0.7", "generics, time-based expiry, maps"},
	{"github.com/patrickmn/go-cache", "v2.1.0+incompatible", "no go.mod, goroutines with tickers, finalizers"},
	{"github.com/google/uuid", "v1.6.0", "crypto/rand, clock sequences, network interfaces"},
	{"github.com/oklog/ulid/v2", "v2.1.0", "entropy, math/rand, time"},
	{"github.com/sourcegraph/conc", "v0.3.0", "goroutine pools, stack traces with addresses"},
	{"github.com/samber/lo", "v1.47.0", "657 generic operations, maps in random order, math/rand"},
	{"github.com/emirpasic/gods", "v1.18.1", "containers of any value, comparators"},
	{"github.com/cenkalti/backoff/v4", "v4.3.0", "math/rand, timers, contexts"},
	{"golang.org/x/time", "v0.5.0", "clocks"},
	{"github.com/tidwall/btree", "v1.7.0", "generics, copy on write, hints by address"},
	{"github.com/pelletier/go-toml/v2", "v2.2.4", "unsafe, reflection, internal packages, caches of types"},
	{"github.com/mitchellh/mapstructure", "v1.5.0", "maps of any value, reflection, hooks"},
	{"github.com/Masterminds/semver/v3", "v3.3.1", "regular expressions, SQL and JSON interfaces"},
	{"github.com/alecthomas/participle/v2", "v2.1.4", "generics, closures, parsers built by reflection"},
	{"github.com/yuin/goldmark", "v1.7.8", "embedded structs, registries, many packages"},
	{"github.com/json-iterator/go", "v1.1.12", "unsafe pointers, sync.Map, pools, reflection below reflection"},
	{"github.com/sirupsen/logrus", "v1.9.3", "build tags, pools, call frames, os.Exit"},
	{"github.com/stretchr/objx", "v0.5.2", "generated code, maps of any value, panics"},
	{"github.com/deckarep/golang-set/v2", "v2.6.0", "generic sets over maps, goroutines that iterate"},
	{"github.com/jinzhu/copier", "v0.4.0", "reflection over embedded structs"},
	{"github.com/gobwas/glob", "v0.2.3", "compiled trees of matchers, pools"},
	{"github.com/bits-and-blooms/bitset", "v1.14.3", "bit sets, panics on bad indexes, build tags"},
	{"github.com/RoaringBitmap/roaring", "v1.9.4", "unsafe, interfaces with many implementations, internal packages"},
	{"github.com/valyala/bytebufferpool", "v1.0.0", "a pool that calibrates itself"},
	{"github.com/rs/xid", "v1.6.0", "process number, host name, machine files, crypto/rand"},
	{"github.com/rs/zerolog", "v1.33.0", "pools, hooks, call frames, time"},
	{"github.com/segmentio/ksuid", "v1.0.4", "buffered crypto/rand, time"},
	{"github.com/hashicorp/go-memdb", "v1.3.4", "radix trees, channels that are watched, unsafe"},
	{"golang.org/x/sync", "v0.11.0", "errgroup, singleflight with Goexit and panics, semaphores"},
	{"github.com/spf13/pflag", "v1.0.5", "values behind interfaces, network types, global flags"},
	{"github.com/pkg/errors", "v0.9.1", "stack traces with program counters"},
	{"github.com/google/go-cmp", "v0.6.0", "panics, unexported fields, output that is unstable on purpose"},
	{"github.com/davecgh/go-spew", "v1.1.1", "prints addresses, unsafe, maps sorted or not"},
	{"github.com/kr/pretty", "v0.3.1", "reflection, writers that columns are built by"},
	{"github.com/gammazero/deque", "v1.0.0", "a generic ring buffer"},
	{"github.com/gammazero/workerpool", "v1.1.3", "goroutines, channels of channels, contexts"},
	{"go.uber.org/multierr", "v1.11.0", "atomics, pools, error trees"},
}

// A tally is the result of comparing a module with itself under all seeds.
type tally struct {
	self
	packages, functions, sequences, executions int
	values, masked, deviations                 int
	seconds                                    float64
}

func (t *tally) add(r *report.Report, took time.Duration) {
	t.packages, t.functions = r.Subject.Packages, r.Subject.Functions
	t.sequences += r.Replay.Sequences
	t.executions += r.Replay.FunctionExecutions
	t.values += r.Noise.Values
	t.masked += r.Noise.Masked
	t.deviations += len(r.Roots) + len(r.Deviations)
	t.seconds += took.Seconds()
}

func (t *tally) share() float64 { return float64(t.masked) / float64(max(t.values, 1)) }

// TestSelf compares released modules with themselves under many seeds. There must be no deviation, the
// exit status must be 0, and the same seed must lead to the same bytes.
func TestSelf(t *testing.T) {
	needLong(t)
	var all []*tally
	for _, s := range selves {
		if wanted(s.module) {
			all = append(all, &tally{self: s})
		}
	}
	for _, one := range all {
		t.Run(one.module, func(t *testing.T) {
			repository := releases(t, one.module, one.version, one.version)
			first := compareSelf(t, one, repository, 1)
			for seed := 2; seed <= selfSeeds; seed++ {
				compareSelf(t, one, repository, seed)
			}
			if again := compareSelf(t, &tally{self: one.self}, repository, 1); !bytes.Equal(first, again) {
				t.Errorf("the same seed prints another report (%s): %s", one.reason,
					cmp.Diff(lines(first), lines(again)))
			}
		})
	}
	printTallies(t, all)
}

func lines(text []byte) []string { return strings.Split(string(text), "\n") }

// compareSelf compares a module with itself once, and returns the report without durations.
func compareSelf(t *testing.T, one *tally, repository string, seed int) []byte {
	t.Helper()
	start := time.Now()
	r, out := compareReleases(t, repository, "--all", "--drive", "api", "--sequences", "300",
		"--seed", fmt.Sprint(seed), "--jobs", fmt.Sprint(1+seed%2))
	one.add(r, time.Since(start))
	if len(r.Roots)+len(r.Deviations) > 0 || r.Exit != 0 {
		t.Errorf("seed %d: %d roots, %d deviations, exit %d (%s)\n%s", seed, len(r.Roots), len(r.Deviations), r.Exit,
			one.reason, out)
	}
	return out
}

// printTallies logs the table, and checks that little is masked.
func printTallies(t *testing.T, all []*tally) {
	var b strings.Builder
	row := func(columns ...any) {
		fmt.Fprintf(&b, "%-38v %8v %9v %9v %10v %9v %7v %7v %10v %8v\n", columns...)
	}
	row("module", "packages", "functions", "sequences", "executions", "values", "masked", "share", "deviations",
		"seconds")
	sum, total := 0.0, &tally{}
	for _, one := range all {
		row(one.module, one.packages, one.functions, one.sequences, one.executions, one.values, one.masked,
			fmt.Sprintf("%.2f%%", 100*one.share()), one.deviations, fmt.Sprintf("%.0f", one.seconds))
		sum += one.share()
		total.values += one.values
		total.masked += one.masked
	}
	t.Logf("%d modules against themselves, %d seeds each\n%s"+
		"%.2f%% of all values masked, %.2f%% of a module's on average",
		len(all), selfSeeds, &b, 100*total.share(), 100*sum/float64(max(len(all), 1)))
	if os.Getenv("SPECTRADIFF_ONLY") == "" && total.share() >= mostMasked {
		t.Errorf("%.2f%% of the values are masked, want less than %.0f%%", 100*total.share(), 100*mostMasked)
	}
}

// olderReleases are Go releases other than the one that builds this test. Targets are built with them.
var olderReleases = []string{"go1.24.0", "go1.25.0"}

// few are modules that stand for all others where each is compared in several environments.
var few = []string{
	"github.com/google/btree", "github.com/robfig/cron/v3", "github.com/sourcegraph/conc",
	"github.com/deckarep/golang-set/v2", "golang.org/x/sync", "github.com/rs/xid",
}

// TestSelfReleases compares modules with themselves whose targets are built by other Go releases.
func TestSelfReleases(t *testing.T) {
	needLong(t)
	for _, release := range olderReleases {
		t.Run(release, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", release)
			forFew(t, func(t *testing.T, one *tally, repository string) {
				for seed := range 2 {
					want := []byte(`"go": "` + release + `"`)
					if out := compareSelf(t, one, repository, 1+seed); !bytes.Contains(out, want) {
						t.Errorf("the report does not name %s:\n%s", release, out)
					}
				}
			})
		})
	}
}

// TestSelfUnknownRelease compares modules with themselves whose targets are built by a Go release with an
// unexpected runtime. Chance decides every run, and yet nothing may deviate.
func TestSelfUnknownRelease(t *testing.T) {
	needLong(t)
	unknownRelease(t)
	forFew(t, func(t *testing.T, one *tally, repository string) {
		for seed := range 3 {
			if out := compareSelf(t, one, repository, 1+seed); !bytes.Contains(out, []byte("could not be extended")) {
				t.Errorf("no warning that the runtime is not extended:\n%s", out)
			}
		}
	})
}

func forFew(t *testing.T, do func(t *testing.T, one *tally, repository string)) {
	t.Helper()
	for _, s := range selves {
		for _, module := range few {
			if s.module == module && wanted(module) {
				t.Run(module, func(t *testing.T) {
					do(t, &tally{self: s}, releases(t, s.module, s.version, s.version))
				})
			}
		}
	}
}

// unknownRelease makes the go command use a copy of this release in which one line of the runtime
// differs, at a place that the overlay patches.
func unknownRelease(t *testing.T) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	tree := t.TempDir()
	linkAll(t, tree, root, "src")
	linkAll(t, filepath.Join(tree, "src"), filepath.Join(root, "src"), "runtime")
	linkAll(t, filepath.Join(tree, "src", "runtime"), filepath.Join(root, "src", "runtime"), "rand.go")
	const name, line = "src/runtime/rand.go", "func maps_rand() uint64 {\n"
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), line) != 1 {
		t.Fatalf("%s has no line %q", name, line)
	}
	other := strings.Replace(string(text), line, line+"\t// Otherwise than in the releases we know.\n", 1)
	if err := os.WriteFile(filepath.Join(tree, name), []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOROOT", tree)
	t.Setenv("GOTOOLCHAIN", "local")
}

// linkAll fills a folder with links to the entries of another one, except those with certain names.
func linkAll(t *testing.T, to, from string, but ...string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if slices.Contains(but, entry.Name()) {
			continue
		}
		if err := os.Symlink(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
}
