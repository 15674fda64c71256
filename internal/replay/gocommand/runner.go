package gocommand

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/buildcache"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A Runner runs go commands. Its methods may be called from several goroutines.
type Runner struct {
	box  *sandbox.Sandbox // nil: commands are not confined
	temp string           // for temporary files of go commands
	ask  func() (*machine, error)
}

// NewRunner returns a Runner that confines its commands. Temporary files go to a new folder below temp.
func NewRunner(ctx context.Context, box *sandbox.Sandbox, temp string) (*Runner, error) {
	r := &Runner{box: box, temp: filepath.Join(temp, "go")}
	if err := os.MkdirAll(r.temp, 0o700); err != nil {
		return nil, fmt.Errorf("temporary folder of the go command: %w", err)
	}
	r.ask = sync.OnceValues(func() (*machine, error) { return askMachine(ctx, temp) })
	return r, nil
}

// Unconfined returns a Runner whose go commands have the user's permissions. It is for trusted code.
func Unconfined() *Runner {
	return &Runner{ask: sync.OnceValues(func() (*machine, error) { return askMachine(context.Background(), "") })}
}

// Confines reports whether commands are confined.
func (r *Runner) Confines() bool { return r.box != nil }

// Environment returns the environment for go commands, made from that of the tool, like the function Environment. It
// adds what the user has saved with go env -w, which confined commands don't see. If files can't be confined, it leaves
// the C compiler out, unless the user asks for it.
func (r *Runner) Environment(of []string) []string {
	if m, err := r.ask(); err == nil { // else no command will run
		of = m.withSaved(of)
	}
	env := Environment(of)
	if r.WithoutC() {
		env = append(env, "CGO_ENABLED=0")
	}
	return env
}

// WithoutC reports whether the C compiler is left out because it could read any file and reveal it.
func (r *Runner) WithoutC() bool {
	return r.box != nil && !r.box.Layers().ConfinesFiles() && os.Getenv("CGO_ENABLED") == ""
}

// Tags lists the build tags that the user's settings add to those of the system.
func (r *Runner) Tags() ([]string, error) {
	m, err := r.ask()
	if err != nil {
		return nil, err
	}
	flags := m.variables["GOFLAGS"]
	tags := append(Tags(flags), detectors(flags)...)
	if m.variables["CGO_ENABLED"] == "1" && !r.WithoutC() {
		tags = append(tags, "cgo")
	}
	return tags, nil
}

// Folders are the folders that a go command may use besides the usual ones.
type Folders struct {
	Read  []string // files and folders to read
	Write []string // files and folders to read and change
}

// With returns the union of two sets of folders.
func (f Folders) With(others Folders) Folders {
	return Folders{slices.Concat(f.Read, others.Read), slices.Concat(f.Write, others.Write)}
}

// A Command is a go command.
type Command struct {
	Path    string   // "" = go, as PATH finds it; else a program that may run go commands
	Dir     string   // where it runs
	Env     []string // from Environment, possibly with additions
	Folders Folders
	Network bool // it may fetch modules; it must not compile

	LowPriority bool // it leaves the processors to others, if it is confined

	// Private is an existing folder for its build cache and its temporary files. It is for commands that run code of a
	// version, such as tests: these only read the caches that the user's own builds trust. "" = it compiles at most.
	Private string

	// Copied is an existing folder for a build cache that holds all that the command needs: what it compiles, and a
	// copy of what the user's cache has. "" = it uses that of the user.
	Copied string
}

// An ExitError says how a confined command ended that did not end with exit status 0.
type ExitError struct {
	Code   int    // exit status; -1 if a signal ended it
	Signal string // such as "SIGSEGV"; "" = none
}

func (e *ExitError) Error() string {
	if e.Signal != "" {
		return "signal " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Run runs the command and returns its output. The error only tells how it ended: the caller adds what failed, and
// takes the reason from stderr.
func (r *Runner) Run(ctx context.Context, c Command, args ...string) (stdout, stderr string, err error) {
	if r.box == nil {
		return c.runPlain(ctx, args)
	}
	m, err := r.ask()
	if err != nil {
		return "", "", err
	}
	confined, err := r.confined(m, c)
	if err != nil {
		return "", "", err
	}
	confined.Args = args
	return r.capture(ctx, confined)
}

// confined returns the command for the sandbox, with the folders that it may use.
func (r *Runner) confined(m *machine, c Command) (sandbox.Command, error) {
	if m.hidden != nil {
		return sandbox.Command{}, m.hidden
	}
	path := c.Path
	if path == "" {
		path = m.command()
	}
	temp, read, write := r.temp, m.readable, m.writable
	env := slices.Clone(c.Env)
	if c.Private != "" {
		temp, read, write = c.Private, slices.Concat(m.readable, m.writable), nil
		own := filepath.Join(c.Private, "cache")
		through, program := buildcache.Variable(m.variables["GOCACHE"], own)
		env, read = append(env, "GOCACHE="+own, through), append(read, program)
	}
	if c.Copied != "" {
		through, program := buildcache.Copying(m.variables["GOCACHE"], c.Copied)
		env, read = append(env, "GOCACHE="+c.Copied, through), append(slices.Clone(read), program)
		write = append(slices.Clone(write), c.Copied)
	}
	env = append(env, "TMPDIR="+temp, "GOTMPDIR="+temp, "PATH="+m.path())
	if !slices.ContainsFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "GOROOT=") }) {
		env = append(env, "GOROOT="+m.variables["GOROOT"]) // it can't find its GOROOT without processes
	}
	confined := sandbox.Command{
		Path: path, Dir: c.Dir, Env: env, Network: c.Network, LowPriority: c.LowPriority,
		Read:  slices.Concat(read, c.Folders.Read),
		Write: slices.Concat(write, []string{temp}, c.Folders.Write),
	}
	if c.Network {
		confined.Read = append(confined.Read, m.credentials()...)
	} else {
		confined.Env = offline(confined.Env)
	}
	confined.Env = lastOnly(confined.Env)
	return confined, nil
}

// lastOnly keeps the last entry of each variable, which is the one that counts in package os/exec.
func lastOnly(env []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, entry := range slices.Backward(env) {
		if name, _, _ := strings.Cut(entry, "="); !seen[name] {
			seen[name] = true
			kept = append(kept, entry)
		}
	}
	slices.Reverse(kept)
	return kept
}

// maxOutput is the maximum size of output in bytes. The rest is cut off, which for standard output is an error.
const maxOutput = 256 << 20

// capture runs a command in the sandbox.
func (r *Runner) capture(ctx context.Context, c sandbox.Command) (stdout, stderr string, err error) {
	var out, errs output
	defer func() { err = errors.Join(err, out.close(), errs.close()) }()
	if c.Stdout, err = out.open(); err != nil {
		return "", "", err
	}
	if c.Stderr, err = errs.open(); err != nil {
		return "", "", err
	}
	p, err := r.box.StartCommand(ctx, c)
	if err != nil {
		return "", "", err
	}
	exit := p.Wait()
	stdout, stderr = out.text(), errs.text()
	switch {
	case ctx.Err() != nil:
		return stdout, stderr, ctx.Err()
	case exit.Err != nil:
		return stdout, stderr, exit.Err
	case exit.Signal != "" || exit.Code != 0:
		return stdout, stderr, &ExitError{exit.Code, exit.Signal}
	case len(stdout) == maxOutput:
		return stdout, stderr, fmt.Errorf("more than %d bytes of output", maxOutput)
	}
	return stdout, stderr, nil
}

// An output collects one output stream of a command.
type output struct {
	reader, writer *os.File
	content        bytes.Buffer
	done           chan struct{}
}

func (o *output) open() (*os.File, error) {
	var err error
	if o.reader, o.writer, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	o.done = make(chan struct{})
	go func() {
		defer close(o.done)
		// Killing the command ends the stream too.
		_, _ = io.CopyN(&o.content, o.reader, maxOutput)
		_, _ = io.Copy(io.Discard, o.reader)
	}()
	return o.writer, nil
}

// text returns the whole output after the end of the command, when no process holds the other end of the pipe.
func (o *output) text() string {
	_ = o.writer.Close()
	<-o.done
	return o.content.String()
}

func (o *output) close() error {
	if o.reader == nil {
		return nil
	}
	_ = o.writer.Close() // it may already be closed
	return o.reader.Close()
}

// runPlain runs the command without a sandbox.
func (c Command) runPlain(ctx context.Context, args []string) (stdout, stderr string, err error) {
	path := c.Path
	if path == "" {
		path = "go"
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	together(cmd)
	// The kernel ends the child when the thread that started it ends, so that thread must go on.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = cmd.Run()
	return out.String(), errs.String(), err
}
