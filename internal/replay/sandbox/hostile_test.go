//go:build linux

package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func TestWritesOutside(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		canary := filepath.Join(t.TempDir(), "canary")
		if err := os.WriteFile(canary, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		r := run(t, s, sandbox.Config{}, "write", canary)
		unchanged(t, r, canary)
		if r.exit.Code != 0 || r.stdout == "" {
			t.Errorf("got %+v", r)
		}
		if sum, err := os.ReadFile(binaries.hostile); err != nil || len(sum) < 1000 {
			t.Error("the driver's binary was changed", err)
		}
	})
}

func TestRemoves(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		dir := t.TempDir()
		canary := filepath.Join(dir, "canary")
		if err := os.WriteFile(canary, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		c := sandbox.Config{Scratch: filepath.Join(dir, "scratch")}
		for range 2 { // the second run finds its folders again
			r := run(t, s, c, "remove")
			if r.exit != (sandbox.Exit{}) || !strings.Contains(r.stdout, "home gone: true") {
				t.Errorf("got %+v", r)
			}
			unchanged(t, result{}, canary)
		}
	})
}

// listening returns addresses on which this process listens, for the hostile driver to dial.
func listening(t *testing.T) (address []string, udp net.PacketConn) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if udp, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "socket")
	pathname, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	name := "@spectradiff-" + t.Name() + strconv.Itoa(os.Getpid())
	abstract, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, l := range []interface{ Close() error }{tcp, udp, pathname, abstract} {
			l.Close()
		}
	})
	return []string{"dial", tcp.Addr().String(), udp.LocalAddr().String(), path, name}, udp
}

// TestLoopback demands that a driver with a loopback device of its own reaches nothing of the host.
func TestLoopback(t *testing.T) {
	address, udp := listening(t)
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{Loopback: true}, address...)
		if r.exit != (sandbox.Exit{}) {
			t.Errorf("got %+v", r)
		}
		for line := range strings.Lines(r.stdout) {
			name, _, _ := strings.Cut(line, " ")
			if strings.Contains(line, "DONE") && slices.Contains([]string{"tcp", "mptcp", "unix", "abstract"}, name) {
				t.Error(line)
			}
		}
		_ = udp.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		if n, from, err := udp.ReadFrom(make([]byte, 10)); err == nil {
			t.Errorf("%d bytes from %s", n, from)
		}
		if l := s.Layers(); l.Network == "" && l.Mount == "" && !strings.Contains(r.stdout, "listen DONE") {
			t.Errorf("it can't listen on its own device:\n%s", r.stdout)
		}
	})
}

// TestPrograms demands that a driver can start the system's programs if it may, and that these are confined as it is:
// they see what it is shown besides, and nothing else.
func TestPrograms(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hidden"), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := filepath.Join(t.TempDir(), "shown")
	if err := os.WriteFile(shown, []byte("tools\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command := "cat " + secret + "; cat " + shown + "; touch /usr/bin/planted; echo kept >$HOME/f; cat $HOME/f"
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{Programs: true, Tools: []string{shown}}, "shell", command)
		if r.exit != (sandbox.Exit{}) || !strings.HasSuffix(r.stdout, "kept\n<nil>\n") ||
			!strings.Contains(r.stdout, "tools\n") ||
			strings.Contains(r.stdout, "hidden") {
			t.Errorf("got %+v", r)
		}
		r = run(t, s, sandbox.Config{Programs: true}, "shell", command)
		if s.Layers().Mount == "" && strings.Contains(r.stdout, "tools") {
			t.Errorf("what it is not shown: %+v", r)
		}
		r = run(t, s, sandbox.Config{}, "shell", command)
		if strings.Contains(r.stdout, "kept") {
			t.Errorf("without the right to: %+v", r)
		}
	})
	if _, err := os.Stat("/usr/bin/planted"); err == nil {
		t.Error("a program changed the system")
	}
}

func TestNetwork(t *testing.T) {
	address, _ := listening(t)
	plain, err := exec.Command(binaries.hostile, address...).Output()
	if err != nil || strings.Count(string(plain), "DONE") < 6 {
		t.Fatalf("the attempts must succeed without a sandbox: %v\n%s", err, plain)
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{}, address...)
		if r.exit != (sandbox.Exit{}) || strings.Count(r.stdout, "denied") < 5 {
			t.Errorf("got %+v", r)
		}
		for line := range strings.Lines(r.stdout) {
			// Without the filter a driver can make some sockets, but they lead nowhere.
			leads := !strings.HasPrefix(line, "netlink") && !strings.HasPrefix(line, "listen") &&
				!strings.HasPrefix(line, "vsock")
			if strings.Contains(line, "DONE") && (leads || s.Layers().Seccomp == "") {
				t.Error(line)
			}
		}
	})
}

func TestKillsOthers(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		victim := exec.Command(binaries.hostile, "sleep")
		if err := victim.Start(); err != nil {
			t.Fatal(err)
		}
		r := run(t, s, sandbox.Config{}, "kill", strconv.Itoa(os.Getpid()), strconv.Itoa(victim.Process.Pid))
		if strings.Contains(r.stdout, "DONE") {
			t.Error(r.stdout)
		}
		if r := run(t, s, sandbox.Config{}, "hello"); r.exit != (sandbox.Exit{}) {
			t.Errorf("afterwards: %+v", r)
		}
		if err := victim.Process.Kill(); err != nil {
			t.Error(err)
		}
		if state, err := victim.Process.Wait(); err != nil || state.String() != "signal: killed" {
			t.Error(state, err)
		}
	})
}

func TestTraces(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{}, "trace", strconv.Itoa(os.Getpid()))
		if strings.Count(r.stdout, "denied") < 6 {
			t.Errorf("got %+v", r)
		}
		for line := range strings.Lines(r.stdout) {
			// Its own user namespace gives a driver no permissions outside.
			inner := strings.HasPrefix(line, "unshare") || strings.HasPrefix(line, "clone")
			if strings.Contains(line, "DONE") && (!inner || s.Layers().Seccomp == "") {
				t.Error(line)
			}
		}
	})
}

func TestLimits(t *testing.T) {
	limits := sandbox.Limits{Memory: 256 << 20, FileSize: 4 << 20, CPU: time.Second, Processes: 40, OpenFiles: 50}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		scratch := filepath.Join(t.TempDir(), "scratch")
		c := sandbox.Config{Limits: limits, Scratch: scratch}
		r := run(t, s, c, "memory")
		if r.exit.Code != 2 || !strings.Contains(r.stderr, "out of memory") &&
			!strings.Contains(r.stderr, "cannot allocate memory") {
			t.Errorf("memory: got %+v %.300q", r.exit, r.stderr)
		}
		r = run(t, s, c, "big")
		if info, err := os.Stat(filepath.Join(scratch, "work", "big")); err != nil || info.Size() != limits.FileSize {
			t.Errorf("file size: %+v, %v %v", r, info, err)
		}
		r = run(t, s, c, "open")
		if n, err := strconv.Atoi(strings.TrimSpace(r.stdout)); err != nil || n < 20 || n > limits.OpenFiles {
			t.Errorf("open files: got %+v", r)
		}
	})
	r := run(t, open(t), sandbox.Config{Limits: limits}, "spin")
	if r.exit.Code != 2 && r.exit.Signal != "SIGKILL" {
		t.Errorf("processor time: got %+v", r)
	}
}

func TestProcessLimit(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := unique()
		p := startUntil(t, s, sandbox.Limits{Processes: 60}, "made ", "children", "200", mark)
		if n := len(left(t, mark)); n > 60 {
			t.Errorf("%d processes were made", n)
		}
		p.Kill()
	})
}

var counter int

// unique returns an argument that identifies the processes of a test.
func unique() string {
	counter++
	return fmt.Sprintf("sandbox-test-%d-%d", os.Getpid(), counter)
}

// left lists the processes with an argument.
func left(t *testing.T, argument string) []string {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), argument) {
			found = append(found, name)
		}
	}
	return found
}

func TestKill(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := unique()
		for _, c := range []struct {
			args   []string
			line   string
			reason string
		}{
			{[]string{"spin", mark}, "spinning", "an endless loop"},
			{[]string{"children", "50", mark}, "made 50", "many children"},
			{[]string{"daemon", "twice", mark}, "daemon started", "an orphan in another session"},
		} {
			p := startUntil(t, s, sandbox.Limits{}, c.line, c.args...)
			if len(left(t, mark)) == 0 {
				t.Fatalf("the process can't be found by its argument (%s)", c.reason)
			}
			go p.Kill()
			p.Kill()
			if found := left(t, mark); len(found) > 0 {
				t.Errorf("left after Kill: %v (%s)", found, c.reason)
			}
			if exit := p.Wait(); exit.Signal != "SIGKILL" {
				t.Errorf("got %+v (%s)", exit, c.reason)
			}
		}
	})
}

// TestProc checks that a driver sees only the processes of its own run, and can start itself.
func TestProc(t *testing.T) {
	s := open(t)
	if l := s.Layers(); l.Pid != "" || l.Mount != "" {
		t.Log("no process or mount namespace: /proc is not tested here:", l.Pid, l.Mount)
		return
	}
	r := run(t, s, sandbox.Config{}, "proc")
	if r.stdout != "processes [1 2]\nhello\n" {
		t.Errorf("got %+v", r)
	}
}

// TestEnd checks that nothing remains of a driver's processes when it has ended by itself.
func TestEnd(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := unique()
		r := run(t, s, sandbox.Config{}, "daemon", "twice", mark, "end")
		if r.exit != (sandbox.Exit{}) || r.stdout != "daemon started\n" {
			t.Errorf("got %+v", r)
		}
		if found := left(t, mark); len(found) > 0 {
			t.Errorf("left: %v", found)
		}
	})
}

func TestContext(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := unique()
		ctx, cancel := context.WithCancel(t.Context())
		c := sandbox.Config{Binary: binaries.hostile, Args: []string{"children", "20", mark},
			Scratch: filepath.Join(t.TempDir(), "scratch")}
		p, err := s.Start(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if exit := p.Wait(); exit.Signal != "SIGKILL" {
			t.Errorf("got %+v", exit)
		}
		if found := left(t, mark); len(found) > 0 {
			t.Errorf("left: %v", found)
		}
		if _, err := s.Start(ctx, c); err == nil {
			t.Error("started with a context that has ended")
		}
	})
}

func TestClose(t *testing.T) {
	s := open(t)
	mark := unique()
	p := startUntil(t, s, sandbox.Limits{}, "daemon started", "daemon", "twice", mark)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if found := left(t, mark); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
	if exit := p.Wait(); exit == (sandbox.Exit{}) {
		t.Errorf("got %+v", exit)
	}
}

// TestToolDies checks that nothing remains when the tool is killed and can't clean up.
func TestToolDies(t *testing.T) {
	mark := unique()
	c := exec.Command("/proc/self/exe")
	c.Env = []string{prebuilt + "=" + binaries.hostile, toolScratch + "=" + filepath.Join(t.TempDir(), mark)}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 100)
	n, err := out.Read(line)
	if string(line[:n]) != "daemon started\n" || len(left(t, mark)) == 0 {
		t.Errorf("got %q, %v", line[:n], err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The driver holds the other end of the pipe, so the read ends with the driver and all its children.
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("got %q, %v", rest, err)
	}
	_ = c.Wait() // it was killed
	for _, name := range left(t, mark) {
		if !dies(t, name) {
			t.Errorf("left: %v", name)
		}
	}
}

// dies waits for the end of a killed process: it has closed its files but may still exist.
func dies(t *testing.T, cmdline string) bool {
	pid, err := strconv.Atoi(filepath.Base(filepath.Dir(cmdline)))
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return true
	}
	defer unix.Close(fd)
	const patience = 30_000 // milliseconds
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, patience)
		if err != unix.EINTR {
			return n == 1
		}
	}
}

// TestShownThroughLink: a place that leads through a link of another folder makes nothing on the host.
func TestShownThroughLink(t *testing.T) {
	s := open(t)
	if s.Layers().Mount != "" {
		t.Skip("no mount namespace: ", s.Layers().Mount)
	}
	host, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Symlink(host, filepath.Join(first, "link")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"/shown/link/made/here", "/shown/link"} {
		outs, _ := outputs(t)
		p, err := s.Start(context.Background(), sandbox.Config{
			Binary: binaries.hostile, Scratch: filepath.Join(t.TempDir(), "scratch"), Stdout: outs[0], Stderr: outs[1],
			Shown: []sandbox.Shown{{Folder: first, At: "/shown"}, {Folder: second, At: at}},
		})
		if err == nil {
			p.Kill()
		}
		if err == nil || !strings.Contains(err.Error(), "/shown/link is a link there") {
			t.Errorf("%s: error %v", at, err)
		}
		if list, err := os.ReadDir(host); err != nil || len(list) > 0 {
			t.Errorf("%s: the host has %v, %v", at, list, err)
		}
	}
}
