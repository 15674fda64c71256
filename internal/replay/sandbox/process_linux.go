package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Sandbox runs drivers. Its methods may be called from several goroutines. Open one for each worker: starting a
// driver is fast, opening a Sandbox is slow.
type Sandbox struct {
	layers Layers
	hello  hello
	main   *wardenProcess // nil if each driver has its own warden
}

// Open starts a warden. It fails if files or network can't be confined, unless o.Unconfined.
func Open(o Options) (*Sandbox, error) {
	s := &Sandbox{hello: hello{Without: o.without}}
	var failed error
	for _, mapping := range mappingsHere(o.without) {
		w, layers, err := startWarden(mapping, s.hello)
		if err != nil {
			failed = err
			continue
		}
		if layers.Pid != "" && mapping != mapNone {
			w.close()
			failed = errors.New(layers.Pid)
			continue
		}
		s.main, s.layers = w, layers
		break
	}
	if s.main == nil {
		return nil, failed
	}
	if missing := s.layers.Missing(); len(missing) > 0 && !o.Unconfined {
		s.main.close()
		return nil, errors.New(strings.Join(missing, " "))
	}
	if s.layers.Pid != "" {
		// A warden of several drivers could not tell which process belongs to which driver.
		s.main.close()
		s.main = nil
	}
	return s, nil
}

// Layers returns the layers that this sandbox has.
func (s *Sandbox) Layers() Layers { return s.layers }

// Close kills everything that still runs, and returns when it has ended.
func (s *Sandbox) Close() error {
	if s.main != nil {
		s.main.close()
	}
	return nil
}

// Start starts a driver. It is killed when ctx ends.
func (s *Sandbox) Start(ctx context.Context, c Config) (*Process, error) {
	req, err := requestOf(c)
	if err != nil {
		return nil, err
	}
	if err := s.makeFolders(req); err != nil {
		return nil, err
	}
	return s.start(ctx, req, c)
}

// start sends a request, with the open files of c.
func (s *Sandbox) start(ctx context.Context, req request, c Config) (*Process, error) {
	files, done, err := filesOf(c)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", req.Binary, err)
	}
	w := s.main
	if w == nil {
		if w, _, err = startWarden(mapNone, s.hello); err != nil {
			return nil, err
		}
	}
	p, err := w.start(req, files)
	if err != nil {
		if s.main == nil {
			w.close()
		}
		return nil, err
	}
	if s.main == nil {
		p.own = w
	}
	stop := context.AfterFunc(ctx, p.Kill)
	go p.follow(stop)
	return p, nil
}

func requestOf(c Config) (request, error) {
	req := request{
		Args: c.Args, Env: c.Env, Limits: c.Limits, FixedAddresses: c.FixedAddresses, Loopback: c.Loopback,
		OwnZones: c.OwnZones,
		Programs: c.Programs, Tools: c.Tools,
	}
	var err error
	if req.Binary, err = filepath.Abs(c.Binary); err != nil {
		return req, fmt.Errorf("find the driver's binary: %w", err)
	}
	if req.Scratch, err = filepath.Abs(c.Scratch); err != nil {
		return req, fmt.Errorf("find the scratch folder: %w", err)
	}
	if c.Scratch == "" {
		return req, errors.New("start a driver: no scratch folder given")
	}
	if req.ReadOnly, err = absolute(c.ReadOnly); err != nil {
		return req, fmt.Errorf("find a folder to read: %w", err)
	}
	if req.Copies, err = absolute(c.Copies); err != nil {
		return req, fmt.Errorf("find a folder to copy: %w", err)
	}
	req.Shown, req.Kept = c.Shown, c.Kept
	return req, nil
}

func absolute(paths []string) (list []string, err error) {
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		list = append(list, abs)
	}
	return list, nil
}

// makeFolders makes the folders of a scratch folder that lies on a disk. One in memory is filled by the warden.
func (s *Sandbox) makeFolders(req request) error {
	if s.layers.Mount == "" && req.Limits.Disk > 0 {
		return nil
	}
	for _, dir := range folders {
		if err := os.MkdirAll(filepath.Join(req.Scratch, dir), 0o755); err != nil {
			return fmt.Errorf("make the scratch folder: %w", err)
		}
	}
	return nil
}

// filesOf lists the driver's files from standard output on.
func filesOf(c Config) ([]*os.File, func(), error) {
	if len(c.Files)+3 > maxFiles {
		return nil, nil, fmt.Errorf("start a driver: %d files are more than %d", len(c.Files), maxFiles-3)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("discard the driver's output: %w", err)
	}
	files := []*os.File{null, null}
	if c.Stdout != nil {
		files[0] = c.Stdout
	}
	if c.Stderr != nil {
		files[1] = c.Stderr
	}
	return append(files, c.Files...), func() { null.Close() }, nil
}

// A Process is a driver that was started. Its methods may be called from several goroutines.
type Process struct {
	pid  int
	conn *net.UnixConn
	own  *wardenProcess // ends with the process
	done chan struct{}
	exit Exit

	mu sync.Mutex // held while conn is closed
}

// Done is closed when the driver and all its processes have ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Kill ends the driver and all its processes, and returns when they have ended.
func (p *Process) Kill() {
	p.mu.Lock()
	select {
	case <-p.done:
	default:
		// This fails if the warden is gone, and the driver with it.
		_ = p.conn.CloseWrite()
	}
	p.mu.Unlock()
	<-p.done
}

// Wait returns when the driver and all its processes have ended.
func (p *Process) Wait() Exit {
	<-p.done
	return p.exit
}

// follow receives the end of the driver.
func (p *Process) follow(stop func() bool) {
	var e ended
	_, err := newReceiver(p.conn, maxReply).receive(&e)
	stop()
	if p.own != nil {
		p.own.close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn.Close()
	p.exit = exitOf(e, err)
	close(p.done)
}

func exitOf(e ended, err error) Exit {
	if err != nil {
		return Exit{Code: -1, Err: fmt.Errorf("the sandbox was lost: %w", err)}
	}
	status := unix.WaitStatus(e.Status)
	if status.Signaled() {
		return Exit{Code: -1, Signal: unix.SignalName(status.Signal()), Exceeded: e.Exceeded}
	}
	return Exit{Code: status.ExitStatus(), Exceeded: e.Exceeded}
}

// A wardenProcess is a warden seen from the tool.
type wardenProcess struct {
	cmd  *exec.Cmd
	conn *net.UnixConn
	once sync.Once
}

// The mappings of user numbers for a warden.
const (
	mapNone = "none" // no user namespace
	mapSelf = "self" // the user becomes nobody
	mapRoot = "root" // root stays root, and the driver is a user of its own
)

// mappingsHere lists the mappings to try, the best one first.
func mappingsHere(without []string) []string {
	for _, layer := range without {
		if layer == "userns" {
			return []string{mapNone}
		}
	}
	if os.Geteuid() == 0 {
		return []string{mapRoot, mapNone}
	}
	return []string{mapSelf, mapNone}
}

func startWarden(mapping string, h hello) (*wardenProcess, Layers, error) {
	if os.Getenv(wardenVariable) != "" {
		return nil, Layers{}, errors.New("start the sandbox: main must call sandbox.Child first")
	}
	conn, theirs, err := newSocketPair()
	if err != nil {
		return nil, Layers{}, err
	}
	defer theirs.Close()
	w := &wardenProcess{conn: conn, cmd: &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{"spectradiff-sandbox"},
		Env:         []string{wardenVariable + "=" + mapping},
		Dir:         "/",
		Stderr:      os.Stderr,
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: attributesOf(mapping),
	}}
	if err := w.cmd.Start(); err != nil {
		conn.Close()
		return nil, Layers{}, fmt.Errorf("start the sandbox: %w", err)
	}
	theirs.Close()
	var layers Layers
	err = send(conn, h)
	if err == nil {
		_, err = newReceiver(conn, maxReply).receive(&layers)
	}
	if err != nil {
		w.close()
		return nil, Layers{}, fmt.Errorf("start the sandbox: main must call sandbox.Child first: %w", err)
	}
	return w, layers, nil
}

// attributesOf detaches a warden from the terminal and puts it into its user namespace. For root, all users are mapped
// to themselves, so that the warden can read all files of root. The exception is nobody, which is mapped to an unused
// number, so that its limits on processes count nothing else.
func attributesOf(mapping string) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	switch mapping {
	case mapSelf:
		attr.Cloneflags = syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getegid(), Size: 1}}
		// The user keeps its number, so only this capability survives the exec. It allows the warden to mount.
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	case mapRoot:
		const private = 1 << 30
		host := private + os.Getpid()
		mappings := []syscall.SysProcIDMap{
			{ContainerID: 0, HostID: 0, Size: nobody},
			{ContainerID: nobody, HostID: host, Size: 1},
			{ContainerID: nobody + 1, HostID: nobody + 1, Size: private - nobody - 1},
		}
		attr.Cloneflags = syscall.CLONE_NEWUSER
		attr.UidMappings, attr.GidMappings = mappings, mappings
		attr.GidMappingsEnableSetgroups = true
		attr.Credential = &syscall.Credential{}
	}
	return attr
}

func (w *wardenProcess) start(req request, files []*os.File) (*Process, error) {
	conn, theirs, err := newSocketPair()
	if err != nil {
		return nil, err
	}
	err = send(w.conn, req, append([]*os.File{theirs}, files...)...)
	theirs.Close()
	var s started
	if err == nil {
		_, err = newReceiver(conn, maxReply).receive(&s)
	}
	if err == nil && s.Error != "" {
		err = errors.New(s.Error)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Process{pid: s.Pid, conn: conn, done: make(chan struct{})}, nil
}

// close ends the warden, and returns when it and all its drivers are gone.
func (w *wardenProcess) close() {
	w.once.Do(func() {
		w.conn.Close()
		// The end of the warden does not matter for any driver.
		_ = w.cmd.Wait()
	})
}
