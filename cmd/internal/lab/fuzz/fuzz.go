// Package fuzz measures how much of a module Go's native fuzzing covers, with targets that a tool generates.
//
// In: the source of a module, a time, a scratch folder. Out: the share of the statements of the module that ran, as
// Go's coverage counts them; the number of targets; notes of targets that could not be fuzzed. The time is divided
// equally among the targets, building left aside. Code of the module is built and run confined; its source stays as it
// is. A program that uses this begins with sandbox.Child.
package fuzz

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// fzgenVersion is the release of fzgen, which generates targets. It was released for an older Go, so it is built with a
// newer release of the module that reads packages.
const (
	fzgenModule  = "github.com/thepudds/fzgen"
	fzgenVersion = "v0.4.3"
	fzgenBuild   = "module tool\n\ngo 1.24\n\ntool " + fzgenModule + "/cmd/fzgen\n\nrequire (\n\t" + fzgenModule + " " +
		fzgenVersion + "\n\tgolang.org/x/tools v0.30.0\n)\n"
)

// A Fuzzer fuzzes modules.
type Fuzzer struct {
	processors int
	box        *sandbox.Sandbox
	runner     *gocommand.Runner
	fzgen      string // the built command
}

// Open builds the generator of targets, in a scratch folder. Fuzzing uses so many processors.
func Open(ctx context.Context, scratch string, processors int) (*Fuzzer, error) {
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		return nil, err
	}
	f := &Fuzzer{processors: processors, box: box}
	if f.runner, err = gocommand.NewRunner(ctx, box, scratch); err == nil {
		err = f.buildGenerator(ctx, filepath.Join(scratch, "fzgen"))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("build fzgen: %w", err)
	}
	return f, nil
}

// Close ends the processes that are still running.
func (f *Fuzzer) Close() { f.box.Close() }

func (f *Fuzzer) buildGenerator(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(fzgenBuild), 0o666); err != nil {
		return err
	}
	folders := gocommand.Folders{Write: []string{dir}}
	fetching := gocommand.Command{Dir: dir, Folders: folders, Network: true}
	if _, err := f.command(ctx, fetching, "mod", "tidy"); err != nil {
		return err
	}
	f.fzgen = filepath.Join(dir, "built")
	building := gocommand.Command{Dir: dir, Folders: folders}
	_, err := f.command(ctx, building, "build", "-o", f.fzgen, fzgenModule+"/cmd/fzgen")
	return err
}

// command runs a go command, or another, confined.
func (f *Fuzzer) command(ctx context.Context, c gocommand.Command, args ...string) (string, error) {
	c.Env = append(f.runner.Environment(os.Environ()), "GOWORK=off")
	out, errs, err := f.runner.Run(ctx, c, args...)
	if err != nil {
		return out, fmt.Errorf("%s: %w: %.9000s%.9000s", strings.Join(args[:min(2, len(args))], " "), err, errs, out)
	}
	return out, nil
}

// A Result is the coverage that fuzzing a module reached.
type Result struct {
	Share   float64 // of the statements that ran
	Targets int     // 0: nothing could be fuzzed, the notes say why
	Notes   []string
}

// Measure fuzzes a copy of a module, in a folder that does not exist yet, for some time.
func (f *Fuzzer) Measure(ctx context.Context, source, dir string, most time.Duration) (Result, error) {
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		return Result{}, err
	}
	if err := withoutTests(dir); err != nil {
		return Result{}, err
	}
	m := &fuzzing{Fuzzer: f, dir: dir}
	share, err := m.measure(ctx, most)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		m.notes = append(m.notes, first)
	}
	return Result{share, len(m.targets), m.notes}, nil
}

// fuzzing is the fuzzing of one module.
type fuzzing struct {
	*Fuzzer
	dir     string // copy of the module, with targets and without its own tests
	module  string // path
	targets []target
	notes   []string
}

// A target is a fuzz target, with the test binaries of its package.
type target struct {
	name, dir       string
	fuzz, replaying string
}

// measure fuzzes all targets, and returns the share of the statements that ran.
func (f *fuzzing) measure(ctx context.Context, most time.Duration) (float64, error) {
	exported, err := f.exported()
	if err != nil {
		return 0, err
	}
	if err := f.build(ctx, exported); err != nil {
		return 0, err
	}
	if len(f.targets) == 0 {
		return 0, errors.New("no targets")
	}
	got, lost := profile{}, []string{}
	for _, t := range f.targets {
		f.fuzz(ctx, t, most/time.Duration(len(f.targets)))
		if err := f.replay(ctx, t, got); err != nil {
			lost = append(lost, t.name)
		}
	}
	if len(lost) > 0 {
		f.notes = append(f.notes, "not counted, since it ends the process: "+strings.Join(lost, ", "))
	}
	return got.share(), nil
}
