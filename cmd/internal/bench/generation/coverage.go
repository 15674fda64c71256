// Package generation measures generating alone: how much of the code behind the exported functions of released modules
// is run by sequences of the generator, by native fuzzing of generated targets, and by calls at random; and which
// memory generating takes.
//
// In: released modules, a time for each of the three, a scratch folder. Out: a row for each module, printed when it was
// measured, and the median. The three get the same time on the same processors, building left aside, and are counted by
// one measure: the statements in the blocks of this tool's instrumentation, in those functions that a static call graph
// reaches from exported ones of packages that others can import. Code of the modules is built and run confined. The
// package is no part of the tool.
package generation

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A Config says what is measured.
type Config struct {
	Modules []string // those whose path holds one of these; none: all
	Budget  time.Duration
	Missed  bool // the functions are listed that were run least
	Dir     string
	Out     io.Writer

	Progress func(stage string, done, total int) // as in pipeline.Config
}

// processors is on how many all three run.
const processors = 2

// Coverage measures the modules one after the other.
func Coverage(ctx context.Context, cfg Config) error {
	return confined(ctx, cfg, func(m *measuring) error { return m.coverage(ctx) })
}

// confined measures with go commands that run in a sandbox.
func confined(ctx context.Context, cfg Config, measure func(*measuring) error) error {
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		return err
	}
	defer box.Close()
	run, err := gocommand.NewRunner(ctx, box, cfg.Dir)
	if err != nil {
		return err
	}
	return measure(&measuring{Config: cfg, run: run})
}

func (m *measuring) coverage(ctx context.Context) (err error) {
	if m.fzgen, err = m.generator(ctx); err != nil {
		m.logf("fzgen does not build: %v", err)
	}
	m.logf("%s each, on %d processors\n", m.Budget, processors)
	m.logf("| module | kind | statements | generated | fuzzed | at random | targets | note |")
	m.logf("|---|---|---|---|---|---|---|---|")
	var shares [means][]float64
	for _, of := range modules {
		if !of.wanted(m.Modules) {
			continue
		}
		c, err := m.module(ctx, of)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			m.logf("| %s | %s | left out: %s |", of.name, of.kind, firstLine(err.Error()))
			continue
		}
		m.print(of, c)
		for i, share := range c.shares() {
			if i != fuzzed || c.targets > 0 {
				shares[i] = append(shares[i], share)
			}
		}
	}
	if len(shares[generated]) > 0 {
		m.logf("| median of %d | | | %s | |", len(shares[generated]),
			percents(median(shares[generated]), median(shares[fuzzed]), median(shares[random])))
	}
	return nil
}

// measuring is one run of the measurement.
type measuring struct {
	Config
	run   *gocommand.Runner
	fzgen string // the built command; "" if it does not build
}

func (m *measuring) logf(format string, args ...any) { fmt.Fprintf(m.Out, format+"\n", args...) }

// The means that are compared, in the order of the columns.
const (
	generated = iota
	fuzzed
	random
	means
)

// covered is what was measured of a module.
type covered struct {
	scope   *scope
	ran     [means]map[uint32]bool // numbers of blocks
	targets int
	notes   []string
}

// shares returns the share of the statements that each of the means ran.
func (c *covered) shares() (list [means]float64) {
	for i, ran := range c.ran {
		list[i] = float64(c.scope.statements(ran)) / float64(max(1, c.scope.statements(nil)))
	}
	return list
}

func (m *measuring) print(of module, c *covered) {
	s := c.shares()
	fuzzing := percents(s[fuzzed])
	if c.targets == 0 {
		fuzzing = "does not build"
	}
	m.logf("| %s | %s | %d | %s | %s | %s | %d | %s |", of.name, of.kind, c.scope.statements(nil),
		percents(s[generated]), fuzzing, percents(s[random]), c.targets, strings.Join(c.notes, "; "))
	if m.Missed {
		c.scope.printMissed(m.Out, c.ran)
	}
}

// module measures one module.
func (m *measuring) module(ctx context.Context, of module) (*covered, error) {
	dir, err := os.MkdirTemp(m.Dir, "module-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "source")
	if err := m.fetch(ctx, of, source); err != nil {
		return nil, err
	}
	c := &covered{}
	if c.scope, c.ran[generated], err = m.generate(ctx, dir, directed()); err != nil {
		return nil, err
	}
	if _, c.ran[random], err = m.generate(ctx, dir, undirected()); err != nil {
		return nil, err
	}
	if err := c.scope.restrict(source); err != nil {
		return nil, err
	}
	f := &fuzzing{measuring: m, dir: filepath.Join(dir, "fuzz"), scope: c.scope}
	if c.ran[fuzzed], err = f.measure(ctx, source); err != nil {
		f.notes = append(f.notes, firstLine(err.Error()))
	}
	c.targets, c.notes = len(f.targets), f.notes
	return c, nil
}

func percents(shares ...float64) string {
	var list []string
	for _, s := range shares {
		list = append(list, fmt.Sprintf("%.1f %%", 100*s))
	}
	return strings.Join(list, " | ")
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
