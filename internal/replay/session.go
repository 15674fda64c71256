package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
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
	shown   []*spectra.Point  // the same points under the names of their executions; nil: their own names
	blocks  map[string]uint32 // package → the driver's number of its first block
	block   []uint32          // the driver's number of a block → its number in the table

	greeting []byte // the driver's hello, if replies are kept
}

// start starts a driver and configures it.
func (p *Player) start(ctx context.Context, seed uint64) (*session, error) {
	s := &session{p: p}
	if err := s.open(ctx, seed); err != nil {
		s.close()
		return nil, err
	}
	if err := s.greet(ctx); err != nil {
		err = s.stillborn(ctx, err)
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
	if s.events, err = fixedMemory(s.p.Limits.EventBytes); err != nil {
		return fmt.Errorf("memory of events: %w", err)
	}
	if _, err = s.events.WriteAt([]byte(wire.EventsMark), wire.HeaderMark); err != nil {
		return fmt.Errorf("memory of events: %w", err)
	}
	for name, f := range map[string]**os.File{"stdout": &s.stdout, "stderr": &s.stderr} {
		if *f, err = appendedMemory(name); err != nil {
			return fmt.Errorf("memory for %s: %w", name, err)
		}
	}
	binary, err := s.p.Binary.Variant(seed, s.p.Scratch)
	if err != nil {
		return err
	}
	programs, tools := s.programs()
	s.process, err = s.p.Sandbox.Start(ctx, sandbox.Config{
		Binary: binary,
		Env:    append(s.p.environment(seed), programs...),

		// Other seeds also move the program to other addresses, so that values which depend on addresses vary.
		FixedAddresses: seed == wire.MainSeed || s.p.Fixed,

		Scratch:  s.scratch,
		ReadOnly: s.p.readOnly(),
		Copies:   s.p.copies(),
		OwnZones: s.p.Zones != "",
		Shown:    s.p.shown,
		Kept:     s.p.kept,
		Loopback: s.p.Tests,
		Programs: s.p.Tests,
		Tools:    tools,
		Files:    []*os.File{theirs[0], theirs[1], s.events},
		Stdout:   s.stdout,
		Stderr:   s.stderr,
		Limits: sandbox.Limits{
			Memory: s.p.Limits.Memory, Total: s.p.Limits.Total,
			FileSize: max(s.p.Limits.FileSize, s.p.Limits.EventBytes), Disk: s.p.Limits.Disk,
			Processes: s.p.Limits.Processes, OpenFiles: 256,
		},
	})
	s.pipe.process, s.pipe.limits, s.pipe.now = s.process, &s.p.Limits, time.Now
	return err
}

func (p *Player) readOnly() (folders []string) {
	if !p.Writes {
		folders = slices.Clone(p.Folders)
	}
	if p.Zones != "" && !p.raw { // else the task shows its folder
		folders = append(folders, filepath.Dir(p.Zones))
	}
	return folders
}

func (p *Player) copies() []string {
	if !p.Writes {
		return nil
	}
	return p.Folders
}

// environment returns the environment of a driver, but for what finds programs. One processor, no preemption by time
// and no garbage collection during a sequence make runs repeatable.
func (p *Player) environment(seed uint64) []string {
	list := []string{
		"USER=user", "LANG=C", "TZ=UTC",
		"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=600MiB",
		"GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1,gcstoptheworld=2,asynctimerchan=0,multipathtcp=0",
		fmt.Sprintf("%s=%d", wire.SeedVariable, seed),
	}
	if p.Tests { // git refuses folders of another user, and the driver is one
		list = append(list, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	}
	if p.Zones != "" {
		list = append(list, "ZONEINFO="+p.Zones)
	}
	if p.Compare.Bubbles && p.Clock > 0 {
		list = append(list, fmt.Sprintf("%s=%d", wire.ClockVariable, p.Clock))
	}
	if p.Units != "" {
		list = append(list, wire.UnitsVariable+"="+p.Units)
	}
	return list
}

// programs returns the variables with which drivers find programs, and what they may start and read besides those of
// the system. As under go test, the go command comes first. What it compiles lies beside the folders whose files count.
func (s *session) programs() (env, tools []string) {
	tree := s.p.Go
	if tree == nil {
		return []string{"PATH=" + sandbox.SearchPath}, nil
	}
	env, tools = tree.Environment(filepath.Join(s.p.Sandbox.Inside(s.scratch), "go-build"))
	return append(env, "PATH="+filepath.Join(tree.Root, "bin")+":"+sandbox.SearchPath), tools
}

func closeAll(files ...io.Closer) {
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
		_ = sandbox.Remove(s.scratch)
	}
}

// greet reads the driver's hello and sends the configuration. The configuration holds the key of all later frames.
func (s *session) greet(ctx context.Context) error {
	body, err := s.pipe.receive(ctx, wire.FrameHello, s.p.Table.helloSize())
	if err != nil {
		return err
	}
	if err := s.hello(body); err != nil {
		return err
	}
	if s.p.raw {
		s.greeting = bytes.Clone(body)
	}
	key := rand.Uint64()
	if err := s.pipe.send(ctx, wire.FrameConfigure, s.configuration(key)); err != nil {
		return err
	}
	s.pipe.key = key
	return nil
}

// helloSize returns the maximum size of a driver's hello, in bytes.
func (t Table) helloSize() int {
	size := wire.LongText
	for i := range t {
		size += len(t[i].Path) + 4*binary.MaxVarintLen64
	}
	return size
}

// hello checks the driver's hello and maps the table to the order in which the packages registered.
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
	for range r.ItemsUpTo(len(s.p.Table)) {
		path, points, blocks := r.TextUpTo(wire.LongText), r.Number(), r.Number()
		table := s.p.Table.find(path)
		if r.Err() != nil {
			break
		}
		if _, twice := s.blocks[path]; twice {
			return fmt.Errorf("package %s is there twice", path)
		}
		if table == nil || len(table.Points) != points || table.Blocks != blocks {
			return fmt.Errorf("package %s with %d points and %d blocks is not in the table", path, points, blocks)
		}
		for i := range table.Points {
			s.points = append(s.points, &table.Points[i])
			if len(s.p.Compare.Names) > 0 {
				s.shown = append(s.shown, s.p.Compare.shown(&table.Points[i]))
			}
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

// content returns the output of the running sequence on one stream.
func content(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, wire.OutputSize))
	if err != nil {
		return ""
	}
	return string(b)
}

// firstLine returns the first line of a stream that starts with one of the words.
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

// complaint shortens a driver's standard error for messages.
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
