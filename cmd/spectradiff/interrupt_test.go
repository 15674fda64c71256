package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// TestInterrupt checks that SIGINT, SIGTERM and SIGHUP end a run with status 2 in every stage and leave no
// temporary files, and that the message names what they do leave. It runs the demo, which makes a
// repository in the folder for temporary files.
func TestInterrupt(t *testing.T) {
	// Whoever ignores SIGHUP, as nohup does, hands that down, and then it ends nothing. Who waits for it does not.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
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

// program returns a command that runs this program with folders of its own.
func program(t *testing.T, temporary, cached string, args ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{
		Path: executable,
		Args: append([]string{"spectradiff"}, args...), // by the name, TestMain knows which program to run
		Env:  append(append(os.Environ(), goEnvironment(t)...), "TMPDIR="+temporary, cache.FolderVariable+"="+cached),
	}
}

// started starts a command, and returns what it writes to standard error.
func started(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(errs)
}

func interrupt(t *testing.T, signal syscall.Signal, stage string, keep bool, reason string) {
	if keep {
		onlyInAll(t, "the stage is a late one")
	}
	temporary, cached, kept := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "kept")
	cmd := program(t, temporary, cached, "demo")
	want := "interrupted; temporary files are removed, the cache holds what was written until then"
	if keep {
		cmd.Args = append(cmd.Args, "--keep", kept)
		want = "interrupted; temporary files are removed, the cache and " + kept + " hold what was written until then"
	}
	reader := started(t, cmd)
	for line := "\n"; !strings.HasPrefix(line, stage) || line == "\n"; {
		var err error
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
	onlyInAll(t, "it plays the whole demo")
	temporary, cached := t.TempDir(), t.TempDir()
	killed := program(t, temporary, cached, "demo")
	reader := started(t, killed)
	for line := ""; !strings.HasPrefix(line, "building"); {
		var err error
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
	if out, err := program(t, temporary, cached, "demo").CombinedOutput(); err != nil {
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

// TestInterruptWaiting: a run ends that waits for something which does not come: a lock that another process keeps.
func TestInterruptWaiting(t *testing.T) {
	repository, temporary, cached := t.TempDir(), t.TempDir(), t.TempDir()
	if err := makeDemo(repository); err != nil {
		t.Fatal(err)
	}
	opened, err := git.PlainOpen(repository)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := opened.ResolveRevision("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Open(cache.Settings{Folder: cached}, t.Logf); err != nil {
		t.Fatal(err)
	}
	stamps := filepath.Join(cached, "use", string(cache.Trees))
	if err := os.MkdirAll(stamps, 0o700); err != nil {
		t.Fatal(err)
	}
	stamp, err := os.Create(filepath.Join(stamps, commit.String()))
	if err != nil {
		t.Fatal(err)
	}
	defer stamp.Close()
	if err := syscall.Flock(int(stamp.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, temporary, cached, "compare", "-C", repository, "v1.0.0", "v1.1.0")
	reader := started(t, cmd)
	if line, err := reader.ReadString('\n'); err != nil || line != "writing versions\n" {
		t.Fatalf("standard error begins with %q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil || !strings.HasPrefix(string(rest), "spectradiff: interrupted; ") {
		t.Errorf("standard error ends with %q, %v", rest, err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitTrouble {
		t.Errorf("%v, want exit status %d", err, exitTrouble)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// hang is a program that gets what worker and serve get of signals, and does not end at the first one.
func hang() {
	ctx, end := untilTerminated()
	defer end()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("told")
	time.Sleep(time.Minute)
}

// TestSecondSignal: a worker whose job does not look at its context, and a server, end at the second signal.
func TestSecondSignal(t *testing.T) {
	cmd := program(t, t.TempDir(), t.TempDir())
	cmd.Args = []string{"hanging"}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "told"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("%q, want %q", lines.Text(), want)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan struct{})
	go func() { // the second one may have come too soon
		for again := time.NewTicker(100 * time.Millisecond); ; {
			select {
			case <-again.C:
				_ = cmd.Process.Signal(os.Interrupt)
			case <-ended:
				return
			}
		}
	}()
	_ = cmd.Wait()
	close(ended)
	if of, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || of.Signal() != syscall.SIGINT {
		t.Errorf("%v, want the end by the second interrupt", cmd.ProcessState)
	}
}
