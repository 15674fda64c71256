//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A canary is a process that nobody may signal, stop, look into or slow down. It has one thread and all its signals are
// blocked, so whatever is sent to it stays pending, to be seen.
type canary struct {
	cmd    *exec.Cmd
	input  io.Closer
	output bytes.Buffer // what somebody wrote to its input
	before string
}

// newCanary starts a process of a user.
func newCanary(uid int) (*canary, error) {
	c := &canary{cmd: exec.Command("cat")}
	c.cmd.Env = []string{"SECRET=" + secretOf("the process")}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid != os.Geteuid() {
		c.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	c.cmd.Stdout = &c.output
	var err error
	if c.input, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := startBlocked(c.cmd); err != nil {
		return nil, err
	}
	c.before = c.look()
	return c, nil
}

// startBlocked starts a program with all signals blocked, which it has from the thread that starts it.
func startBlocked(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, before unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &all, &before); err != nil {
		return fmt.Errorf("block signals: %w", err)
	}
	return errors.Join(cmd.Start(), unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil))
}

// look returns what others can change of the process.
func (c *canary) look() string {
	var seen []string
	folder := fmt.Sprintf("/proc/%d/", c.cmd.Process.Pid)
	for _, name := range []string{"oom_score_adj", "limits", "cgroup", "timerslack_ns", "coredump_filter"} {
		text, _ := os.ReadFile(folder + name)
		seen = append(seen, name+": "+string(text))
	}
	status, _ := os.ReadFile(folder + "status")
	for line := range strings.Lines(string(status)) {
		name, _, _ := strings.Cut(line, ":")
		switch name {
		case "Umask", "TracerPid", "Uid", "Gid", "Cpus_allowed", "Mems_allowed":
			seen = append(seen, line)
		case "SigPnd", "ShdPnd":
			seen = append(seen, pending(line)...)
		}
	}
	stat, _ := os.ReadFile(folder + "stat")
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) > 38 {
		seen = append(seen, fmt.Sprintf("priority %s, nice %s, real-time %s, policy %s", fields[15], fields[16],
			fields[37], fields[38]))
		if fields[0] == "T" || fields[0] == "t" {
			seen = append(seen, "it is stopped")
		}
	}
	priority, _, _ := unix.Syscall(unix.SYS_IOPRIO_GET, 1, uintptr(c.cmd.Process.Pid), 0)
	return strings.Join(append(seen, fmt.Sprint("disk priority ", priority)), "\n")
}

// pending returns the signals that a line of a process' status has.
func pending(line string) (seen []string) {
	_, digits, _ := strings.Cut(line, ":")
	set, err := strconv.ParseUint(strings.TrimSpace(digits), 16, 64)
	if err != nil {
		return []string{"signals: " + err.Error()}
	}
	for ; set != 0; set &= set - 1 {
		seen = append(seen, "signalled: "+syscall.Signal(bits.TrailingZeros64(set)+1).String())
	}
	return seen
}

// end ends the process and returns what was done to it.
func (c *canary) end() (complaints []string) {
	if after := c.look(); after != c.before {
		complaints = append(complaints, "somebody's process changed from\n"+c.before+"\nto\n"+after)
	}
	_ = c.cmd.Process.Signal(syscall.SIGCONT) // it may have been stopped
	_ = c.input.Close()
	if err := c.cmd.Wait(); err != nil {
		complaints = append(complaints, "somebody's process: "+err.Error())
	}
	if c.output.Len() > 0 {
		complaints = append(complaints, "somebody's process was told "+c.output.String())
	}
	return complaints
}

// Listeners are sockets to which nobody may connect or send.
type listeners struct {
	addresses map[string]string // by the name that stands for them in attacks
	streams   map[string]net.Listener
	packets   map[string]net.PacketConn
	done      sync.WaitGroup

	mu   sync.Mutex
	seen []string
}

// lastMessage is what the test itself sends, so that all that was sent before is seen.
const lastMessage = "the attack is over"

// listen opens the sockets. Those with a path lie in a folder; mark is a name that nobody else has.
func listen(folder, mark string) (*listeners, error) {
	l := &listeners{
		addresses: map[string]string{}, streams: map[string]net.Listener{}, packets: map[string]net.PacketConn{},
	}
	for _, socket := range []struct{ name, network, address string }{
		{"TCP4", "tcp", "127.0.0.1:0"},
		{"TCP6", "tcp", "[::1]:0"},
		{"UDP", "udp", "127.0.0.1:0"},
		{"STREAM", "unix", filepath.Join(folder, "stream")},
		{"DATAGRAM", "unixgram", filepath.Join(folder, "datagram")},
		{"ABSTRACT_STREAM", "unix", "@" + mark + "-stream"},
		{"ABSTRACT_DATAGRAM", "unixgram", "@" + mark + "-datagram"},
	} {
		if err := l.open(socket.name, socket.network, socket.address); err != nil && socket.name != "TCP6" {
			return nil, err // a machine may have no IPv6
		}
		if strings.HasPrefix(socket.address, "/") {
			if err := os.Chmod(socket.address, 0o777); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

func (l *listeners) open(name, network, address string) error {
	if network == "udp" || network == "unixgram" {
		conn, err := net.ListenPacket(network, address)
		if err != nil {
			return err
		}
		l.packets[name], l.addresses[name] = conn, conn.LocalAddr().String()
		l.done.Go(func() { l.receive(name, conn) })
		return nil
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	l.streams[name], l.addresses[name] = listener, listener.Addr().String()
	l.done.Go(func() { l.accept(name, listener) })
	return nil
}

func (l *listeners) note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, text)
}

func (l *listeners) accept(name string, listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		l.note(name)
		_ = conn.Close()
	}
}

func (l *listeners) receive(name string, conn net.PacketConn) {
	for b := make([]byte, 4096); ; {
		n, _, err := conn.ReadFrom(b)
		if err != nil || string(b[:n]) == lastMessage {
			return
		}
		l.note(fmt.Sprintf("%s %q", name, b[:n]))
	}
}

// end closes the sockets and returns who talked to them.
func (l *listeners) end() (complaints []string) {
	for name, listener := range l.streams {
		// Connections are accepted in the order in which they were made. This one is the last.
		conn, err := net.Dial(listener.Addr().Network(), l.addresses[name])
		if err == nil {
			_, _ = conn.Read(make([]byte, 1))
			_ = conn.Close()
		}
		_ = listener.Close()
	}
	for name, packets := range l.packets {
		conn, err := net.Dial(packets.LocalAddr().Network(), l.addresses[name])
		if err == nil {
			_, err = conn.Write([]byte(lastMessage))
			_ = conn.Close()
		}
		if err != nil {
			_ = packets.Close()
		}
	}
	l.done.Wait()
	for name, packets := range l.packets {
		_ = packets.Close()
		_ = os.Remove(l.addresses[name])
	}
	for name := range l.streams {
		at := slices.Index(l.seen, name)
		if at < 0 {
			complaints = append(complaints, name+" was closed by somebody")
			continue
		}
		l.seen = slices.Delete(l.seen, at, at+1)
	}
	slices.Sort(l.seen)
	for _, seen := range slices.Compact(l.seen) {
		complaints = append(complaints, "somebody talked to "+seen)
	}
	return complaints
}
