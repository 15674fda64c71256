// Package faults runs comparisons with workers while workers, the server and the network between them fail.
//
// In: the built command, a repository with two versions, how many runs, and a seed from which all faults follow. Out:
// for each run what failed and how it ended: with the same report as a run without workers (in all fields of its JSON
// but durations, stages and what workers did), with another one, with an error, or not at all in the time that it has.
// It starts processes of the command and kills them, and writes only below a folder that it is given.
package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Config says what is run.
type Config struct {
	Command    string   // the built command
	Repository string   // with both versions
	Args       []string // of compare
	Folder     string   // for servers, logs and temporary files
	Workers    int      // at the beginning, at most
	Clocks     bool     // the command is one of Build, and clocks are set wrong
	Links      bool     // workers are in network namespaces
	Limit      time.Duration
}

// An Ending is how a run ended.
type Ending string

// The endings.
const (
	Same    Ending = "same"  // report as without workers
	Other   Ending = "other" // report
	Refused Ending = "error" // with a message
	Stuck   Ending = "stuck" // until the time was up
)

// A Run is what one run showed.
type Run struct {
	Faults  []string // in the order in which they happened
	Ending  Ending
	Tasks   int // that workers did
	Redone  int
	Seconds float64
	Message string
}

// A Bench makes runs.
type Bench struct {
	Config
	want any // the report without workers
	span time.Duration
}

// New makes the run without workers.
func New(ctx context.Context, c Config) (*Bench, error) {
	b := &Bench{Config: c}
	if _, err := b.compare(ctx, os.Environ()); err != nil { // it fills the cache
		return nil, err
	}
	begun := time.Now()
	out, err := b.compare(ctx, os.Environ())
	if err != nil {
		return nil, err
	}
	b.span = time.Since(begun)
	if b.want, _, err = read(out); err != nil {
		return nil, fmt.Errorf("run without workers: %w", err)
	}
	return b, nil
}

// compare runs a comparison and returns its report. An exit status of 1 is no error.
func (b *Bench) compare(ctx context.Context, env []string, flags ...string) ([]byte, error) {
	args := []string{"compare", "-C", b.Repository, "--no-progress", "--format", "json", "--jobs", "1"}
	cmd := exec.CommandContext(ctx, b.Command, slices.Concat(args, flags, b.Args)...)
	cmd.Env = env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // it says where it is stuck
	cmd.WaitDelay = 5 * time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return out.Bytes(), nil
}

// varying are the fields of reports that differ from run to run.
var varying = []string{"seconds", "stages", "workers"}

// read reads a report without what differs from run to run, and what workers did.
func read(report []byte) (of any, workers struct{ tasks, redone int }, err error) {
	if err := json.Unmarshal(report, &of); err != nil {
		return nil, workers, err
	}
	var did struct {
		Workers struct {
			List   []struct{ Tasks int }
			Redone int
		}
	}
	if err := json.Unmarshal(report, &did); err != nil {
		return nil, workers, err
	}
	for _, w := range did.Workers.List {
		workers.tasks += w.Tasks
	}
	workers.redone = did.Workers.Redone
	return without(of), workers, nil
}

func without(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			if slices.Contains(varying, name) {
				delete(value, name)
			} else {
				value[name] = without(value[name])
			}
		}
	case []any:
		for i := range value {
			value[i] = without(value[i])
		}
	}
	return value
}

// Run makes one run whose faults follow from a seed.
func (b *Bench) Run(ctx context.Context, seed uint64) (r Run, err error) {
	folder := filepath.Join(b.Folder, fmt.Sprintf("run-%d", seed))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return r, err
	}
	defer os.RemoveAll(folder)
	chance := rand.New(rand.NewPCG(seed, 0))
	s := &scene{command: b.Command, folder: folder, chance: chance, clocks: b.Clocks, linked: b.Links}
	defer s.end()
	if err := s.begin(1 + chance.IntN(b.Workers)); err != nil {
		return r, err
	}
	env := s.environment()
	ctx, cancel := context.WithTimeout(ctx, b.Limit)
	defer cancel()
	ended := make(chan struct{})
	var happened []string
	done := make(chan struct{})
	go func() { happened = s.trouble(ended, b.span); close(done) }()
	begun := time.Now()
	out, failed := b.compare(ctx, env, "--nats", s.url())
	r.Seconds = time.Since(begun).Seconds()
	close(ended)
	<-done
	r.Faults = happened
	if failed != nil {
		r.Ending, r.Message = Refused, failed.Error()
		if ctx.Err() != nil {
			r.Ending = Stuck
		}
		return r, nil
	}
	got, did, err := read(out)
	if err != nil {
		return r, err
	}
	r.Ending, r.Tasks, r.Redone = Same, did.tasks, did.redone
	if !reflect.DeepEqual(got, b.want) {
		r.Ending = Other
	}
	return r, nil
}
