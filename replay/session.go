package replay

// This file runs one driver process: its pipes, its memory of events, its end.

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// session is one running driver process.
type session struct {
	p       *Player
	process *sandbox.Process
	scratch string
	pipe    pipe
	events  *os.File // memory that the driver maps
	stdout  *os.File
	stderr  *os.File
	points  []*spectra.Point  // in the order of the driver's numbers
	blocks  map[string]uint32 // package → the driver's number of its first block
	block   []uint32          // the driver's number of a block → its number in the table
}

// start starts a driver and configures it.
func (p *Player) start(ctx context.Context, seed uint64) (*session, error) {
	s := &session{p: p}
	if err := s.open(ctx, seed); err != nil {
		s.close()
		return nil, err
	}
	if err := s.greet(); err != nil {
		err = s.stillborn(err)
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) open(ctx context.Context, seed uint64) (err error) {
	if s.scratch, err = os.MkdirTemp(s.p.Scratch, "run-"); err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	}
	var theirs [2]*os.File
	defer func() {
		closeAll(theirs[0], theirs[1])
	}()
	if theirs[0], s.pipe.commands, err = os.Pipe(); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	if s.pipe.answers, theirs[1], err = os.Pipe(); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	for name, f := range map[string]**os.File{"events": &s.events, "stdout": &s.stdout, "stderr": &s.stderr} {
		if *f, err = memory(name); err != nil {
			return err
		}
	}
	if err := s.events.Truncate(s.p.Limits.EventBytes); err != nil {
		return fmt.Errorf("memory of events: %w", err)
	}
	// If the target made it smaller, the driver would crash at its next event.
	if _, err := unix.FcntlInt(s.events.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW); err != nil {
		return fmt.Errorf("memory of events: %w", err)
	}
	s.process, err = s.p.Sandbox.Start(ctx, sandbox.Config{
		Binary: s.p.Binary.Path,
		Env:    environment(seed),

		// Under every other seed the program lies at other addresses too. Then values that depend on
		// addresses are seen to vary.
		FixedAddresses: seed == wire.MainSeed || s.p.Fixed,

		Scratch:  s.scratch,
		ReadOnly: s.p.readOnly(),
		Files:    []*os.File{theirs[0], theirs[1], s.events},
		Stdout:   s.stdout,
		Stderr:   s.stderr,
		Limits: sandbox.Limits{
			Memory: s.p.Limits.Memory, FileSize: max(s.p.Limits.FileSize, s.p.Limits.EventBytes),
			Processes: s.p.Limits.Processes, OpenFiles: 256,
		},
	})
	s.pipe.process, s.pipe.limits = s.process, &s.p.Limits
	s.pipe.largest = int(s.p.Limits.EventBytes) + frameRoom
	return err
}

func (p *Player) readOnly() []string {
	if p.Root == "" {
		return nil
	}
	return []string{p.Root + "/lib/time"}
}

// environment returns the whole environment of a driver. One processor, no preemption by time and no
// collection during a sequence make runs repeatable.
func environment(seed uint64) []string {
	return []string{
		"PATH=/usr/bin:/bin", "USER=user", "LANG=C", "TZ=UTC",
		"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=1GiB",
		"GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1,gcstoptheworld=2,asynctimerchan=0,multipathtcp=0",
		fmt.Sprintf("%s=%d", wire.SeedVariable, seed),
	}
}

// memory makes a file that has no name. It is opened for appending, as standard output is when it is a
// file that several processes write to.
func memory(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memory for %s: %w", name, err)
	}
	if name != "events" {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND); err != nil {
			return nil, fmt.Errorf("memory for %s: %w", name, err)
		}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// close ends the process and removes its folder.
func (s *session) close() {
	closeAll(s.pipe.commands)
	if s.process != nil {
		s.process.Kill()
	}
	closeAll(s.pipe.answers, s.events, s.stdout, s.stderr)
	if s.scratch != "" {
		remove(s.scratch)
	}
}

// remove removes a folder, even if a target took away permissions in it.
func remove(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// greet reads what the driver has, and sends the configuration with the key of all later frames.
func (s *session) greet() error {
	kind, body, err := s.pipe.receive()
	if err != nil {
		return err
	}
	if kind != wire.FrameHello {
		return fmt.Errorf("unexpected frame %q", kind)
	}
	if err := s.hello(body); err != nil {
		return err
	}
	key := rand.Uint64()
	if err := s.pipe.send(wire.FrameConfigure, s.configuration(key)); err != nil {
		return err
	}
	s.pipe.key = key
	return nil
}

// hello maps the table to the order in which the binary's packages registered.
func (s *session) hello(body []byte) error {
	r := wire.NewReader(body)
	r.Byte() // whether the runtime is patched: known from the build
	r.Text() // Go version: known from the build
	first := map[string]uint32{}
	next := uint32(0)
	for _, table := range s.p.Table {
		first[table.Path] = next
		next += uint32(table.Blocks)
	}
	s.blocks = map[string]uint32{}
	for range r.Items() {
		path, points, blocks := r.Text(), int(r.Uint()), int(r.Uint())
		table := s.p.Table.find(path)
		if table == nil || len(table.Points) != points || table.Blocks != blocks {
			return fmt.Errorf("package %s with %d points and %d blocks is not in the table", path, points, blocks)
		}
		for i := range table.Points {
			s.points = append(s.points, &table.Points[i])
		}
		s.blocks[path] = uint32(len(s.block))
		for i := range blocks {
			s.block = append(s.block, first[path]+uint32(i))
		}
	}
	return r.Err()
}

func (t Table) find(path string) *PackageTable {
	for i := range t {
		if t[i].Path == path {
			return &t[i]
		}
	}
	return nil
}

const outputSize = 1 << 16

// content returns what the running sequence wrote to a stream.
func content(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, outputSize))
	if err != nil {
		return ""
	}
	return string(b)
}

// firstLine returns the first line of a stream that begins with one of the words.
func firstLine(f *os.File, words ...string) string {
	for line := range strings.Lines(content(f)) {
		line = strings.TrimSpace(line)
		for _, word := range words {
			if strings.HasPrefix(line, word) {
				return line
			}
		}
	}
	return ""
}

// complaint returns what a driver wrote to standard error, shortened for messages.
func complaint(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if len(text) > 2000 {
		text = text[:2000] + "…"
	}
	return ":\n" + text
}
