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

// wardenVariable is the only variable in the environment of a warden. Its value is the mapping of user numbers:
// mapNone, mapSelf or mapRoot.
const wardenVariable = "SPECTRADIFF_SANDBOX_WARDEN"

const controlFD = 3

// Child runs the warden if this process was started as one, and returns true when the warden is done. Main must call it
// first, and return if it returns true.
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
	w := &warden{mapping: mapping, netFD: -1, sleeperFD: -1, procFD: openProc(), runs: map[*run]bool{}}
	w.serve(conn)
	return true
}

// A warden starts drivers and kills them. It has the privileges of the tool, or is root in its own user namespace. It
// keeps them: only its children give up privileges, between fork and exec.
type warden struct {
	mapping string
	layers  Layers
	netFD   int  // the network namespace of all drivers
	procFD  int  // the host's /proc; -1: there is none
	passage uint // capability that drivers of root keep without a mount namespace

	sleeperFD int // the program of process 1 of each process namespace; -1: there is none

	mu   sync.Mutex
	runs map[*run]bool
	done sync.WaitGroup
}

// serve returns when the tool closes the control socket or dies. By then no process of a driver is left.
func (w *warden) serve(conn *net.UnixConn) {
	defer w.killAll()
	in := newReceiver(conn, maxMessage)
	var h hello
	if _, err := in.receive(&h); err != nil {
		return
	}
	w.tryLayers(h.Without)
	if w.layers.Pid != "" {
		// Orphans of a driver must become children of the warden, so that it can kill them.
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

// serveRun runs one driver from start to end on its own thread, which is in the driver's namespaces. The end of the
// thread ends the driver (PR_SET_PDEATHSIG), so the thread must live as long as the driver. It must not be reused
// either. So the thread stays locked.
func (w *warden) serveRun(req request, fds []int) {
	runtime.LockOSThread()
	conn, err := connOf(os.NewFile(uintptr(fds[0]), "sandbox socket"))
	if err != nil {
		closeAll(fds[1:])
		return
	}
	defer conn.Close()
	before := victims()
	r, err := w.launch(req, fds[1:])
	closeAll(fds[1:])
	if err != nil {
		// If the tool is gone, nobody needs the answer.
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
		// The tool sends nothing more. The read returns when the socket is closed.
		_, _ = conn.Read(make([]byte, 1))
		r.kill()
	}()
	over := make(chan struct{})
	go w.supervisor(r, req).watch(over)
	status := r.wait()
	close(over)
	w.mu.Lock()
	delete(w.runs, r)
	w.mu.Unlock()
	r.blame(status, before)
	_ = send(conn, ended{Status: int(status), Exceeded: r.exceeded})
}

// A run is a driver with all its processes.
type run struct {
	driver int
	init   int // process 1 of the driver's process namespace; 0: there is none

	scratch *os.File // the scratch folder, if it lies in memory

	mu       sync.Mutex
	over     bool   // its process numbers may belong to other processes now
	exceeded string // the limit for which the run was killed
}

// exceed kills the run because it exceeds a limit.
func (r *run) exceed(limit string) {
	r.mu.Lock()
	if !r.over {
		r.exceeded = limit
	}
	r.mu.Unlock()
	r.kill()
}

func (r *run) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	// This can't fail: the process is a child that is not reaped yet.
	if r.init != 0 {
		_ = unix.Kill(r.init, unix.SIGKILL)
	} else {
		_ = unix.Kill(r.driver, unix.SIGKILL)
	}
}

// wait returns the status of the driver when all its processes have ended.
func (r *run) wait() unix.WaitStatus {
	for unix.Waitid(unix.P_PID, r.driver, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	r.kill() // the driver has ended; this kills its other processes
	r.mu.Lock()
	r.over = true
	r.scratch.Close()
	r.mu.Unlock()
	status, _ := wait(r.driver)
	if r.init != 0 {
		reap()
	} else {
		// This runs on another thread, because this one may not see the host's /proc.
		gone := make(chan bool)
		go func() {
			killDescendants()
			close(gone)
		}()
		<-gone
	}
	return status
}

// tryLayers tries every layer to find those that this machine has.
func (w *warden) tryLayers(without []string) {
	for _, l := range []struct {
		name   string
		reason *string
		try    func() error
	}{
		{"landlock", &w.layers.Landlock, w.tryLandlock},
		{"seccomp", &w.layers.Seccomp, tryFilter},
		{"netns", &w.layers.Network, w.tryNetwork},
		{"mountns", &w.layers.Mount, tryMount},
		{"pidns", &w.layers.Pid, w.tryPid},
		{"user", &w.layers.User, w.tryUser},
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

// onThread calls f on a thread that ends afterwards, so changes of the thread by f affect nothing else.
func onThread(f func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		result <- f()
	}()
	return <-result
}

// tryNetwork makes the network namespace that all drivers share. Making one is slow. Drivers can't meet in it, because
// none of its devices is up.
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

func tryMount() error {
	if err := unshareMounts(); err != nil {
		return err
	}
	if err := prepareRoot(nil); err != nil {
		return err
	}
	return switchRoot()
}
