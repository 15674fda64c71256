package sandbox

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// The environment of a warden: this variable and nothing else. Its value is how user numbers are
// mapped, see userMapping.
const wardenVariable = "SPECTRADIFF_SANDBOX_WARDEN"

const controlFD = 3

// Child runs the warden if this process was started as one, and returns true when it is done. Main
// must call it first and return when it returns true.
func Child() bool {
	mapping := os.Getenv(wardenVariable)
	if mapping == "" {
		return false
	}
	unix.CloseOnExec(controlFD)
	conn, err := connOf(os.NewFile(controlFD, "sandbox control"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "spectradiff: start the sandbox:", err)
		return true
	}
	w := &warden{mapping: mapping, netFD: -1, runs: map[*run]bool{}}
	w.serve(conn)
	return true
}

// A warden starts drivers and kills them. It is as privileged as the tool, or root in a user
// namespace of its own, and stays so: only the children between fork and exec give rights up.
type warden struct {
	mapping string
	layers  Layers
	netFD   int // the network namespace of all drivers

	mu   sync.Mutex
	runs map[*run]bool
	done sync.WaitGroup
}

// serve ends when the tool closes the control socket or dies. Nothing of the drivers is left then.
func (w *warden) serve(conn *net.UnixConn) {
	defer w.killAll()
	in := newReceiver(conn, maxMessage)
	var h hello
	if _, err := in.receive(&h); err != nil {
		return
	}
	w.tryLayers(h.Without)
	if w.layers.Pid != "" {
		// What a driver leaves behind must come back to us to be killed.
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return
		}
	}
	if err := send(conn, w.layers); err != nil {
		return
	}
	for {
		var r request
		fds, err := in.receive(&r)
		if err != nil || len(fds) < 3 {
			closeAll(fds)
			return
		}
		w.done.Go(func() { w.serveRun(r, fds) })
	}
}

func (w *warden) killAll() {
	w.mu.Lock()
	for r := range w.runs {
		r.kill()
	}
	w.mu.Unlock()
	w.done.Wait()
}

// serveRun runs one driver from start to end on a thread of its own, whose namespaces are the
// driver's. The thread must live as long as the driver, since its end is the driver's end
// (PR_SET_PDEATHSIG), and must not be used again: so it stays locked.
func (w *warden) serveRun(req request, fds []int) {
	runtime.LockOSThread()
	conn, err := connOf(os.NewFile(uintptr(fds[0]), "sandbox socket"))
	if err != nil {
		closeAll(fds[1:])
		return
	}
	defer conn.Close()
	r, err := w.launch(req, fds[1:])
	closeAll(fds[1:])
	if err != nil {
		// The tool may be gone: then nobody needs the answer.
		_ = send(conn, started{Error: err.Error()})
		return
	}
	w.mu.Lock()
	w.runs[r] = true
	w.mu.Unlock()
	if err := send(conn, started{Pid: r.driver}); err != nil {
		r.kill()
	}
	go func() {
		// The tool sends nothing more: what ends the wait is the end of the socket.
		_, _ = conn.Read(make([]byte, 1))
		r.kill()
	}()
	status := r.wait()
	w.mu.Lock()
	delete(w.runs, r)
	w.mu.Unlock()
	_ = send(conn, ended{Status: int(status)})
}

// A run is a driver and all that it has started.
type run struct {
	driver int
	init   int // process 1 of the driver's process namespace, 0 without one

	mu   sync.Mutex
	over bool // the numbers may belong to other processes now
}

func (r *run) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	// It can't fail: the process is our child and not reaped yet.
	if r.init != 0 {
		_ = unix.Kill(r.init, unix.SIGKILL)
	} else {
		_ = unix.Kill(r.driver, unix.SIGKILL)
	}
}

// wait returns how the driver ended, when nothing of it is left.
func (r *run) wait() unix.WaitStatus {
	for unix.Waitid(unix.P_PID, r.driver, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	r.kill() // what the driver left behind; the driver itself has ended
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
	status, _ := wait(r.driver)
	if r.init != 0 {
		// Process 1 is gone when all others of its namespace are.
		_, _ = wait(r.init)
	} else {
		// On another thread: this one may not see the host's /proc.
		gone := make(chan bool)
		go func() {
			killDescendants()
			close(gone)
		}()
		<-gone
	}
	return status
}

// tryLayers finds out what this machine gives by using it.
func (w *warden) tryLayers(without []string) {
	for _, l := range []struct {
		name   string
		reason *string
		try    func() error
	}{
		{"landlock", &w.layers.Landlock, w.tryLandlock},
		{"seccomp", &w.layers.Seccomp, trySeccomp},
		{"netns", &w.layers.Network, w.tryNetwork},
		{"mountns", &w.layers.Mount, tryMount},
		{"pidns", &w.layers.Pid, tryPid},
	} {
		if slices.Contains(without, l.name) {
			*l.reason = "switched off"
			continue
		}
		if err := onThread(l.try); err != nil {
			*l.reason = err.Error()
		}
	}
}

// onThread calls f on a thread that ends afterwards, and what f has done to it with it.
func onThread(f func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		result <- f()
	}()
	return <-result
}

// tryNetwork makes the one network namespace that all drivers share: making one is slow, and the
// drivers can't meet in it as none of its devices is up.
func (w *warden) tryNetwork() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("make a network namespace: %w", err)
	}
	fd, err := unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("keep a network namespace: %w", err)
	}
	w.netFD = fd
	return nil
}

func tryPid() error {
	if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
		return fmt.Errorf("make a process namespace: %w", err)
	}
	pid, err := startInit("")
	if err != nil {
		return fmt.Errorf("use a process namespace: %w", err)
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		return fmt.Errorf("leave a process namespace: %w", err)
	}
	_, err = wait(pid)
	return err
}

func tryMount() error {
	if err := unshareMounts(); err != nil {
		return err
	}
	if err := prepareRoot(nil); err != nil {
		return err
	}
	return switchRoot()
}
