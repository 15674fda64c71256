package generate

import (
	"context"
	"fmt"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Input is the input of Run.
type Input struct {
	Operations []*api.Operation
	Settings   []*api.Operation
	Types      []api.Type          // types that a sequence may name
	Samples    []*types.Named      // structs for slots of type any, besides those of the driver
	Unset      map[string][]string // struct type → fields that no sequence may set
	Constants  []Constant          // mined from the module, in any order; duplicates are allowed
	Calls      []carve.Call        // calls to imitate, such as those in tests
	Seed       uint64
	Limits     Limits

	// Execute plays sequences and returns one outcome for each, in their order.
	Execute func(ctx context.Context, batch []sequence.Sequence) ([]Outcome, error)
	// Operands plays sequences and returns the comparisons of each in changed code and on the way to it. Nil: not
	// available.
	Operands func(ctx context.Context, batch []sequence.Sequence) ([]Compared, error)
	// Batch returns how many sequences the next batch has. Nil: as many as Limits.Batch says.
	Batch func() int
	// Whole reports whether every branch of the change went both ways.
	Whole func() bool
	// Endless reports whether an operation, or a function value, should no longer be called, because several calls did
	// not end. Nil: always call.
	Endless func(driven string) bool // as in sequence.Sequence.Driven
	// Changed reports whether a coverage counter is in changed code. Nil: none is.
	Changed func(counter uint32) bool
	// Redundancy decides which sequences are redundant, unless they have new code, outcomes or differences. Nil: those
	// that neither return a new value nor leave a new state.
	Redundancy Redundancy
	// Alone has every sequence be one call, which begins as one of Calls.
	Alone bool
	// Mentioned has the names in changed code, in small letters. Fields of these names are set more often, and
	// parameters of calls that are Alone are changed more often.
	Mentioned map[string]bool
	// Routes are those by which a server calls what can reach changed code. Requests of calls that are Alone get the
	// path and the method of one at once.
	Routes []api.Route

	// Flags are those that set what changed code mentions. Command lines of calls that are Alone get one, by chance.
	Flags []api.Flag
	// Asserted are types that changed code asserts values of type any to be. Such values have them more often.
	Asserted []types.Type
	// Settled has the run end when the change seems to be explored.
	Settled bool
	// Expired reports whether the time is up. It is called between batches; apart tells whether some sequence told the
	// versions apart. Nil: never.
	Expired func(apart bool) bool
}

// A Constant is a literal or declared constant of the module.
type Constant = value.Constant

// A Redundancy finds redundant sequences: all their calls were made before with equivalent receivers and arguments.
type Redundancy interface {
	// Known reports whether a sequence is redundant, if that is known without playing it.
	Known(q sequence.Sequence) bool
	// Same reports for each played sequence of a batch whether it is redundant, and remembers it.
	Same(ctx context.Context, batch []sequence.Sequence, outcomes []Outcome) ([]bool, error)
}

// The outcomes that Execute returns, one for each sequence. See package novelty.
type (
	Outcome = novelty.Outcome
	Step    = novelty.Step
	Result  = novelty.Result
)

// A Kept is a sequence that is worth replaying.
type Kept struct {
	Sequence sequence.Sequence
	Reason   Reason
	Changed  bool // it hit a changed counter
	Played   any  // as in Outcome; nil if more than this sequence was executed
}

// Classes is the number of classes of kept sequences.
const Classes = 3

// Class returns the priority of a sequence: 0 for new code, a new kind of outcome, a difference or a new path, 1 for
// others that ran changed code, 2 for the rest.
func (k *Kept) Class() int {
	switch {
	case k.Reason != NewValue && k.Reason != NewState:
		return 0
	case k.Changed:
		return 1
	}
	return 2
}

// A Reason is the reason for keeping a sequence.
type Reason string

// The reasons, in the order in which they are tested.
const (
	NewEnd        Reason = "end"      // its last call ends the process or never ends
	NewPanic      Reason = "panic"    // its last call panics in a new way
	NewCoverage   Reason = "coverage" // code that nothing hit before
	NewOutcome    Reason = "outcome"  // another way to return: an error, a nil, a dynamic type
	NewValue      Reason = "value"    // a result new for its operation
	NewState      Reason = "state"    // a new exit state of the arguments
	NewDifference Reason = "apart"    // the new version behaves differently
	NewPath       Reason = "path"     // parts of the change, of both versions, that none ran together
)

// Stats count sequences for the report.
type Stats struct {
	Sequences int      // executed candidates
	Kept      int      // of these; Generated has no more than Limits.OfClass of a class
	Redundant int      // legal, but nothing new: see Input.Redundancy
	Surplus   int      // legal, not redundant, but of a kind of which enough were kept
	Unplayed  int      // redundant without being executed; not among Sequences
	Illegal   int      // rejected, or they panicked on a nil of the generator, or ended in a known way
	Steps     int      // statements that ran
	Reached   []string // operations that ran at least once, sorted, without suppliers
}

// Generated is the result of a run.
type Generated struct {
	Kept  []Kept
	Stats Stats
	Stop  Stop
}

// Run generates sequences. If Execute fails or ctx ends, it returns the sequences so far with the error.
func Run(ctx context.Context, in Input) (Generated, error) {
	g := newGenerator(in)
	for {
		if stop, ok := g.stop(); ok {
			return g.result(stop), nil
		}
		batch := g.batch()
		if len(batch) == 0 {
			return g.result(Exhausted), nil
		}
		err := g.execute(ctx, batch)
		if err == nil {
			err = g.ask(ctx)
		}
		if err == nil {
			err = g.climb(ctx)
		}
		if err != nil {
			return g.result(""), err
		}
	}
}

func (g *generator) execute(ctx context.Context, batch []*candidate) error {
	sequences := make([]sequence.Sequence, len(batch))
	for i, c := range batch {
		sequences[i] = sequence.Sequence{Statements: c.statements}
	}
	outcomes, err := g.in.Execute(ctx, sequences)
	if err != nil {
		return fmt.Errorf("execute a batch of %d sequences: %w", len(batch), err)
	}
	if len(outcomes) != len(batch) {
		return fmt.Errorf("execute a batch of %d sequences: got %d outcomes", len(batch), len(outcomes))
	}
	same := make([]bool, len(batch))
	if g.in.Redundancy != nil {
		if same, err = g.in.Redundancy.Same(ctx, sequences, outcomes); err != nil {
			return fmt.Errorf("look for redundant ones among %d sequences: %w", len(batch), err)
		}
	}
	for i, c := range batch {
		if g.limits.Sequences == 0 || g.stats.Kept < g.limits.Sequences {
			c.redundant = same[i]
			g.judge(c, &outcomes[i])
		}
	}
	return ctx.Err()
}

func (g *generator) stop() (Stop, bool) {
	stop := g.Stop(g.limits, g.stats.Kept)
	switch {
	case stop != "":
	case g.in.Settled && g.favourites.Len() > 0 && g.Settled(g.in.Whole != nil && g.in.Whole()):
		stop = Explored
	case g.in.Expired != nil && g.in.Expired(g.Differs):
		stop = Budget
	}
	return stop, stop != ""
}
