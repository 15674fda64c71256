//go:build linux

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// wantComplaint checks that somebody complained about something.
func wantComplaint(t *testing.T, complaints []string, about string) {
	t.Helper()
	if all := strings.Join(complaints, "\n"); !strings.Contains(all, about) {
		t.Errorf("complaints %q, want one about %q", all, about)
	}
}

// TestAttackFiles checks that whatever happens to a file of the user is noticed.
func TestAttackFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		about string
		touch func(work string) error
	}{
		{"content", "home/.netrc was", func(work string) error { // the time is put back
			name := filepath.Join(work, "home/.netrc")
			info, err := os.Stat(name)
			if err == nil {
				err = os.WriteFile(name, []byte(strings.Repeat("x", int(info.Size()))), 0)
			}
			return errors.Join(err, os.Chtimes(name, info.ModTime(), info.ModTime()))
		}},
		{"mode", "home/.bashrc was", func(work string) error {
			return os.Chmod(filepath.Join(work, "home/.bashrc"), 0o755)
		}},
		{"mode of a folder", "home/documents was", func(work string) error {
			return os.Chmod(filepath.Join(work, "home/documents"), 0o700)
		}},
		{"time", "home/.bashrc was", func(work string) error {
			return os.Chtimes(filepath.Join(work, "home/.bashrc"), time.Time{}, time.Unix(1, 0))
		}},
		{"attribute", "home/.bashrc was", func(work string) error {
			err := unix.Setxattr(filepath.Join(work, "home/.bashrc"), "user.canary", []byte("sang"), 0)
			if errors.Is(err, unix.ENOTSUP) {
				return errors.ErrUnsupported
			}
			return err
		}},
		{"link to it", "home/.bashrc was", func(work string) error {
			return os.Link(filepath.Join(work, "home/.bashrc"), filepath.Join(work, "linked"))
		}},
		{"file in place of a folder", `"cache" was made`, func(work string) error {
			return os.WriteFile(filepath.Join(work, "cache"), nil, 0o600)
		}},
		{"end", "temporary/somebody is gone", func(work string) error {
			return os.Remove(filepath.Join(work, "temporary/somebody"))
		}},
		{"temporary file", `"temporary/left" was made`, func(work string) error {
			return os.WriteFile(filepath.Join(work, "temporary/left"), nil, 0o600)
		}},
		{"link in its place", "home/.ssh was", func(work string) error {
			err := os.RemoveAll(filepath.Join(work, "home/.ssh"))
			return errors.Join(err, os.Symlink("elsewhere", filepath.Join(work, "home/.ssh")))
		}},
		{"program", `"started" was made`, func(work string) error {
			if err := exec.Command(filepath.Join(work, "bin/hg"), "log").Run(); err == nil {
				return errors.New("it should fail")
			}
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := t.TempDir()
			if err := makeHome(work); err != nil {
				t.Fatal(err)
			}
			before, err := takeSnapshot(work)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := takeSnapshot(work); err != nil || len(changes(before, same)) > 0 {
				t.Fatalf("before anything happened: %v, %v", changes(before, same), err)
			}
			if err := c.touch(work); errors.Is(err, errors.ErrUnsupported) {
				t.Skip("this file system has none")
			} else if err != nil {
				t.Fatal(err)
			}
			after, err := takeSnapshot(work)
			if err != nil {
				t.Fatal(err)
			}
			wantComplaint(t, changes(before, after), c.about)
		})
	}
}

// TestAttackProcess checks that whatever happens to somebody's process is noticed.
func TestAttackProcess(t *testing.T) {
	for _, c := range []struct {
		name  string
		about string // "": nothing
		touch func(pid int) error
	}{
		{"nothing", "", func(int) error { return nil }},
		{"a signal", "signalled: hangup", func(pid int) error { return unix.Kill(pid, unix.SIGHUP) }},
		{"a late signal", "signalled: window changed", func(pid int) error { return unix.Kill(pid, unix.SIGWINCH) }},
		{"killed", "signal: killed", func(pid int) error { return unix.Kill(pid, unix.SIGKILL) }},
		{"stopped", "it is stopped", func(pid int) error {
			err := unix.Kill(pid, unix.SIGSTOP)
			_, wait := unix.Wait4(pid, nil, unix.WUNTRACED, nil)
			return errors.Join(err, wait)
		}},
		{"nice", "nice 7", func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 7) }},
		{"to be killed first", "oom_score_adj: 700", func(pid int) error {
			return os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("700"), 0)
		}},
		{"a word", "was told word", func(pid int) error {
			return os.WriteFile("/proc/"+strconv.Itoa(pid)+"/fd/0", []byte("word"), 0)
		}},
		{"limit", "Max open files            77", func(pid int) error {
			return unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 77, Max: 77}, nil)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			canary, err := newCanary(os.Geteuid())
			if err != nil {
				t.Fatal(err)
			}
			touched := c.touch(canary.cmd.Process.Pid)
			complaints := canary.end()
			if touched != nil {
				t.Fatal(touched)
			}
			if c.about != "" {
				wantComplaint(t, complaints, c.about)
			} else if len(complaints) > 0 {
				t.Errorf("complaints %q", complaints)
			}
		})
	}
}

// TestAttackSockets checks that it is noticed when somebody talks to a socket.
func TestAttackSockets(t *testing.T) {
	for _, name := range []string{"", "TCP4", "TCP6", "UDP", "STREAM", "DATAGRAM", "ABSTRACT_STREAM",
		"ABSTRACT_DATAGRAM"} {
		t.Run("to "+name, func(t *testing.T) {
			folder, err := os.MkdirTemp("", "sockets") // the names of tests are too long for paths of sockets
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(folder)
			l, err := listen(folder, "attack-checks-"+strconv.Itoa(os.Getpid()))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case name == "":
			case l.streams[name] != nil:
				err = greet(l.streams[name].Addr())
			case l.packets[name] != nil:
				err = greet(l.packets[name].LocalAddr())
			default:
				l.end()
				t.Skip("the machine has no such socket")
			}
			complaints := l.end()
			if err != nil {
				t.Fatal(err)
			}
			if name != "" {
				wantComplaint(t, complaints, "somebody talked to "+name)
			} else if len(complaints) > 0 {
				t.Errorf("complaints %q", complaints)
			}
		})
	}
}

// greet talks to a socket.
func greet(at net.Addr) error {
	conn, err := net.Dial(at.Network(), at.String())
	if err != nil {
		return err
	}
	if at.Network() == "udp" || at.Network() == "unixgram" { // connections need no text
		_, err = io.WriteString(conn, "hello")
	}
	return errors.Join(err, conn.Close())
}

// TestAttackText checks what is noticed in what the command prints, and what is harmless.
func TestAttackText(t *testing.T) {
	for text, about := range map[string]string{
		"one: two\tthree\n[4] ##5 :: 6\n":  "",
		"key " + secretOf("id_rsa"):        "canary-of-id_rsa",
		"line of " + unfinished:            unfinished,
		"ret0 " + success + ": wrote":      success,
		"clear \x1b[2J":                    "a raw sign in line 1",
		"one\ntwo \u009b2J":                "a raw sign in line 2",
		"back\rto the start":               "a raw sign",
		"order \u202e of letters":          "a raw sign",
		"one\n  ::error::failed":           "a command in line 2",
		"anywhere ##[error]failed":         "a command",
		"anywhere ##vso[task.setvariable]": "a command",
	} {
		complaints := checkText("stdout", text)
		if about != "" {
			wantComplaint(t, complaints, about)
		} else if len(complaints) > 0 {
			t.Errorf("complaints %q about %q", complaints, text)
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "entry"), []byte("\x00"+secretOf("letter")), 0o600); err != nil {
		t.Fatal(err)
	}
	complaints, err := checkFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	wantComplaint(t, complaints, "canary-of-letter")
}

// TestAttackMarks checks that files which an attack makes in the machine's own folders are noticed and removed.
func TestAttackMarks(t *testing.T) {
	a := &attack{mark: "attack-checks-" + strconv.Itoa(os.Getpid())}
	name := "/tmp/left-by-" + a.mark
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantComplaint(t, a.marks(), name+" was made")
	if complaints := a.marks(); len(complaints) > 0 {
		t.Errorf("complaints %q after it was removed", complaints)
	}
}

// TestAttackEnds checks that a program is noticed that leaves a process, or does not end, and how a crash is told from
// an error.
func TestAttackEnds(t *testing.T) {
	// The shell ends once its child has become sleep: before, it has the words of the shell, or of setsid.
	const started = " until grep -qx sleep /proc/$!/comm; do :; done; exit 0"
	for _, c := range []struct {
		name, script, about string
		limit               time.Duration
	}{
		{"nothing", "exit 0", "", time.Minute},
		{"a process", "sleep 1000 &" + started, "a process is left: sleep 1000", time.Minute},
		{"an orphan", "(setsid sleep 1000 &" + started + "); exit 0", "a process is left: sleep 1000", time.Minute},
		{"no end", "exec sleep 1000", stillRan, 100 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			notes := filepath.Join(t.TempDir(), "notes")
			cmd := exec.Command("/proc/self/exe", "-limit", c.limit.String(), "-dying", "100ms", "-notes", notes,
				"--", "/bin/sh", "-c", c.script)
			cmd.Args[0] = launcherName
			_ = cmd.Run() // what is wrong is in the notes
			text, err := os.ReadFile(notes)
			if err != nil {
				t.Fatal(err)
			}
			if c.about != "" {
				wantComplaint(t, []string{string(text)}, c.about)
			} else if len(text) > 0 {
				t.Errorf("notes %q", text)
			}
		})
	}
	if !crashed("log\npanic: index out of range\n\ngoroutine 1 [running]:\n") {
		t.Error("a panic is no crash")
	}
	if crashed("spectradiff: old version: it ended:\npanic: in the driver\n") {
		t.Error("an error that quotes a panic is a crash")
	}
}
