// Command bench measures what recording costs: a call, a node of a heap, a step of the executor, whole test suites;
// what whole comparisons take; what each means of generating brings; what generating runs of modules, and its memory.
// Calls and suites are measured by turns with what they are compared to: of calls many short rounds, of which the tenth
// percentile counts; of suites processor time, of which the median counts. On a shared machine only the ratios mean
// something.
//
//	go run ./cmd/internal/bench
//
// It needs the go command, a C compiler (for -race) and modules through the module proxy.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
)

func main() {
	if sandbox.Child() || load.Child() {
		return
	}
	only := flag.String("only", "", "one of calls, growth, executor, suites, comparisons, ablations, coverage, memory")
	var b bench
	flag.IntVar(&b.runs, "runs", 5, "runs of each test suite; the median counts")
	flag.StringVar(&b.module, "module", "", "only the suites and releases of modules whose path holds this")
	flag.StringVar(&b.modules, "modules", "", "only the coverage of modules whose path holds one of these, `A,B`")
	flag.DurationVar(&b.budget, "budget", 0, "time for each means of coverage (60s), and for memory (10m)")
	flag.StringVar(&b.means, "means", "", "only the ablations of means whose name holds one of these, `A,B`")
	flag.BoolVar(&b.untested, "untested", false, "ablations know no tests, whatever else is left out")
	flag.BoolVar(&b.missed, "missed", false, "list the functions that coverage misses")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, *only, &b); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, only string, b *bench) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	b.dir = dir
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"calls", b.calls}, {"growth", b.growth}, {"executor", b.executor}, {"suites", b.suites},
		{"comparisons", b.comparisons}, {"ablations", b.ablations}, {"coverage", b.coverage}, {"memory", b.memory}} {
		if only != "" && only != part.name {
			continue
		}
		if err := part.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		fmt.Println()
	}
	return nil
}

// bench is one run of the command.
type bench struct {
	dir    string // scratch
	runs   int
	module string // only modules whose path contains this text are measured

	modules  string // likewise, of the coverage
	means    string // of ablations; those whose names contain it
	budget   time.Duration
	missed   bool
	untested bool
}

// build builds a driver in the scratch folder.
func (b *bench) build(ctx context.Context, r build.Request) (*build.Binary, error) {
	store, err := cache.Open(cache.Settings{Folder: filepath.Join(b.dir, "cache")}, nil)
	if err != nil {
		return nil, err
	}
	builder := &build.Builder{Cache: store, Go: gocommand.Unconfined(), Log: func(string, ...any) {}}
	return builder.Build(ctx, r)
}

// fixture copies the fixture module, because the go command refuses overlays below some folders.
func (b *bench) fixture() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w (run it in the project's folder)", err)
	}
	dir := filepath.Join(b.dir, "fixture")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	root := strings.TrimSpace(string(out))
	return dir, os.CopyFS(dir, os.DirFS(filepath.Join(root, "cmd", "internal", "bench", "testdata", "fixture")))
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// instrumented is a module with probes.
type instrumented struct {
	packages []*instrument.Package
	loaded   []*packages.Package
	overlay  map[string][]byte
	touches  map[spectra.Symbol][]string
}

// instrument adds probes to those packages of a module that match a pattern and compile.
func (b *bench) instrument(dir string, patterns ...string) (*instrumented, error) {
	config := &packages.Config{Mode: loadMode, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}
	all, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", dir, err)
	}
	all = slices.DeleteFunc(all, func(p *packages.Package) bool {
		return len(p.Errors) > 0 || p.Name == "main" || len(p.CompiledGoFiles) == 0
	})
	program := static.New(all, nil)
	touches, err := variables.Variables(program)
	if err != nil {
		return nil, err
	}
	m := &instrumented{loaded: all, overlay: map[string][]byte{}, touches: touches}
	options := instrument.Options{Dir: dir, Runtime: spectra.RuntimePath, Written: program.Written()}
	for _, p := range all {
		out, err := instrument.Instrument(p, options)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, out)
		for name, source := range out.Files {
			m.overlay[name] = source
		}
	}
	if len(m.packages) == 0 {
		return nil, fmt.Errorf("nothing to instrument in %s", dir)
	}
	return m, nil
}
