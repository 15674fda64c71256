package replay

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A task is the work of one goroutine: an execution that calls others and starts goroutines.
type task struct {
	function int
	state    byte
	calls    []task
	starts   []task // started before each call; may be shorter than calls
}

func randomTask(r *rand.Rand, depth int) task {
	t := task{function: r.Intn(4), state: byte(r.Intn(3))}
	for depth > 0 && r.Intn(3) > 0 {
		t.calls = append(t.calls, randomTask(r, depth-1))
	}
	for range len(t.calls) {
		if r.Intn(2) == 0 {
			t.starts = append(t.starts, randomTask(r, depth-1))
		}
	}
	return t
}

// A thread is a goroutine with the events that it still has to write.
type thread struct {
	id, ticket uint64
	todo       []func(*world)
}

// A world runs goroutines in an arbitrary order and writes the stream.
type world struct {
	stream  []byte
	threads []*thread
	current *thread
	tickets uint64
}

func (w *world) event(bytes ...byte) { w.stream = append(w.stream, bytes...) }

func (w *world) state(x byte) { w.event(append([]byte{0, x}, make([]byte, 15)...)...) }

// steps returns the events of a task.
func steps(t task) []func(*world) {
	list := []func(*world){func(w *world) { w.event(wire.EventEnter, byte(t.function)); w.state(t.state) }}
	for i, call := range t.calls {
		if i < len(t.starts) {
			list = append(list, func(w *world) {
				w.tickets++
				w.event(wire.EventGo)
				w.stream = binary.AppendUvarint(w.stream, w.tickets)
				w.threads = append(w.threads, &thread{100 + w.tickets, w.tickets, steps(t.starts[i])})
			})
		}
		list = append(list, steps(call)...)
	}
	return append(list, func(w *world) { w.event(wire.EventExit, wire.ExitReturn); w.state(t.state + 1) })
}

// record runs a task and the goroutines that it starts, in an order that schedule chooses.
func record(t task, schedule *rand.Rand) []byte {
	first := func(w *world) { w.event(wire.EventStep, 0) }
	w := &world{threads: []*thread{{id: 7, todo: append([]func(*world){first}, steps(t)...)}}}
	for len(w.threads) > 0 {
		i := schedule.Intn(len(w.threads))
		if len(w.stream) == 0 {
			i = 0
		}
		g := w.threads[i]
		if len(g.todo) == 0 {
			w.threads = slices.Delete(w.threads, i, i+1)
			continue
		}
		if w.current != g {
			w.current = g
			w.event(wire.EventGoroutine)
			for _, x := range []uint64{g.id, 0, g.ticket} {
				w.stream = binary.AppendUvarint(w.stream, x)
			}
		}
		next := g.todo[0]
		g.todo = g.todo[1:]
		next(w)
	}
	return w.stream
}

func shape(list []*spectra.Execution) string {
	text := ""
	for _, e := range list {
		text += fmt.Sprintf("%v%s%d(%s)", e.Go, e.Symbol, e.Entry.Digest[0], shape(e.Children))
	}
	return text
}

var points = []*spectra.Point{{Symbol: "m.A"}, {Symbol: "m.B"}, {Symbol: "m.C"}, {Symbol: "m.D"}}

func decoded(t *testing.T, stream []byte) string {
	events, err := spectra.Decode(stream, spectra.Naming{Point: func(id uint32) *spectra.Point { return points[id] }})
	if err != nil {
		t.Fatal(err)
	}
	return shape(events.Steps[0].Calls) + "|" + shape(events.Stray)
}

func sum(t *testing.T, stream []byte) uint64 {
	p := &Played{}
	p.trace(stream, len(points), func(point uint32) (uint32, bool) { return point, true })
	if !p.traced {
		t.Fatal("malformed stream")
	}
	return p.sum
}

// TestInterleaving runs random programs under random schedules. Trees and traces must not depend on the schedule, and
// equal traces must mean equal trees.
func TestInterleaving(t *testing.T) {
	traces := map[string]uint64{}
	trees := map[uint64]string{}
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		program := randomTask(r, 3)
		tree, digest := "", uint64(0)
		for range 5 {
			stream := record(program, r)
			text, x := decoded(t, stream), sum(t, stream)
			if tree != "" && (text != tree || x != digest) {
				t.Fatalf("program %d: another schedule gives another tree or trace:\n%s %x\n%s %x", seed, tree, digest,
					text, x)
			}
			tree, digest = text, x
		}
		if other, ok := traces[tree]; ok && other != digest {
			t.Fatalf("program %d: equal trees, unequal traces: %s", seed, tree)
		}
		if other, ok := trees[digest]; ok && other != tree {
			t.Fatalf("program %d: equal traces, unequal trees:\n%s\n%s", seed, tree, other)
		}
		traces[tree], trees[digest] = digest, tree
	}
	if len(trees) < 100 {
		t.Errorf("only %d different programs", len(trees))
	}
}

func TestTraceOfLeft(t *testing.T) {
	left := func(how byte) []byte {
		w := &world{}
		w.event(wire.EventGoroutine, 7, 0, 0, wire.EventStep, 0, wire.EventEnter, 0)
		w.state(1)
		w.event(wire.EventGo, 1, wire.EventExit, wire.ExitReturn)
		w.state(2)
		if how < 9 {
			w.event(wire.EventLeft, 8, 1, how, 1, 'r', 1, 's')
		}
		return w.stream
	}
	ended, waits, runs := sum(t, left(9)), sum(t, left(wire.LeftWaiting)), sum(t, left(wire.LeftRunning))
	if ended == waits || ended == runs || waits == runs {
		t.Errorf("a goroutine that has ended, one that waits and one that runs give %x, %x and %x", ended, waits, runs)
	}
}
