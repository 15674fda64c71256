//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Other systems have no layers, so everything needs Options.Unconfined.

const notHere = "Linux only"

var nothing = Layers{
	Landlock: notHere, Network: notHere, Pid: notHere, Mount: notHere, Seccomp: notHere, Limits: notHere,
}

// Child returns false: there is no warden.
func Child() bool { return false }

// A Sandbox runs drivers. Its methods may be called from several goroutines.
type Sandbox struct{}

// Supported returns why nothing can be compared on this system; nil if it can.
func Supported() error {
	if runtime.GOOS == "windows" { // where a process can't be given files
		return errors.New("versions are compared on Linux: run spectradiff in WSL or in a container, see docs/ci.md")
	}
	return nil
}

// Open fails unless o.Unconfined.
func Open(o Options) (*Sandbox, error) {
	if !o.Unconfined {
		return nil, errors.New("versions are confined on Linux only: run spectradiff in a container, see docs/ci.md, " +
			"or add --no-sandbox if you trust both versions")
	}
	return &Sandbox{}, nil
}

// Layers returns the layers of this sandbox: none.
func (s *Sandbox) Layers() Layers { return nothing }

// Close does nothing.
func (s *Sandbox) Close() error { return nil }

// Start starts a driver. It is killed when ctx ends.
func (s *Sandbox) Start(ctx context.Context, c Config) (*Process, error) {
	for _, dir := range folders {
		if err := os.MkdirAll(filepath.Join(c.Scratch, dir), 0o755); err != nil {
			return nil, fmt.Errorf("make the scratch folder: %w", err)
		}
	}
	scratch, err := filepath.Abs(c.Scratch)
	if err != nil {
		return nil, fmt.Errorf("find the scratch folder: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, c.Binary, c.Args...)
	cmd.Dir = filepath.Join(scratch, "work")
	cmd.Env = append(c.Env[:len(c.Env):len(c.Env)],
		"HOME="+filepath.Join(scratch, "home"), "TMPDIR="+filepath.Join(scratch, "tmp"))
	cmd.ExtraFiles = c.Files
	return startPlain(cmd, c.Stdout, c.Stderr, cancel)
}

func startPlain(cmd *exec.Cmd, stdout, stderr *os.File, cancel context.CancelFunc) (*Process, error) {
	// A nil file must stay a nil interface.
	if stdout != nil {
		cmd.Stdout = stdout
	}
	if stderr != nil {
		cmd.Stderr = stderr
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	p := &Process{cancel: cancel, done: make(chan struct{})}
	go p.follow(cmd)
	return p, nil
}

// A Process is a driver that was started. Its methods may be called from several goroutines.
type Process struct {
	cancel context.CancelFunc
	done   chan struct{}
	exit   Exit
}

func (p *Process) follow(cmd *exec.Cmd) {
	_ = cmd.Wait() // ProcessState has the result
	p.exit = Exit{Code: cmd.ProcessState.ExitCode()}
	if p.exit.Code < 0 {
		p.exit.Signal = cmd.ProcessState.String()
	}
	p.cancel()
	close(p.done)
}

// Done is closed when the driver has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Usage is not known on these systems.
func (p *Process) Usage() (Usage, bool) { return Usage{}, false }

// Kill ends the driver and returns when it is gone.
func (p *Process) Kill() {
	p.cancel()
	<-p.done
}

// Wait returns when the driver has ended.
func (p *Process) Wait() Exit {
	<-p.done
	return p.exit
}

// StartCommand starts a command. It is killed when ctx ends.
func (s *Sandbox) StartCommand(ctx context.Context, c Command) (*Process, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	return startPlain(cmd, c.Stdout, c.Stderr, cancel)
}

// UseOf returns zero: nothing is known here of a process.
func UseOf(int) ProcessUse { return ProcessUse{} }

// ProcessesBelow lists the descendants of processes as far as they are known here: none.
func ProcessesBelow(...int) []int { return nil }

// ProcessorTime returns the processor time that is known here: none.
func ProcessorTime() time.Duration { return 0 }
