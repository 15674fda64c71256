package faults

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"
)

// A link leads to a network namespace with one process in it. What is sent while it is down is lost, and nobody is
// told, which a wire can't do.
type link struct {
	name, here, there string // the namespace, and the addresses of both ends
}

// newLink makes a namespace, the number of which is among 16,384. It takes root and the command ip.
func newLink(number int) (_ *link, err error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("network namespaces take root")
	}
	high, low := number>>6&255, number&63<<2
	l := &link{
		name: fmt.Sprintf("lab%d", number),
		here: fmt.Sprintf("10.213.%d.%d", high, low+1), there: fmt.Sprintf("10.213.%d.%d", high, low+2),
	}
	l.remove() // of a run that was killed
	defer func() {
		if err != nil {
			l.remove()
		}
	}()
	for _, args := range [][]string{
		{"netns", "add", l.name},
		{"link", "add", l.name, "type", "veth", "peer", "name", "eth0", "netns", l.name},
		{"addr", "add", l.here + "/30", "dev", l.name},
		{"link", "set", l.name, "up"},
		{"-n", l.name, "addr", "add", l.there + "/30", "dev", "eth0"},
		{"-n", l.name, "link", "set", "eth0", "up"},
		{"-n", l.name, "link", "set", "lo", "up"},
	} {
		if err := ip(args...); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// listen returns a listener that the namespace reaches.
func (l *link) listen() (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(l.here, "0"))
}

// inside makes a command run in the namespace, as the same process.
func (l *link) inside(cmd *exec.Cmd) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", l.name}, cmd.Args...)...)
}

// set lets the link be up or down.
func (l *link) set(state string) error { return ip("link", "set", l.name, state) }

// fail has the link down for some time.
func (l *link) fail(d time.Duration, ended <-chan struct{}) error {
	if err := l.set("down"); err != nil {
		return err
	}
	wait(d, ended)
	return l.set("up")
}

func (l *link) remove() { _ = ip("netns", "del", l.name) } // the link goes with it

func ip(args ...string) error {
	if said, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %v: %w: %s", args, err, said)
	}
	return nil
}
