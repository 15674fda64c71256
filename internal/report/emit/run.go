package emit

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// runTime is how long a test may run. A test that waits for what does not end gives up before.
const runTime = 20 * time.Second

// A run is how a test program ended.
type run struct {
	passed bool // the test ran, and nothing failed
	late   bool // it was ended because it took too long
	output string
	shown  gotest.Shown
}

// unstarted reports whether the program ended before it ran the test.
func (r *run) unstarted() bool {
	return r.shown.End == "" && !r.late && !strings.Contains(r.output, "=== RUN")
}

// firstLine returns the first line of a program's output.
func firstLine(output string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
	return line
}

// runs builds the tests of a package in one version from some files, and runs one of them several times: as drivers
// run, and with the programs and files of the machine that a test finds when people run it. It stops where a run is
// enough.
func (a *attempt) runs(
	ctx context.Context, s spectra.Side, files map[string][]byte, name string, times int,
	enough func(run) bool,
) ([]run, error) {
	dir, err := os.MkdirTemp(a.env.Temp, "test-")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	binary, err := a.build(ctx, s, dir, files)
	if err != nil {
		return nil, err
	}
	var list []run
	for i := range times {
		var seen []string // what a test needs of the machine it should not need at all
		if i%2 == 1 {
			seen = existing(append(sandbox.SystemFolders(), (*a.Loaded.Of(s)).Dir))
		}
		r, err := a.once(ctx, dir, binary, name, seen)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
		if r.late || enough != nil && enough(r) {
			break
		}
	}
	return list, nil
}

// existing returns the folders that exist.
func existing(folders []string) []string {
	return slices.DeleteFunc(folders, func(folder string) bool {
		_, err := os.Stat(folder)
		return err != nil
	})
}

// build compiles the tests of a package. Its own tests are left out.
func (a *attempt) build(ctx context.Context, s spectra.Side, dir string, files map[string][]byte) (string, error) {
	v, p := *a.Loaded.Of(s), a.packageIn(s, a.home)
	if p == nil {
		return "", fmt.Errorf("%s has no package %s", *a.Revision.Of(s), a.home)
	}
	replace := map[string]string{}
	for _, own := range api.TestFiles(p.Dir) {
		replace[own] = ""
	}
	for name, source := range files {
		replace[filepath.Join(p.Dir, name)] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o666); err != nil {
			return "", fmt.Errorf("test: %w", err)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "tests")
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	command := gocommand.Command{Dir: v.Dir, Env: v.Env, Folders: v.Folders}
	command.Folders.Write = append(slices.Clone(command.Folders.Write), dir)
	_, errs, err := a.Go.Run(ctx, command,
		"test", "-c", "-buildvcs=false", "-overlay", overlay, "-o", binary, p.PkgPath)
	if err != nil {
		return "", fmt.Errorf("it does not compile on %s: %s", *a.Revision.Of(s), firstError(errs, err))
	}
	return binary, os.Chmod(binary, 0o755) // the sandbox runs it as another user
}

// firstError returns the first message of a compiler.
func firstError(output string, err error) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return err.Error()
}

// once runs a test in the sandbox, where it sees some folders of the machine.
func (a *attempt) once(ctx context.Context, dir, binary, name string, seen []string) (run, error) {
	scratch, err := os.MkdirTemp(dir, "run-")
	if err != nil {
		return run{}, fmt.Errorf("scratch folder: %w", err)
	}
	limits := replay.DefaultLimits()
	late, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	output, exit, err := a.env.Run(late, a.number, sandbox.Config{
		Binary: binary, Scratch: scratch, ReadOnly: seen,
		Args: []string{"-test.run=^" + name + "$", "-test.v", "-test.timeout=0"},
		Env:  []string{"PATH=" + sandbox.SearchPath, "USER=user", "LANG=C", "TZ=UTC"},
		Limits: sandbox.Limits{
			Memory: limits.Memory, Total: limits.Total, FileSize: limits.FileSize, Disk: limits.Disk,
			Processes: limits.Processes, OpenFiles: 256,
		},
	})
	if err != nil {
		return run{}, err
	}
	return run{
		passed: exit.Code == 0 && strings.Contains(output, "--- PASS: "+name+" "),
		late:   late.Err() != nil && ctx.Err() == nil,
		output: output, shown: gotest.ReadShown(output),
	}, ctx.Err()
}
