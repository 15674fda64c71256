//go:build linux

package sandbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// TestTotal checks that all processes of a driver share one limit, and that use below it does not end them.
func TestTotal(t *testing.T) {
	const total, reason = 160 << 20, "memory of all processes"
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		for _, c := range []struct {
			args     []string
			exceeded string
			reason   string
		}{
			{[]string{"family", "8", "24"}, reason, "each process is within the limit on one"},
			{[]string{"hold", "180", "shared"}, reason, "memory that is shared does not count as data of a process"},
			{[]string{"memory"}, "", "the limit on one process is the smaller one, and the kernel's"},
			{[]string{"hello"}, "", "what little a process needs is allowed"},
		} {
			limits := sandbox.Limits{Memory: 128 << 20, Total: total}
			r := run(t, s, sandbox.Config{Limits: limits}, c.args...)
			if r.exit.Exceeded != c.exceeded || (c.exceeded != "") != (r.exit.Signal == "SIGKILL") {
				t.Errorf("%q: got %+v, want %q (%s)", c.args, r, c.exceeded, c.reason)
			}
		}
	})
}

// TestMapped checks that a file may be mapped with much more room than there is memory, and that this has a limit too.
func TestMapped(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		for _, c := range []struct {
			megabytes, want string
			reason          string
		}{
			{"102400", "mapped: <nil>", "databases that may grow; nothing of them is in use"},
			{"2000000", "mapped: cannot allocate memory", "there is a limit on what is mapped and forgotten, too"},
		} {
			r := run(t, s, sandbox.Config{Limits: sandbox.Limits{Memory: 128 << 20}}, "map", c.megabytes)
			if got := strings.TrimSpace(r.stdout); got != c.want {
				t.Errorf("%s MB: got %q, want %q (%s)", c.megabytes, got, c.want, c.reason)
			}
		}
	})
}

// TestShared checks that memory counts once while a process shares it with its child before the child's exec.
func TestShared(t *testing.T) {
	p := startUntil(t, open(t), sandbox.Limits{}, "waits", "hold", "50", "private")
	defer p.Kill()
	one, two := sandbox.SharedMemory([]int{p.Pid()}), sandbox.SharedMemory([]int{p.Pid(), p.Pid()})
	if one < 50<<20 || two > one+one/2 {
		t.Errorf("got %d for one process and %d for two of the same memory", one, two)
	}
}

// TestDisk checks that the scratch folder has a limit on the total size of its files, however they are made.
func TestDisk(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		for _, c := range []struct {
			args   []string
			fits   bool
			reason string
		}{
			{[]string{"fill", "64", "1024", "kept"}, false, "each file is within the limit on files"},
			{[]string{"fill", "64", "1024", "removed"}, false, "removed files take room as long as they are open"},
			{[]string{"fill", "8000", "0", "kept"}, false, "empty files take room too"},
			{[]string{"fill", "4", "1024", "kept"}, true, "within the limit"},
		} {
			limits := sandbox.Limits{FileSize: 2 << 20, Disk: 16 << 20, OpenFiles: 100}
			if c.fits {
				p := startUntil(t, s, limits, "waits", c.args...)
				p.Kill()
				if exit := p.Wait(); exit.Exceeded != "" {
					t.Errorf("%q: got %+v (%s)", c.args, exit, c.reason)
				}
				continue
			}
			r := run(t, s, sandbox.Config{Limits: limits}, c.args...)
			if s.Layers().Mount == "" {
				if r.exit != (sandbox.Exit{}) || !strings.Contains(r.stdout, "no space left") {
					t.Errorf("%q: got %+v (%s)", c.args, r, c.reason)
				}
			} else if r.exit.Exceeded != "size of the scratch folder" {
				t.Errorf("%q: got %+v (%s)", c.args, r, c.reason)
			}
		}
	})
}

// TestDiskIsMemory checks that a scratch folder in memory counts as memory.
func TestDiskIsMemory(t *testing.T) {
	s := open(t)
	if s.Layers().Mount != "" {
		t.Log("no mount namespace, so no folder in memory:", s.Layers().Mount)
		return
	}
	limits := sandbox.Limits{Total: 64 << 20, Disk: 256 << 20}
	if r := run(t, s, sandbox.Config{Limits: limits}, "fill", "128", "1024", "kept"); r.exit.Exceeded == "" {
		t.Errorf("got %+v", r)
	}
}

// TestNumberOfProcesses checks the limit in the case that the kernel has none, because drivers stay root.
func TestNumberOfProcesses(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("not root: the kernel limits the number")
		return
	}
	s := open(t, "userns", "mountns", "netns", "pidns", "user")
	r := run(t, s, sandbox.Config{Limits: sandbox.Limits{Processes: 60}}, "children", "40", unique())
	if r.exit.Exceeded != "number of processes" {
		t.Errorf("got %+v", r)
	}
}

// TestVictim checks that the kernel kills drivers when memory runs out, and neither the tool nor the supervisor.
func TestVictim(t *testing.T) {
	score := func(pid int) string {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	before := score(os.Getpid())
	if before == "1000" {
		t.Fatal("the test itself is the first victim")
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		p := startUntil(t, s, sandbox.Limits{}, "spinning", "spin")
		defer p.Kill()
		if got := score(p.Pid()); got != "1000" {
			t.Errorf("the driver has %s", got)
		}
		if w := s.WardenPid(); score(os.Getpid()) != before || w != 0 && score(w) != before {
			t.Error("tool or supervisor changed")
		}
	})
}

// TestMachineExceeded: a driver that the kernel kills because memory runs out is told from one that kills itself.
func TestMachineExceeded(t *testing.T) {
	group := smallGroup(t, 48<<20)
	s := open(t)
	p, _ := start(t, s, sandbox.Config{Limits: sandbox.Limits{Memory: 1 << 30}}, "memory")
	enter := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(fmt.Sprint(p.Pid())), 0o600)
	if exit := p.Wait(); enter != nil || exit.Exceeded != "memory of the machine" || exit.Signal != "SIGKILL" {
		t.Errorf("got %+v, %v", exit, enter)
	}
	if r := run(t, s, sandbox.Config{}, "signal", "9"); r.exit.Exceeded != "" || r.exit.Signal != "SIGKILL" {
		t.Errorf("it kills itself, and that counts as %+v", r.exit)
	}
}

// smallGroup makes a control group with little memory.
func smallGroup(t *testing.T, memory int) string {
	t.Helper()
	for _, c := range []struct{ folder, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"},
	} {
		group := filepath.Join(c.folder, fmt.Sprintf("spectradiff-test-%d", os.Getpid()))
		if _, err := os.Stat(filepath.Join(c.folder, "cgroup.procs")); err != nil || os.Mkdir(group, 0o700) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(group) })
		if _, err := os.Stat(filepath.Join(group, c.limit)); err != nil {
			continue
		}
		if os.WriteFile(filepath.Join(group, c.limit), []byte(fmt.Sprint(memory)), 0o600) == nil {
			return group
		}
	}
	t.Skip("no control group for memory can be made here")
	return ""
}
