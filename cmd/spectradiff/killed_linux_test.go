package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestKills ends runs at moments that follow a seed: when they have printed so many lines of their log, and then
// started so many processes. Half of them are killed, half are asked to end; half of them begin without a cache.
// Nothing of such a run lives on, the next one reports what every run reports, and after it nothing is left. The
// repository stays as it is.
func TestKills(t *testing.T) {
	onlyInAll(t, "it compares eight times, half of them without a cache")
	kills := 4
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		kills = 50
	}
	repository, temporary := t.TempDir(), t.TempDir()
	if err := makeDemo(repository); err != nil {
		t.Fatal(err)
	}
	untouched := contentOf(t, repository)
	run := newKillable(t, repository, temporary)
	warm := t.TempDir()
	report, coldLines := run.whole(t, warm)
	again, warmLines := run.whole(t, warm)
	if !bytes.Equal(again, report) {
		t.Fatal("two runs that nothing disturbs print different reports")
	}
	for i := range kills {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		signal, cached, lines := syscall.SIGTERM, warm, warmLines
		if i%2 == 0 {
			signal = syscall.SIGKILL
		}
		if i/2%2 == 0 {
			cached, lines = t.TempDir(), coldLines
		}
		after, processes := 1+random.IntN(lines), random.IntN(5)
		name := fmt.Sprintf("%v after line %d of some %d and %d processes", signal, after, lines, processes)
		if run.interrupted(t, cached, signal, after, processes); signal != syscall.SIGKILL {
			mustBeEmpty(t, name, temporary)
		}
		got, _ := run.whole(t, cached)
		if !bytes.Equal(got, report) {
			t.Errorf("%s: the next run prints another report:\n%s\nwant\n%s", name, got, report)
		}
		mustBeEmpty(t, name+", and another run", temporary)
		if contentOf(t, repository) != untouched {
			t.Fatalf("%s: the repository was changed", name)
		}
	}
}

// killable are runs of one comparison that can be ended at any line of their logs.
type killable struct{ repository, temporary string }

// newKillable prepares runs. What they leave behind becomes a child of this process until the test ends.
func newKillable(t *testing.T, repository, temporary string) killable {
	t.Helper()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) })
	return killable{repository, temporary}
}

func (k killable) command(t *testing.T, cached string) *exec.Cmd {
	t.Helper()
	return program(t, k.temporary, cached,
		"compare", "-C", k.repository, "-v", "--sequences", "60", "--format", "json", "v1.0.0", "v1.1.0")
}

// whole runs a comparison to its end, and returns its report without durations and the number of lines in its log.
func (k killable) whole(t *testing.T, cached string) (report []byte, lines int) {
	t.Helper()
	cmd := k.command(t, cached)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit status 1; standard error:\n%s", err, errs.String())
	}
	return durations.ReplaceAll(out.Bytes(), []byte(`"seconds": 0`)), bytes.Count(errs.Bytes(), []byte("\n"))
}

// interrupted runs a comparison until it has printed so many lines and then had so many processes, and sends the
// signal. All processes of the run have ended then.
func (k killable) interrupted(t *testing.T, cached string, signal syscall.Signal, after, processes int) {
	t.Helper()
	cmd := k.command(t, cached)
	log, line := bufio.NewScanner(started(t, cmd)), ""
	for n := 0; n < after && log.Scan(); n++ {
		line = log.Text()
	}
	seen := map[int]bool{cmd.Process.Pid: true}
	for ended := false; len(seen) <= processes && !ended; {
		for _, of := range descendants(t, os.Getpid()) {
			seen[of.pid] = true
			ended = ended || of.pid == cmd.Process.Pid && of.ending
		}
	}
	t.Logf("%v after %q and %d processes", signal, line, len(seen)-1)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	for log.Scan() {
		continue
	}
	_ = cmd.Wait()
	if left := survivors(t); len(left) > 0 {
		t.Errorf("%v after %q: these processes go on: %s", signal, line, strings.Join(left, ", "))
	}
}

// survivors waits until all processes have ended that are about to, of those below this one, and returns the others.
func survivors(t *testing.T) []string {
	t.Helper()
	for {
		for { // those whose parents are gone are children of this process
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 && !errors.Is(err, syscall.EINTR) {
				break
			}
		}
		ending := false
		var names []string
		for _, of := range descendants(t, os.Getpid()) {
			names = append(names, of.name)
			ending = ending || of.ending
		}
		if !ending {
			return names
		}
	}
}

// A process is one below this one.
type process struct {
	pid    int
	name   string
	ending bool // it has ended, or the kernel has sent it SIGKILL
}

// descendants lists the processes below one.
func descendants(t *testing.T, parent int) []process {
	t.Helper()
	status, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	of, children := map[int]process{}, map[int][]int{}
	for _, name := range status {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		fields := map[string]string{}
		for line := range strings.Lines(string(text)) {
			field, value, _ := strings.Cut(line, ":")
			fields[field] = strings.TrimSpace(value)
		}
		pid, _ := strconv.Atoi(fields["Pid"])
		above, _ := strconv.Atoi(fields["PPid"])
		pending, _ := strconv.ParseUint(fields["SigPnd"], 16, 64)
		shared, _ := strconv.ParseUint(fields["ShdPnd"], 16, 64)
		const killed = 1 << (uint64(syscall.SIGKILL) - 1)
		ended := strings.HasPrefix(fields["State"], "Z") || strings.HasPrefix(fields["State"], "X")
		of[pid] = process{pid, fields["Name"], ended || (pending|shared)&killed != 0}
		children[above] = append(children[above], pid)
	}
	var list []process
	for next := children[parent]; len(next) > 0; next = next[1:] {
		list = append(list, of[next[0]])
		next = append(next, children[next[0]]...)
	}
	return list
}

// contentOf returns a hash of all names, modes and contents below a folder.
func contentOf(t *testing.T, folder string) string {
	t.Helper()
	all := sha256.New()
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(all, name, info.Mode(), info.ModTime())
		if !info.Mode().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(all, "%q\n", text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", all.Sum(nil))
}

func mustBeEmpty(t *testing.T, after, folder string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("after %s: left behind: %q", after, left)
	}
}
