//go:build linux

package sandbox_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// plain runs the hostile program without a sandbox.
func plain(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(binaries.hostile, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q without a sandbox: %v\n%s", args, err, out)
	}
	return string(out)
}

// noneDone checks that all attempts of a driver were denied.
func noneDone(t *testing.T, r result) {
	t.Helper()
	if r.exit != (sandbox.Exit{}) || !strings.Contains(r.stdout, "denied") || strings.Contains(r.stdout, "DONE") {
		t.Errorf("got %+v", r)
	}
}

// TestAttributes checks that a driver can't change permissions, times and attributes of files, which Landlock does not
// cover.
func TestAttributes(t *testing.T) {
	const attribute = "user.canary"
	mode, at := os.FileMode(0o640), time.Unix(1.5e9, 0)
	fresh := func() string {
		path := filepath.Join(t.TempDir(), "canary")
		err := errors.Join(os.WriteFile(path, []byte("x"), mode), os.Chtimes(path, at, at))
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Setxattr(path, attribute, []byte("x"), 0); err != nil {
			t.Log("no attributes here, they are not tested:", err)
		}
		return path
	}
	intact := func(path string) bool {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = unix.Getxattr(path, "user.hostile", make([]byte, 8))
		return info.Mode() == mode && info.ModTime().Equal(at) && err != nil
	}
	if path := fresh(); strings.Count(plain(t, "attributes", path), "DONE") < 6 || intact(path) {
		t.Fatal("the attempts must succeed without a sandbox")
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		path := fresh()
		noneDone(t, run(t, s, sandbox.Config{}, "attributes", path))
		if !intact(path) {
			t.Error("the file was changed")
		}
	})
}

// TestOwnAttributes checks that without a mount namespace ordinary programs can change attributes of their own files. A
// driver's binary, which it may open, must keep its attributes.
func TestOwnAttributes(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		before, err := os.Stat(binaries.hostile)
		if err != nil {
			t.Fatal(err)
		}
		want := "binary denied, create DONE, own chmod DONE, own times DONE, entries [f]"
		if s.Layers().Mount != "" {
			want = "binary denied, create DONE, own chmod denied, own times denied, entries [f]"
		}
		r := run(t, s, sandbox.Config{}, "own attributes")
		var got []string
		for line := range strings.Lines(r.stdout) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), ":")
			got = append(got, line)
		}
		after, err := os.Stat(binaries.hostile)
		if err != nil || after.Mode() != before.Mode() || strings.Join(got, ", ") != want {
			t.Errorf("got %+v, %v %v, want %s", r, after.Mode(), err, want)
		}
	})
}

// TestDatagrams checks that no socket of the host receives anything. A pair of sockets needs no connect.
func TestDatagrams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	host, err := net.ListenPacket("unixgram", path)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := plain(t, "datagram", path); strings.Count(got, "DONE") != 2 {
		t.Fatalf("the attempts must succeed without a sandbox: %s", got)
	}
	for range 2 {
		if _, _, err := host.ReadFrom(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		noneDone(t, run(t, s, sandbox.Config{}, "datagram", path))
		if err := host.SetReadDeadline(time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := host.ReadFrom(make([]byte, 1)); err == nil {
			t.Error("the socket got something")
		}
	})
}

// filterOnly returns a sandbox in which only the filter confines signals, as with kernels whose Landlock does not.
func filterOnly(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Open(sandbox.Without(sandbox.Options{Unconfined: true},
		"userns", "mountns", "netns", "pidns", "landlock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestSignalsByKernel checks that a driver can't choose processes that the kernel signals.
func TestSignalsByKernel(t *testing.T) {
	victim := func(act func(pid string)) string {
		c := exec.Command(binaries.hostile, "sleep")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		act(strconv.Itoa(c.Process.Pid))
		// This ends a victim that is still alive, also where nohup has SIGHUP ignored. One that got SIGKILL before ends
		// by that.
		if err := c.Process.Signal(unix.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = c.Wait() // the status is compared
		return c.ProcessState.String()
	}
	var got string
	if end := victim(func(pid string) { got = plain(t, "own", pid) }); end != "signal: killed" {
		t.Fatalf("without a sandbox the victim must be killed: %s\n%s", end, got)
	}
	check := func(t *testing.T, s *sandbox.Sandbox) {
		end := victim(func(pid string) { noneDone(t, run(t, s, sandbox.Config{}, "own", pid)) })
		if end == "signal: killed" {
			t.Error("the victim was killed")
		}
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		if s.Layers().Seccomp != "" {
			return // the process namespace hides other processes, so nothing has to be denied
		}
		check(t, s)
	})
	check(t, filterOnly(t))
}

// TestSegment checks that a driver can't reach System V memory by its number.
func TestSegment(t *testing.T) {
	make := func() int {
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if got := plain(t, "segment", strconv.Itoa(make())); strings.Count(got, "DONE") != 2 {
		t.Fatalf("the attempts must succeed without a sandbox: %s", got)
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		id := make()
		noneDone(t, run(t, s, sandbox.Config{}, "segment", strconv.Itoa(id)))
		memory, err := unix.SysvShmAttach(id, 0, 0)
		if err != nil || memory[0] != 0 {
			t.Error("the segment was changed or removed", err)
		}
		if _, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil); err != nil {
			t.Error(err)
		}
	})
}

// TestCalls checks the filter's answers to system calls with an effect.
func TestCalls(t *testing.T) {
	const want = "memfd_create EPERM, syslog EPERM, adjtimex EPERM, socketpair EACCES, semop EPERM, msgsnd EPERM, " +
		"mq_unlink EPERM, F_SETOWN EPERM, F_SETLEASE EPERM, TIOCSTI ENOTTY, FS_IOC_SETFLAGS ENOTTY, " +
		"setxattrat ENOSYS, the call after the last ENOSYS"
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		if s.Layers().Seccomp != "" {
			return
		}
		r := run(t, s, sandbox.Config{}, "calls")
		if got := strings.ReplaceAll(strings.TrimSpace(r.stdout), "\n", ", "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestSibling checks that a run ends even if it has a process whose end the supervisor sees and the driver does not.
func TestSibling(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{}, "sibling")
		if s.Layers().Seccomp == "" {
			noneDone(t, r)
		} else if r.exit != (sandbox.Exit{}) || r.stdout != "sibling DONE\n" {
			t.Errorf("got %+v", r)
		}
	})
}
