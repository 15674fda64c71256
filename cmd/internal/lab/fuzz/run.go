package fuzz

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

const (
	again  = 10               // how often fuzzing begins again after an input that ended the process
	least  = time.Millisecond // for which it begins again
	memory = 4 << 20          // kilobytes of address space of one process
	longer = time.Minute      // beyond its time, until what hangs is ended
)

// fuzz fuzzes a target for some time. What it finds lies in the folder of its corpus.
func (f *fuzzing) fuzz(ctx context.Context, t target, most time.Duration) {
	for range again {
		start := time.Now()
		_, err := f.execute(ctx, t, t.fuzz, most+longer, "-test.run=^$", "-test.fuzz=^"+t.name+"$",
			fmt.Sprint("-test.fuzztime=", most), "-test.fuzzminimizetime=1s",
			fmt.Sprint("-test.parallel=", f.processors), "-test.fuzzcachedir="+f.corpus())
		most -= time.Since(start)
		_ = os.RemoveAll(filepath.Join(t.dir, "testdata", "fuzz", t.name)) // what ended it would end it again
		if err == nil || most < least || ctx.Err() != nil {
			return
		}
	}
}

func (f *fuzzing) corpus() string { return filepath.Join(f.dir, "zspectra_corpus") }

// replay adds the coverage of a target's corpus to a profile.
func (f *fuzzing) replay(ctx context.Context, t target, to profile) error {
	seeds := filepath.Join(t.dir, "testdata", "fuzz", t.name)
	if err := os.MkdirAll(filepath.Dir(seeds), 0o777); err != nil {
		return err
	}
	err := os.CopyFS(seeds, os.DirFS(filepath.Join(f.corpus(), t.name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	written := filepath.Join(f.dir, "zspectra_profile")
	_ = os.Remove(written)
	_, err = f.execute(ctx, t, t.replaying, 2*longer, "-test.run=^"+t.name+"$", "-test.coverprofile="+written)
	text, unread := os.ReadFile(written)
	if unread != nil {
		return errors.Join(err, unread)
	}
	return to.read(string(text))
}

// execute runs a test binary, confined, with limited memory.
func (f *fuzzing) execute(
	ctx context.Context, t target, binary string, most time.Duration, args ...string,
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	script := fmt.Sprintf(`ulimit -v %d; exec "$@"`, memory)
	shell := gocommand.Command{Path: "/bin/sh", Dir: t.dir, Folders: f.folders()}
	return f.command(ctx, shell, append([]string{"-c", script, "sh", binary}, args...)...)
}
