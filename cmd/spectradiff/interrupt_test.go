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

	"github.com/spectradiff/spectradiff/replay/cache"
)

// TestInterrupt checks that SIGINT, SIGTERM and SIGHUP end a run with status 2 in every stage and leave no
// temporary files, and that the message names what they do leave. It runs the demo, which makes a
// repository in the folder for temporary files.
func TestInterrupt(t *testing.T) {
	for _, test := range []struct {
		signal syscall.Signal
		stage  string // "": the first line of progress
		keep   bool
		reason string
	}{
		{syscall.SIGINT, "", false, "before anything runs"},
		{syscall.SIGTERM, "", false, "what a build machine sends"},
		{syscall.SIGHUP, "", false, "the terminal is closed"},
		{syscall.SIGINT, "building", false, "go commands run"},
		{syscall.SIGTERM, "confirming", true, "drivers run"},
	} {
		t.Run(test.signal.String()+" "+test.stage, func(t *testing.T) {
			interrupt(t, test.signal, test.stage, test.keep, test.reason)
		})
	}
}

func interrupt(t *testing.T, signal syscall.Signal, stage string, keep bool, reason string) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temporary, cached, kept := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "kept")
	cmd := &exec.Cmd{
		Path: executable,
		Args: []string{"spectradiff", "demo"}, // by the name, TestMain knows which program to run
		Env:  append(append(os.Environ(), goEnvironment(t)...), "TMPDIR="+temporary, cache.FolderVariable+"="+cached),
	}
	want := "interrupted; temporary files are removed, the cache holds what was written until then"
	if keep {
		cmd.Args = append(cmd.Args, "--keep", kept)
		want = "interrupted; temporary files are removed, the cache and " + kept + " hold what was written until then"
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(errs)
	for line := "\n"; !strings.HasPrefix(line, stage) || line == "\n"; {
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatalf("%s: the run ended before its stage %q: %v", reason, stage, err)
		}
	}
	if stage == "building" {
		awaitBuild(t, temporary)
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
		t.Errorf("%s: %v, want exit status %d; standard error ends with:\n%s", reason, err, exitTrouble, rest)
	}
	if !strings.HasSuffix(string(rest), want+"\n") {
		t.Errorf("%s: standard error ends with:\n%s\nwant %q", reason, rest, want)
	}
	if entries, err := os.ReadDir(cached); err != nil || len(entries) == 0 {
		t.Errorf("%s: the cache holds nothing: %v", reason, err)
	}
	if _, err := os.Stat(filepath.Join(kept, "old", "driver")); keep && err != nil {
		t.Errorf("%s: --keep left nothing: %v", reason, err)
	}
	if entries, err := filepath.Glob(filepath.Join(temporary, "*")); err != nil || len(entries) > 0 {
		t.Errorf("%s: left behind: %v %v", reason, entries, err)
	}
}

// TestKilled checks that what a killed run leaves is gone after the next one, which ends as ever.
func TestKilled(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temporary, cached := t.TempDir(), t.TempDir()
	demo := func() *exec.Cmd {
		return &exec.Cmd{
			Path: executable, Args: []string{"spectradiff", "demo"},
			Env: append(append(os.Environ(), goEnvironment(t)...),
				"TMPDIR="+temporary, cache.FolderVariable+"="+cached),
		}
	}
	killed := demo()
	errs, err := killed.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(errs)
	for line := ""; !strings.HasPrefix(line, "building"); {
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatalf("the run ended before it built: %v", err)
		}
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) == 0 {
		t.Error("a killed run left nothing: the test shows nothing")
	}
	if out, err := demo().CombinedOutput(); err != nil {
		t.Errorf("the next run: %v\n%s", err, out)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// awaitBuild returns when a go command has made its own folder for temporary files.
func awaitBuild(t *testing.T, temporary string) {
	t.Helper()
	for range 1_000_000 {
		for _, pattern := range []string{"go-build*", "*/go-build*", "*/*/go-build*"} {
			if found, err := filepath.Glob(filepath.Join(temporary, pattern)); err == nil && len(found) > 0 {
				return
			}
		}
	}
	t.Fatal("no go command made a folder for its temporary files")
}
