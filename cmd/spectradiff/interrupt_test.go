package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterrupt: SIGINT and SIGTERM end a run with status 2 and leave no temporary files. The demo
// is what runs: it makes a repository in the folder for temporary files.
func TestInterrupt(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		temporary := t.TempDir()
		cmd := &exec.Cmd{
			Path: executable,
			Args: []string{"spectradiff", "demo"}, // the name tells TestMain which program this is
			Env:  append(os.Environ(), "TMPDIR="+temporary),
		}
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		reader := bufio.NewReader(errs)
		if _, err := reader.ReadString('\n'); err != nil { // the first stage has begun
			t.Fatalf("%v: no progress before the end: %v", signal, err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitTrouble {
			t.Errorf("%v: %v, want exit status %d; standard error ends with:\n%s", signal, err, exitTrouble, rest)
		}
		if !strings.Contains(string(rest), "interrupted") {
			t.Errorf("%v: no word about it on standard error:\n%s", signal, rest)
		}
		if entries, err := filepath.Glob(filepath.Join(temporary, "*")); err != nil || len(entries) > 0 {
			t.Errorf("%v: left behind: %v %v", signal, entries, err)
		}
	}
}
