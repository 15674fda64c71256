//go:build linux

package sandbox_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// runCommand runs the hostile program as a command.
func runCommand(t *testing.T, s *sandbox.Sandbox, c sandbox.Command, args ...string) result {
	t.Helper()
	p, out := startCommand(t, s, c, args...)
	exit := p.Wait()
	return result{exit, out(0), out(1)}
}

func startCommand(t *testing.T, s *sandbox.Sandbox, c sandbox.Command, args ...string,
) (*sandbox.Process, func(int) string) {
	t.Helper()
	c.Path, c.Args, c.Env = binaries.hostile, args, append(c.Env, "SELF="+binaries.hostile)
	if c.Dir == "" {
		c.Dir = t.TempDir()
		c.Write = append(c.Write, c.Dir)
	}
	outs, read := outputs(t)
	c.Stdout, c.Stderr = outs[0], outs[1]
	p, err := s.StartCommand(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p, read
}

// TestCommandFiles checks that a command can read and write only granted files, and that its new files belong to the
// user.
func TestCommandFiles(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		root := t.TempDir()
		file := func(name string) string {
			name = filepath.Join(root, name)
			err := os.MkdirAll(filepath.Dir(name), 0o755)
			if err == nil {
				err = os.WriteFile(name, []byte("x"), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			return name
		}
		single, readable, inside := file("single"), file("readable/f"), file("readable/writable/f")
		hidden, canary, linked := file("hidden"), file("readable/canary"), filepath.Join(root, "link")
		if err := os.Symlink("readable", linked); err != nil {
			t.Fatal(err)
		}
		c := sandbox.Command{
			Dir:   filepath.Dir(readable),
			Read:  []string{single, linked, filepath.Join(root, "missing")},
			Write: []string{filepath.Dir(inside)},
		}
		allowed := []string{single, readable, inside, filepath.Join(linked, "f"), binaries.hostile}
		denied := []string{hidden, "/etc/shadow", "/etc/fstab", "/root/.profile"}
		r := runCommand(t, s, c, append([]string{"read"}, append(allowed, denied...)...)...)
		done, refused := strings.Count(r.stdout, "DONE"), strings.Count(r.stdout, " denied: ")
		if done != len(allowed) || refused != len(denied) {
			t.Errorf("read: %+v", r)
		}
		unchanged(t, runCommand(t, s, c, "write", canary), canary)
		unchanged(t, runCommand(t, s, c, "write", hidden), hidden)
		r = runCommand(t, s, c, "write", inside)
		if got := strings.Count(r.stdout, "DONE"); got < 5 {
			t.Errorf("write: %+v", r)
		}
		info, err := os.Stat(inside + ".new")
		if err != nil {
			t.Fatal(err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Getuid() {
			t.Errorf("what was made belongs to %v", info.Sys())
		}
	})
}

// TestCommandOfRoot checks that root's command can write to a folder of another user, and has no other privilege of
// root.
func TestCommandOfRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only for root")
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		theirs := filepath.Join(dir, "theirs")
		for _, err := range []error{
			os.WriteFile(theirs, nil, 0o600), os.Chown(theirs, 1234, 1234), os.Chown(dir, 1234, 1234),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r := runCommand(t, s, sandbox.Command{Dir: "/usr", Write: []string{dir}}, "write", filepath.Join(dir, "f"))
		if !strings.Contains(r.stdout, "f DONE") {
			t.Errorf("got %+v", r)
		}
		r = runCommand(t, s, sandbox.Command{Write: []string{dir}}, "privileged", theirs)
		if strings.Contains(r.stdout, "DONE") || strings.Count(r.stdout, " denied: ") != 6 {
			t.Errorf("got %+v", r)
		}
	})
}

func decimal(n int) string { return strconv.Itoa(n) }

func TestCommandPlace(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		dir := t.TempDir()
		c := sandbox.Command{Dir: dir, Env: []string{"HOME=/no/such", "TMPDIR=" + dir, "A=b"}, Write: []string{dir}}
		r := runCommand(t, s, c, "where")
		want := dir + " /no/such " + dir + " "
		env := "env HOME=/no/such\nenv TMPDIR=" + dir + "\nenv A=b\n"
		if !strings.HasPrefix(r.stdout, want) || !strings.Contains(r.stdout, env) {
			t.Errorf("got %+v, want %q", r, want)
		}
		if r := runCommand(t, s, c, "fds"); r.stdout != "0 1 2 \n" {
			t.Errorf("open: %+v", r)
		}
	})
}

// TestCommandNetwork checks that a command has the network only with Network.
func TestCommandNetwork(t *testing.T) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	path := filepath.Join(t.TempDir(), "agent")
	agent, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	args := []string{"dial", tcp.Addr().String(), udp.LocalAddr().String(), path, "@no-such-socket"}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := runCommand(t, s, sandbox.Command{}, args...)
		for _, name := range []string{"tcp", "mptcp", "udp", "unix"} {
			if strings.Contains("\n"+r.stdout, "\n"+name+" DONE") {
				t.Errorf("without the network: %s", r.stdout)
			}
		}
		r = runCommand(t, s, sandbox.Command{Network: true, Read: []string{path}}, args...)
		filtered := s.Layers().Seccomp != "" || strings.Contains(r.stdout, "vsock denied")
		if strings.Count(r.stdout, "DONE") < 4 || !filtered {
			t.Errorf("with the network: %+v", r)
		}
	})
}

// TestCommandOthers checks that a command can't reach other processes.
func TestCommandOthers(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		victim := exec.Command(binaries.hostile, "sleep")
		if err := victim.Start(); err != nil {
			t.Fatal(err)
		}
		r := runCommand(t, s, sandbox.Command{Network: true}, "kill", decimal(os.Getpid()), decimal(victim.Process.Pid))
		if strings.Contains(r.stdout, "DONE") {
			t.Error(r.stdout)
		}
		if err := victim.Process.Kill(); err != nil {
			t.Error(err)
		}
		if state, err := victim.Process.Wait(); err != nil || state.String() != "signal: killed" {
			t.Error(state, err)
		}
		r = runCommand(t, s, sandbox.Command{}, "trace", decimal(os.Getpid()))
		if strings.Contains(r.stdout, "environ DONE") || strings.Contains(r.stdout, "mem DONE") {
			t.Error(r.stdout)
		}
	})
}

// TestCommandEnds checks that nothing that a command started remains, however it ends.
func TestCommandEnds(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := unique()
		r := runCommand(t, s, sandbox.Command{}, "daemon", "twice", mark, "end")
		if r.exit != (sandbox.Exit{}) || r.stdout != "daemon started\n" {
			t.Errorf("got %+v", r)
		}
		p, _ := startCommand(t, s, sandbox.Command{}, "daemon", "twice", mark)
		p.Kill()
		if found := left(t, mark); len(found) > 0 {
			t.Errorf("left: %v", found)
		}
	})
}

func TestCommandStartFails(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		command      sandbox.Command
		want, reason string
	}{
		{sandbox.Command{Path: "go", Dir: "/usr"}, "absolute", "a name that PATH would have to find"},
		{sandbox.Command{Path: "/usr/no/such", Dir: "/usr"}, "no such file", "a program that does not exist"},
		{sandbox.Command{Path: binaries.hostile, Dir: "/root"}, "working folder", "a folder that it may not see"},
	} {
		p, err := s.StartCommand(t.Context(), c.command)
		if err == nil {
			p.Kill()
			t.Errorf("no error: %s", c.reason)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q (%s)", err, c.want, c.reason)
		}
	}
}
