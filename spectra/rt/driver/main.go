// Package driver is the executor in the target's driver program: it plays sequences by reflection
// over the operations that the target's packages registered, and answers with outcomes and events.
//
// In: frames on file descriptor 3. Out: frames on file descriptor 4; events in the memory that
// file descriptor 5 maps, so that they survive the process. All three are moved out of the target's
// way first. Descriptors 1 and 2 are files that hold what the running sequence wrote. Formats:
// wire.go of package rt, and docs/design.md.
//
// What always holds: a sequence starts with an empty working folder, the environment that the
// driver started with, and (where the Go release allows it) in a bubble of time of its own; a
// process in which that can't be had again ends itself after its answer. A panic of a driven call is
// an outcome; what ends the process is seen by the supervisor. Package variables keep what earlier
// sequences of the batch did to them.
package driver

import (
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

// spare is the room kept for the event that crosses the limit.
const spare = 1 << 20

// maxStack ends runaway recursion early.
const maxStack = 64 << 20

type driver struct {
	pipes    pipes
	memory   []byte
	ops      map[string]operation
	types    typeTable
	scratch  scratch
	cover    coverage
	steps    int64
	nodes    int64
	bubbles  bool
	used     int          // bytes of events of the last sequence
	playing  *run         // the sequence that has no answer yet
	reply    func() error // answers for it
	sequence uint64

	perturbed perturbation
}

// Main serves until the pipe is closed. It never returns an outcome of its own making.
func Main() {
	debug.SetMaxStack(maxStack)
	d := &driver{}
	if err := d.start(); err != nil {
		d.fault(err)
	}
	for {
		kind, body, err := d.pipes.receive()
		if err == io.EOF || kind == rt.FrameQuit {
			os.Exit(0)
		}
		if err == nil {
			err = d.serve(kind, body)
		}
		if err != nil {
			d.fault(err)
		}
	}
}

// fault ends a driver that can't go on.
func (d *driver) fault(err error) {
	os.Stderr.WriteString("spectradiff driver: " + err.Error() + "\n")
	d.exit(rt.StatusFault)
}

// exit ends the process with a status of the driver's own.
func (d *driver) exit(status int) {
	d.playing = nil
	if len(d.memory) >= rt.HeaderSize {
		binary.LittleEndian.PutUint64(d.memory[rt.HeaderStatus:], uint64(status))
	}
	os.Exit(status)
}

func (d *driver) start() (err error) {
	if d.memory, err = mapEvents(); err != nil {
		return err
	}
	if err := d.pipes.start(); err != nil {
		return err
	}
	d.register()
	renumber()
	rt.OnEnd(d.exited, d.panicked)
	if err := d.scratch.start(); err != nil {
		return err
	}
	return d.hello()
}

// hello tells the supervisor what was compiled in.
func (d *driver) hello() error {
	e := newFrame()
	e.bool(rt.Patched)
	e.string(runtime.Version())
	e.uint(uint64(len(rt.Packages)))
	for _, p := range rt.Packages {
		e.string(p.Path)
		e.uint(uint64(len(p.Points)))
		e.uint(uint64(len(p.Counters)))
	}
	e.uint(uint64(len(rt.Operations)))
	return d.pipes.send(rt.FrameHello, e.b)
}

func (d *driver) serve(kind byte, body []byte) error {
	r := &decoder{b: body}
	switch kind {
	case rt.FrameConfigure:
		d.configure(r)
	case rt.FrameRun:
		d.batch(r)
	case rt.FrameVariables:
		return d.variables()
	}
	return r.err
}

// variables answers with the states of the compared package variables, each on its own.
func (d *driver) variables() error {
	e := newFrame()
	e.uint(uint64(len(rt.Compared)))
	for _, v := range rt.Compared {
		e.bool(v != nil)
		if v == nil {
			continue
		}
		a, b, slot, truncated := rt.VariableState(v)
		e.bool(truncated)
		e.digest(a, b)
		e.string(string(slot))
	}
	return d.pipes.send(rt.FrameVariables, e.b)
}

// configure reads the configuration: the key, then the fields of rt.Config in their order.
func (d *driver) configure(r *decoder) {
	key := r.word()
	c := rt.Config{Renames: r.texts(), Skips: map[string][]string{}, Fields: map[string]map[string]string{}}
	for range r.count() {
		name := r.string()
		c.Skips[name] = r.strings()
	}
	for range r.count() {
		name := r.string()
		c.Fields[name] = r.texts()
	}
	c.Opaque = r.strings()
	c.Vars = r.strings()
	for range r.count() {
		pkg := r.string()
		for range r.count() {
			p := rt.PointConfig{Package: pkg, Index: int(r.uint()), Slots: r.slots()}
			for range r.count() {
				p.Vars = append(p.Vars, int(r.uint()))
			}
			c.Points = append(c.Points, p)
		}
	}
	c.Nodes = int(r.uint())
	d.steps, d.nodes = int64(r.uint()), int64(r.uint())
	d.bubbles = r.bool()
	watched := make([]uint64, r.count())
	for i := range watched {
		watched[i] = r.uint()
	}
	if r.err == nil {
		d.pipes.key = key
		rt.Configure(c)
		d.cover.start(watched)
	}
}

// batch plays sequences one after the other and answers each.
func (d *driver) batch(r *decoder) {
	mode := mode(r.byte())
	for i := range r.count() {
		program := r.bytes()
		if r.err != nil {
			return
		}
		fresh, err := d.play(uint64(i), program, mode)
		if err != nil {
			r.err = err
			return
		}
		if fresh {
			d.exit(rt.StatusFresh)
		}
	}
}
