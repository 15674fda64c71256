// Package driver plays sequences inside the target's driver program, and answers with outcomes and events.
//
// It calls the operations that the target's packages registered, by reflection.
//
// In: frames on file descriptor 3. Out: frames on file descriptor 4, and events in memory mapped from file descriptor
// 5, which survives the process. All three are first moved out of the target's way. Descriptors 1 and 2 are files for
// the output of the running sequence. Package wire and docs/design.md define the formats.
//
// A sequence starts with an empty working folder and with the driver's initial environment. If the Go release allows
// it, the sequence runs in its own time bubble with its own clock. A process that can't restore this ends itself after
// its answer. A panic of a driven call is an outcome. The supervisor sees an end of the process. Package variables keep
// the changes of earlier sequences in the batch.
package driver

import (
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// spare is the room kept for the event that crosses the limit.
const spare = 1 << 20

// maxStack ends runaway recursion early.
const maxStack = 64 << 20

type driver struct {
	pipes   pipes
	memory  []byte
	ops     map[string]operation
	types   typeTable
	scratch scratch
	cover   coverage
	steps   int64
	nodes   int64
	bubbles bool
	used    int          // bytes of events of the last sequence
	playing *run         // the sequence that has no answer yet
	reply   func() error // answers for it

	perturbed perturbation

	heap [1]metrics.Sample // how much memory is in use
}

// Main serves until the pipe is closed. It never returns an outcome of its own making. In a process that a test started
// it runs tests as a program of go test does.
func Main() {
	debug.SetMaxStack(maxStack)
	if rt.Child && rt.Restarted != nil {
		rt.Restarted()
	}
	d := &driver{heap: [1]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	if err := d.start(); err != nil {
		d.fault(err)
	}
	rt.Hide()
	for {
		kind, body, err := d.pipes.receive()
		if err == io.EOF || kind == wire.FrameQuit {
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
func (d *driver) fault(err error) { d.fail(wire.StatusFault, err) }

// fail ends the process with a complaint of the driver's own.
func (d *driver) fail(status int, err error) {
	os.Stderr.WriteString(wire.Complaint + err.Error() + "\n")
	d.exit(status)
}

// exit ends the process with a status of the driver's own.
func (d *driver) exit(status int) {
	d.playing = nil
	if len(d.memory) >= wire.HeaderSize {
		binary.LittleEndian.PutUint64(d.memory[wire.HeaderStatus:], uint64(status))
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
	listen()
	rt.OnEnd(d.exited, d.panicked)
	rt.Again = func() { d.exit(wire.StatusFresh) }
	if err := d.scratch.start(); err != nil {
		return err
	}
	return d.hello()
}

// hello sends the supervisor what was compiled in.
func (d *driver) hello() error {
	e := wire.NewFrame()
	e.Bool(rt.Patched)
	e.Text(runtime.Version())
	e.Count(len(rt.Packages))
	for _, p := range rt.Packages {
		e.Text(p.Path)
		e.Count(len(p.Points))
		e.Count(len(p.Counters))
	}
	e.Count(len(rt.Operations))
	return d.pipes.send(wire.FrameHello, e)
}

func (d *driver) serve(kind byte, body []byte) error {
	r := wire.NewReader(body)
	switch kind {
	case wire.FrameConfigure:
		d.configure(&r)
	case wire.FrameRun:
		return d.batch(&r)
	case wire.FrameVariables:
		return d.variables()
	}
	return r.Err()
}

// variables answers with the states of the compared package variables, each on its own, and with the blocks that ran
// until now.
func (d *driver) variables() error {
	e := wire.NewFrame()
	e.Count(len(rt.Compared))
	for _, v := range rt.Compared {
		e.Bool(v != nil)
		if v == nil {
			continue
		}
		a, b, slot, truncated := rt.VariableState(v)
		e.Bool(truncated)
		e.Digest([2]uint64{a, b})
		e.Bytes(slot)
	}
	e.Numbers(d.cover.ran())
	return d.pipes.send(wire.FrameVariables, e)
}

// configure reads the configuration: the key, then the fields of rt.Config in their order.
func (d *driver) configure(r *wire.Reader) {
	key := r.Word()
	c := rt.Config{Config: names.Config{
		Renames: texts(r), Skips: map[string][]string{}, Fields: map[string]map[string]string{},
	}}
	c.Literals, c.Shown = r.Texts(), r.Texts()
	for range r.Items() {
		name := r.Text()
		c.Skips[name] = r.Texts()
	}
	for range r.Items() {
		name := r.Text()
		c.Fields[name] = texts(r)
	}
	c.Opaque = r.Texts()
	c.Vars = r.Texts()
	c.Valued = r.Bool()
	for range r.Items() {
		pkg := r.Text()
		for range r.Items() {
			p := rt.PointConfig{Package: pkg, Index: int(r.Uint()), Slots: slots(r)}
			for range r.Items() {
				p.Vars = append(p.Vars, int(r.Uint()))
			}
			p.Valued, p.Near = r.Bool(), r.Bool()
			c.Points = append(c.Points, p)
		}
	}
	c.Nodes = int(r.Uint())
	d.steps, d.nodes = int64(r.Uint()), int64(r.Uint())
	d.bubbles = r.Bool()
	watched := r.Numbers()
	if r.Err() == nil {
		d.pipes.key = key
		rt.Configure(c)
		d.cover.start(watched)
	}
}

// texts reads pairs of texts.
func texts(r *wire.Reader) map[string]string {
	m := map[string]string{}
	for range r.Items() {
		key := r.Text()
		m[key] = r.Text()
	}
	return m
}

// slots reads which slots of a function are compared. It returns nil for all of them.
func slots(r *wire.Reader) []state.Choice {
	some := r.Bool()
	list := []state.Choice{}
	for range r.Items() {
		list = append(list, state.Choice{Index: int(r.Uint()), Pointee: r.Bool()})
	}
	if !some {
		return nil
	}
	return list
}

// batch plays sequences one after the other and answers each.
func (d *driver) batch(r *wire.Reader) error {
	mode := wire.Mode(r.Byte())
	for i := range r.Items() {
		program := r.Bytes()
		if r.Err() != nil {
			break
		}
		fresh, err := d.play(uint64(i), program, mode)
		if err != nil {
			return err
		}
		if fresh {
			d.exit(wire.StatusFresh)
		}
		d.tidy()
	}
	return r.Err()
}

// enough is how much memory sequences may leave before it is collected between two of them: none is during one, unless
// it takes much by itself.
const enough = 256 << 20

// tidy collects what sequences have left.
func (d *driver) tidy() {
	metrics.Read(d.heap[:])
	if d.heap[0].Value.Kind() == metrics.KindUint64 && d.heap[0].Value.Uint64() > enough {
		runtime.GC()
	}
}
