package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// The tool and the warden talk over sequenced-packet sockets, with one JSON message in each packet. On the control
// socket the tool sends hello once, then a request for each driver. The first file of a request is a socket for that
// driver. On it the warden answers with one message started and one message ended. Closing a driver's socket kills the
// driver. Closing the control socket kills everything.

type hello struct {
	Without []string // layers to leave out
}

type request struct {
	Binary   string
	Args     []string
	Env      []string
	Scratch  string
	ReadOnly []string
	OwnZones bool
	Shown    []Shown
	Kept     []string
	Copies   []string
	Limits   Limits

	FixedAddresses bool
	Loopback       bool
	Programs       bool
	Tools          []string

	Command *commandRequest // nil: a driver
}

type started struct {
	Pid   int // the driver's process number outside its namespace
	Error string
}

type ended struct {
	Status   int    // as wait returns it
	Exceeded string // the limit for which the supervisor or the kernel killed the driver
}

const (
	maxMessage = 1 << 20
	maxReply   = 1 << 14
	maxFiles   = 200 // the kernel passes 253 at most
)

func newSocketPair() (*net.UnixConn, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket pair: %w", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "sandbox socket")
	ours, err := connOf(os.NewFile(uintptr(fds[0]), "sandbox socket"))
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return ours, theirs, nil
}

// connOf turns a socket file into a connection and closes the file.
func connOf(f *os.File) (*net.UnixConn, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("use a sandbox socket: %w", err)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("use a sandbox socket: it is a %T", c)
	}
	// A request may contain a large environment.
	if err := u.SetWriteBuffer(maxMessage); err != nil {
		u.Close()
		return nil, fmt.Errorf("use a sandbox socket: %w", err)
	}
	return u, nil
}

func send(c *net.UnixConn, message any, files ...*os.File) error {
	text, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode a sandbox message: %w", err)
	}
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, f := range files {
			fds[i] = int(f.Fd())
		}
		rights = unix.UnixRights(fds...)
	}
	if _, _, err := c.WriteMsgUnix(text, rights, nil); err != nil {
		return fmt.Errorf("send a sandbox message of %d bytes: %w", len(text), err)
	}
	return nil
}

// A receiver holds the buffers for reading a socket.
type receiver struct {
	conn   *net.UnixConn
	text   []byte
	rights []byte
}

func newReceiver(c *net.UnixConn, size int) *receiver {
	return &receiver{conn: c, text: make([]byte, size), rights: make([]byte, unix.CmsgSpace(maxFiles*4))}
}

func (r *receiver) receive(message any) ([]int, error) {
	n, rn, _, _, err := r.conn.ReadMsgUnix(r.text, r.rights)
	if err != nil {
		return nil, err
	}
	fds, err := rightsOf(r.rights[:rn])
	if err == nil {
		err = json.Unmarshal(r.text[:n], message)
	}
	if err != nil {
		closeAll(fds)
		return nil, fmt.Errorf("read a sandbox message of %d bytes: %w", n, err)
	}
	return fds, nil
}

func rightsOf(rights []byte) ([]int, error) {
	if len(rights) == 0 {
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, err
	}
	var fds []int
	for i := range messages {
		more, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			closeAll(fds)
			return nil, err
		}
		fds = append(fds, more...)
	}
	return fds, nil
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}
