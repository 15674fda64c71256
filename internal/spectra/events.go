package spectra

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Naming tells the decoder what the numbers in a stream stand for.
type Naming struct {
	Point  func(id uint32) *Point // nil result: unknown
	Global func(index int) string // the name of a package variable
	States *States                // nil: of this stream alone
}

// StepCalls are the executions that one driven statement started.
type StepCalls struct {
	Statement int
	Calls     []*Execution
}

// Events is the content of an event stream.
type Events struct {
	Steps      []StepCalls  // in the order in which they ran
	Stray      []*Execution // of goroutines whose start was not seen
	Left       []Goroutine  // still running, and not started by an execution in the trees
	Executions int
	leaked     int
}

// Decode turns a stream of at most MaxNodes nodes into call trees. The executions of a goroutine become callees of the
// execution that started it, at the place of the go statement. The order in which goroutines ran does not show. Calls
// nested deeper than a fixed depth are listed flat under the execution at that depth. On an error the result holds
// everything that was decoded until then. An execution whose end is missing has How Open.
func Decode(events []byte, naming Naming) (*Events, error) {
	d := &decoder{
		r: wire.NewReader(events), naming: naming,
		goroutines: map[uint64]*goroutine{}, origins: map[uint64]origin{}, result: &Events{}, budget: MaxNodes,
	}
	if d.naming.States == nil {
		d.naming.States = NewStates(naming.Global)
	}
	d.current = d.goroutine(0, 0)
	for d.r.Len() > 0 {
		d.event()
	}
	d.settle()
	if err := d.r.Err(); err != nil {
		return d.result, fmt.Errorf("decode events: %w", err)
	}
	return d.result, d.slotErr
}

// Attach puts the executions into the steps of s. Executions of a statement for which s has no step
// become stray.
func (e *Events) Attach(s *Spectrum) {
	for _, step := range e.Steps {
		if step.Statement < len(s.Steps) {
			calls := &s.Steps[step.Statement].Calls
			*calls = append(*calls, step.Calls...)
		} else {
			s.Stray = append(s.Stray, step.Calls...)
		}
	}
	s.Stray = append(s.Stray, e.Stray...)
	s.Goroutines = append(s.Goroutines, e.Left...)
	s.Leaked += e.leaked
}

type decoder struct {
	r          wire.Reader
	naming     Naming
	goroutines map[uint64]*goroutine
	started    []*goroutine      // in the order of their first appearance
	origins    map[uint64]origin // by ticket
	left       []leftover
	current    *goroutine
	result     *Events
	budget     Budget
	slotErr    error // the first state whose values could not be read
}

func (d *decoder) event() {
	switch kind := d.r.Byte(); kind {
	case wire.EventEnter:
		d.enter()
	case wire.EventExit:
		d.exit()
	case wire.EventGoroutine:
		id, parent, ticket := d.r.Uint(), d.r.Uint(), d.r.Uint()
		if d.r.Err() == nil {
			d.current = d.goroutine(id, parent)
			d.current.ticket = ticket
		}
	case wire.EventGo:
		d.mark(d.r.Uint())
	case wire.EventLeft:
		d.leave()
	case wire.EventStep:
		d.step(d.r.Number())
	default:
		d.r.Fail(fmt.Errorf("unknown event %d", kind))
	}
}

func (d *decoder) enter() {
	d.budget.spend(&d.r)
	id := d.r.Uint()
	point := (*Point)(nil)
	if id < 1<<32 && d.r.Err() == nil {
		point = d.naming.Point(uint32(id))
	}
	if point == nil {
		d.r.Fail(fmt.Errorf("unknown point %d", id))
		return
	}
	e := &Execution{Symbol: point.Symbol, Point: point, How: Open}
	e.Entry = d.state(point, &e.Site)
	if d.r.Err() != nil {
		return
	}
	d.result.Executions++
	g := d.current
	switch open := g.caller(); {
	case open != nil:
		open.Children = append(open.Children, e)
	case g.step > 0:
		step := &d.result.Steps[g.step-1]
		step.Calls = append(step.Calls, e)
	default:
		e.Go, e.Site = true, 0 // its caller is the go statement's function, which is not on its stack
		g.first = cmp.Or(g.first, e)
		g.roots = append(g.roots, e)
	}
	g.open = append(g.open, e)
}

func (d *decoder) exit() {
	how := How(d.r.Byte())
	if d.r.Err() == nil && how > Goexited {
		d.r.Fail(fmt.Errorf("unknown way %d to end an execution", how))
		return
	}
	e := d.current.innermost()
	var point *Point
	if e != nil {
		point = e.Point
	}
	state := d.state(point, nil)
	if d.r.Err() != nil {
		return
	}
	if e == nil {
		d.r.Fail(fmt.Errorf("an execution ends that never began"))
		return
	}
	e.How, e.Exit = how, state
	d.current.open = d.current.open[:len(d.current.open)-1]
}

func (d *decoder) step(statement int) {
	d.budget.spend(&d.r)
	if d.r.Err() != nil {
		return
	}
	d.result.Steps = append(d.result.Steps, StepCalls{Statement: statement})
	// The goroutine that runs the statements writes this event itself, while nothing is under way.
	d.current.open = nil
	d.current.step = len(d.result.Steps)
}

func (d *decoder) state(p *Point, site *int) State {
	var s State
	flags := d.r.Byte()
	if flags&^(wire.StateTruncated|wire.StateValues|wire.StateSite) != 0 {
		d.r.Fail(fmt.Errorf("unknown flags %#x of a state", flags))
	}
	s.Digest = d.r.Digest()
	s.Truncated = flags&wire.StateTruncated != 0
	if flags&wire.StateValues != 0 {
		d.values(&s, p)
	}
	if flags&wire.StateSite != 0 {
		line := d.r.Number()
		if site != nil {
			*site = line
		}
	}
	return s
}

// values decodes the slots of a state. Their length is written before them, so damaged ones cost only
// this state.
func (d *decoder) values(s *State, p *Point) {
	r := d.r.Part()
	if d.r.Err() != nil {
		return
	}
	raw := r.Rest()
	known, key := d.naming.States.find(p, raw)
	if known != nil {
		d.budget.spend(&d.r)
		s.values = known
		return
	}
	before := d.budget
	err := skimSlots(&r, &d.budget)
	if errors.Is(err, ErrLarge) {
		d.r.Fail(ErrLarge)
	}
	if err != nil {
		if d.slotErr == nil && !s.Truncated {
			d.slotErr = err
		}
		s.Truncated = true
	}
	s.values = &values{raw: bytes.Clone(raw), nodes: int(before - d.budget), point: p, in: d.naming.States}
	if err == nil {
		d.naming.States.seen[key] = s.values
	}
}

func slotName(p *Point, slot int, global func(int) string) string {
	switch {
	case slot >= wire.SlotGlobal && global != nil:
		return global(slot - wire.SlotGlobal)
	case slot == wire.SlotPanic:
		return "panic"
	case p == nil || slot >= len(p.Slots):
		return fmt.Sprintf("slot%d", slot)
	}
	decl := p.Slots[slot]
	switch decl.Kind {
	case Receiver:
		return "recv"
	case Result:
		if IsResultName(decl.Name) {
			return decl.Name
		}
		first := 0
		for first < slot && p.Slots[first].Kind != Result {
			first++
		}
		return ResultName(slot - first)
	}
	return decl.Name
}

// ResultName returns what paths call the result at a place, from 0, whatever its name in the source is.
func ResultName(place int) string { return fmt.Sprintf("ret%d", place) }

// IsResultName reports whether paths call a result so. A result of one version may have the name that it has in
// another.
func IsResultName(name string) bool {
	digits, is := strings.CutPrefix(name, "ret")
	return is && digits != "" && strings.Trim(digits, "0123456789") == ""
}
