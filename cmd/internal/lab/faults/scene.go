package faults

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// A scene is a server and workers, each of which reaches the server over a wire of its own.
type scene struct {
	command, folder string
	chance          *rand.Rand
	address         string // of the server
	server          *exec.Cmd
	workers         []*worker
	client          *wire
	clocks          bool // can be set wrong
	linked          bool // workers are in network namespaces
}

// A worker is a process of the command.
type worker struct {
	*exec.Cmd
	wire *wire
	link *link // nil without
}

// url returns the address at which the comparison reaches the server.
func (s *scene) url() string { return "nats://" + s.client.listener.Addr().String() }

// begin starts a server and workers.
func (s *scene) begin(workers int) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = free.Addr().String()
	if err := free.Close(); err != nil {
		return err
	}
	if err := s.serve(); err != nil {
		return err
	}
	if s.client, err = lay(s.address); err != nil {
		return err
	}
	for range workers {
		if err := s.join(s.command, ""); err != nil {
			return err
		}
	}
	return nil
}

// store is where the server keeps what it was given.
func (s *scene) store() string { return filepath.Join(s.folder, "store") }

// serve starts the server, also again, and waits until it listens.
func (s *scene) serve() error {
	s.server = exec.Command(s.command, "serve", "--listen", s.address, "--store", s.store())
	s.server.Env = s.environment()
	if err := s.server.Start(); err != nil {
		return err
	}
	for range 200 {
		if conn, err := net.Dial("tcp", s.address); err == nil {
			return conn.Close()
		}
		time.Sleep(25 * time.Millisecond)
	}
	return fmt.Errorf("the server does not listen at %s", s.address)
}

// join starts a worker. With a folder for temporary files it uses that.
func (s *scene) join(command, temporary string) error {
	w, err := s.connect()
	if err != nil {
		return err
	}
	cmd := exec.Command(command, "worker", "--jobs", "1", "--nats", "nats://"+w.wire.listener.Addr().String())
	if s.chance.IntN(2) == 0 {
		cmd = onOneProcessor(cmd)
	}
	if w.link != nil {
		cmd = w.link.inside(cmd)
	}
	cmd.Env = s.environment()
	if temporary != "" {
		cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
	}
	w.Cmd = cmd
	if err := cmd.Start(); err != nil {
		w.leave()
		return err
	}
	s.workers = append(s.workers, w)
	return nil
}

// onOneProcessor makes a command see one processor, as the same process, where that is possible: machines differ in how
// many they have.
func onOneProcessor(cmd *exec.Cmd) *exec.Cmd {
	if _, err := exec.LookPath("taskset"); err != nil {
		return cmd
	}
	return exec.Command("taskset", append([]string{"--cpu-list", "0"}, cmd.Args...)...)
}

// connect makes the way of a worker to the server.
func (s *scene) connect() (*worker, error) {
	if !s.linked {
		w, err := lay(s.address)
		return &worker{wire: w}, err
	}
	l, err := newLink(s.chance.IntN(1 << 14))
	if err != nil {
		return nil, err
	}
	listener, err := l.listen()
	if err != nil {
		l.remove()
		return nil, err
	}
	return &worker{wire: layFrom(listener, s.address), link: l}, nil
}

// leave takes the way to the server away.
func (w *worker) leave() {
	w.wire.close()
	if w.link != nil {
		w.link.remove()
	}
}

// environment returns the environment of a new process. Where clocks can be wrong, half of all are, by up to a month.
func (s *scene) environment() []string {
	env := os.Environ()
	if s.clocks && s.chance.IntN(2) == 0 {
		const month = 30 * 24 * 60 * 60
		env = append(env, fmt.Sprintf("%s=%d", clockVariable, s.chance.IntN(2*month)-month))
	}
	return env
}

// end ends all that runs.
func (s *scene) end() {
	for _, w := range s.workers {
		kill(w.Cmd)
		w.leave()
	}
	if s.server != nil {
		kill(s.server)
	}
	if s.client != nil {
		s.client.close()
	}
	s.unmount()
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// trouble makes faults at random times, until the run has ended. The span is how long a run takes.
func (s *scene) trouble(ended <-chan struct{}, span time.Duration) (happened []string) {
	for range 1 + s.chance.IntN(4) {
		select {
		case <-ended:
			return happened
		case <-time.After(time.Duration(s.chance.Int64N(int64(span)/2 + 1))):
		}
		name, make := s.fault()
		if err := make(ended); err != nil {
			name += " (" + err.Error() + ")"
		}
		happened = append(happened, name)
	}
	return happened
}

// A trouble is a fault that can be made.
type trouble struct {
	name string
	make func(ended <-chan struct{}) error
}

// fault chooses a fault.
func (s *scene) fault() (string, func(ended <-chan struct{}) error) {
	of := s.workers[s.chance.IntN(len(s.workers))]
	pause := time.Duration(s.chance.Int64N(int64(12 * time.Second)))
	signal := func(sig syscall.Signal) func(<-chan struct{}) error {
		return func(<-chan struct{}) error { return of.Process.Signal(sig) }
	}
	faults := []trouble{
		{"worker killed", signal(syscall.SIGKILL)},
		{"worker told to end", signal(syscall.SIGTERM)},
		{"worker frozen", signal(syscall.SIGSTOP)},
		{"worker frozen for a while", func(ended <-chan struct{}) error {
			return frozen(of.Process, pause, ended)
		}},
		{"worker slow", func(ended <-chan struct{}) error { go slow(of.Process, ended); return nil }},
		{"worker cut off", func(<-chan struct{}) error { of.wire.cut(); return nil }},
		{"worker's network silent for a while", func(ended <-chan struct{}) error {
			return of.wire.silent(pause, ended)
		}},
		{"worker gives other contents", func(<-chan struct{}) error { of.wire.lying(); return nil }},
		{"client's network silent for a while", func(ended <-chan struct{}) error {
			return s.client.silent(pause/2, ended)
		}},
		{"server killed and started again", func(ended <-chan struct{}) error {
			kill(s.server)
			wait(pause/3, ended)
			return s.serve()
		}},
		{"server killed and started again without what it had", func(ended <-chan struct{}) error {
			kill(s.server)
			if err := os.RemoveAll(s.store()); err != nil {
				return err
			}
			wait(pause/3, ended)
			return s.serve()
		}},
		{"server killed", func(<-chan struct{}) error { kill(s.server); return nil }},
		{"server frozen for a while", func(ended <-chan struct{}) error {
			return frozen(s.server.Process, pause, ended)
		}},
		{"worker joins", func(<-chan struct{}) error { return s.join(s.command, "") }},
		{"worker of another build joins", func(<-chan struct{}) error { return s.other() }},
		{"worker with a full disk joins", func(<-chan struct{}) error { return s.full() }},
	}
	if of.link != nil {
		faults = append(faults, []trouble{
			{"worker's link down", func(<-chan struct{}) error { return of.link.set("down") }},
			{"worker's link down for a while", func(ended <-chan struct{}) error { return of.link.fail(pause, ended) }},
		}...)
	}
	chosen := faults[s.chance.IntN(len(faults))]
	return chosen.name, chosen.make
}

func wait(d time.Duration, ended <-chan struct{}) {
	select {
	case <-ended:
	case <-time.After(d):
	}
}

func frozen(p *os.Process, d time.Duration, ended <-chan struct{}) error {
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	wait(d, ended)
	return p.Signal(syscall.SIGCONT)
}

// slow has a process run a tenth of the time.
func slow(p *os.Process, ended <-chan struct{}) {
	const running, stopped = 10 * time.Millisecond, 90 * time.Millisecond
	for frozen(p, stopped, ended) == nil {
		select {
		case <-ended:
			return
		case <-time.After(running):
		}
	}
}

// other starts a worker of a program with other bytes.
func (s *scene) other() error {
	program, err := os.ReadFile(s.command)
	if err != nil {
		return err
	}
	path := filepath.Join(s.folder, "other")
	if err := os.WriteFile(path, append(program, 0), 0o755); err != nil {
		return err
	}
	return s.join(path, "")
}

// small is where a file system of one megabyte is mounted.
func (s *scene) small() string { return filepath.Join(s.folder, "small") }

// full starts a worker whose folder for temporary files has no room for a driver.
func (s *scene) full() error {
	if err := os.MkdirAll(s.small(), 0o700); err != nil {
		return err
	}
	if err := mountSmall(s.small()); err != nil {
		return err
	}
	return s.join(s.command, s.small())
}
