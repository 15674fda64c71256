package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Player plays sequences on one build.
type Player struct {
	Binary  *build.Binary
	Table   Table
	Compare Comparison
	Limits  Limits
	Sandbox *sandbox.Sandbox
	Scratch string      // folder for the scratch folders of the drivers
	Root    string      // GOROOT of the build: drivers may read its time zones
	Side    string      // "old" or "new", for messages
	Over    func() bool // the time of the run is up; nil: it has no limit
	Units   string      // of a build that holds units of both versions: see wire.UnitsVariable
	Fixed   bool        // code and data lie at the same addresses under every seed, so runs with one seed repeat
}

// A Table lists the contents of a binary. Blocks are numbered through its packages in this order.
type Table []PackageTable

// A PackageTable has the points and blocks of one instrumented package.
type PackageTable struct {
	Path   string
	Points []spectra.Point
	Blocks int
}

// A Comparison is the part of a state that is compared: the part that both versions have.
type Comparison struct {
	Renames  map[string]string                 // type → the name both versions go by
	Literals map[string]string                 // linked name of a function literal → the one that programs see
	Skips    map[string][]string               // struct type → fields that only one version has
	Fields   map[string]map[string]string      // struct type → field → the name both versions go by
	Opaque   []string                          // further opaque types
	Vars     []string                          // package variables
	Touches  map[spectra.Symbol][]int          // indexes into Vars of the variables that a function may touch
	Slots    map[spectra.Symbol][]Slot         // the slots to compare, if they are not all slots in their order
	Numbers  map[spectra.Symbol]uint32         // functions that both versions have; the number is the same in both
	Names    map[spectra.Symbol]spectra.Symbol // function of Table → what its executions are said to be of
	Bubbles  bool                              // each sequence in a time bubble
	Watch    map[string][]int                  // package → blocks whose hits are always reported, even if not new
}

// A Slot is a slot of a function's states.
type Slot struct {
	Index   int
	Pointee bool // it is a pointer, and the value it points to is compared instead
}

// Limits are limits on one sequence, in steps, sizes and times. The times exist only for code that counts
// no steps: loops in code that is not instrumented, and waits that the runtime can't see. A sequence that
// waits where the runtime can see it ends at once, as blocked.
type Limits struct {
	Steps       int64         // executed loop bodies and function entries
	Nodes       int64         // nodes of all states together
	WalkNodes   int           // nodes of one state
	EventBytes  int64         // recorded events
	Losses      int           // sequences that a clock ended; after so many no other is played; 0: no limit
	HeldNodes   int64         // nodes of all sequences that are played at once; 0: no limit
	Held        int64         // recorded events of all sequences that are played at once; 0: no limit
	CPU         time.Duration // processor time without an answer; then the process is ended
	Idle        time.Duration // time without an answer and without using the processor; then the process is ended
	Time        time.Duration // time without an answer and without need of a processor; then the process is ended
	Memory      int64         // bytes of a process
	Total       int64         // bytes of a driver and all that it starts, its files included where they lie in memory
	FileSize    int64         // bytes of a file that it writes
	Disk        int64         // bytes of all files that it writes
	Processes   int           // processes and threads of a driver and all that it starts
	ProcessSize int           // sequences after which a process is replaced
}

// DefaultLimits returns the limits for sequences that are compared. They are generous, because a sequence
// that a clock ends can't be compared. The limit on all memory is above that on one process, its files and its events
// together, so that the kernel's limits are met first: they end every run at the same place.
func DefaultLimits() Limits {
	return Limits{
		Steps: 500_000, Nodes: 20_000_000, WalkNodes: 1 << 20, EventBytes: 32 << 20,
		CPU: 3 * time.Second, Idle: time.Second, Time: 30 * time.Second,
		Memory: 3 << 29, Total: 2 << 30, FileSize: 64 << 20, Disk: 256 << 20, Processes: 256, ProcessSize: 400,
	}
}

// A Clock is what ended a sequence that did not end by itself. Only the first two say something of the sequence:
// the third may be due to the machine.
type Clock string

// The clocks, each with its limit.
const (
	Processor Clock = "processor" // Limits.CPU
	Waiting   Clock = "waiting"   // Limits.Idle
	Wall      Clock = "wall"      // Limits.Time
)

// Of returns the limit of a clock.
func (l Limits) Of(c Clock) time.Duration {
	switch c {
	case Processor:
		return l.CPU
	case Waiting:
		return l.Idle
	case Wall:
		return l.Time
	}
	return 0
}

// Longer returns the limits with so many times as much on every clock.
func (l Limits) Longer(times int) Limits {
	n := time.Duration(times)
	l.CPU, l.Idle, l.Time = n*l.CPU, n*l.Idle, n*l.Time
	return l
}

// GenerationLimits returns the limits for sequences that are tried out. A slow one is worth less than the
// hundreds that could be tried in the same time, so each that a clock ends is told at once.
func GenerationLimits() Limits {
	l := DefaultLimits()
	l.Steps, l.CPU, l.Idle, l.Time = 200_000, 500*time.Millisecond, 300*time.Millisecond, 10*time.Second
	l.Losses = 1
	return l
}

// A Played is the result of playing one sequence.
type Played struct {
	Spectrum      *spectra.Spectrum // without executions; Recorded returns them too
	Results       []StepResults     // of the statements that ran, for the generator
	OutcomeDigest spectra.Digest    // of all that a caller sees of it; zero if the process ended with it
	Coverage      []uint32          // blocks that were hit: those that are new in this process, and the watched ones
	Steps         int64
	Nodes         int64  // of all recorded states
	Calls         int    // function executions recorded
	Truncated     int    // states among them whose walk ended at its budget
	Clock         Clock  // the clock that ended the sequence; "": none
	Invalid       string // why the sequence does not fit this build; "": it does
	Operands      []Operand
	Entries       []Entry // what the calls were handed of the statements that began, in wire.ModeEntries

	recorded
}

// An Operand is what instrumented code noted at one place, in wire.ModeOperands: both sides of a comparison, or a
// parameter.
type Operand struct {
	Site        uint32 // the same for the same place
	Changed     bool   // it lies in changed code
	Number      bool   // the sides are numbers in Go syntax, otherwise texts
	Alone       bool   // a parameter: Right is empty
	Left, Right string
}

// A recorded is what a driver recorded of a sequence, and how to read it.
type recorded struct {
	stream    []byte
	cut       bool // the last event may be half written
	naming    spectra.Naming
	variables []string
	sum       uint64 // digest of the trace
	traced    bool
}

// StepResults are what a statement's call returned, and the state it left.
type StepResults struct {
	State   spectra.Digest // of everything that its arguments refer to afterwards; zero without references
	Results []Result
}

// An Entry is what a statement's call was handed.
type Entry struct {
	State     spectra.Digest   // of everything that its arguments refer to before; zero without references
	Arguments []spectra.Digest // of each argument by itself; of a function value that is called there is none
}

// A Result is one result of a statement's call.
type Result struct {
	Digest  spectra.Digest
	Nil     bool
	Failed  bool   // a non-nil error
	Huge    bool   // too large to be worth reusing
	Dynamic string // canonical dynamic type of an interface
}

// Play plays the sequences one after the other, in processes with the given runtime seed. It stops early
// when the context ends, when the driver can't be run at all, when the time of the run is over, when clocks
// ended Limits.Losses sequences, or when the recorded events exceed Limits.Held or their
// states Limits.HeldNodes.
func (p *Player) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	played := make([]Played, 0, len(sequences))
	for len(played) < len(sequences) && p.mayHold(played) {
		rest := sequences[len(played):]
		if n := p.Limits.ProcessSize; n > 0 && len(rest) > n {
			rest = rest[:n]
		}
		done, err := p.process(ctx, rest, mode, seed)
		played = append(played, done...)
		if err != nil {
			return played, fmt.Errorf("play on the %s version: %w", p.Side, err)
		}
	}
	return played, nil
}

// mayHold reports whether another sequence may be played while these are held.
func (p *Player) mayHold(played []Played) bool {
	size, nodes, lost := int64(0), int64(0), 0
	for i := range played {
		size += int64(len(played[i].stream))
		nodes += played[i].Nodes
		if played[i].Clock != "" {
			lost++
		}
	}
	switch {
	case p.Limits.Held > 0 && size >= p.Limits.Held, p.Limits.HeldNodes > 0 && nodes >= p.Limits.HeldNodes,
		p.Limits.Losses > 0 && lost >= p.Limits.Losses:
		return false
	}
	return p.Over == nil || !p.Over()
}

// process plays as many of the sequences as one process can, but at least one.
func (p *Player) process(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	s, err := p.start(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.batch(ctx, sequences, mode)
}
