package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
)

// runBench measures by turns with what it is compared to: of calls many short rounds, of which the tenth percentile
// counts; of suites processor time, of which the median counts. On a shared machine only the ratios mean something. It
// needs a C compiler, for -race.
func runBench(ctx context.Context, dir string, args []string) error {
	b := bench{dir: dir}
	parts := []struct {
		name string
		run  func(context.Context) error
	}{
		{"calls", b.calls}, {"growth", b.growth}, {"executor", b.executor}, {"suites", b.suites},
		{"comparisons", b.comparisons}, {"coverage", b.coverage}, {"memory", b.memory},
	}
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	only := flags.String("only", "", "one of calls, growth, executor, suites, comparisons, coverage, memory")
	flags.IntVar(&b.runs, "runs", 5, "runs of each test suite; the median counts")
	flags.StringVar(&b.modules, "module", "", "only modules whose path holds one of these: `A,B`")
	flags.DurationVar(&b.budget, "budget", 0, "time for each means of coverage (60s), and for memory (10m)")
	_ = flags.Parse(args) // it exits by itself
	measured := false
	for _, part := range parts {
		if *only != "" && *only != part.name {
			continue
		}
		if err := part.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		fmt.Println()
		measured = true
	}
	if !measured {
		return fmt.Errorf("-only %s: there is no such part", *only)
	}
	return nil
}

// bench is one run of the measurements.
type bench struct {
	dir     string // scratch
	runs    int
	modules string // "": all
	budget  time.Duration
}

// wanted reports whether a module is to be measured.
func (b *bench) wanted(module string) bool {
	return slices.ContainsFunc(strings.Split(b.modules, ","), func(part string) bool {
		return strings.Contains(module, part)
	})
}

// tool builds the command, with a cache of its own.
func (b *bench) tool(ctx context.Context, store string) (tool, error) {
	t := tool{filepath.Join(b.dir, "spectradiff"), []string{cache.FolderVariable + "=" + store}}
	_, err := goCommand(ctx, ".", "build", "-o", t.path, "./cmd/spectradiff")
	return t, err
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
	return dir, os.CopyFS(dir, os.DirFS(filepath.Join(root, "cmd", "internal", "lab", "testdata", "fixture")))
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
