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
	Scratch string        // folder for the scratch folders of the drivers
	Folders []string      // others that drivers may read
	Own     *OwnFiles     // what they may read instead, if that is asked for; nil: nothing else
	Writes  bool          // drivers may change copies of these, each its own, as each plays one sequence
	Tests   bool          // drivers run tests: they may connect to themselves, and start the programs of the system
	Go      *build.GoTree // the go command that these may start, too; nil: none
	Zones   string        // GOROOT/lib/time/zoneinfo.zip: drivers have these time zones; "": those of the machine
	Side    string        // "old" or "new", for messages
	Over    func() bool   // the time of the run is up; nil: no limit
	Timed   func(Clock)   // called for each sequence that a clock ended; nil: nobody is told
	Units   string        // of a build that contains units of both versions: see wire.UnitsVariable
	Clock   int64         // when time bubbles start, in seconds since 1970; 0: in the year 2000
	Fixed   bool          // code and data have the same addresses under every seed, so runs with one seed repeat

	begun time.Time // the last Play

	// Of a player that does the task of another one: what Compare and Table say, and folders that drivers read at other
	// paths. It keeps the replies of the drivers, and decodes no recordings.
	raw   bool
	setup []byte
	shown []sandbox.Shown
	kept  []string // of the files of their own
}

// OwnFiles are the files of a version in the place of those of the other one beside which tests run.
type OwnFiles struct {
	Folder, At string   // theirs, and that in whose place it is
	Kept       []string // files of the other one that stay
}

// WithOwn has drivers read the files of their own version. They play here.
func (p *Player) WithOwn() {
	if p.Own != nil {
		p.Folders, p.shown, p.kept = nil, []sandbox.Shown{{Folder: p.Own.Folder, At: p.Own.At}}, p.Own.Kept
	}
}

// A Table lists the packages of a binary. Blocks are numbered through its packages in this order.
type Table []PackageTable

// A PackageTable lists the points and blocks of one instrumented package.
type PackageTable struct {
	Path   string
	Points []spectra.Point
	Blocks int
}

// A Comparison selects the parts of a state that both versions have. Only these are compared.
type Comparison struct {
	Renames  map[string]string                         // type → its common name in both versions
	Literals map[string]string                         // linked name of a function literal → its name for programs
	Skips    map[string][]string                       // struct type → fields that only one version has
	Fields   map[string]map[string]string              // struct type → field → its common name in both versions
	Opaque   []string                                  // further opaque types
	Vars     []string                                  // package variables
	Touches  map[spectra.Symbol][]int                  // function → indexes into Vars of those that it may touch
	Slots    map[spectra.Symbol][]spectra.ComparedSlot // function → the slots to compare; none: all, in order
	Numbers  map[spectra.Symbol]uint32                 // function of both versions → its number, the same in both
	Names    map[spectra.Symbol]spectra.Symbol         // function of Table → the name that its executions go by
	Bubbles  bool                                      // each sequence in a time bubble
	Valued   map[spectra.Symbol]bool                   // executions with values, by their names; nil: all
	Near     map[spectra.Symbol]bool                   // functions whose states come first where there are too many
	Watch    map[string][]int                          // package → blocks whose hits are reported even if not new
}

// Limits limit one sequence in steps, sizes and times. The times exist only for code that counts no steps: loops in
// code without instrumentation, and waits that the runtime can't see. The runtime ends a wait that it can see at once,
// as blocked.
type Limits struct {
	Steps       int64         // executed loop bodies and function entries
	Nodes       int64         // nodes of all states together
	WalkNodes   int           // nodes of one state
	EventBytes  int64         // recorded events
	Losses      int           // sequences that a clock may end before playing stops; 0: no limit
	HeldNodes   int64         // nodes of all sequences of one Play; 0: no limit
	HeldTime    time.Duration // time of one Play, the last sequence not counted; 0: no limit
	Held        int64         // recorded events of all sequences of one Play; 0: no limit
	CPU         time.Duration // processor time without an answer; then the process is killed
	Idle        time.Duration // time without an answer and without use of the processor; then the process is killed
	Time        time.Duration // time without an answer while not waiting for a processor; then the process is killed
	Memory      int64         // bytes of a process
	Total       int64         // bytes of a driver and its descendants, with their files in memory
	FileSize    int64         // bytes of a file that it writes
	Disk        int64         // bytes of all files that it writes
	Processes   int           // processes and threads of a driver and its descendants
	ProcessSize int           // sequences after which a process is replaced
}

// DefaultLimits returns the limits for sequences that are compared. They are generous, because a sequence that a clock
// ends can't be compared. Total is larger than the memory of one process with its files and events. So the kernel's
// limits take effect first, and they end every run at the same place.
func DefaultLimits() Limits {
	return Limits{
		Steps: 500_000, Nodes: 20_000_000, WalkNodes: 1 << 20, EventBytes: 32 << 20,
		CPU: 3 * time.Second, Idle: time.Second, Time: 30 * time.Second,
		Memory: 3 << 29, Total: 2 << 30, FileSize: 64 << 20, Disk: 256 << 20, Processes: 256, ProcessSize: 400,
	}
}

// mostTimes is how many times the usual limits those may be that are raised for some sequences.
const mostTimes = 16

// believed returns an error for limits that no task of this tool has, with which a driver would get more of a machine.
func (l Limits) believed() error {
	usual := DefaultLimits()
	for _, of := range []struct {
		name     string
		is, most int64
	}{
		{"steps", l.Steps, mostTimes * usual.Steps},
		{"nodes", l.Nodes, mostTimes * usual.Nodes},
		{"nodes of one state", int64(l.WalkNodes), mostTimes * int64(usual.WalkNodes)},
		{"events", l.EventBytes - wire.HeaderSize, usual.EventBytes},
		{"processor time", int64(l.CPU), mostTimes * int64(usual.CPU)},
		{"idle time", int64(l.Idle), mostTimes * int64(usual.Idle)},
		{"time", int64(l.Time), mostTimes * int64(usual.Time)},
		{"memory", l.Memory, usual.Memory},
		{"memory of all processes", l.Total, usual.Total},
		{"size of a file", l.FileSize, usual.FileSize},
		{"size of all files", l.Disk, usual.Disk},
		{"processes", int64(l.Processes), int64(usual.Processes)},
	} {
		if of.is <= 0 || of.is > of.most {
			return fmt.Errorf("the limit of the task for %s is %d, and not from 1 to %d", of.name, of.is, of.most)
		}
	}
	return nil
}

// A Clock is the time limit that ended a sequence. The first two depend on the sequence only; the third may depend on
// the machine.
type Clock string

// The clocks. Each belongs to one limit.
const (
	Processor Clock = "processor" // Limits.CPU
	Waiting   Clock = "waiting"   // Limits.Idle
	Wall      Clock = "wall"      // Limits.Time
)

// OfMachine reports whether another machine may have come to the end: a slower one reaches the limit earlier, as does
// one with less memory. What waits for something that never comes waits everywhere.
func (c Clock) OfMachine() bool { return c == Processor || c == Wall }

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

// Patient multiplies the limits of the clocks that depend on the machine.
func (l Limits) Patient(times int) Limits {
	longer := l.Longer(times)
	longer.Idle = l.Idle
	return longer
}

// Longer multiplies the limits of all clocks.
func (l Limits) Longer(times int) Limits {
	n := time.Duration(times)
	l.CPU, l.Idle, l.Time = n*l.CPU, n*l.Idle, n*l.Time
	return l
}

// GenerationLimits returns the limits for sequences that the generator tries. Hundreds of sequences fit into the time
// of one slow sequence, so every one that a clock ends is reported at once.
func GenerationLimits() Limits {
	l := DefaultLimits()
	l.Steps, l.CPU, l.Idle, l.Time = 200_000, 500*time.Millisecond, 300*time.Millisecond, 10*time.Second
	l.Losses = 1
	return l
}

// A Played is the outcome of one sequence.
type Played struct {
	Spectrum      *spectra.Spectrum // without executions; Recorded adds them
	Results       []StepResults     // of the statements that ran, for the generator
	OutcomeDigest spectra.Digest    // of all that a caller sees; zero if the process ended in this sequence
	Coverage      []uint32          // blocks hit: those new in this process, and the watched ones
	Counted       bool              // Coverage has every watched block that ran in its process
	Steps         int64
	Nodes         int64  // of all recorded states
	Calls         int    // function executions recorded
	Truncated     int    // recorded states whose walk ended at its budget
	Clock         Clock  // the clock that ended the sequence; "": none
	Invalid       string // why the sequence does not fit this build; "": it does
	Operands      []Operand
	Entries       []Entry // of the statements that began: the entry states of their calls, in wire.ModeEntries

	recorded
}

// An Operand is one noted comparison or parameter of instrumented code, in wire.ModeOperands.
type Operand struct {
	Site        uint32 // the same for the same place
	Changed     bool   // it lies in changed code
	Number      bool   // the sides are numbers in Go syntax; else they are texts
	Alone       bool   // a parameter: Right is empty
	Left, Right string
}

// A recorded is the recording of a sequence, with all that is needed to decode it.
type recorded struct {
	stream    []byte
	cut       bool // the last event may be half written
	naming    spectra.Naming
	variables []string
	sum       uint64 // digest of the trace
	traced    bool

	reply *reply // as the driver gave it, if replies are kept
}

// StepResults are the results of a statement's call and its exit state.
type StepResults struct {
	State   spectra.Digest // of everything that its arguments reach after the call; zero without references
	Results []Result
}

// An Entry is the entry state of a statement's call.
type Entry struct {
	State     spectra.Digest   // of everything that its arguments reach before the call; zero without references
	Arguments []spectra.Digest // of each argument by itself, without the called function value
}

// A Result is one result of a call.
type Result struct {
	Digest  spectra.Digest
	Nil     bool
	Failed  bool   // a non-nil error
	Huge    bool   // too large to be reused
	Dynamic string // canonical dynamic type of an interface
}

// Play plays the sequences in order, in processes with the given runtime seed. It stops early when
//   - the context ends, or the time of the run is over;
//   - the driver can't be run at all;
//   - clocks have ended Limits.Losses sequences;
//   - the recorded events exceed Limits.Held, the recorded states Limits.HeldNodes, or the time Limits.HeldTime.
func (p *Player) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	return p.play(ctx, programsOf(sequences), mode, seed)
}

// play is Play for sequences in the form that drivers read.
func (p *Player) play(ctx context.Context, programs []program, mode wire.Mode, seed uint64) ([]Played, error) {
	played := make([]Played, 0, len(programs))
	p.begun = time.Now()
	for len(played) < len(programs) && p.mayHold(played) {
		rest := programs[len(played):]
		if n := p.Limits.ProcessSize; n > 0 && len(rest) > n {
			rest = rest[:n]
		}
		done, err := p.process(ctx, played, rest, mode, seed)
		p.tell(done)
		played = append(played, done...)
		if err != nil {
			return played, fmt.Errorf("play on the %s version: %w", p.Side, err)
		}
	}
	return played, nil
}

// tell says which clocks ended sequences.
func (p *Player) tell(played []Played) {
	for i := range played {
		if of := played[i].Clock; of != "" && p.Timed != nil {
			p.Timed(of)
		}
	}
}

// mayHold reports whether the limits allow another sequence besides those played.
func (p *Player) mayHold(played ...[]Played) bool {
	size, nodes, lost := int64(0), int64(0), 0
	for _, list := range played {
		for i := range list {
			size += int64(len(list[i].stream))
			nodes += list[i].Nodes
			if list[i].Clock != "" {
				lost++
			}
		}
	}
	switch {
	case p.Limits.Held > 0 && size >= p.Limits.Held, p.Limits.HeldNodes > 0 && nodes >= p.Limits.HeldNodes,
		p.Limits.Losses > 0 && lost >= p.Limits.Losses,
		p.Limits.HeldTime > 0 && time.Since(p.begun) >= p.Limits.HeldTime:
		return false
	}
	return p.Over == nil || !p.Over()
}

// process plays sequences in one process, as many as fit beside those played before but at least one.
func (p *Player) process(
	ctx context.Context, before []Played, programs []program, mode wire.Mode, seed uint64,
) ([]Played, error) {
	s, err := p.start(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.batch(ctx, before, programs, mode)
}
