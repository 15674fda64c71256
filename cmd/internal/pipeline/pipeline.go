// Package pipeline is the whole flow of a comparison, and the only package that knows every stage:
// revisions → versions → common surface → two instrumented builds → sequences → spectra →
// deviations → roots → report.
//
// In: a Config. Out: a finished report, or an error that says which stage failed on what. It
// writes only below the cache folder and a temporary folder that it removes; the repository is
// read, never touched. With the same Config (and Sequences set) the report is the same but for its
// durations.
package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Run compares two versions.
func Run(ctx context.Context, cfg Config) (*report.Report, error) {
	r := &run{cfg: cfg, report: newReport(cfg)}
	defer r.close()
	if err := r.versions(ctx); err != nil {
		return nil, err
	}
	if r.nothingToRun() {
		return r.finish()
	}
	for _, stage := range []func(context.Context) error{
		r.openSandboxes,
		r.surface,
		r.builds,
		r.variables,
		r.generate,
		r.calibrate,
		r.replay,
		r.judge,
	} {
		if err := stage(ctx); err != nil {
			return nil, err
		}
		if r.done {
			break
		}
	}
	return r.finish()
}

// run is the state of one comparison, filled stage by stage.
type run struct {
	cfg       Config
	report    *report.Report
	cache     string
	temp      string
	sandboxes []*sandbox.Sandbox
	done      bool       // a stage found that there is nothing left to do
	large     sync.Mutex // held while large recordings are decoded: one after the other
	plain     bool       // the runtime of the Go release is left alone

	old, new *side
	changes  *version.Changes
	packages []string // selected, by their paths in old
	recorded []string // and those that only one version has
	common   *target.Surface
	matched  map[spectra.Symbol]spectra.Symbol // functions of new → functions of old with the same meaning

	observed []*reshaped // types that are compared by observers
	asked    *noise.Mask // calls of their methods that follow from the representation

	initial  []initial
	costs    map[sequence.Key]int64 // steps of the sequences that were tried
	waits    map[sequence.Key]bool  // those of them that a clock ended
	kept     []kept
	causes   root.Changes
	suspects []suspect
	verdicts []verdict

	calibrated calibration

	oldMask, newMask *noise.Mask // what was seen to be unstable in any suspect
}

// side is what is known of one of the two versions.
type side struct {
	name   string // "old" or "new"
	commit version.Commit
	tree   *version.Tree
	module version.Module
	target *target.Target
	build  buildResult
}

// close ends the sandboxes and removes the temporary folder.
func (r *run) close() {
	for _, s := range r.sandboxes {
		_ = s.Close()
	}
	if r.temp != "" {
		_ = os.RemoveAll(r.temp)
	}
}

// folders finds the cache and makes the temporary folder.
func (r *run) folders() error {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	r.cache = filepath.Join(base, "spectradiff")
	if err := os.MkdirAll(r.cache, 0o777); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	if r.temp, err = os.MkdirTemp("", "spectradiff-"); err != nil {
		return fmt.Errorf("temporary folder: %w", err)
	}
	return nil
}

// openSandboxes opens a sandbox for each worker, so that a machine which can't confine is refused
// before anything is built.
func (r *run) openSandboxes(context.Context) error {
	for range max(r.cfg.Jobs, 1) {
		s, err := sandbox.Open(sandbox.Options{Unconfined: r.cfg.NoSandbox})
		if err != nil {
			return fmt.Errorf("sandbox: %w", err)
		}
		r.sandboxes = append(r.sandboxes, s)
	}
	layers := r.sandboxes[0].Layers()
	r.report.Settings.Sandbox = layers.String()
	r.warn(append(layers.Missing(), layers.Weak()...)...)
	return nil
}

// warn adds warnings to the report.
func (r *run) warn(texts ...string) {
	r.report.Warnings = append(r.report.Warnings, texts...)
}

func (r *run) log(format string, args ...any) {
	if r.cfg.Log != nil {
		r.cfg.Log(format, args...)
	}
}

// detail logs what only --verbose asks for.
func (r *run) detail(format string, args ...any) {
	if r.cfg.Verbose {
		r.log(format, args...)
	}
}

func (r *run) progress(stage string, done, total int) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(stage, done, total)
	}
}

// stopwatch gives the time since it was made.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
